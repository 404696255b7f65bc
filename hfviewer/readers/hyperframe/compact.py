"""A copy of a recording without the remains of earlier revisions."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError
from hfviewer.readers.hyperframe.builder import Cancelled, FileBuilder, Progress, not_cancelled
from hfviewer.readers.hyperframe.layout import ALIGNMENT, RECOVER_REMEDY
from hfviewer.readers.hyperframe.reader import HyperframeRecording, opened_file
from hfviewer.readers.hyperframe.state import read_state


def compact(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    revision: int | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> int:
    """Write the payloads that a recording still uses, and nothing else, into a new file of revision 1.

    Every payload keeps its stored bytes, stream, timestamp, sequence, flags and CRC; the metadata is kept.

    Args:
        path: of the recording.
        output: of the new file; must not exist.
        revision: the state to copy; None: the newest.
        progress: told as bytes are copied.
        cancelled: asked between steps; nothing is left behind then.

    Returns:
        Bytes of the new file.

    Raises:
        DamagedRecordingError: some of it lies outside the file, or the metadata or index is damaged.
        WriteError: the target exists or cannot be written.
        CancelledError: stopped.
    """
    output = Path(output)
    with opened_file(path) as storage:
        recording = HyperframeRecording(storage, read_state(storage, revision=revision))
        _check_whole(recording, path, any_revision=revision is not None)
        entries = recording.index.entries.copy()
        header = recording.header
        if header.start_ns == 0 and len(entries):
            header = replace(header, start_ns=int(entries["timestamp_ns"].min()))
        if not header.window_ns:
            header = replace(header, window_ns=recording.description.window_ns)
        starts, stops = payload_runs(entries)
        total = int((stops - starts).sum())
        done = 0

        def copied(count: int) -> None:
            nonlocal done
            done += count
            not_cancelled(cancelled)
            if progress is not None:
                progress(done, total)

        with FileBuilder(output) as builder:
            targets = np.empty(len(starts), np.uint64)
            for run, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
                targets[run] = builder.copy(recording.storage, start, stop - start, copied)
            if len(entries):
                run_of = starts.searchsorted(entries["offset"], side="right") - 1
                entries["offset"] = targets[run_of] + (entries["offset"] - starts[run_of])
            builder.finish(header=header, entries=entries, base=recording.metadata, descriptions={})
    return output.stat().st_size


def _check_whole(recording: HyperframeRecording, path: str | os.PathLike[str], *, any_revision: bool) -> None:
    problem = ""
    if recording.state.is_cut and not any_revision:
        problem = "It is cut off."
    elif not recording.metadata_is_whole:
        problem = "Its metadata is damaged."
    elif recording.check_index():
        problem = "Its index is damaged."
    elif bad_count := sum(table.bad_count for table in recording.index.tables.values()):
        problem = f"{bad_count} of its frames do not lie inside the file."
    if problem:
        raise DamagedRecordingError(problem, remedy=RECOVER_REMEDY, path=path)


def payload_runs(entries: NDArray[np.void]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Where payloads lie back to back, with no more than padding between them: these are copied in one go.

    Args:
        entries: all inside the file; any order; payloads may overlap.

    Returns:
        uint64 starts and stops of the runs, ascending. All payloads of a run start on 64-byte boundaries once
        the run does, but for those that overlap others.
    """
    offsets = np.sort(entries["offset"])
    order = np.argsort(entries["offset"], kind="stable")
    ends = np.maximum.accumulate((entries["offset"] + entries["size"])[order])
    if len(offsets) == 0:
        return np.empty(0, np.uint64), np.empty(0, np.uint64)
    one = np.uint64(ALIGNMENT - 1)
    next_boundary = (ends[:-1] + one) & ~one
    apart = offsets[1:] > next_boundary
    places = offsets % np.uint64(ALIGNMENT)
    crooked = (places[1:] != places[:-1]) & (offsets[1:] >= ends[:-1])
    first = np.append(0, np.flatnonzero(apart | crooked) + 1)
    return offsets[first], ends[np.append(first[1:] - 1, len(offsets) - 1)]
