"""The checks of a recording: one result that the application, the command line and the report all show.

Fast checks look at tables only: timestamps, counters, what the recorder noted. Deep checks (`quality.deep`)
decode every frame and add to the same list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.finding_codes import severity_of
from hfviewer.core.recording import Recording, Stream
from hfviewer.core.stream import StreamKind
from hfviewer.core.window import TimeWindow, WindowGrid
from hfviewer.quality.drift import drifting
from hfviewer.quality.ends import early_ends, late_starts
from hfviewer.quality.findings import table_findings
from hfviewer.quality.gap import Gaps
from hfviewer.quality.intervals import Quantiles, intervals_of, irregular_rate, measured_rate_hz
from hfviewer.quality.order import Disorder
from hfviewer.quality.pool import on_threads
from hfviewer.quality.profile import Expectation, Limits, Profile
from hfviewer.quality.stream_timing import StreamTiming, look_at
from hfviewer.quality.sync import SyncError, choose_reference, sync_errors, sync_findings
from hfviewer.quality.window_check import EmptyWindows, empty_window_findings, empty_windows


@dataclass(frozen=True, eq=False, kw_only=True)
class StreamCheck:
    """What the fast checks know of one stream.

    Args:
        name: of the stream.
        kind: what its frames are of.
        timing: its table and clock.
        gaps: where frames are missing.
        disorder: doubled stamps and late frames.
        intervals: their spread; None with fewer than two frames.
        rate_hz: from its own first to its own last frame; None with fewer than two.
        period_ns: typical interval, also of an irregular stream; None with fewer than two stamps.
        duplicate_frames: frames that repeat the one before, by the recorder or by their content.
        empty: windows without a frame of it; None where there are none, or none is to be expected.
    """

    name: str
    kind: StreamKind
    timing: StreamTiming
    gaps: Gaps
    disorder: Disorder
    intervals: Quantiles | None
    rate_hz: float | None
    period_ns: int | None
    duplicate_frames: int
    empty: EmptyWindows | None

    @property
    def frame_count(self) -> int:
        return len(self.timing.timestamps_ns)

    @property
    def missing_frames(self) -> int:
        return int(self.gaps.lost_before[-1])


@dataclass(frozen=True, eq=False, kw_only=True)
class RecordingCheck:
    """Everything that was found about a recording.

    Args:
        path: as opened.
        span: of the recording.
        streams: in the recording's order.
        reference: stream that sync errors refer to; None where none serves.
        sync: of every other stream.
        window_count: windows of the recording.
        window_ns: length of one.
        findings: all of them, those met on opening included, in order of severity and time.
        profile: what it was held against.
        deep: True where every frame was decoded.
    """

    path: str
    span: TimeWindow | None
    streams: Mapping[str, StreamCheck] = field(default_factory=lambda: MappingProxyType({}))
    reference: str | None = None
    sync: tuple[SyncError, ...] = ()
    window_count: int = 0
    window_ns: int = 0
    findings: tuple[Finding, ...] = ()
    profile: Profile = field(default_factory=Profile)
    deep: bool = False

    @property
    def verdict(self) -> str:
        """``ok`` or ``findings``: whether there is more than remarks."""
        worse = any(finding.severity is not Severity.INFO for finding in self.findings)
        return "findings" if worse else "ok"

    def with_findings(self, more: Iterable[Finding], *, deep: bool = True) -> RecordingCheck:
        """The same with findings of other checks, held against the same profile."""
        added = self.profile.applied_to(more)
        return replace(self, findings=tuple(in_order([*self.findings, *added])), deep=deep)


def check_recording(
    recording: Recording,
    profile: Profile | None = None,
    *,
    reference: str | None = None,
    threads: int | None = None,
) -> RecordingCheck:
    """All fast checks. No frame is read; a million timestamps a stream take a fraction of a second.

    Args:
        recording: open.
        profile: thresholds and demands; None: the defaults.
        reference: stream that the others are compared with in time; None: as the profile says, else chosen.
        threads: to work on; None: one for each processor.

    Raises:
        UsageError: there is no such reference.
    """
    profile = profile or Profile()
    timings = look_at(recording)
    reference = _reference(recording, timings, reference, profile)
    span, grid, limits = recording.description.span, recording.windows, profile.limits

    def look(name: str) -> tuple[StreamCheck, list[Finding]]:
        return _check_stream(recording.streams[name], timings[name], grid, span, limits)

    looked = on_threads(look, recording.streams, threads)
    checks = {check.name: check for check, _ in looked}
    findings = [finding for _, own in looked for finding in own]
    all_gaps = {name: check.gaps for name, check in checks.items()}
    sync = sync_errors(timings, reference, threads=threads)
    findings += late_starts(timings, limits)
    findings += early_ends(timings, limits)
    findings += drifting(timings, all_gaps, limits, reference)
    findings += sync_findings(sync, timings, all_gaps, profile)
    if profile.reference is not None and profile.reference not in timings:
        instead = f"{reference} is taken" if reference else "none is taken"
        message = f"{profile.reference} is demanded as the reference, but not in the recording; {instead}."
        findings.append(_missing_stream(profile.reference, message))
    for wanted in profile.expect:
        findings += _expected(recording, checks, wanted, profile)
    findings = without_repeats([*recording.description.findings, *recording.check_index()], findings)
    return RecordingCheck(
        path=recording.description.path,
        span=span,
        streams=MappingProxyType(checks),
        reference=reference,
        sync=tuple(sync),
        window_count=len(grid),
        window_ns=grid.window_ns,
        findings=tuple(in_order(profile.applied_to(findings))),
        profile=profile,
    )


def _check_stream(
    stream: Stream, seen: StreamTiming, grid: WindowGrid, span: TimeWindow | None, limits: Limits
) -> tuple[StreamCheck, list[Finding]]:
    name, gaps, lengths = stream.description.name, seen.gaps.all(), intervals_of(seen)
    empty = empty_windows(grid, seen, gaps, lengths)
    findings = table_findings(stream, seen, gaps, span, most_gaps=limits.most_gaps)
    findings += irregular_rate(stream.description, seen, gaps, lengths, limits)
    findings += empty_window_findings(name, grid, seen, empty)
    every = lengths[0][1] if len(lengths) == 1 else np.concatenate([part for _, part in lengths])
    check = StreamCheck(
        name=name,
        kind=stream.description.kind,
        timing=seen,
        gaps=gaps,
        disorder=seen.disorder(),
        intervals=Quantiles.of(every),
        rate_hz=measured_rate_hz(seen),
        period_ns=seen.gaps.typical_ns,
        duplicate_frames=0 if seen.duplicate is None else int(seen.duplicate.sum()),
        empty=empty,
    )
    return check, findings


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """The worst first; of one severity in order of time, those without a time before all others."""
    order = list(Severity)
    return sorted(findings, key=lambda f: (order.index(f.severity), f.start_ns is not None, f.start_ns or 0))


def without_repeats(opening: Sequence[Finding], checked: Sequence[Finding]) -> list[Finding]:
    """Findings met on opening and those of the checks, less what both tell of a stream's clock."""
    told = {finding.stream for finding in checked if finding.code == "clock_step"}
    kept = [f for f in opening if f.code != "clock_step" or f.stream not in told]
    return [*kept, *checked]


