"""Recordings with faults whose truth is known: what a checker must find, and what it must not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.stream import StreamKind
from tests.panels.fakes import START_NS, FakeRecording, FakeStream

SECONDS = 60
RATES_HZ = {"cam": 30, "cam2": 30, "lidar": 10, "imu": 200, "gps": 5}
KINDS = {
    "cam": StreamKind.IMAGE,
    "cam2": StreamKind.IMAGE,
    "lidar": StreamKind.POINTS,
    "imu": StreamKind.IMU,
    "gps": StreamKind.SIGNAL,
}
HOUR_NS = 3_600_000_000_000


@dataclass
class Table:
    """A stream while faults are put into it: frames in order of arrival."""

    stamps_ns: NDArray[np.int64]
    numbers: NDArray[np.int64]

    def kept(self, keep: NDArray[np.bool_], *, renumbered: bool = False) -> None:
        """Leave frames out; renumbered: the counter does not know of it."""
        self.stamps_ns, self.numbers = self.stamps_ns[keep], self.numbers[keep]
        if renumbered:
            self.numbers = np.arange(len(self.numbers), dtype=np.int64)


@dataclass
class Truth:
    """What was done: lost frames by stream as (number of the last frame before, how many)."""

    lost: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    doubled: dict[str, list[int]] = field(default_factory=dict)
    late: dict[str, list[int]] = field(default_factory=dict)
    codes: set[tuple[str, str]] = field(default_factory=set)


Tables = dict[str, Table]


def rig(*, jitter: float = 0.0, seed: int = 1) -> Tables:
    """All streams, each on a phase of its own; stamps scatter by up to so much of a period, either way."""
    rng = np.random.default_rng(seed)
    tables = {}
    for place, (name, rate_hz) in enumerate(RATES_HZ.items()):
        numbers = np.arange(SECONDS * rate_hz, dtype=np.int64)
        period_ns = 1_000_000_000 / rate_hz
        scatter = rng.uniform(-jitter, jitter, len(numbers)) * period_ns
        stamps = START_NS + np.rint(numbers * period_ns + scatter).astype(np.int64) + 700_000 * (place + 1)
        tables[name] = Table(stamps, numbers)
    return tables


def recording(tables: Tables) -> FakeRecording:
    """As a reader hands it over: each table sorted by time, then by number."""
    streams = []
    for name, table in tables.items():
        order = np.lexsort((table.numbers, table.stamps_ns))
        streams.append(
            FakeStream(name, table.stamps_ns[order], sequence=table.numbers[order], kind=KINDS[name])
        )
    return FakeRecording(*streams)


def drops(tables: Tables, truth: Truth, rng: np.random.Generator, *, counted: bool) -> None:
    """Runs of 1 to 40 lost frames at known places in every stream."""
    for name, table in tables.items():
        blocks = len(table.numbers) // 60
        places = 60 * np.sort(rng.choice(np.arange(1, blocks), min(4, blocks - 1), replace=False))
        keep = np.ones(len(table.numbers), np.bool_)
        for at in places.tolist():
            count = int(rng.choice([1, 2, 3, 7, 40]))
            keep[at : at + count] = False
            truth.lost.setdefault(name, []).append((at - 1, count))
        table.kept(keep, renumbered=not counted)


def doubles(tables: Tables, truth: Truth, rng: np.random.Generator) -> None:
    """Stamps that repeat that of the frame before."""
    for name, table in tables.items():
        at = np.sort(rng.choice(np.arange(10, len(table.numbers) - 10, 4), 5, replace=False))
        table.stamps_ns[at] = table.stamps_ns[at - 1]
        truth.doubled[name] = at.tolist()


def disorder(tables: Tables, truth: Truth, rng: np.random.Generator) -> None:
    """Frames that arrive after one to five later ones."""
    for name, table in tables.items():
        at = np.sort(rng.choice(np.arange(10, len(table.numbers) - 20, 12), 5, replace=False))
        truth.late[name] = []
        for place in at.tolist():
            passed = int(rng.integers(1, 6))
            moved = np.roll(np.arange(place, place + passed + 1), -1)
            truth.late[name].append(int(table.stamps_ns[place]))
            table.stamps_ns[place : place + passed + 1] = table.stamps_ns[moved]
    # The frames keep the order of arrival as their numbers; their stamps say when they were taken.


def step(name: str, seconds_at: float, size_ns: int) -> Callable[[Tables, Truth], None]:
    """The clock of one stream is set."""

    def apply(tables: Tables, truth: Truth) -> None:
        table = tables[name]
        table.stamps_ns[int(seconds_at * RATES_HZ[name]) :] += size_ns
        truth.codes.add(("clock_step", name))

    return apply


def all_set(seconds_at: float, size_ns: int) -> Callable[[Tables, Truth], None]:
    """The host's clock is set: all streams jump at once."""

    def apply(tables: Tables, truth: Truth) -> None:
        for name, table in tables.items():
            table.stamps_ns[int(seconds_at * RATES_HZ[name]) :] += size_ns
            truth.codes.add(("clock_step", name))

    return apply


def bad_stamp(name: str, at: int, stamp_ns: int) -> Callable[[Tables, Truth], None]:
    def apply(tables: Tables, truth: Truth) -> None:
        tables[name].stamps_ns[at] = stamp_ns
        truth.codes.add(("clock_step", name))

    return apply


def drift(name: str, ppm: float) -> Callable[[Tables, Truth], None]:
    def apply(tables: Tables, truth: Truth) -> None:
        table = tables[name]
        since = table.stamps_ns - table.stamps_ns[0]
        table.stamps_ns = table.stamps_ns + np.rint(since * ppm * 1e-6).astype(np.int64)
        truth.codes.add(("clock_drift", name))

    return apply


def late_start(name: str, seconds: float) -> Callable[[Tables, Truth], None]:
    def apply(tables: Tables, truth: Truth) -> None:
        tables[name].kept(tables[name].numbers >= seconds * RATES_HZ[name], renumbered=True)
        truth.codes.add(("late_start", name))

    return apply


def early_end(name: str, seconds: float) -> Callable[[Tables, Truth], None]:
    def apply(tables: Tables, truth: Truth) -> None:
        tables[name].kept(tables[name].numbers < (SECONDS - seconds) * RATES_HZ[name])
        truth.codes.add(("early_end", name))

    return apply


def bursts(tables: Tables, *, size: int) -> None:
    """Frames arrive together, `size` at a time, stamped on arrival: late, but all of them."""
    for table in tables.values():
        last = np.minimum((np.arange(len(table.numbers)) // size + 1) * size - 1, len(table.numbers) - 1)
        table.stamps_ns = table.stamps_ns[last] + np.arange(len(table.numbers)) % size * 50_000
