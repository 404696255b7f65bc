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
from hfviewer.quality.job import Job, open_job
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
    """

    profile: Profile = field(default_factory=Profile)
    reference: str | None = None
    deep: bool = False
    jobs: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one recording, small enough to be handed from process to process.

    Args:
        job: which.
        document: the JSON of cli.md.
        findings: the same as in the document.
    """

    job: Job
    document: dict[str, Any]
    findings: tuple[Finding, ...]

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
        return outcome_of(job, check)


def outcome_of(job: Job, check: RecordingCheck) -> Outcome:
    """What is handed on of a check."""
    document = check_document(check)
    if job.key is not None:
        document |= {"path": job.name, "episode": job.number, "key": job.key}
    return Outcome(job=job, document=document, findings=check.findings)


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
        return outcome_of(job, check)
    missing = Finding(
        code="missing_stream",
        severity=severity_of("missing_stream"),
        stream=options.reference,
        message=f"{options.reference} is the reference, but not in the recording.",
        evidence="--reference",
    )
    return outcome_of(job, check.with_findings([missing], deep=check.deep))


def unreadable(job: Job, error: HfviewerError) -> Outcome:
    """The row of a recording that cannot be opened."""
    document = unreadable_document(job.name, error)
    if job.key is not None:
        document |= {"episode": job.number, "key": job.key}
    return Outcome(job=job, document=document, findings=(unreadable_finding(error),))
