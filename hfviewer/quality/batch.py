"""Check many recordings, on all processors. What cannot be opened is a row like the others, not a stop."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import CancelledError, DamagedRecordingError, HfviewerError, UsageError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.finding_codes import severity_of
from hfviewer.core.recording import Recording
from hfviewer.quality.check import RecordingCheck, check_recording
from hfviewer.quality.document import check_document, unreadable_document, unreadable_finding
from hfviewer.quality.profile import Profile
from hfviewer.readers.registry import not_a_folder, open_path

_FEW = 6  # recordings whose fast checks are done before another process has started
_AHEAD = 4  # jobs handed to each process before it has asked for them

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One recording to check.

    Args:
        path: as named by the user, or of the folder that it lies in.
        key: of the episode in that folder; None: the path is the recording.
        number: of the episode; None as above.
        revision: an earlier state; None: the newest.
    """

    path: str
    key: str | None = None
    number: int | None = None
    revision: int | None = None

    @property
    def name(self) -> str:
        """Where it lies: the file, or the folder of an episode that is none of its own."""
        inside = None if self.key is None else os.path.join(self.path, self.key)
        return inside if inside is not None and os.path.isfile(inside) else self.path


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


def jobs_in(path: str, *, revision: int | None = None, episode: int | None = None) -> tuple[list[Job], bool]:
    """What there is to check at a path, and whether it is a folder of many.

    Raises:
        HfviewerError: it cannot be opened, or has no such episode.
    """
    opened = open_path(path, revision)
    with opened:
        if isinstance(opened, Recording):
            if episode is not None:
                raise not_a_folder(path)
            return [Job(path=path, revision=revision)], False
        rows = opened.episodes
        if episode is None:
            return [Job(path=path, key=row.key, number=row.number) for row in rows], True
        opened.open(episode).close()  # says which there are, where this is none
        (row,) = [row for row in rows if row.number == episode]
        return [Job(path=path, key=row.key, number=row.number)], False


def check_one(job: Job, options: Options) -> Outcome:
    """Check one recording.

    Raises:
        UsageError: there is no such reference.
        HfviewerError: it cannot be opened.
    """
    with _open(job) as recording:
        return outcome_of(job, check_recording(recording, options.profile, reference=options.reference))


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
    cancelled: Callable[[], bool] | None = None,
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
        done = _in_processes(jobs, options, count, cancelled)
    waiting: dict[int, Outcome] = {}
    turn = 0
    for number, (index, outcome) in enumerate(done):
        if cancelled is not None and cancelled():
            raise CancelledError("The check was stopped.")
        if progress is not None:
            progress(number + 1, len(jobs))
        waiting[index] = outcome
        while turn in waiting:
            yield waiting.pop(turn)
            turn += 1


def _in_processes(
    jobs: Sequence[Job], options: Options, count: int, cancelled: Callable[[], bool] | None
) -> Iterator[tuple[int, Outcome]]:
    """Outcomes as they come. A process that dies takes down the pool: what was under way is tried alone."""
    # Spawned: a forked child of a process with threads may hang.
    context = multiprocessing.get_context("spawn")
    left = list(range(len(jobs)))[::-1]
    running: dict[Future[Outcome], int] = {}
    suspects: list[int] = []
    with ProcessPoolExecutor(count, mp_context=context) as pool:
        try:
            while left or running:
                while left and len(running) < count * _AHEAD:
                    index = left.pop()
                    running[pool.submit(_safely, jobs[index], options)] = index
                finished, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
                if cancelled is not None and cancelled():
                    raise CancelledError("The check was stopped.")
                for future in finished:
                    index = running.pop(future)
                    yield index, future.result()
        except BrokenProcessPool:
            suspects = [index, *running.values()]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    for index in [*suspects, *left[::-1]] if suspects else ():
        with ProcessPoolExecutor(1, mp_context=context) as alone:
            try:
                yield index, alone.submit(_safely, jobs[index], options).result()
            except BrokenProcessPool:
                error = DamagedRecordingError("Checking it crashes.", path=jobs[index].name)
                yield index, unreadable(jobs[index], error)


def _safely(job: Job, options: Options) -> Outcome:
    """Check one of many: whatever is wrong with it becomes its row."""
    try:
        with _open(job) as recording:
            return _checked(job, recording, options)
    except HfviewerError as error:
        return unreadable(job, error)
    except OSError as error:
        return unreadable(job, DamagedRecordingError(f"It cannot be read ({error.strerror}).", path=job.name))
    except Exception as error:  # noqa: BLE001 - one recording must not end the check of a thousand
        problem = f"It cannot be checked ({type(error).__name__}: {error})."
        return unreadable(job, DamagedRecordingError(problem, path=job.name))


def _checked(job: Job, recording: Recording, options: Options) -> Outcome:
    reference = options.reference
    if reference is None or reference in recording.streams:
        return outcome_of(job, check_recording(recording, options.profile, reference=reference, threads=1))
    check = check_recording(recording, options.profile, threads=1)
    missing = Finding(
        code="missing_stream",
        severity=severity_of("missing_stream"),
        stream=reference,
        message=f"{reference} is the reference, but not in the recording.",
        evidence="--reference",
    )
    return outcome_of(job, check.with_findings([missing], deep=False))


def unreadable(job: Job, error: HfviewerError) -> Outcome:
    """The row of a recording that cannot be opened."""
    document = unreadable_document(job.name, error)
    if job.key is not None:
        document |= {"episode": job.number, "key": job.key}
    return Outcome(job=job, document=document, findings=(unreadable_finding(error),))


def _open(job: Job) -> Recording:
    if job.key is not None:
        return _collection(job.path).open_key(job.key)
    opened = open_path(job.path, job.revision)
    if isinstance(opened, Recording):
        return opened
    opened.close()
    raise UsageError("This is a folder of many by now.", remedy="Check it again.", path=job.path)


@lru_cache(maxsize=4)
def _collection(path: str) -> EpisodeCollection:
    """A folder, listed once in each process."""
    opened = open_path(path)
    if isinstance(opened, Recording):
        opened.close()
        raise UsageError("This is no folder of many any more.", remedy="Check it again.", path=path)
    return opened
