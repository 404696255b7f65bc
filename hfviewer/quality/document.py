"""The result of the checks as one JSON document, with the command line's keys."""

from __future__ import annotations

from typing import Any

from hfviewer.core.errors import HfviewerError
from hfviewer.core.finding import Finding
from hfviewer.core.finding_codes import severity_of
from hfviewer.quality.check import RecordingCheck, StreamCheck
from hfviewer.quality.gap import Gap, Gaps
from hfviewer.quality.sync import SyncError

MOST_GAPS = 1_000_000  # of one stream; a damaged counter must not fill the memory


def check_document(check: RecordingCheck) -> dict[str, Any]:
    """Of a recording that was checked."""
    streams = check.streams.values()
    return {
        "path": check.path,
        "verdict": check.verdict,
        "deep": check.deep,
        "reference": check.reference,
        "streams": [_stream(stream) for stream in streams],
        "sync": [_sync(error) for error in check.sync],
        "windows": {
            "count": check.window_count,
            "empty": {s.name: s.empty.count if s.empty else 0 for s in streams},
        },
        "findings": [finding.document() for finding in check.findings],
    }


def unreadable_document(path: str, error: HfviewerError) -> dict[str, Any]:
    """Of one that could not be opened: the same keys."""
    return {
        "path": path,
        "verdict": "unreadable",
        "deep": False,
        "reference": None,
        "problem": f"{error.problem} {error.remedy}".strip(),
        "streams": [],
        "sync": [],
        "windows": {"count": 0, "empty": {}},
        "findings": [unreadable_finding(error).document()],
    }


def unreadable_finding(error: HfviewerError) -> Finding:
    """``unreadable_recording``: it cannot be opened. Evidence: what the reader said."""
    code = "unreadable_recording"
    message = f"{error.problem} {error.remedy}".strip()
    return Finding(code=code, severity=severity_of(code), message=message, evidence="opening it")


def _stream(check: StreamCheck) -> dict[str, Any]:
    spread = check.intervals
    return {
        "name": check.name,
        "kind": str(check.kind),
        "frame_count": check.frame_count,
        "regular": check.timing.regular,
        "period_ns": check.period_ns,
        "rate_hz": check.rate_hz,
        "missing_frames": check.missing_frames,
        "gaps": gap_documents(check.gaps),
        "gaps_left_out": max(0, len(check.gaps) - MOST_GAPS),
        "duplicate_timestamps": check.disorder.repeats,
        "duplicate_frames": check.duplicate_frames,
        "out_of_order": len(check.disorder.late),
        "interval_ns": {
            "p50": None if spread is None else spread.p50,
            "p95": None if spread is None else spread.p95,
            "p99": None if spread is None else spread.p99,
            "max": None if spread is None else spread.max,
        },
    }


def gap_documents(gaps: Gaps) -> list[dict[str, Any]]:
    """Each gap of a stream, up to `MOST_GAPS`."""
    return [_gap(gaps[index]) for index in range(min(len(gaps), MOST_GAPS))]


def _gap(gap: Gap) -> dict[str, Any]:
    return {
        "start_ns": gap.start_ns,
        "end_ns": gap.end_ns,
        "missing": gap.lost,
        "evidence": [str(evidence) for evidence in gap.evidences],
        "after_frame": gap.before,
        "by_sequence": gap.by_sequence,
        "by_recorder": gap.by_recorder,
        "by_interval": gap.by_interval,
    }


def _sync(error: SyncError) -> dict[str, Any]:
    return {
        "reference": error.reference,
        "stream": error.stream,
        "median_ns": error.spread.p50,
        "p95_ns": error.spread.p95,
        "p99_ns": error.spread.p99,
        "max_ns": error.spread.max,
        "pairs": error.pairs,
        "interpolation_ns": error.bridged_ns,
        "worst": [{"at_ns": place.at_ns, "distance_ns": place.distance_ns} for place in error.worst],
    }
