"""States of a device and when each began."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import Frame, TextFrame
from hfviewer.panels.drawing import one_line
from hfviewer.playback.source import FrameSource

MOST_FRAMES = 20_000  # of a stream that are read; a state is written when it changes
_MOST_LETTERS = 200
_GOOD = frozenset(
    [
        "connected",
        "ok",
        "ready",
        "running",
        "recording",
        "streaming",
        "active",
        "online",
        "on",
        "normal",
        "good",
    ]
)
_BAD = frozenset(
    [
        "disconnected",
        "error",
        "lost",
        "failed",
        "failure",
        "offline",
        "timeout",
        "dead",
        "off",
        "bad",
        "broken",
        "stopped",
    ]
)


class Mood(Enum):
    """What a state means for whoever looks at the recording."""

    GOOD, BAD, OTHER = range(3)


@dataclass(frozen=True, slots=True)
class State:
    """One state of a device.

    Args:
        text: as written.
        start_ns: since when.
        frame: index of the frame that says so.
    """

    text: str
    start_ns: int
    frame: int


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """All states, in order of time; neighbours differ.

    Args:
        states: as they came.
        starts_ns: int64[n], when each began.
        complete: False where there were too many, or some could not be read.
    """

    states: tuple[State, ...]
    starts_ns: NDArray[np.int64]
    complete: bool = True

    def at(self, time_ns: int) -> int | None:
        """Which state holds at a time; None before the first."""
        found = int(np.searchsorted(self.starts_ns, time_ns, side="right")) - 1
        return found if found >= 0 else None

    def kinds(self) -> list[str]:
        """The different texts, in order of their first appearance."""
        return list(dict.fromkeys(state.text for state in self.states))


def text_of(frame: Frame) -> str:
    """What a frame says, on one line."""
    if not isinstance(frame, TextFrame):
        return ""
    value = frame.value if isinstance(frame.value, str) else frame.text
    return one_line(value)[:_MOST_LETTERS].strip()


def mood_of(text: str) -> Mood:
    """Good and bad words are known in English; whatever else it says is neither."""
    words = text.casefold().replace("_", " ").replace("-", " ").split()
    if any(word in _BAD for word in words) or "not" in words:
        return Mood.BAD
    return Mood.GOOD if any(word in _GOOD for word in words) else Mood.OTHER


def read_history(source: FrameSource, name: str) -> History:
    """The states of a stream. Slow: not for the GUI thread."""
    stamps_ns = source.streams[name].timestamps_ns
    read: list[tuple[int, str]] = []
    complete = len(stamps_ns) <= MOST_FRAMES
    for index in range(min(len(stamps_ns), MOST_FRAMES)):
        try:
            read.append((index, text_of(source.frame(name, index))))
        except HfviewerError:
            complete = False
    return history_of([(text, int(stamps_ns[index]), index) for index, text in read], complete=complete)


def history_of(read: list[tuple[str, int, int]], *, complete: bool = True) -> History:
    """States from texts with times and frames, one for each change."""
    states: list[State] = []
    for text, time_ns, frame in read:
        if not states or states[-1].text != text:
            states.append(State(text, time_ns, frame))
    starts_ns = np.array([state.start_ns for state in states], np.int64)
    return History(tuple(states), starts_ns, complete)
