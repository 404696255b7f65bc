"""When each row of an episode was taken, slot by slot, and what maps each device's clock to the recording's.

The recording clock is wall time, int64 ns since 1970. Which stamps it rests on is decided per slot and said
in words, because recorders of different age mean different things by the same column (pooled.md, 5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.stream import Clock
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.clock import (
    ClockMap,
    find_breaks,
    fit,
    is_capture_time,
    sane,
    unwrap_32,
    wall_to_ns,
)
from hfviewer.readers.episodes.parquet import numbers
from hfviewer.readers.episodes.slots import Slots

_LONGEST_NS = 1 << 58  # nine years
_FIRST_ZERO_NS = 1_000_000_000
_SHARED_CLOCK_NS = 5_000_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class SlotTimes:
    """When the frames of one slot were taken.

    Args:
        rows_ns: int64[k], of its rows, recording clock.
        clock: what they rest on.
        words: the mapping, for a person.
        device: from the slot's device clock to the recording clock; None: it has none.
        steps: rows (of these k) at which the device's clock was set.
    """

    rows_ns: NDArray[np.int64]
    clock: Clock
    words: str
    device: ClockMap | None
    steps: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Timeline:
    """When everything of one episode was.

    Args:
        wall_ns: int64[n], wall time of every row: when it was written, or taken.
        slots: which rows are whose.
        times: by slot.
        frame_index: int64[n].
        columns: the key columns that the table has.
    """

    wall_ns: NDArray[np.int64]
    slots: Slots
    times: Mapping[str, SlotTimes]
    frame_index: NDArray[np.int64]
    columns: Mapping[str, pa.Array]

    @property
    def row_count(self) -> int:
        return len(self.wall_ns)

    def findings(self) -> list[Finding]:
        """Clocks that were set on the way: no frame is lost there."""
        found: list[Finding] = []
        for key, times in self.times.items():
            for row in times.steps:
                a, b = int(times.rows_ns[row - 1]), int(times.rows_ns[row])
                message = (
                    f"{key}: its device's clock was set between frames {row - 1} and {row};"
                    " times follow the wall clock there."
                )
                found.append(
                    Finding(
                        code="clock_step",
                        severity=Severity.INFO,
                        stream=key,
                        start_ns=a,
                        end_ns=b,
                        first_frame=row - 1,
                        last_frame=row,
                        message=message,
                        evidence=f"{layout.HARDWARE_NS} against {layout.WALL_TIME}",
                    )
                )
        return found


def wall_of(columns: Mapping[str, pa.Array], created_at: float | None) -> NDArray[np.int64] | None:
    """Wall time of every row; made of the start and the relative time where the column is missing or void."""
    if layout.WALL_TIME in columns:
        wall_ns = wall_to_ns(numbers(columns[layout.WALL_TIME], np.float64))
        if len(wall_ns) and int(wall_ns.min()) > 0:
            return wall_ns
    if layout.TIMESTAMP in columns:
        start_ns = int(wall_to_ns(np.array([created_at or 0.0]))[0])
        relative_ns = wall_to_ns(numbers(columns[layout.TIMESTAMP], np.float64))
        return np.clip(relative_ns, -_LONGEST_NS, _LONGEST_NS) + start_ns
    return None


def all_times(
    slots: Slots,
    wall_ns: NDArray[np.int64],
    columns: Mapping[str, pa.Array],
    *,
    app_version: tuple[int, ...],
    samples_ns: NDArray[np.int64] | None,
) -> dict[str, SlotTimes]:
    """When the rows of every slot were taken; see `slot_times`.

    Slots that carry the same device stamps (a stereo pair) share one map: their frames were taken together,
    however long each row waited to be written.
    """
    found: dict[str, SlotTimes] = {}
    stamps: dict[str, NDArray[np.int64]] = {}
    for key, rows in slots.rows.items():
        _, stamps[key], _ = _device_stamps(rows, columns)
        sibling = next((k for k in found if found[k].device and _are_shared(stamps[key], stamps[k])), None)
        found[key] = slot_times(
            key,
            rows,
            wall_ns,
            columns,
            app_version=app_version,
            samples_ns=samples_ns,
            sibling=None if sibling is None else found[sibling].device,
        )
    return found


def slot_times(
    key: str,
    rows: NDArray[np.intp],
    wall_ns: NDArray[np.int64],
    columns: Mapping[str, pa.Array],
    *,
    app_version: tuple[int, ...],
    samples_ns: NDArray[np.int64] | None,
    sibling: ClockMap | None = None,
) -> SlotTimes:
    """When the rows of a slot were taken.

    Args:
        key: of the slot.
        rows: of the table.
        wall_ns: of every row of the table.
        columns: key columns.
        app_version: of the task's newest episode.
        samples_ns: IMU stamps, where they are on this slot's clock.
        sibling: map of a slot on the same clock, to be used for this one too.
    """
    wall = wall_ns[rows]
    timestamp_s = _of(columns, layout.TIMESTAMP, rows, np.float64)
    is_taken = is_capture_time(wall, timestamp_s, app_version, has_raw=layout.RAW_HARDWARE_NS in columns)
    name, device_ns, cut = _device_stamps(rows, columns)
    known = device_ns != 0
    if len(known) > 1 and not known[0] and known[1:].all() and 0 < int(device_ns[1]) < _FIRST_ZERO_NS:
        known[0] = True  # recorders up to v1.3.10 count a D435's clock from the first frame
    if layout.is_uvc(key) or not known.any():
        meaning = "when a frame was taken" if is_taken else "when a row was written"
        words = f"{layout.WALL_TIME}, {meaning}"
        return SlotTimes(rows_ns=wall, clock=Clock.HOST, words=words, device=None)
    fresh = known & (_of(columns, layout.RGB_DUP, rows, np.int8) == 0)
    pairs = np.flatnonzero(fresh if fresh.any() else known)
    breaks = find_breaks(device_ns[pairs], wall[pairs], wall_is_true=is_taken, samples_ns=samples_ns)
    device = sibling or fit(device_ns[pairs], wall[pairs], breaks, late=not is_taken)
    steps = tuple(int(pairs[b]) for b in breaks)
    clock = Clock.HOST if _is_host_clock(key, rows, columns) else Clock.HARDWARE
    undone = "; cut to 32 bit by its recorder, made whole" if cut else ""
    if is_taken:
        shown = "" if device is None else f"; {name} is mapped by {device.words()}"
        return SlotTimes(
            rows_ns=wall,
            clock=clock,
            words=f"{layout.WALL_TIME}, which is when it was taken{shown}{undone}",
            device=device,
            steps=steps,
        )
    rows_ns = wall.copy()
    if device is not None:
        rows_ns[known] = device.apply(device_ns[known])
        shown = device.words()
    else:
        rows_ns[pairs] = _by_parts(device_ns[pairs], wall[pairs], breaks)
        shown = "a new offset wherever the clock started again"
    delays = wall[known] - rows_ns[known]
    if len(delays) and not known.all():
        rows_ns[~known] = wall[~known] - int(np.median(delays))
        shown += (
            f"; {int((~known).sum())} rows without a stamp lie at {layout.WALL_TIME}, less the usual delay"
        )
    words = f"{name} of the device, put on wall time by {shown}{undone}"
    return SlotTimes(rows_ns=rows_ns, clock=clock, words=words, device=device, steps=steps)


def samples_map(
    stamps_ns: NDArray[np.int64], rows: NDArray[np.intp], timeline: Timeline, key: str | None
) -> tuple[ClockMap, str]:
    """How samples of another sensor come on the recording clock.

    By the clock that they share with a slot, else by when their rows were written.

    Args:
        stamps_ns: of the samples.
        rows: the row of each.
        timeline: of the episode.
        key: the slot whose clock they should share; None: none does.

    Returns:
        The map, and how it came about.
    """
    times = None if key is None else timeline.times.get(key)
    if times is not None and times.device is not None and len(stamps_ns):
        mapped = times.device.apply(stamps_ns)
        first_ns, last_ns = int(times.rows_ns.min()), int(times.rows_ns.max())
        near = (mapped > first_ns - _SHARED_CLOCK_NS) & (mapped < last_ns + _SHARED_CLOCK_NS)
        if near.mean() > 0.5:
            return times.device, f"the device clock that it shares with {key}: {times.device.words()}"
    own = fit(stamps_ns, timeline.wall_ns[rows], np.empty(0, np.intp), late=True)
    if own is None:
        return ClockMap.constant(0), "no samples"
    return own, (
        "its own stamps, put on wall time by the earliest row that brought one"
        f" ({own.words()}); no camera shares its clock, so the offset is good to a few tens of ms"
    )


def _device_stamps(
    rows: NDArray[np.intp], columns: Mapping[str, pa.Array]
) -> tuple[str, NDArray[np.int64], bool]:
    """The best device stamps of some rows: their column, the stamps whole, whether they had been cut."""
    for name in (layout.RAW_HARDWARE_NS, layout.HARDWARE_NS):
        if name in columns:
            stamps_ns, cut = unwrap_32(sane(numbers(columns[name], np.int64)[rows]))
            if stamps_ns.any():
                return name, stamps_ns, cut
    return layout.HARDWARE_NS, np.zeros(len(rows), np.int64), False


def _are_shared(stamps_ns: NDArray[np.int64], others_ns: NDArray[np.int64]) -> bool:
    known = stamps_ns[stamps_ns != 0]
    return len(known) > 0 and float(np.isin(known, others_ns).mean()) > 0.5


def _is_host_clock(key: str, rows: NDArray[np.intp], columns: Mapping[str, pa.Array]) -> bool:
    """Gripper cameras are stamped by the host; of others, where most rows say so (``ts_src`` 3)."""
    if key.startswith("gripper"):
        return True
    sources = _of(columns, layout.STAMP_SOURCE, rows, np.int8)
    return len(sources) > 0 and float((sources == 3).mean()) > 0.5


def _by_parts(
    device_ns: NDArray[np.int64], wall_ns: NDArray[np.int64], breaks: NDArray[np.intp]
) -> NDArray[np.int64]:
    edges = [0, *breaks.tolist(), len(device_ns)]
    out = wall_ns.copy()
    for first, stop in pairwise(edges):
        part = fit(device_ns[first:stop], wall_ns[first:stop], np.empty(0, np.intp), late=True)
        if part is not None:
            out[first:stop] = part.apply(device_ns[first:stop])
    return out


def _of(
    columns: Mapping[str, pa.Array], name: str, rows: NDArray[np.intp], dtype: type[np.generic]
) -> NDArray[Any]:
    """Some rows of a key column; zeros where the table does not have it."""
    if name not in columns:
        return np.zeros(len(rows), dtype)
    return numbers(columns[name], dtype)[rows]
