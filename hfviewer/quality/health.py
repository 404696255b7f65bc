"""What the checks of a recording come to, in a few numbers: for lists of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.recording import Recording
from hfviewer.quality.gap import Gaps
from hfviewer.quality.stream_timing import look_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How well a recording is.

    Args:
        severity: of the worst finding; None where there is none.
        findings: how many there are.
        frames_lost: in all streams together.
        lost_share: of the recording's time, 0 to 1: what lies in a gap of at least one stream.
    """

    severity: Severity | None = None
    findings: int = 0
    frames_lost: int = 0
    lost_share: float = 0.0


def health_of(recording: Recording, findings: Sequence[Finding]) -> Health:
    """The health of a recording whose checks found just this. Reads tables only, no frames."""
    span = recording.description.span
    gaps = [seen.gaps.all() for seen in look_at(recording).values()]
    whole_ns = 0 if span is None else span.duration_ns
    return Health(
        severity=worst(findings),
        findings=len(findings),
        frames_lost=sum(int(one.lost.sum()) for one in gaps),
        lost_share=min(1.0, covered_ns(gaps) / whole_ns) if whole_ns else 0.0,
    )


def worst(findings: Iterable[Finding]) -> Severity | None:
    """The severity that all of them together have; None of none."""
    order = list(Severity)
    return min((finding.severity for finding in findings), key=order.index, default=None)


def covered_ns(gaps: Sequence[Gaps]) -> int:
    """How much time lies in a gap of at least one stream; where two overlap it counts once."""
    starts: NDArray[np.int64] = np.concatenate([np.empty(0, np.int64), *(one.start_ns for one in gaps)])
    ends: NDArray[np.int64] = np.concatenate([np.empty(0, np.int64), *(one.end_ns for one in gaps)])
    if not len(starts):
        return 0
    order = np.argsort(starts, kind="stable")
    starts, ends = starts[order], np.maximum.accumulate(ends[order])
    before = np.concatenate([starts[:1], ends[:-1]])  # up to where the earlier ones reach
    return int(np.maximum(ends - np.maximum(starts, before), 0).sum())
