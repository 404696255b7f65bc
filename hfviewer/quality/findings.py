"""Findings about one stream's own table: missing, repeated and disordered frames, clocks that were set."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.finding import Finding
from hfviewer.core.finding_codes import severity_of
from hfviewer.core.recording import Stream
from hfviewer.core.stream import Clock, StreamDescription
from hfviewer.core.text import counted
from hfviewer.core.time_text import format_utc
from hfviewer.core.window import TimeWindow
from hfviewer.quality.clock import ClockView
from hfviewer.quality.gap import Gap, Gaps
from hfviewer.quality.order import Disorder
from hfviewer.quality.runs import run_findings, runs_of
from hfviewer.quality.stream_timing import StreamTiming

MOST_GAPS = 20  # of one stream, each with a finding of its own; the rest share one
_HARDWARE_FLAG = 2  # of a hyperframe entry: its stamp is the sensor's


def table_findings(
    stream: Stream, seen: StreamTiming, gaps: Gaps, span: TimeWindow | None, *, most_gaps: int = MOST_GAPS
) -> list[Finding]:
    """What a stream's own table says; nothing else is read."""
    name, disorder = stream.description.name, seen.disorder()
    return [
        *missing_frames(name, gaps, most_gaps=most_gaps),
        *duplicate_timestamp(name, seen, disorder),
        *duplicate_frame(name, seen),
        *out_of_order(name, disorder),
        *clock_step(name, seen, span),
        *odd_counter(name, seen),
        *host_clock(stream),
    ]


def missing_frames(name: str, gaps: Gaps, *, most_gaps: int = MOST_GAPS) -> list[Finding]:
    """``missing_frames``: frames that the sensor took and the recording has not.

    Evidence, the strongest first: the sensor's counter jumps (``sequence``), the recorder counted them
    (``recorder``), or more than 1.5 periods pass and the frames behind do not make up for it (``interval``;
    the number is rounded to whole periods). Where they disagree all numbers are told. Error; a single frame
    by its interval alone is a warning, as it may only have been late.
    """
    findings = [_missing_in(name, gaps[index]) for index in range(min(len(gaps), most_gaps))]
    rest = len(gaps) - most_gaps
    if rest > 0:
        lost = int(gaps.lost_before[-1] - gaps.lost_before[most_gaps])
        severe = bool(gaps.severe[most_gaps:].any())
        findings.append(
            Finding(
                code="missing_frames",
                severity=severity_of("missing_frames", milder=not severe),
                stream=name,
                start_ns=int(gaps.start_ns[most_gaps]),
                end_ns=int(gaps.end_ns[-1]),
                first_frame=int(gaps.before[most_gaps]),
                last_frame=int(gaps.before[-1]) + 1,
                message=f"{counted(lost, 'frame')} lost in {counted(rest, 'more gap')}.",
                evidence=_shared_evidence(gaps.taken(slice(most_gaps, None))),
            )
        )
    return findings


def _shared_evidence(gaps: Gaps) -> str:
    """``sequence in 3 of them, interval in the others``."""
    counted = gaps.by_sequence > 0
    recorded = np.zeros(len(gaps), np.bool_)
    if gaps.by_recorder is not None:
        recorded = (gaps.by_recorder > 0) & ~counted
    numbers = [
        (what, int(number))
        for what, number in (
            ("sequence", counted.sum()),
            ("recorder", recorded.sum()),
            ("interval", (~counted & ~recorded).sum()),
        )
        if number
    ]
    if len(numbers) == 1:
        return numbers[0][0]
    told = [f"{what} in {number} of them" for what, number in numbers[:-1]]
    return ", ".join([*told, f"{numbers[-1][0]} in the others"])


def _missing_in(name: str, gap: Gap) -> Finding:
    return Finding(
        code="missing_frames",
        severity=severity_of("missing_frames", milder=not gap.is_severe),
        stream=name,
        start_ns=gap.start_ns,
        end_ns=gap.end_ns,
        first_frame=gap.before,
        last_frame=gap.before + 1,
        message=f"{counted(gap.lost, 'frame')} lost after #{gap.before}.",
        evidence=gap.evidence_text,
    )


