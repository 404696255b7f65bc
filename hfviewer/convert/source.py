"""What an importer yields: a pure plan, made from listings and tables; payloads wait until asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.geometry import Calibration
from hfviewer.core.stream import StreamDescription

SHOWN_NAMES = 5
KEPT_NAMES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing of a source that is missing or broken; everything else is converted.

    Args:
        stream: the stream it is about; empty for the whole source.
        message: what is wrong, the same for all that it names.
        names: files or rows concerned, relative to the source; at most `KEPT_NAMES`.
        count: how many there are in all.
    """

    stream: str
    message: str
    names: tuple[str, ...] = ()
    count: int = 1

    def line(self) -> str:
        """One line for a terminal: the first `SHOWN_NAMES` names and how many more."""
        shown = ", ".join(self.names[:SHOWN_NAMES])
        more = self.count - min(len(self.names), SHOWN_NAMES)
        if self.names and more > 0:
            shown += f" and {more} more"
        return ": ".join(part for part in (self.stream, self.message, shown) if part)


class ProblemLog:
    """Collects problems, those of one stream and one message together, in order of their first."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], list[str]] = {}
        self._counts: dict[tuple[str, str], int] = {}

    def add(self, stream: str, message: str, name: str = "") -> None:
        """Note one file or row; a full stop at the message's end is dropped, as names follow."""
        key = (stream, message.removesuffix("."))
        names = self._names.setdefault(key, [])
        self._counts[key] = self._counts.get(key, 0) + 1
        if name and len(names) < KEPT_NAMES:
            names.append(name)

    def extend(self, problems: tuple[Problem, ...]) -> None:
        """Take over what another log collected."""
        for problem in problems:
            key = (problem.stream, problem.message)
            self._names.setdefault(key, []).extend(problem.names)
            self._counts[key] = self._counts.get(key, 0) + problem.count

    def problems(self) -> tuple[Problem, ...]:
        """All so far."""
        return tuple(
            Problem(stream=stream, message=message, names=tuple(names), count=self._counts[stream, message])
            for (stream, message), names in self._names.items()
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedStream:
    """One stream to be written, in order of arrival.

    Args:
        description: counts and rates are left at their defaults; ``compression`` is set by the conversion.
        timestamps_ns: int64[n], recording clock; need not be sorted.
        sequence: int64[n], the source's own numbers, so that a missing one stays visible.
        load: the payload of frame i, as the description's encoding lays it out. Raises FrameError or OSError
            where its source is broken.
        origin: name of frame i's source for a person: a file relative to the source, or a table's row.
        keyframes: bool[n]: frames from which decoding can start; None: all.
    """

    description: StreamDescription
    timestamps_ns: NDArray[np.int64]
    sequence: NDArray[np.int64]
    load: Callable[[int], bytes]
    origin: Callable[[int], str]
    keyframes: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.timestamps_ns)


@dataclass(frozen=True, kw_only=True, eq=False)
class Plan:
    """All that a conversion does, before it does it.

    Args:
        layout: name of the importer.
        title: of the recording.
        source: where it came from, for a person.
        streams: at least one with frames.
        calibration: cameras and transforms; None where the source has none.
        notes: what a person should know: conversions of units and axes, what was left out and why.
        problems: what listings and tables alone showed to be missing or broken.
        metadata: further keys for the recording's metadata.
    """

    layout: str
    title: str
    source: str
    streams: tuple[PlannedStream, ...]
    calibration: Calibration | None = None
    notes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = field(default=())
    metadata: Mapping[str, Any] = field(default_factory=dict)
