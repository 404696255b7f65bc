"""What timestamps and counters alone say about a recording; no frame is read."""

from __future__ import annotations

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.recording import Recording, Stream
from hfviewer.core.window import TimeWindow
from hfviewer.quality.gap import Gap, Gaps
from hfviewer.quality.order import Disorder
from hfviewer.quality.stream_timing import StreamTiming

MOST_GAPS = 20  # of one stream, each with a finding of its own; the rest share one


def timing_findings(recording: Recording) -> list[Finding]:
    """Missing frames, repeated timestamps and frames out of order, stream by stream.

    A million frames take a fraction of a second. Nothing is read but the streams' tables.
    """
    span = recording.description.span
    return [found for stream in recording.streams.values() for found in stream_findings(stream, span)]


def stream_findings(stream: Stream, span: TimeWindow | None) -> list[Finding]:
    """The same of one stream of a recording that spans so much."""
    name, seen = stream.description.name, StreamTiming.of(stream, span)
    disorder = seen.disorder()
    return [
        *_missing(name, seen.gaps.all()),
        *_doubled(name, stream, disorder),
        *_out_of_order(name, disorder),
    ]


def _missing(name: str, gaps: Gaps) -> list[Finding]:
    findings = [_missing_in(name, gaps[index]) for index in range(min(len(gaps), MOST_GAPS))]
    rest = len(gaps) - MOST_GAPS
    if rest > 0:
        lost = int(gaps.lost_before[-1] - gaps.lost_before[MOST_GAPS])
        severe = bool(gaps.severe[MOST_GAPS:].any())
        by_sequence = int((gaps.by_sequence[MOST_GAPS:] > 0).sum())
        findings.append(
            Finding(
                code="missing_frames",
                severity=Severity.ERROR if severe else Severity.WARNING,
                stream=name,
                start_ns=int(gaps.start_ns[MOST_GAPS]),
                end_ns=int(gaps.end_ns[-1]),
                first_frame=int(gaps.before[MOST_GAPS]),
                last_frame=int(gaps.before[-1]) + 1,
                message=f"{_frames(lost)} lost in {rest} more {'gap' if rest == 1 else 'gaps'}.",
                evidence=_shared_evidence(by_sequence, rest),
            )
        )
    return findings


def _shared_evidence(by_sequence: int, count: int) -> str:
    if by_sequence in (0, count):
        return "sequence" if by_sequence else "interval"
    return f"sequence in {by_sequence} of them, interval in the others"


def _missing_in(name: str, gap: Gap) -> Finding:
    return Finding(
        code="missing_frames",
        severity=Severity.ERROR if gap.is_severe else Severity.WARNING,
        stream=name,
        start_ns=gap.start_ns,
        end_ns=gap.end_ns,
        first_frame=gap.before,
        last_frame=gap.before + 1,
        message=f"{_frames(gap.lost)} lost after #{gap.before}.",
        evidence=gap.evidence_text,
    )


def _doubled(name: str, stream: Stream, disorder: Disorder) -> list[Finding]:
    if len(disorder.doubled_ns) == 0:
        return []
    table_ns, count = stream.timestamps_ns, disorder.repeats
    first_ns, last_ns = int(disorder.doubled_ns[0]), int(disorder.doubled_ns[-1])
    return [
        Finding(
            code="duplicate_timestamp",
            severity=Severity.WARNING,
            stream=name,
            start_ns=first_ns,
            end_ns=last_ns,
            first_frame=int(table_ns.searchsorted(first_ns, side="left")),
            last_frame=int(table_ns.searchsorted(last_ns, side="right")) - 1,
            message=f"{_frames(count)} with a repeated timestamp.",
            evidence="equal timestamps",
        )
    ]


def _out_of_order(name: str, disorder: Disorder) -> list[Finding]:
    count = len(disorder.late)
    if count == 0:
        return []
    return [
        Finding(
            code="out_of_order",
            severity=Severity.WARNING,
            stream=name,
            start_ns=int(disorder.late_ns[0]),
            end_ns=int(disorder.late_ns[-1]),
            first_frame=int(disorder.late[0]),
            last_frame=int(disorder.late[-1]),
            message=f"{_frames(count)} out of order.",
            evidence="sequence against timestamps",
        )
    ]


def _frames(count: int) -> str:
    return "1 frame" if count == 1 else f"{count} frames"