def duplicate_timestamp(name: str, seen: StreamTiming, disorder: Disorder) -> list[Finding]:
    """``duplicate_timestamp``: frames whose stamp repeats that of the frame before; one finding for all.

    Info where a third of all frames and more do: then several rows belong to one message as a rule.
    """
    if len(disorder.doubled_ns) == 0:
        return []
    table_ns, count = seen.timestamps_ns, disorder.repeats
    first_ns, last_ns = int(disorder.doubled_ns[0]), int(disorder.doubled_ns[-1])
    return [
        Finding(
            code="duplicate_timestamp",
            severity=severity_of("duplicate_timestamp", milder=3 * count >= len(table_ns)),
            stream=name,
            start_ns=first_ns,
            end_ns=last_ns,
            first_frame=int(table_ns.searchsorted(first_ns, side="left")),
            last_frame=int(table_ns.searchsorted(last_ns, side="right")) - 1,
            message=f"{counted(count, 'frame')} with a repeated timestamp.",
            evidence="equal timestamps",
        )
    ]


def duplicate_frame(name: str, seen: StreamTiming) -> list[Finding]:
    """``duplicate_frame``: frames that the recorder marked as repeating the one before; one for each run."""
    if seen.duplicate is None:
        return []
    return repeated_frames(name, seen.timestamps_ns, runs_of(seen.duplicate), seen.source or "recorder")


def repeated_frames(
    name: str, table_ns: NDArray[np.int64], runs: list[range], evidence: str
) -> list[Finding]:
    """``duplicate_frame`` of runs of frames that repeat the one before."""
    return run_findings(
        "duplicate_frame",
        name,
        table_ns,
        runs,
        message=lambda run: f"{counted(len(run), 'frame')} repeating #{run.start - 1}.",
        message_of_rest=lambda frames, places: (
            f"{counted(frames, 'frame')} repeating the one before, in {counted(places, 'more place')}."
        ),
        evidence=lambda _: evidence,
    )


def out_of_order(name: str, disorder: Disorder) -> list[Finding]:
    """``out_of_order``: frames that arrived, by the counter, after a frame with a later stamp; one for all.

    Access units of h264 and hevc are stored as they are decoded: that order is not looked at.
    """
    count = len(disorder.late)
    if count == 0:
        return []
    return [
        Finding(
            code="out_of_order",
            severity=severity_of("out_of_order"),
            stream=name,
            start_ns=int(disorder.late_ns[0]),
            end_ns=int(disorder.late_ns[-1]),
            first_frame=int(disorder.late[0]),
            last_frame=int(disorder.late[-1]),
            message=f"{counted(count, 'frame')} out of order.",
            evidence="sequence against timestamps",
        )
    ]


def clock_step(name: str, seen: StreamTiming, span: TimeWindow | None) -> list[Finding]:
    """``clock_step``: the clock was set (a finding each time), or single stamps are far off (one for all).

    Evidence: times in the order of the counter; see `hfviewer.quality.clock`. Without a counter that tells,
    stamps outside of what all others span.
    """
    found = [] if seen.clock is None else [*_steps(name, seen, seen.clock), *_strays(name, seen, seen.clock)]
    table_ns = seen.timestamps_ns
    if found or span is None or len(table_ns) == 0:
        return found
    inside = table_ns.searchsorted([span.start_ns, span.stop_ns])
    outside = len(table_ns) - int(inside[1] - inside[0])
    if not outside:
        return []
    first = 0 if inside[0] > 0 else int(inside[1])
    last = len(table_ns) - 1 if inside[1] < len(table_ns) else int(inside[0]) - 1
    return [
        Finding(
            code="clock_step",
            severity=severity_of("clock_step"),
            stream=name,
            start_ns=int(table_ns[first]),
            end_ns=int(table_ns[last]),
            first_frame=first,
            last_frame=last,
            message=f"{outside} of {len(table_ns)} timestamps lie far off all others.",
            evidence="distance from all other timestamps",
        )
    ]


