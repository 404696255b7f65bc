"""Whole dense signals in the background: plots want every sample, frame by frame would take for ever."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from hfviewer.core.errors import FrameError, HfviewerError
from hfviewer.core.recording import Stream
from hfviewer.playback.cache import default_budget_bytes

CHUNK_VALUES = 1_000_000
SIGNALS_SHARE = 2  # all plotted signals together may take this part of the budget of everything cached
_DRAWN_BYTES = 11  # a value with its part in the pyramid that draws it; a third more than the value alone

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SamplesResult:
    """All samples read so far of one signal.

    Args:
        epoch: of the recording.
        stream: name.
        timestamps_ns: int64[n].
        values: float64 n×C.
        share: of the stream's frames that are in it, 0 to 1.
        error: why the rest is missing; None while all is well.
        prepared: what the request's `SamplesPreparer` made of these samples; None where there was none.
    """

    epoch: int
    stream: str
    timestamps_ns: NDArray[np.int64]
    values: NDArray[np.float64]
    share: float
    error: HfviewerError | None = None
    prepared: object = None


SamplesPreparer = Callable[[NDArray[np.int64], NDArray[np.float64]], object]
"""Work on a signal's samples that a plot would otherwise do on the GUI thread."""


class SamplesLoader(QObject):
    """Reads dense signals one after the other on one thread.

    Results come when a signal is complete, and before that each time its length has doubled, so that a long
    one fills in without being copied more than twice over. Complete ones are kept as long as the recording is
    open: their plots hold them anyway, and another plot of the same signal shares them.

    Args:
        budget_bytes: of all signals together; None: `SIGNALS_SHARE` of the default budget. Of a signal that
            would not fit, the beginning comes, with an error that says so.
    """

    loaded = Signal(object)  # SamplesResult

    def __init__(self, parent: QObject | None = None, *, budget_bytes: int | None = None) -> None:
        super().__init__(parent)
        self._budget_bytes = default_budget_bytes() // SIGNALS_SHARE if budget_bytes is None else budget_bytes
        self._kept: dict[str, SamplesResult] = {}
        self._held_bytes: dict[str, int] = {}
        self._changed = threading.Condition()
        self._waiting: list[_Wanted] = []
        self._epoch = 0
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="samples-loader", daemon=True)
        self._thread.start()

    def request(self, name: str, stream: Stream, prepare: SamplesPreparer | None = None) -> None:
        """Ask for a signal; returns at once."""
        with self._changed:
            self._waiting.append(_Wanted(self._epoch, name, stream, prepare))
            self._changed.notify()

    @property
    def used_bytes(self) -> int:
        """What the signals of the open recording take, pyramids included."""
        return sum(list(self._held_bytes.values()))

    def new_epoch(self, epoch: int) -> None:
        """Another recording is open: forget what waits, and stop in the middle of what is being read."""
        with self._changed:
            self._epoch = epoch
            self._waiting.clear()
            self._kept.clear()
            self._held_bytes.clear()

    def close(self, *, timeout_s: float = 10.0) -> None:
        """Stop and wait for the chunk that is being read."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(timeout_s)

    def _work(self) -> None:
        while (wanted := self._take()) is not None:
            try:
                self._read(wanted)
            except Exception as error:  # noqa: BLE001 - one bad signal must not end the thread for all others
                _log.exception("samples of %s", wanted.name)
                problem = FrameError(f"Its samples cannot be read ({type(error).__name__}: {error}).")
                self._tell(_Progress(wanted.epoch, wanted.name, None), 1.0, problem)
            # An idle thread must not keep a closed recording's file open.
            del wanted

    def _take(self) -> _Wanted | None:
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            return None if self._closed else self._waiting.pop(0)

    def _is_stale(self, epoch: int) -> bool:
        return self._closed or epoch != self._epoch

    def _read(self, wanted: _Wanted) -> None:
        epoch, stream = wanted.epoch, wanted.stream
        if (kept := self._kept.get(wanted.name)) is not None and kept.epoch == epoch:
            self._emit(kept)
            return
        progress = _Progress(epoch, wanted.name, wanted.prepare)
        channels = max(1, len(stream.description.channels))
        windows = chunk_windows(stream.timestamps_ns, max(1, CHUNK_VALUES // channels))
        told = 0
        for number, (start_ns, stop_ns) in enumerate(windows, start=1):
            if self._is_stale(epoch):
                return
            try:
                progress.add(*stream.samples(start_ns, stop_ns))
            except HfviewerError as error:
                self._tell(progress, 1.0, error)
                return
            if number < len(windows) and progress.bytes_with(progress.last_count) > self._room(wanted.name):
                problem = f"Only the first {progress.count:,} samples are plotted: more would not fit."
                limit = f"{self._budget_bytes / (1 << 20):.0f} MiB are set aside for signals."
                self._tell(progress, 1.0, FrameError(problem.replace(",", "\u202f"), remedy=limit))
                return
            if progress.count >= 2 * told or number == len(windows):
                told = progress.count
                self._tell(progress, number / len(windows), None)
        if not windows:
            self._tell(progress, 1.0, None)

    def _tell(self, progress: _Progress, share: float, error: HfviewerError | None) -> None:
        if self._is_stale(progress.epoch):
            return
        self._held_bytes[progress.stream] = progress.bytes_with(0)
        stamps_ns, values = progress.joined()
        result = SamplesResult(
            epoch=progress.epoch,
            stream=progress.stream,
            timestamps_ns=stamps_ns,
            values=values,
            share=share,
            error=error,
            prepared=None if progress.prepare is None else progress.prepare(stamps_ns, values),
        )
        with self._changed:
            if share >= 1.0 and error is None and not self._is_stale(progress.epoch):
                self._kept[progress.stream] = result
        self._emit(result)

    def _room(self, name: str) -> int:
        """Bytes that a signal may take beside the others."""
        return self._budget_bytes - sum(
            held for other, held in list(self._held_bytes.items()) if other != name
        )

    def _emit(self, result: SamplesResult) -> None:
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            self.loaded.emit(result)


@dataclass(frozen=True, slots=True, eq=False)
class _Wanted:
    """A signal to read.

    Args:
        epoch: of its recording.
        name: of the stream.
        stream: to read from.
        prepare: what its plot would have done ahead.
    """

    epoch: int
    name: str
    stream: Stream
    prepare: SamplesPreparer | None


class _Progress:
    """The samples of one signal that were read so far."""

    def __init__(self, epoch: int, stream: str, prepare: SamplesPreparer | None) -> None:
        self.epoch, self.stream, self.prepare = epoch, stream, prepare
        self.count = self.last_count = self._channels = 0
        self._stamps: list[NDArray[np.int64]] = []
        self._values: list[NDArray[np.float64]] = []

    def add(self, stamps_ns: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        self._stamps.append(stamps_ns)
        self._values.append(values)
        self.last_count = len(stamps_ns)
        self.count += self.last_count
        self._channels = values.shape[1] if values.ndim == 2 else 1

    def bytes_with(self, more: int) -> int:
        """What all that was read takes once it is plotted, with so many samples more."""
        return (self.count + more) * (8 + self._channels * _DRAWN_BYTES)

    def joined(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Everything read so far; each channel lies in one piece, so that nobody must copy it to draw it."""
        if not self._stamps:
            return np.empty(0, np.int64), np.empty((0, 0))
        if len(self._stamps) > 1 or not self._values[0].flags.f_contiguous:
            stamps = np.concatenate(self._stamps)
            whole = np.empty((self.count, self._values[0].shape[1]), np.float64, order="F")
            start = 0
            self._values.reverse()
            while self._values:  # each piece goes once it is copied: never all of it twice
                part = self._values.pop()
                whole[start : start + len(part)] = part
                start += len(part)
            self._stamps, self._values = [stamps], [whole]
        return self._stamps[0], self._values[0]


def chunk_windows(table_ns: NDArray[np.int64], frames: int) -> list[tuple[int, int]]:
    """Half-open spans that together hold every sample, each of about so many frames.

    Cut at timestamps, not at indices: `Stream.samples` is half-open in time, and stamps may repeat. The first
    and the last reach to the ends of time, as a batch may hold samples outside the stamps of its stream.

    Args:
        table_ns: int64[n], non-decreasing.
        frames: in one span, ≥ 1.
    """
    if not len(table_ns):
        return []
    cuts_ns = sorted({int(stamp_ns) for stamp_ns in table_ns[::frames]})
    edges_ns = [-(2**63), *cuts_ns[1:], 2**63]
    return list(pairwise(edges_ns))
