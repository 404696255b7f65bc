"""The one family of errors.

::

    HfviewerError                      has problem, remedy, path
    ├── NotARecordingError             no reader knows what lies there
    ├── DamagedRecordingError          the right format, but its bytes contradict themselves
    │   └── UnfinishedRecordingError   never finalized: `hfviewer recover`
    ├── FrameError                     one frame cannot be read or decoded; the others can
    ├── UnsupportedError               well formed, but this version cannot do it
    ├── ChangedOnDiskError             somebody committed since it was opened
    ├── LockedError                    somebody else is writing it now
    ├── WriteError                     the target cannot be written (exists, full, read-only)
    ├── ConversionError                a source folder cannot be converted
    ├── UsageError                     a wrong argument: stream name, time, index
    └── CancelledError                 the user stopped it; nothing was left behind
"""

from __future__ import annotations

from os import PathLike, fspath

from hfviewer.core.text import printable


class HfviewerError(Exception):
    """Base of all errors that a person is meant to read.

    Args:
        problem: one sentence that says what is wrong.
        remedy: what to do about it; may be empty.
        path: the file or folder it is about.
    """

    def __init__(self, problem: str, *, remedy: str = "", path: str | PathLike[str] | None = None) -> None:
        self.problem = problem
        self.remedy = remedy
        self.path = None if path is None else fspath(path)
        super().__init__(self.line())

    def line(self) -> str:
        """Say it in one line, as ``PATH: what is wrong. What to do.`` for a terminal.

        Whatever a file name or a damaged file put in: it stays one line that any terminal can print.
        """
        text = " ".join(f"{self.problem} {self.remedy}".split())
        text = text if self.path is None else f"{self.path}: {text}"
        return printable(text)


class NotARecordingError(HfviewerError):
    """No reader knows what lies there."""


class DamagedRecordingError(HfviewerError):
    """The format is known, but the bytes contradict themselves."""


class UnfinishedRecordingError(DamagedRecordingError):
    """The writer never finalized it."""


class FrameError(HfviewerError):
    """One frame cannot be read or decoded."""


class UnsupportedError(HfviewerError):
    """Well formed, but outside what this version can do."""


class ChangedOnDiskError(HfviewerError):
    """The recording on disk is not the revision that was opened."""


class LockedError(HfviewerError):
    """Another process holds the recording's lock."""


class WriteError(HfviewerError):
    """The target cannot be written."""


class ConversionError(HfviewerError):
    """A source cannot be converted."""


class UsageError(HfviewerError):
    """An argument is wrong."""


class CancelledError(HfviewerError):
    """Stopped by the user."""