def _steps(name: str, seen: StreamTiming, clock: ClockView) -> list[Finding]:
    found = []
    for step in clock.steps:
        before_ns, after_ns = int(seen.timestamps_ns[step.before]), int(seen.timestamps_ns[step.after])
        size_s = abs(step.size_ns) / 1e9
        what = f"set back by {size_s:.3f} s after #{step.before}"
        if step.size_ns > 0:
            what = f"set forward by {size_s:.3f} s after #{step.before}, or nothing was recorded meanwhile"
        missing = "" if not step.missing else f"; the counter left out {step.missing} numbers there"
        found.append(
            Finding(
                code="clock_step",
                severity=severity_of("clock_step"),
                stream=name,
                start_ns=min(before_ns, after_ns),
                end_ns=max(before_ns, after_ns),
                first_frame=min(step.before, step.after),
                last_frame=max(step.before, step.after),
                message=f"The clock was {what}; no frame is counted as missing.",
                evidence=f"{before_ns} ns, then {after_ns} ns in order of arrival{missing}",
            )
        )
    return found


def _strays(name: str, seen: StreamTiming, clock: ClockView) -> list[Finding]:
    if len(clock.strays) == 0:
        return []
    order = np.argsort(clock.expected_ns, kind="stable")
    strays, expected = clock.strays[order], clock.expected_ns[order]
    stamp_ns = int(seen.timestamps_ns[strays[0]])
    if len(strays) == 1:
        message = f"#{strays[0]} bears the stamp {format_utc(stamp_ns)}, far off its neighbours."
    else:
        message = f"{len(strays)} frames bear stamps far off their neighbours, like {format_utc(stamp_ns)}."
    return [
        Finding(
            code="clock_step",
            severity=severity_of("clock_step"),
            stream=name,
            start_ns=int(expected[0]),
            end_ns=int(expected[-1]),
            first_frame=int(strays.min()),
            last_frame=int(strays.max()),
            message=message,
            evidence=f"stamp {stamp_ns} ns; by its number it belongs to {int(expected[0])} ns",
        )
    ]


def odd_counter(name: str, seen: StreamTiming) -> list[Finding]:
    """``irregular_rate``, info: the counter moves by more than one from frame to frame as a rule.

    Evidence: its median step. Such steps are not called lost frames: every nth frame may have been kept on
    purpose, or the numbers be shared by several streams. A declared rate tells the former from a loss.
    """
    if seen.stride == 1:
        return []
    if seen.stride is None:
        message = "The counter is not this stream's own: it tells the order, not what is lost."
    else:
        message = f"The counter moves by {seen.stride} from frame to frame; that is not taken for a loss."
    return [
        Finding(
            code="irregular_rate",
            severity=severity_of("irregular_rate", milder=True),
            stream=name,
            message=message,
            evidence="median step of the counter",
        )
    ]


def host_clock(stream: Stream) -> list[Finding]:
    """``host_clock``: some frames of a stream with a hardware clock were stamped by the computer on arrival.

    Evidence: the flag of each frame. A stream stamped by the computer throughout says so as its clock.
    """
    description: StreamDescription = stream.description
    flags = stream.flags
    by_host = (flags & _HARDWARE_FLAG) == 0
    if description.clock is not Clock.HARDWARE or not by_host.any() or by_host.all():
        return []
    at = np.flatnonzero(by_host)
    return [
        Finding(
            code="host_clock",
            severity=severity_of("host_clock"),
            stream=description.name,
            start_ns=int(stream.timestamps_ns[at[0]]),
            end_ns=int(stream.timestamps_ns[at[-1]]),
            first_frame=int(at[0]),
            last_frame=int(at[-1]),
            message=f"{counted(len(at), 'frame')} stamped by the host's clock instead of the sensor's.",
            evidence="flags of the frames",
        )
    ]
