"""Streams that begin later or end earlier than the recording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hfviewer.core.finding import Finding
from hfviewer.core.finding_codes import severity_of
from hfviewer.core.text import counted
from hfviewer.quality.profile import Limits
from hfviewer.quality.stream_timing import StreamTiming

_PERIODS = 2.5
_MILD_NS = 500_000_000


@dataclass(frozen=True, slots=True)
class Ends:
    """First and last believable stamp of a stream; None where a clock step makes one meaningless."""

    first: int | None
    last: int | None


def ends_of(seen: StreamTiming) -> Ends:
    """Bad stamps left out. Before a clock step only the start is believed, and without frames neither."""
    table_ns, clock = seen.timestamps_ns, seen.clock
    if len(table_ns) == 0:
        return Ends(None, None)
    if clock is not None:
        part = clock.parts[0]
        first, last = int(table_ns[part[0]]), int(table_ns[part[-1]])
        return Ends(first, None if clock.steps else last)
    first, last = int(table_ns[0]), int(table_ns[-1])
    span = seen.gaps.span
    if span is None:
        return Ends(first, last)
    return Ends(first if first in span else None, last if last in span else None)


def late_starts(timings: Mapping[str, StreamTiming], limits: Limits) -> list[Finding]:
    """``late_start``: a regular stream begins later than the first of them.

    Evidence: its first stamp against the earliest first stamp, by more than 2.5 of its periods and more than
    the profile's limit. Info below half a second, else warning.
    """
    firsts = {name: ends_of(seen).first for name, seen in timings.items() if seen.regular}
    begin_ns = min((first for first in firsts.values() if first is not None), default=0)
    found = []
    for name, first_ns in firsts.items():
        period_ns = timings[name].gaps.period_ns or 0
        late_ns = 0 if first_ns is None else first_ns - begin_ns
        if first_ns is not None and late_ns > max(_PERIODS * period_ns, limits.late_start_ms * 1e6):
            found.append(
                Finding(
                    code="late_start",
                    severity=severity_of("late_start", milder=late_ns < _MILD_NS),
                    stream=name,
                    start_ns=begin_ns,
                    end_ns=first_ns,
                    first_frame=0,
                    last_frame=0,
                    message=f"Begins {late_ns / 1e9:.3f} s late; {_about(late_ns, period_ns)}.",
                    evidence="first timestamp against the earliest one",
                )
            )
    return found


def early_ends(timings: Mapping[str, StreamTiming], limits: Limits) -> list[Finding]:
    """``early_end``: a regular stream ends before the last of them.

    Evidence: its last stamp against the latest last stamp, by more than 2.5 of its periods and more than the
    profile's limit. Info below half a second, else warning.
    """
    lasts = {name: ends_of(seen).last for name, seen in timings.items() if seen.regular}
    end_ns = max((last for last in lasts.values() if last is not None), default=0)
    found = []
    for name, last_ns in lasts.items():
        period_ns = timings[name].gaps.period_ns or 0
        early_ns = 0 if last_ns is None else end_ns - last_ns
        if last_ns is not None and early_ns > max(_PERIODS * period_ns, limits.early_end_ms * 1e6):
            index = len(timings[name].timestamps_ns) - 1
            found.append(
                Finding(
                    code="early_end",
                    severity=severity_of("early_end", milder=early_ns < _MILD_NS),
                    stream=name,
                    start_ns=last_ns,
                    end_ns=end_ns,
                    first_frame=index,
                    last_frame=index,
                    message=f"Ends {early_ns / 1e9:.3f} s early; {_about(early_ns, period_ns)}.",
                    evidence="last timestamp against the latest one",
                )
            )
    return found


def _about(length_ns: int, period_ns: int) -> str:
    return f"about {counted(length_ns // period_ns if period_ns else 0, 'frame')}"
