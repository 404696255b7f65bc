"""What to say about a point of the timeline."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QImage

from hfviewer.core import timing
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.stream import StreamKind
from hfviewer.core.time_format import TimeFormat, elapsed_text
from hfviewer.core.time_text import NS_PER_S
from hfviewer.panels.drawing import one_line
from hfviewer.panels.standing import index_text
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.card import CardContent
from hfviewer.panels.timeline.lane import Lane
from hfviewer.panels.timeline.scale import decimals_for

ThumbnailSource = Callable[[str, int], QImage | None]  # stream, index; only what is at hand, never waits


def pointed_ns(axis: TimeAxis, column: int) -> int:
    """The time that pointing at a column means: its last instant, so that a frame drawn in it is shown."""
    return max(axis.time_at(column), axis.time_at(column + 1) - 1)


def distance_text(distance_ns: int) -> str:
    """``+279 ms``, ``−3.200 s``."""
    sign, size_ns = ("−", -distance_ns) if distance_ns < 0 else ("+", distance_ns)
    if size_ns < 1_000_000:
        return f"{sign}{size_ns / 1_000:.1f} µs"
    if size_ns < NS_PER_S:
        return f"{sign}{size_ns / 1_000_000:.1f} ms"
    return f"{sign}{elapsed_text(size_ns, decimals=3, clock=size_ns >= 60 * NS_PER_S)} s".removesuffix(
        " s" if size_ns >= 60 * NS_PER_S else ""
    )


def describe(
    axis: TimeAxis,
    column: int,
    playhead_ns: int,
    lane: Lane | None,
    thumbnails: ThumbnailSource | None = None,
    *,
    times: TimeFormat | None = None,
) -> CardContent:
    """The card for a column of a lane, or of the ruler.

    Args:
        axis: of the view.
        column: under the pointer.
        playhead_ns: where the playhead is.
        lane: under the pointer, if any.
        thumbnails: where small pictures come from.
        times: how times read; None: as elapsed.
    """
    time_ns = pointed_ns(axis, column)
    times = times or TimeFormat.elapsed(axis.span)
    time = times.with_unit(time_ns, decimals_for(axis, times))
    distance = distance_text(time_ns - playhead_ns)
    if lane is None:
        return CardContent(time=time, distance=distance)
    count = len(lane.timestamps_ns)
    index = timing.index_at(lane.timestamps_ns, time_ns)
    if index is None:
        detail = (
            "no frames" if count == 0 else f"starts {distance_text(int(lane.timestamps_ns[0]) - time_ns)}"
        )
        return CardContent(
            time=time,
            distance=distance,
            stream=one_line(lane.name),
            kind=lane.kind,
            number=f"– of {count}",
            detail=detail,
        )
    stamp_ns = int(lane.timestamps_ns[index])
    warning, severity = _what_is_wrong(lane, axis, column, time_ns, index)
    return CardContent(
        time=time,
        distance=distance,
        stream=one_line(lane.name),
        kind=lane.kind,
        number=f"{index_text(index)} of {count}",
        detail=f"frame at {times.text(stamp_ns, 6)}",
        warning=warning,
        severity=severity,
        thumbnail=None if thumbnails is None else thumbnails(lane.name, index),
    )


def describe_finding(finding: Finding, kind: StreamKind | None, times: TimeFormat) -> CardContent:
    """The card for a finding.

    Args:
        finding: under the pointer.
        kind: of its stream, where that is known.
        times: how times read.
    """
    start_ns, end_ns = finding.start_ns or 0, finding.end_ns
    length = "" if end_ns is None or end_ns <= start_ns else distance_text(end_ns - start_ns)
    return CardContent(
        time=times.with_unit(start_ns),
        distance=length.removeprefix("+"),
        stream="" if finding.stream is None else one_line(finding.stream),
        kind=StreamKind.UNKNOWN if kind is None else kind,
        detail=one_line(finding.evidence or finding.code.replace("_", " ")),
        warning=one_line(finding.message),
        severity=finding.severity,
    )


def _what_is_wrong(lane: Lane, axis: TimeAxis, column: int, time_ns: int, index: int) -> tuple[str, Severity]:
    gaps, disorder = lane.marks.gaps, lane.marks.disorder
    gap = gaps.at(time_ns)
    if gap is None and len(gaps):
        # A gap's mark may be wider than the gap: up to three columns from where it begins.
        near = int(gaps.start_ns.searchsorted(time_ns, side="right")) - 1
        if near >= 0 and gaps.start_ns[near] >= axis.time_at(column - 2):
            gap = near
    if gap is not None:
        lost, severe = gaps[gap].lost, gaps[gap].is_severe
        evidence = "the recorder" if gaps[gap].evidence == "recorder" else gaps[gap].evidences[0]
        what = f"{lost} {'frame' if lost == 1 else 'frames'} lost, by {evidence}"
        return what, Severity.ERROR if severe else Severity.WARNING
    stamp_ns = int(lane.timestamps_ns[index])
    at = int(disorder.doubled_ns.searchsorted(stamp_ns))
    if at < len(disorder.doubled_ns) and disorder.doubled_ns[at] == stamp_ns:
        severity = Severity.INFO if lane.shares_stamps else Severity.WARNING
        return f"{int(disorder.doubled_counts[at])} frames share this time", severity
    at = int(disorder.late_ns.searchsorted(stamp_ns))
    if at < len(disorder.late_ns) and disorder.late_ns[at] == stamp_ns:
        return "arrived out of order", Severity.WARNING
    late_ns = lane.marks.late_ns
    at = int(late_ns.searchsorted(stamp_ns))
    if at < len(late_ns) and late_ns[at] == stamp_ns:
        return "came late; none before it is missing", Severity.INFO
    return "", Severity.WARNING
