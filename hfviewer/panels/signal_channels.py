"""The channels of a signal panel: those of its stream, those made of them, and those of other streams."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import signal_maths
from hfviewer.core.stream import Channel
from hfviewer.core.time_text import NS_PER_S
from hfviewer.panels.signal_data import SignalChannel, plain_unit
from hfviewer.panels.signal_prepare import PreparedSignal, prepare_channel
from hfviewer.quality.gaps import Gaps

FIRST_ADDED = 1 << 32  # numbers of channels that were added; below are columns


class Made(StrEnum):
    """What can be made of channels."""

    DERIVATIVE = "derivative"
    INTEGRAL = "integral"
    MEAN = "moving mean"
    MAGNITUDE = "magnitude"


@dataclass(frozen=True, slots=True)
class MadeOf:
    """How a channel is made.

    Args:
        what: of it.
        columns: it is made of; one, but for a magnitude.
        width_ns: of a moving mean.
    """

    what: Made
    columns: tuple[int, ...]
    width_ns: int = 0

    def named(self, channels: Sequence[Channel]) -> Channel:
        """Name and unit of the result."""
        first = channels[self.columns[0]]
        match self.what:
            case Made.DERIVATIVE:
                return Channel(f"d {first.name}/dt", derived_unit(first.unit))
            case Made.INTEGRAL:
                return Channel(f"∫ {first.name}", integrated_unit(first.unit))
            case Made.MEAN:
                return Channel(f"{first.name} ⌀ {self.width_ns / NS_PER_S:g} s", first.unit)
            case Made.MAGNITUDE:
                return Channel(f"|{common_name([channels[c].name for c in self.columns])}|", first.unit)

    def work(self, stamps_ns: NDArray[np.int64], values: NDArray[np.float64]) -> SignalChannel:
        """Make it, on any thread."""
        columns = [values[:, c] for c in self.columns]
        match self.what:
            case Made.DERIVATIVE:
                made = signal_maths.derivative(stamps_ns, columns[0])
            case Made.INTEGRAL:
                made = signal_maths.integral(stamps_ns, columns[0])
            case Made.MEAN:
                made = signal_maths.moving_mean(stamps_ns, columns[0], self.width_ns)
            case Made.MAGNITUDE:
                made = signal_maths.magnitude(columns)
        return SignalChannel(stamps_ns, made)


class HasChannels(Protocol):
    """A panel whose channels others may show, too."""

    def lent(self, number: int) -> tuple[SignalChannel, Gaps] | None:
        """A channel and the gaps of its samples; None where there is none, or not yet."""


@dataclass(slots=True, eq=False)
class Added:
    """A channel that was added to those of the stream.

    Args:
        channel: name and unit.
        made: how it is made of the stream's own; None for one of another stream.
        lender: of one of another stream.
        number: there.
        plotted: ready to be drawn; None until it was worked out.
        gaps: of its samples; None: those of the stream.
    """

    channel: Channel
    made: MadeOf | None = None
    lender: weakref.ref[HasChannels] | None = None
    number: int = -1
    plotted: SignalChannel | None = None
    gaps: Gaps | None = None


class ChannelSet:
    """All channels that a panel can draw, by number.

    Args:
        channels: of the stream.
    """

    def __init__(self, channels: tuple[Channel, ...]) -> None:
        self._named = self._own = channels
        self.sample_ns = np.empty(0, np.int64)
        self.values = np.empty((0, len(channels)))
        self.gaps = Gaps.none()
        self._plotted: dict[int, SignalChannel] = {}
        self._added: dict[int, Added] = {}
        self._next = FIRST_ADDED

    @property
    def own(self) -> tuple[Channel, ...]:
        """Of the stream itself."""
        return self._own

    @property
    def added(self) -> dict[int, Added]:
        return self._added

    @property
    def all(self) -> dict[int, Channel]:
        """Name and unit by number."""
        added = {number: entry.channel for number, entry in self._added.items()}
        return dict(enumerate(self._own)) | added

    def take(
        self, stamps_ns: NDArray[np.int64], values: NDArray[np.float64], prepared: PreparedSignal
    ) -> None:
        """All samples read so far, and what was made of them ahead."""
        self.sample_ns, self.values = stamps_ns, values
        self.gaps, self._plotted = prepared.gaps, dict(prepared.channels)
        if values.shape[1] != len(self._own):
            named = self._named
            self._own = tuple(named[i] if i < len(named) else Channel(f"{i}") for i in range(values.shape[1]))

    def plotted(self, number: int) -> SignalChannel | None:
        """A channel ready to be drawn; None where it has no samples, or is not worked out yet."""
        if number >= FIRST_ADDED:
            entry = self._added.get(number)
            return None if entry is None else entry.plotted
        if number not in self._plotted:
            if not 0 <= number < self.values.shape[1]:
                return None
            self._plotted[number] = prepare_channel(self.sample_ns, self.values, number)
        return self._plotted[number]

    def gaps_of(self, number: int) -> Gaps | None:
        """Gaps of a channel that are not those of the stream; else None."""
        entry = self._added.get(number)
        return None if entry is None else entry.gaps

    def is_foreign(self, number: int) -> bool:
        """True for a channel of another stream."""
        entry = self._added.get(number)
        return entry is not None and entry.made is None

    def add(self, entry: Added) -> int:
        """Add a channel; gives its number."""
        number, self._next = self._next, self._next + 1
        self._added[number] = entry
        return number

    def remove(self, number: int) -> None:
        self._added.pop(number, None)

    def works(self) -> list[tuple[int, Callable[[], SignalChannel]]]:
        """What there is to work out, with the samples of now."""
        found: list[tuple[int, Callable[[], SignalChannel]]] = []
        stamps_ns, values = self.sample_ns, self.values
        for number, entry in self._added.items():
            made = entry.made
            if made is not None and max(made.columns) < values.shape[1]:
                found.append((number, lambda made=made: made.work(stamps_ns, values)))  # type: ignore[misc]
        return found

    def borrow(self) -> bool:
        """Look again at what other panels lend; True where anything is another now."""
        changed = False
        for entry in self._added.values():
            if entry.lender is None:
                continue
            lender = entry.lender()
            lent = None if lender is None else lender.lent(entry.number)
            if lent is not None and lent[0] is not entry.plotted:
                entry.plotted, entry.gaps = lent
                changed = True
        return changed


def derived_unit(unit: str) -> str:
    """Unit of a change per second."""
    plain = plain_unit(unit)
    known = {"m/s": "m/s²", "m/s²": "m/s³", "rad/s": "rad/s²", "deg/s": "deg/s²", "°/s": "°/s²", "": "1/s"}
    return known.get(plain, f"{plain}/s")


def integrated_unit(unit: str) -> str:
    """Unit of a sum over time."""
    plain = plain_unit(unit)
    known = {"m/s²": "m/s", "m/s³": "m/s²", "rad/s²": "rad/s", "deg/s²": "deg/s", "°/s²": "°/s", "": "s"}
    return known.get(plain, plain.removesuffix("/s") if plain.endswith("/s") else f"{plain}·s")


def common_name(names: Sequence[str]) -> str:
    """What names begin with, without a sign at its end; all of them where that is nothing."""
    first, last = min(names), max(names)
    length = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[:length].rstrip("_-./ [(") or ", ".join(names)
