"""Parts of a recording as files that others read: CSV, pictures, hyperframe files. Nothing is overwritten."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.convert.files import exists_already
from hfviewer.convert.frame_file import write_frame
from hfviewer.convert.label_frames import left_out
from hfviewer.convert.recording_plan import plan_recording
from hfviewer.convert.run import carry_out
from hfviewer.convert.signal_csv import column_names, write_signal_csv
from hfviewer.core import timing
from hfviewer.core.errors import CancelledError, FrameError, UsageError, WriteError
from hfviewer.core.frame import MatrixFrame, TextFrame
from hfviewer.core.recording import Recording, Stream
from hfviewer.core.stream import StreamKind
from hfviewer.core.time_text import exact_seconds
from hfviewer.core.whole_file import creating
from hfviewer.core.window import TimeWindow

Progress = Callable[[int, int], None]
Cancelled = Callable[[], bool]
_UNSAFE = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')


@dataclass(slots=True)
class Exported:
    """What was written, by stream.

    Args:
        output: file or folder.
        streams: of each stream: name, first and last frame written, their times, how many.
        problems: frames that could not be written, one line each.
        more: what else there is to say, by key.
    """

    output: Path
    streams: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

    def note(self, stream: Stream, frames: range) -> None:
        """Say which frames of a stream were written."""
        first, last = (frames.start, frames.stop - 1) if len(frames) else (None, None)
        self.streams.append(
            {
                "stream": stream.description.name,
                "first_frame": first,
                "last_frame": last,
                "first_ns": None if first is None else int(stream.timestamps_ns[first]),
                "last_ns": None if last is None else int(stream.timestamps_ns[last]),
                "frame_count": len(frames),
            }
        )


def export_csv(stream: Stream, window: TimeWindow, out: Path, *, start_ns: int) -> Exported:
    """One row a sample (or a frame): nanoseconds, seconds, frame, values with their units.

    Of pictures and clouds the table of frames alone; of matrices the sum of each plane; of texts the JSON.

    Args:
        stream: to write.
        window: what to take.
        out: must not exist.
        start_ns: what seconds count from.

    Raises:
        UsageError: there are no frames in the window.
        WriteError: the file exists or cannot be written.
        FrameError: the samples cannot be read.
    """
    frames = _frames_in(stream, window)
    done = Exported(out)
    try:
        with creating(out) as beside:
            if stream.description.kind.is_dense:
                _write_samples(beside, stream, window, start_ns)
            else:
                _write_frames(beside, stream, frames, start_ns, done)
    except FileExistsError as error:
        raise exists_already(out) from error
    except OSError as error:
        raise WriteError(f"It cannot be written ({error.strerror}).", path=out) from error
    done.note(stream, frames)
    return done


def export_pictures(
    stream: Stream,
    window: TimeWindow,
    folder: Path,
    *,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Exported:
    """Every picture as a PNG (depth: 16-bit millimetres), named by stream, frame and nanoseconds.

    A list of them, ``frames.csv``, is written last.

    Args:
        stream: of pictures or depth.
        window: what to take.
        folder: made where it is not there; none of the files may exist.
        progress: told how many of how many are done.
        cancelled: asked before each.

    Raises:
        UsageError: not pictures, or none in the window.
        WriteError: a file exists or cannot be written.
        CancelledError: `cancelled` said so; what was written stays.
    """
    name = stream.description.name
    if stream.description.kind not in (StreamKind.IMAGE, StreamKind.DEPTH):
        raise UsageError(f"{name!r} holds no pictures.", remedy="Use --csv for numbers.")
    frames = _frames_in(stream, window)
    done = Exported(folder)
    listing = folder / "frames.csv"
    rows: list[tuple[object, ...]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"The folder cannot be made ({error.strerror}).", path=folder) from error
    if listing.exists():
        raise exists_already(listing)
    for index in frames:
        if cancelled is not None and cancelled():
            raise CancelledError("Stopped.", path=folder)
        if progress is not None:
            progress(index - frames.start, len(frames))
        stamp_ns = int(stream.timestamps_ns[index])
        path = folder / f"{safe_name(name)}_{index:06d}_{stamp_ns}.png"
        if path.exists():
            raise exists_already(path)
        try:
            write_frame(stream, index, path)
        except FrameError as error:
            done.problems.append(error.problem)
            continue
        rows.append((path.name, index, stamp_ns, int(stream.sequence[index])))
    try:
        with listing.open("x", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("file", "frame", "timestamp_ns", "sequence"))
            writer.writerows(rows)
    except OSError as error:
        raise WriteError(f"It cannot be written ({error.strerror}).", path=listing) from error
    done.note(stream, frames)
    return done


def export_slice(
    recording: Recording,
    window: TimeWindow,
    out: Path,
    *,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Exported:
    """A part of a recording as a hyperframe file; video begins at the key frame before the window.

    Args:
        recording: to take it from.
        window: what to take.
        out: must not exist.
        progress: see `carry_out`.
        cancelled: see `carry_out`.

    Raises:
        ConversionError: nothing of it can be written.
        WriteError: the file exists or cannot be written.
        CancelledError: `cancelled` said so; nothing is left behind.
    """
    if out.exists():
        raise exists_already(out)
    plan = plan_recording(recording, window=window)
    report = carry_out(
        plan, out, window_ns=recording.description.window_ns, progress=progress, cancelled=cancelled
    )
    problems = [*(problem.line() for problem in report.problems), *left_out(recording, window)]
    done = Exported(out, problems=problems)
    for planned in plan.streams:
        source = recording.streams.get(planned.description.name)
        if source is None:
            continue
        first = int(source.timestamps_ns.searchsorted(planned.timestamps_ns[0], side="left"))
        done.note(source, range(first, first + len(planned)))
    return done


def safe_name(name: str) -> str:
    """A stream's name as part of a file's; Chinese and other letters stay."""
    return _UNSAFE.sub("_", name).strip(". ") or "stream"


def _frames_in(stream: Stream, window: TimeWindow) -> range:
    frames = timing.indices_in(stream.timestamps_ns, window)
    if not len(frames):
        raise UsageError(
            f"{stream.description.name!r} has no frames in that time.", remedy="Choose other times."
        )
    return frames


def _write_samples(path: Path, stream: Stream, window: TimeWindow, start_ns: int) -> None:
    stamps_ns, values = stream.samples(window.start_ns, window.stop_ns)
    frames = stream.timestamps_ns.searchsorted(stamps_ns, side="right") - 1
    # Of samples that share a stamp each is a frame of its own, where there is one frame a sample.
    if len(frames) == len(timing.indices_in(stream.timestamps_ns, window)):
        first = timing.indices_in(stream.timestamps_ns, window).start
        frames = np.arange(first, first + len(stamps_ns))
    columns = list(zip(stream.description.channels, values.T, strict=True))
    write_signal_csv(path, stamps_ns, columns, start_ns=start_ns, frames=frames)


def _write_frames(path: Path, stream: Stream, frames: range, start_ns: int, done: Exported) -> None:
    kind = stream.description.kind
    channels = stream.description.channels
    matrix, text = kind is StreamKind.MATRIX, kind in (StreamKind.TEXT, StreamKind.ANNOTATION)
    extra = [f"sum {name}" for name in column_names(channels)] if matrix else ["value"] if text else []
    with path.open("x", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("timestamp_ns", "seconds", "frame", "sequence", *extra))
        for index in frames:
            stamp_ns = int(stream.timestamps_ns[index])
            cells: list[object] = []
            try:
                if matrix or text:
                    cells = _cells(stream, index)
            except FrameError as error:
                done.problems.append(error.problem)
            writer.writerow(
                (stamp_ns, exact_seconds(stamp_ns - start_ns), index, int(stream.sequence[index]), *cells)
            )


def _cells(stream: Stream, index: int) -> list[object]:
    frame = stream.read(index)
    if isinstance(frame, MatrixFrame):
        sums: NDArray[np.float64] = frame.values.sum(axis=(0, 1), dtype=np.float64)
        return [_number(float(value)) for value in sums]
    assert isinstance(frame, TextFrame)
    return [frame.text]


def _number(value: float) -> object:
    return value if np.isfinite(value) else ""
