"""Whole dense signals in the background: plots want every sample, frame by frame would take for ever."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from hfviewer.core.errors import HfviewerError
from hfviewer.core.recording import Stream

CHUNK_SAMPLES = 100_000


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
    """

    epoch: int
    stream: str
    timestamps_ns: NDArray[np.int64]
    values: NDArray[np.float64]
    share: float
    error: HfviewerError | None = None


class SamplesLoader(QObject):
    """Reads dense signals one after the other on one thread.

    Results come when a signal is complete, and before that each time its length has doubled, so that a long
    one fills in without being copied more than twice over.
    """

    loaded = Signal(object)  # SamplesResult

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._changed = threading.Condition()
        self._waiting: list[tuple[int, str, Stream]] = []
        self._epoch = 0
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="samples-loader", daemon=True)
        self._thread.start()

    def request(self, name: str, stream: Stream) -> None:
        """Ask for a signal; returns at once."""
        with self._changed:
            self._waiting.append((self._epoch, name, stream))
            self._changed.notify()

    def new_epoch(self, epoch: int) -> None:
        """Another recording is open: forget what waits, and stop in the middle of what is being read."""
        with self._changed:
            self._epoch = epoch
            self._waiting.clear()

    def close(self) -> None:
        """Stop and wait for the chunk that is being read."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(10.0)

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                epoch, name, stream = self._waiting.pop(0)
            self._read(epoch, name, stream)

    def _is_stale(self, epoch: int) -> bool:
        return self._closed or epoch != self._epoch

    def _read(self, epoch: int, name: str, stream: Stream) -> None:
        table_ns = stream.timestamps_ns
        count = len(table_ns)
        stamps: list[NDArray[np.int64]] = []
        values: list[NDArray[np.float64]] = []
        told = 0
        error: HfviewerError | None = None
        # Cut at timestamps, not at indices: samples() is half-open in time, and stamps may repeat.
        cuts_ns = sorted({int(table_ns[i]) for i in range(0, count, CHUNK_SAMPLES)})
        stops_ns = [*cuts_ns[1:], int(table_ns[-1]) + 1] if count else []
        for cut, (start_ns, stop_ns) in enumerate(zip(cuts_ns, stops_ns, strict=True)):
            if self._is_stale(epoch):
                return
            first = cut == 0
            last = cut == len(cuts_ns) - 1
            try:
                chunk_ns, chunk = stream.samples(
                    start_ns if not first else -(2**63), stop_ns if not last else 2**63
                )
            except HfviewerError as problem:
                error = problem
                break
            stamps.append(chunk_ns)
            values.append(chunk)
            total = sum(map(len, stamps))
            if total >= 2 * told or last:
                told = total
                self._tell(epoch, name, stamps, values, (cut + 1) / len(cuts_ns), None)
        if error is not None or not count:
            self._tell(epoch, name, stamps, values, 1.0, error)

    def _tell(
        self,
        epoch: int,
        name: str,
        stamps: list[NDArray[np.int64]],
        values: list[NDArray[np.float64]],
        share: float,
        error: HfviewerError | None,
    ) -> None:
        if self._is_stale(epoch):
            return
        stamps[:] = [np.concatenate(stamps) if stamps else np.empty(0, np.int64)]
        values[:] = [np.concatenate(values) if values else np.empty((0, 0))]
        self.loaded.emit(
            SamplesResult(
                epoch=epoch,
                stream=name,
                timestamps_ns=stamps[0],
                values=values[0],
                share=share,
                error=error,
            )
        )
