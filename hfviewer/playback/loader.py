"""Loader threads: take requests off the board, read and decode, hand results to the GUI thread."""

from __future__ import annotations

import contextlib
import logging
import threading
import time

from PySide6.QtCore import QObject, Signal

from hfviewer.core.errors import FrameError, HfviewerError
from hfviewer.core.frame import Frame, ImageFrame
from hfviewer.playback.board import FrameRequest, RequestBoard, WindowRequest
from hfviewer.playback.cache import FrameCache
from hfviewer.playback.result import FrameResult

_log = logging.getLogger(__name__)


class FrameLoader(QObject):
    """Reads what the board asks for, on its own threads.

    Args:
        board: what is wanted.
        cache: what is there already; results go into it.
        threads: how many; one decoder runs in each.
    """

    loaded = Signal(object)  # FrameResult, for a frame to show; arrives on the GUI thread

    def __init__(
        self, board: RequestBoard, cache: FrameCache, *, threads: int = 2, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._board = board
        self._cache = cache
        self._threads = [
            threading.Thread(target=self._work, name=f"frame-loader-{i}", daemon=True) for i in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def close(self, *, timeout_s: float = 10.0) -> None:
        """Stop: wakes the threads and waits for the frame each is in the middle of, so long in all."""
        self._board.close()
        stop_at = time.monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(0.0, stop_at - time.monotonic()))

    def _work(self) -> None:
        while (taken := self._board.take()) is not None:
            self._serve(taken)
            # An idle thread must not keep a closed recording's file open.
            del taken

    def _serve(self, taken: FrameRequest | WindowRequest) -> None:
        if self._board.is_stale(taken):
            return
        if isinstance(taken, WindowRequest):
            taken.recording.announce(taken.window)
        elif taken.ahead:
            if self._kept(taken, count=False) is None:
                self._read(taken)
        else:
            result = self.load(taken)
            if not self._board.is_stale(taken):
                with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
                    self.loaded.emit(result)

    def load(self, request: FrameRequest) -> FrameResult:
        """The requested frame from the cache or from the recording; errors are results too."""
        kept = self._kept(request, count=True)
        decode_ns = 0
        if kept is None:
            start_ns = time.perf_counter_ns()
            kept = self._read(request)
            decode_ns = time.perf_counter_ns() - start_ns
        frame = kept if isinstance(kept, Frame) else None
        return FrameResult(
            generation=request.generation,
            epoch=request.epoch,
            stream=request.name,
            index=request.index,
            frame=frame,
            error=kept if isinstance(kept, HfviewerError) else None,
            decode_ns=decode_ns,
            prepared=None if frame is None else self._prepare(request, frame),
        )

    def _kept(self, request: FrameRequest, *, count: bool) -> Frame | HfviewerError | None:
        """What the cache has, unless it is a reduced picture and more of it is wanted."""
        value = self._cache.get(self._key(request), count=count)
        return value if value is None or suffices(value, request.max_size) else None

    def _prepare(self, request: FrameRequest, frame: Frame) -> object:
        if request.prepare is None or self._board.is_stale(request):
            return None
        try:
            return request.prepare(frame)
        except Exception:  # noqa: BLE001 - the panel tries again, and tells of it where a person sees it
            _log.exception("preparing frame %d of %s", request.index, request.name)
            return None

    def _read(self, request: FrameRequest) -> Frame | HfviewerError:
        value: Frame | HfviewerError
        try:
            value = request.stream.read(request.index, max_size=request.max_size)
        except HfviewerError as error:
            value = error
        except Exception as error:  # noqa: BLE001 - a decoder's bug in one frame must not end the thread
            _log.exception("frame %d of %s", request.index, request.name)
            value = FrameError(
                f"Frame {request.index} of {request.name!r} cannot be decoded"
                f" ({type(error).__name__}: {error}).",
                remedy="The other frames still open.",
            )
        if not self._board.is_stale(request):
            self._cache.put(self._key(request), value)
        return value

    @staticmethod
    def _key(request: FrameRequest) -> tuple[int, str, int]:
        return (request.epoch, request.name, request.index)


def suffices(value: Frame | HfviewerError, max_size: tuple[int, int] | None) -> bool:
    """Whether what is kept has all the pixels that are wanted.

    Args:
        value: a frame, perhaps a reduced decode; or an error, which no second try makes better.
        max_size: (width, height) that will be shown at most; None: all of it is wanted.
    """
    if not isinstance(value, ImageFrame) or value.full_size is None:
        return True
    height, width = value.pixels.shape[:2]
    return max_size is not None and width >= max_size[0] and height >= max_size[1]
