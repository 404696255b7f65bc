"""Check many recordings, on all processors. What cannot be opened is a row like the others, not a stop."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hfviewer.core.errors import DamagedRecordingError, HfviewerError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.finding_codes import severity_of
from hfviewer.core.recording import Recording
from hfviewer.quality.check import RecordingCheck, check_recording
from hfviewer.quality.deep import deep_check
from hfviewer.quality.document import check_document, unreadable_document, unreadable_finding
from hfviewer.quality.health import covered_ns
from hfviewer.quality.job import Job, open_job
from hfviewer.quality.lanes import Lane, Place, lanes_of, worst_places
from hfviewer.quality.pool import Cancelled, Progress, run_in_processes, stopped
from hfviewer.quality.profile import Profile

_FEW = 6  # recordings whose fast checks are done before another process has started


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to check.

    Args:
        profile: thresholds and demands.
        reference: stream that the others are compared with; None: chosen.
        deep: decode every frame.
        jobs: processes; None: one for each processor.
        drawn: lanes and pictures are wanted, for a report.
    """

    profile: Profile = field(default_factory=Profile)
    reference: str | None = None
    deep: bool = False
    jobs: int | None = None
    drawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one recording, small enough to be handed from process to process.

    Args:
        job: which.
        document: the JSON of cli.md.
        findings: the same as in the document.
        start_ns: of the recording; None without frames.
        length_ns: of the recording.
        lost_share: of its time, 0 to 1: what lies in a gap of at least one stream.
        lanes: for a report, where they were asked for.
        places: likewise, the longest gaps with pictures.
    """

    job: Job
    document: dict[str, Any]
    findings: tuple[Finding, ...]
    start_ns: int | None = None
    length_ns: int = 0
    lost_share: float = 0.0
    lanes: tuple[Lane, ...] = ()
    places: tuple[Place, ...] = ()

    @property
    def verdict(self) -> str:
        """``ok``, ``findings`` or ``unreadable``."""
        return str(self.document["verdict"])

    @property
    def frames_lost(self) -> int:
        return sum(stream["missing_frames"] for stream in self.document["streams"])

    def count_of(self, severity: Severity) -> int:
        return sum(finding.severity is severity for finding in self.findings)


def check_one(
    job: Job,
    options: Options,
    *,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Outcome:
    """Check one recording; deep checks work on several processes.

    Raises:
        UsageError: there is no such reference.
        HfviewerError: it cannot be opened.
        CancelledError: it was asked to stop.
    """
    with open_job(job) as recording:
        check = check_recording(recording, options.profile, reference=options.reference)
        if options.deep:
            check = deep_check(
                job, recording, check, jobs=options.jobs, progress=progress, cancelled=cancelled
            )
        return outcome_of(job, recording, check, options)


def outcome_of(job: Job, recording: Recording, check: RecordingCheck, options: Options) -> Outcome:
    """What is handed on of a check."""
    document = check_document(check)
    if job.key is not None:
        document |= {"path": job.name, "episode": job.episode, "key": job.key}
    length_ns = 0 if check.span is None else check.span.duration_ns
    gone_ns = covered_ns([stream.gaps for stream in check.streams.values()])
    return Outcome(
        job=job,
        document=document,
        findings=check.findings,
        start_ns=None if check.span is None else check.span.start_ns,
        length_ns=length_ns,
        lost_share=min(1.0, gone_ns / length_ns) if length_ns else 0.0,
        lanes=lanes_of(check) if options.drawn else (),
        places=worst_places(recording, check) if options.drawn else (),
    )


def check_many(
    jobs: Sequence[Job],
    options: Options,
    *,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Iterator[Outcome]:
    """Check recordings on several processes.

    Yields:
        What came of each, in the order of the jobs.

    Raises:
        CancelledError: it was asked to stop.
    """
    count = min(len(jobs), options.jobs or os.cpu_count() or 1)
    if count <= 1 or (len(jobs) <= _FEW and not options.deep):
        done: Iterable[tuple[int, Outcome]] = ((i, _safely(job, options)) for i, job in enumerate(jobs))
    else:
        done = run_in_processes(
            partial(_safely, options=options), jobs, count, crashed=_crashed, cancelled=cancelled
        )
    waiting: dict[int, Outcome] = {}
    turn = 0
    for number, (index, outcome) in enumerate(done):
        if cancelled is not None and cancelled():
            raise stopped()
        if progress is not None:
            progress(number + 1, len(jobs))
        waiting[index] = outcome
        while turn in waiting:
            yield waiting.pop(turn)
            turn += 1


def _crashed(job: Job) -> Outcome:
    return unreadable(job, DamagedRecordingError("Checking it crashes.", path=job.name))


def _safely(job: Job, options: Options) -> Outcome:
    """Check one of many: whatever is wrong with it becomes its row."""
    try:
        with open_job(job) as recording:
            return _checked(job, recording, options)
    except HfviewerError as error:
        return unreadable(job, error)
    except OSError as error:
        return unreadable(job, DamagedRecordingError(f"It cannot be read ({error.strerror}).", path=job.name))
    except Exception as error:  # noqa: BLE001 - one recording must not end the check of a thousand
        problem = f"It cannot be checked ({type(error).__name__}: {error})."
        return unreadable(job, DamagedRecordingError(problem, path=job.name))


def _checked(job: Job, recording: Recording, options: Options) -> Outcome:
    known = options.reference is None or options.reference in recording.streams
    reference = options.reference if known else None
    check = check_recording(recording, options.profile, reference=reference, threads=1)
    if options.deep:
        check = deep_check(job, recording, check, jobs=1)
    if known:
        return outcome_of(job, recording, check, options)
    missing = Finding(
        code="missing_stream",
        severity=severity_of("missing_stream"),
        stream=options.reference,
        message=f"{options.reference} is the reference, but not in the recording.",
        evidence="--reference",
    )
    check = check.with_findings([missing], deep=check.deep)
    return outcome_of(job, recording, check, options)


def unreadable(job: Job, error: HfviewerError) -> Outcome:
    """The row of a recording that cannot be opened."""
    document = unreadable_document(job.name, error)
    if job.key is not None:
        document |= {"episode": job.episode, "key": job.key}
    return Outcome(job=job, document=document, findings=(unreadable_finding(error),))
