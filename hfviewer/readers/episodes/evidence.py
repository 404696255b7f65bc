"""What the recorder itself noted about an episode, as findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hfviewer.core.errors import HfviewerError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.json_number import as_number
from hfviewer.core.recording import RecorderEvidence
from hfviewer.core.text import counted, printable
from hfviewer.readers.episodes.meta_row import MetaRow
from hfviewer.readers.episodes.parquet import numbers

_NOT_FRAMES = ("_ms", "_ns", "_count")
_EVENTS = "imu_overflow"


def frame_drops(drop_stats: Mapping[str, Any]) -> dict[str, int]:
    """Counters of lost frames, above 0; durations, times and events are left out (pooled.md, 9)."""
    return {
        key: int(value)
        for key, value in drop_stats.items()
        if _counts(value) and value > 0 and not key.endswith(_NOT_FRAMES) and key != _EVENTS
    }


def drop_findings(meta: MetaRow, streams: list[str]) -> list[Finding]:
    """A finding for every counter that says that something was lost, frames apart from the rest.

    Args:
        meta: of the episode.
        streams: names of its streams; a counter of one of them is about that one.
    """
    findings: list[Finding] = []
    for key, count in frame_drops(meta.drop_stats).items():
        frames = counted(count, "frame")
        message = f"{printable(key)}: the recorder counted {frames} lost."
        findings.append(_drop(message, key, key.partition(":")[2], streams, Severity.WARNING))
    for key, value in meta.drop_stats.items():
        if not _counts(value) or value <= 0:
            continue
        if key == _EVENTS:
            message = f"The recorder's IMU buffer overflowed {int(value)} times; samples are missing."
            findings.append(_drop(message, key, "imu", streams, Severity.WARNING))
        elif key.endswith(("_gap_ms", "_stall_count", "_reconnect_count", "_overwrite_count")):
            unit = " ms" if key.endswith("_ms") else ""
            message = f"{printable(key)}: the recorder's instruments say {value:g}{unit} (not frames)."
            slot = next((s for s in streams if key.startswith(f"{s}_")), "")
            findings.append(_drop(message, key, slot, streams, Severity.INFO))
    return findings


def evidence_of(
    gap: pa.Array | None, duplicate: pa.Array | None, rows: NDArray[np.intp], names: tuple[str, str]
) -> RecorderEvidence | None:
    """Gap and duplicate columns of some rows; None where neither says anything.

    Args:
        gap: column of frames lost before each row.
        duplicate: column of rows that repeat the frame before.
        rows: of the stream's frames.
        names: of the two columns.
    """
    missing = None if gap is None or gap.null_count == len(gap) else numbers(gap, np.int64)[rows]
    repeats = (
        None if duplicate is None or duplicate.null_count == len(duplicate) else numbers(duplicate, np.int8)
    )
    if missing is None and repeats is None:
        return None
    said = [n for n, part in zip(names, (missing, repeats), strict=True) if part is not None]
    return RecorderEvidence(
        missing_before=None if missing is None else np.clip(missing, 0, 2**31 - 1).astype(np.int32),
        duplicate=None if repeats is None else repeats[rows] != 0,
        source=", ".join(said),
    )


def unreadable(name: str, problem: str, *, stream: str | None = None) -> Finding:
    """A file that cannot be read; everything else opens."""
    return Finding(
        code="unreadable",
        severity=Severity.ERROR,
        stream=stream,
        message=printable(f"{name}: {problem}"),
        evidence="opening it",
    )


@contextmanager
def told(findings: list[Finding], name: str, *, stream: str | None = None) -> Iterator[None]:
    """What cannot be read inside becomes one finding; everything else opens.

    Args:
        findings: gets it.
        name: of the file, relative to the task.
        stream: that is missing for it; None: several.
    """
    try:
        yield
    except HfviewerError as error:
        findings.append(unreadable(name, f"{error.problem} {error.remedy}".strip(), stream=stream))
    except OSError as error:
        findings.append(unreadable(name, f"It cannot be read ({error.strerror}).", stream=stream))


def _drop(message: str, key: str, slot: str, streams: list[str], severity: Severity) -> Finding:
    return Finding(
        code="recorder_drop",
        severity=severity,
        stream=slot if slot in streams else None,
        message=message,
        evidence=f"drop_stats {printable(key)}",
    )


def _counts(value: object) -> bool:
    number = as_number(value)
    return number is not None and abs(number) < 1e15
