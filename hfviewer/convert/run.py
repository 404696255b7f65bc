"""Carry out a conversion: all streams merged in order of arrival into one hyperframe file."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.convert.files import exists_already, reason
from hfviewer.convert.recording_plan import plan_recording
from hfviewer.convert.registry import plan_conversion, recording_of
from hfviewer.convert.source import Plan, PlannedStream, Problem, ProblemLog
from hfviewer.convert.window_rule import window_ns_for
from hfviewer.core.errors import CancelledError, ConversionError, FrameError, UsageError, WriteError
from hfviewer.core.stream import StreamDescription
from hfviewer.readers.hyperframe.writer import HyperframeWriter

_PICTURES = frozenset({"jpeg", "png", "png16", "h264", "hevc"})
_MAX_SEQUENCE = 2**32 - 1

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class ConvertReport:
    """What a conversion did.

    Args:
        output: the finished file.
        layout: name of the importer.
        window_ns: of the recording.
        frame_counts: frames written, by stream, in the recording's order.
        problems: what was missing or broken; everything else was converted.
        notes: what a person should know.
    """

    output: Path
    layout: str
    window_ns: int
    frame_counts: dict[str, int]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    episode: int | None = None,
    window_ns: int | None = None,
    compression: str = "none",
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> ConvertReport:
    """Convert a folder of sensor files, or a recording of another format, into a hyperframe file.

    Args:
        source: the folder, or one that holds exactly one such folder; or a recording.
        target: of the recording; must not exist.
        episode: number of the one to convert, in a folder of episodes; None: the only one.
        window_ns: length of a hyperframe window; None: that of a recording, else see `window_ns_for`.
        compression: of raw payloads, ``none``, ``lz4`` or ``zstd``; pictures stay the bytes they are.
        progress: told how many frames of how many are done.
        cancelled: asked before every frame.

    Raises:
        ConversionError: the source is not known, or nothing of it can be converted.
        WriteError: the target exists or cannot be written.
        CancelledError: `cancelled` said so.
        After any of them, and after an interrupt, nothing is left behind.
    """
    if window_ns is not None and not 0 < window_ns < 2**63:
        raise UsageError("A window must be longer than 0.")
    target = Path(target)
    if target.exists():
        raise exists_already(target)
    try:
        with recording_of(source, episode) as recording:
            if recording is None:
                plan = plan_conversion(source)
            else:
                plan = plan_recording(recording)
                window_ns = window_ns or recording.description.window_ns  # else other windows would be empty
            return carry_out(
                plan,
                target,
                window_ns=window_ns,
                compression=compression,
                progress=progress,
                cancelled=cancelled,
            )
    except ConversionError as error:
        error.path = error.path or os.fspath(source)
        raise


def carry_out(
    plan: Plan,
    target: Path,
    *,
    window_ns: int | None = None,
    compression: str = "none",
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> ConvertReport:
    """Write what a plan says; see `convert`."""
    if window_ns is None:
        window_ns = window_ns_for(stream.timestamps_ns for stream in plan.streams)
    writer = HyperframeWriter(
        target,
        window_ns,
        title=plan.title,
        source=plan.source,
        calibration=plan.calibration,
        metadata={**plan.metadata, "conversion": {"layout": plan.layout, "notes": list(plan.notes)}},
    )
    ours = _file_id(writer.temporary)
    try:
        log = ProblemLog()
        log.extend(plan.problems)
        descriptions = [_compressed(stream.description, compression) for stream in plan.streams]
        for description in descriptions:
            writer.add_stream(description)
        counts = _write_frames(plan, writer, log, progress, cancelled)
        if not any(counts):
            problems = log.problems()
            first = f" {problems[0].line()}." if problems else ""
            raise ConversionError(f"None of its frames can be read.{first}")
        if target.exists():
            raise WriteError("It appeared while it was being written.", path=target)
        writer.finalize()
    except BaseException:
        _leave_nothing(writer, ours)
        raise
    return ConvertReport(
        output=target,
        layout=plan.layout,
        window_ns=window_ns,
        frame_counts={d.name: count for d, count in zip(descriptions, counts, strict=True)},
        problems=log.problems(),
        notes=plan.notes,
    )


def arrival_order(streams: tuple[PlannedStream, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """In which order frames are written: by time, but never before an earlier frame of their own stream.

    Returns:
        For each frame to write, the number of its stream and its index in that stream.
    """
    arrivals = [np.maximum.accumulate(stream.timestamps_ns) for stream in streams]
    owners = np.repeat(np.arange(len(streams)), [len(stream) for stream in streams])
    indices = np.concatenate([np.arange(len(stream)) for stream in streams])
    order = np.argsort(np.concatenate(arrivals), kind="stable")
    return owners[order].astype(np.intp), indices[order].astype(np.intp)


def _write_frames(
    plan: Plan,
    writer: HyperframeWriter,
    log: ProblemLog,
    progress: Progress | None,
    cancelled: Callable[[], bool] | None,
) -> list[int]:
    """Write every frame that can be read; returns how many of each stream."""
    owners, indices = arrival_order(plan.streams)
    counts = [0] * len(plan.streams)
    total = len(owners)
    for done, (owner, index) in enumerate(zip(owners.tolist(), indices.tolist(), strict=True)):
        if cancelled is not None and cancelled():
            raise CancelledError("Cancelled; nothing was written.", path=writer.path)
        if progress is not None:
            progress(done, total)
        stream = plan.streams[owner]
        timestamp_ns, sequence = int(stream.timestamps_ns[index]), int(stream.sequence[index])
        try:
            if timestamp_ns < 0 or not 0 <= sequence <= _MAX_SEQUENCE:
                raise FrameError("Its time or number is out of range.")
            payload = stream.load(index)
        except (FrameError, OSError) as error:
            log.add(stream.description.name, reason(error), stream.origin(index))
            continue
        if stream.keyframes is None:
            writer.append(owner, timestamp_ns, payload, sequence)
        else:
            keyframe = bool(stream.keyframes[index])
            writer.append(owner, timestamp_ns, payload, sequence, keyframe=keyframe)
        counts[owner] += 1
    if progress is not None:
        progress(total, total)
    return counts


def _compressed(description: StreamDescription, compression: str) -> StreamDescription:
    """Pictures are compressed already; a second time costs time and gains 1 to 3 %."""
    if description.encoding in _PICTURES or compression == "none":
        return description
    return replace(description, compression=compression)


def _file_id(path: Path) -> tuple[int, int] | None:
    """What tells this file from every other, whatever it is called; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _leave_nothing(writer: HyperframeWriter, ours: tuple[int, int] | None) -> None:
    """Remove every file of a conversion, the finished one too where an interrupt came in its last step.

    Args:
        writer: of the recording.
        ours: id of the file that it wrote; another that took its name meanwhile stays.
    """
    writer.discard()
    if ours is not None and _file_id(writer.path) == ours:
        writer.path.unlink(missing_ok=True)