def _reference(
    recording: Recording, timings: Mapping[str, StreamTiming], asked: str | None, profile: Profile
) -> str | None:
    if asked is not None:
        recording.stream(asked)  # says which there are, where this is none
        return asked
    if profile.reference is not None and profile.reference in timings:
        return profile.reference
    return choose_reference(recording, timings)


def _missing_stream(name: str, message: str) -> Finding:
    return Finding(
        code="missing_stream",
        severity=severity_of("missing_stream"),
        stream=name,
        message=message,
        evidence="profile",
    )


def _expected(
    recording: Recording, checks: Mapping[str, StreamCheck], wanted: Expectation, profile: Profile
) -> list[Finding]:
    """``missing_stream`` and ``irregular_rate``: what the profile demands of a stream."""
    check = checks.get(wanted.stream)
    stream: Stream | None = recording.streams.get(wanted.stream)
    if check is None or stream is None or check.frame_count < max(1, wanted.frames or 0):
        if stream is None:
            message = f"{wanted.stream} is demanded, but not in the recording."
        else:
            message = (
                f"{max(1, wanted.frames or 0)} frames of {wanted.stream} are demanded; it has {len(stream)}."
            )
        return [_missing_stream(wanted.stream, message)]
    if wanted.rate_hz is None:
        return []
    allowed = wanted.tolerance_percent
    allowed = profile.limits.rate_tolerance_percent if allowed is None else allowed
    period_ns = check.period_ns
    rate_hz = None if not period_ns else 1e9 / period_ns
    if rate_hz is not None and abs(rate_hz / wanted.rate_hz - 1) * 100 <= allowed:
        return []
    measured = "no rate at all" if rate_hz is None else f"{rate_hz:.3f} Hz"
    return [
        Finding(
            code="irregular_rate",
            severity=Severity.ERROR,
            stream=wanted.stream,
            message=f"{wanted.rate_hz:g} Hz ± {allowed:g} % demanded, {measured} measured.",
            evidence="median interval against the profile",
        )
    ]
