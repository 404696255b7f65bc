"""All payloads of a window in as few reads as their places allow: planned first, then read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.errors import FrameError
from hfviewer.core.window import TimeWindow
from hfviewer.readers.hyperframe.index import join_entries, outside_file
from hfviewer.readers.hyperframe.storage import Storage
from hfviewer.readers.hyperframe.stream import HyperframeStream

_JOIN_BYTES = 64 << 10  # payloads closer than this are read together
_MOST_BYTES = 1 << 30


@dataclass(frozen=True, eq=False)
class WindowPlan:
    """What to read for a window, and where each payload will lie.

    Args:
        runs: (offset in the file, offset in the buffer, size) of each read, ascending.
        frames: indices of each stream's frames.
        places: per stream, int64[n] offsets in the buffer; -1 where a payload is not inside the file.
        sizes: per stream, int64[n] stored bytes.
        buffer_bytes: in all.
    """

    runs: list[tuple[int, int, int]]
    frames: dict[str, range]
    places: dict[str, NDArray[np.int64]]
    sizes: dict[str, NDArray[np.int64]]
    buffer_bytes: int


@dataclass(frozen=True, eq=False)
class WindowPayloads:
    """The stored payloads of a window, neither checked nor decompressed.

    Args:
        plan: that was carried out.
        buffer: holds all of them.
    """

    plan: WindowPlan
    buffer: memoryview

    def payload(self, stream: str, index: int) -> memoryview:
        """Stored bytes of one frame, a view of the buffer.

        Raises:
            FrameError: the payload does not lie inside the file.
            IndexError: that frame is not in the window.
        """
        row = self.plan.frames[stream].index(index)
        place = int(self.plan.places[stream][row])
        if place < 0:
            raise FrameError(f"Frame {index} of {stream!r} does not lie inside the file.")
        return self.buffer[place : place + int(self.plan.sizes[stream][row])]


def plan_window(streams: Mapping[str, HyperframeStream], window: TimeWindow, file_size: int) -> WindowPlan:
    """Work out the reads: in the order of their place, neighbours joined.

    Args:
        streams: to read.
        window: half-open span of time.
        file_size: bytes.

    Raises:
        FrameError: it would be more than 1 GiB.
    """
    frames = {name: timing.indices_in(s.timestamps_ns, window) for name, s in streams.items()}
    parts = [streams[name].entries[span.start : span.stop] for name, span in frames.items()]
    entries = join_entries(parts)
    places = np.full(len(entries), -1, np.int64)
    sizes = entries["size"].astype(np.int64)
    rows = np.flatnonzero(~outside_file(entries, file_size))
    runs: list[tuple[int, int, int]] = []
    if len(rows):
        rows = rows[entries["offset"][rows].argsort(kind="stable")]
        starts = entries["offset"][rows].astype(np.int64)  # inside the file, so they fit
        ends = np.maximum.accumulate(starts + sizes[rows])
        breaks = np.flatnonzero(starts[1:] > ends[:-1] + _JOIN_BYTES)
        if len(breaks) == 0:  # the usual case, and much the quicker one
            places[rows] = starts - starts[0]
            runs = [(int(starts[0]), 0, int(ends[-1] - starts[0]))]
        else:
            first = np.append(0, breaks + 1)
            run_starts, run_ends = starts[first], ends[np.append(breaks, len(rows) - 1)]
            run_sizes = run_ends - run_starts
            targets = np.cumsum(run_sizes) - run_sizes
            run_of = first.searchsorted(np.arange(len(rows)), side="right") - 1
            places[rows] = starts + (targets - run_starts)[run_of]
            runs = list(zip(run_starts.tolist(), targets.tolist(), run_sizes.tolist(), strict=True))
    buffer_bytes = sum(size for _, _, size in runs)
    if buffer_bytes > _MOST_BYTES:
        raise FrameError(f"This window holds {buffer_bytes} bytes, too much to read at once.")
    stops = accumulate(map(len, parts))
    cuts = [(stop - len(part), stop) for part, stop in zip(parts, stops, strict=True)]
    return WindowPlan(
        runs=runs,
        frames=frames,
        places={name: places[start:stop] for name, (start, stop) in zip(frames, cuts, strict=True)},
        sizes={name: sizes[start:stop] for name, (start, stop) in zip(frames, cuts, strict=True)},
        buffer_bytes=buffer_bytes,
    )


def read_window(storage: Storage, plan: WindowPlan, buffer: memoryview | None = None) -> WindowPayloads:
    """Carry out a plan.

    Args:
        storage: of the file.
        plan: from `plan_window`.
        buffer: writable bytes to read into; None, or one that is too small: a new one.

    Raises:
        FrameError: the file cannot be read there.
    """
    if buffer is None or len(buffer) < plan.buffer_bytes:
        buffer = memoryview(bytearray(plan.buffer_bytes))
    for offset, target, size in plan.runs:
        storage.read_into(buffer[target : target + size], offset)
    return WindowPayloads(plan, buffer[: plan.buffer_bytes])
