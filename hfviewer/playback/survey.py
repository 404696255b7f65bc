"""A look at frames from all over a stream, in the background: what holds for the whole recording."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import Frame
from hfviewer.core.recording import Stream

SURVEYED_FRAMES = 16
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What somebody wants to know of a stream.

    Args:
        sample: what is kept of one frame; small.
        join: what all of them say together.
    """

    sample: Callable[[Frame], Any]
    join: Callable[[Sequence[Any]], object]


@dataclass(frozen=True, slots=True, eq=False)
class SurveyResult:
    """The answer.

    Args:
        epoch: of the recording.
        stream: name.
        value: what `Survey.join` gave; None where no frame could be read.
    """

    epoch: int
    stream: str
    value: object


class Surveyor(QObject):
    """Reads a few frames of each stream that somebody asks about, on one thread, stream after stream."""

    surveyed = Signal(object)  # SurveyResult

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._epoch = 0
        self._closed = False
        self._waiting: queue.SimpleQueue[tuple[int, str, Stream, Survey] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="survey", daemon=True)
        self._thread.start()

    def request(self, name: str, stream: Stream, survey: Survey) -> None:
        """Ask; returns at once."""
        if not self._closed:
            self._waiting.put((self._epoch, name, stream, survey))

    def new_epoch(self, epoch: int) -> None:
        """Another recording is open: what was asked of the last one is forgotten."""
        self._epoch = epoch

    def close(self, *, timeout_s: float = 3.0) -> None:
        """Stop; waits for the frame that is being read, but no longer than this."""
        self._closed = True
        self._waiting.put(None)
        self._thread.join(timeout_s)

    def _work(self) -> None:
        while (taken := self._waiting.get()) is not None:
            if not self._closed and taken[0] == self._epoch:
                self._carry_out(*taken)
            # An idle thread must not keep a closed recording's file open.
            del taken

    def _carry_out(self, epoch: int, name: str, stream: Stream, survey: Survey) -> None:
        samples: list[Any] = []
        for index in surveyed_indices(len(stream)):
            if self._closed or epoch != self._epoch:
                return
            try:
                samples.append(survey.sample(stream.read(index)))
            except HfviewerError:
                continue  # its panel says so when it comes to that frame
            except Exception:  # noqa: BLE001 - a decoder's bug in one frame must not end the survey
                _log.exception("frame %d of %s", index, name)
        value: object = None
        try:
            value = survey.join(samples) if samples else None
        except Exception:  # noqa: BLE001 - one stream's odd values must not end the thread for the others
            _log.exception("survey of %s", name)
        if epoch == self._epoch:
            with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
                self.surveyed.emit(SurveyResult(epoch, name, value))


def surveyed_indices(count: int) -> list[int]:
    """Frames spread evenly over a stream, the ends left out where there are enough others."""
    if count <= SURVEYED_FRAMES:
        return list(range(count))
    return [int(v) for v in (np.arange(SURVEYED_FRAMES) + 0.5) * count / SURVEYED_FRAMES]
