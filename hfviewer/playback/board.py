"""Scrubbing: the latest request wins.

The GUI thread posts what it wants to show now; loader threads take the most wanted. Of each stream at most
one request waits: a newer one replaces it. Reading ahead fills the time in between and gives way at once.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hfviewer.core.recording import Recording, Stream
from hfviewer.core.window import TimeWindow
from hfviewer.playback.result import Preparer


@dataclass(frozen=True, slots=True, eq=False)
class FrameRequest:
    """One frame to load; carries all that a worker needs, so that workers share no state.

    Args:
        generation: rises with every post and never restarts.
        stream: to read from.
        name: of that stream.
        index: of the frame.
        epoch: of the recording it belongs to; a request of an older epoch is dropped.
        ahead: read ahead for later, not to be shown now.
        max_size: (width, height) in pixels that will be shown at most; None: wanted in full.
        prepare: what the panel would have done ahead with the frame.
    """

    generation: int
    stream: Stream
    name: str
    index: int
    epoch: int
    ahead: bool = False
    max_size: tuple[int, int] | None = None
    prepare: Preparer | None = None


@dataclass(frozen=True, slots=True, eq=False)
class WindowRequest:
    """Tell the system that a window's bytes will be wanted soon.

    Args:
        recording: to announce to.
        window: that comes next.
        epoch: of the recording.
    """

    recording: Recording
    window: TimeWindow
    epoch: int


class RequestBoard:
    """At most one waiting request per stream, and a list of frames to read ahead. Safe from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._generation = 0
        self._epoch = 0
        self._waiting: dict[str, FrameRequest] = {}
        self._ahead: list[FrameRequest] = []
        self._announcement: WindowRequest | None = None
        self._closed = False
        self._superseded: Counter[str] = Counter()

    @property
    def epoch(self) -> int:
        """Of the recording that is open now."""
        return self._epoch

    @property
    def generation(self) -> int:
        """Of the newest post so far: the bar above which results of a newly opened recording lie."""
        return self._generation

    def superseded(self, name: str | None = None) -> int:
        """How many requests gave way to newer ones before a thread took them up: of one stream, or of all."""
        return self._superseded.total() if name is None else self._superseded[name]

    def post(
        self,
        stream: Stream,
        name: str,
        index: int,
        *,
        max_size: tuple[int, int] | None = None,
        prepare: Preparer | None = None,
    ) -> FrameRequest:
        """Ask for a frame to show; returns at once. What waited for this stream is forgotten."""
        with self._changed:
            self._generation += 1
            request = FrameRequest(
                self._generation, stream, name, index, self._epoch, max_size=max_size, prepare=prepare
            )
            if name in self._waiting:
                self._superseded[name] += 1
            # In place: who is asked for again keeps the turn, or those asked for most starve the rest.
            self._waiting[name] = request
            self._changed.notify()
        return request

    def withdraw(self, name: str) -> None:
        """Forget what waits for a stream: its panel is gone or hidden."""
        with self._changed:
            self._waiting.pop(name, None)

    def read_ahead(self, wanted: Sequence[tuple[Stream, str, int, tuple[int, int] | None]]) -> None:
        """Replace the list of frames to read ahead, the most wanted first: stream, name, index, most size."""
        with self._changed:
            self._ahead = [
                FrameRequest(0, stream, name, index, self._epoch, ahead=True, max_size=max_size)
                for stream, name, index, max_size in reversed(wanted)
            ]
            self._changed.notify_all()

    def announce(self, recording: Recording, window: TimeWindow) -> None:
        """Have a window announced to the system, before anything of it is read ahead."""
        with self._changed:
            self._announcement = WindowRequest(recording, window, self._epoch)
            self._changed.notify()

    def take(self) -> FrameRequest | WindowRequest | None:
        """Wait for the most wanted request: the longest waiting one to show, an announcement, else one ahead.

        Returns:
            None once the board is closed.
        """
        with self._changed:
            while not self._closed:
                if self._waiting:
                    return self._waiting.pop(next(iter(self._waiting)))
                if self._announcement is not None:
                    announcement, self._announcement = self._announcement, None
                    return announcement
                if self._ahead:
                    return self._ahead.pop()
                self._changed.wait()
        return None

    def is_stale(self, request: FrameRequest | WindowRequest) -> bool:
        """True where nobody waits for a request any more: another recording was opened, or we are closing."""
        return self._closed or request.epoch != self._epoch

    def new_epoch(self) -> int:
        """Another recording is open: forget everything that waits."""
        with self._changed:
            self._epoch += 1
            self._superseded.clear()
            self._forget()
            return self._epoch

    def close(self) -> None:
        """Wake every waiting worker and let it end."""
        with self._changed:
            self._closed = True
            self._forget()
            self._changed.notify_all()

    def _forget(self) -> None:
        self._waiting.clear()
        self._ahead.clear()
        self._announcement = None
