"""Deep checks: every frame is decoded, on several processes; what the content says joins the findings.

check = deep_check(job, recording, check_recording(recording), progress=…, cancelled=…)
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import HfviewerError
from hfviewer.core.finding import Finding
from hfviewer.core.finding_codes import severity_of
from hfviewer.core.recording import Recording
from hfviewer.core.stream import StreamKind
from hfviewer.core.text import printable
from hfviewer.quality.check import RecordingCheck, StreamCheck, in_order
from hfviewer.quality.content import MOST_GAPS, content_findings, lost_samples
from hfviewer.quality.findings import missing_frames
from hfviewer.quality.gap import Gap, Gaps
from hfviewer.quality.job import Job, open_job
from hfviewer.quality.pictures import REACH, Jump, JumpTest, jump_test
from hfviewer.quality.pool import Cancelled, Progress, run_in_processes, stopped
from hfviewer.quality.scan import Scan, scan_frames

_CHUNK_FRAMES = 256
_CHUNK_ROWS = 16_384  # of a dense signal
_PICTURES = (StreamKind.IMAGE, StreamKind.DEPTH)


@dataclass(frozen=True, slots=True)
class _Task:
    """A part of a stream to decode."""

    job: Job
    stream: str
    frames: range
    wanted: frozenset[int]


def deep_check(
    job: Job,
    recording: Recording,
    check: RecordingCheck,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> RecordingCheck:
    """The fast checks' result with what the content says.

    Args:
        job: where the recording lies, for other processes to open it.
        recording: open.
        check: what the fast checks found.
        jobs: processes; 1: none but this one. None: one for each processor.
        progress: told how many frames are done, and of how many.
        cancelled: asked between frames, or ten times a second.

    Raises:
        CancelledError: it was asked to stop.
    """
    tasks = _tasks(job, recording, check)
    total = sum(len(task.frames) for task in tasks)
    count = min(jobs or os.cpu_count() or 1, len(tasks))
    scans: dict[str, dict[int, Scan]] = {name: {} for name in check.streams}
    done = 0

    def tick() -> None:
        nonlocal done
        if cancelled is not None and cancelled():
            raise stopped()
        done += 1
        if progress is not None:
            progress(done, total)

    if count > 1:
        for index, scan in run_in_processes(_scan, tasks, count, crashed=_crashed, cancelled=cancelled):
            task = tasks[index]
            scans[task.stream][task.frames.start] = scan
            done += len(task.frames)
            if progress is not None:
                progress(done, total)
    else:
        for task in tasks:
            stream = recording.streams[task.stream]
            scans[task.stream][task.frames.start] = scan_frames(
                stream, task.frames, wanted=task.wanted, tick=tick
            )
    whole = {
        name: Scan.joined([parts[at] for at in sorted(parts)]).in_range() for name, parts in scans.items()
    }
    return with_content(check, whole)


def with_content(check: RecordingCheck, scans: Mapping[str, Scan]) -> RecordingCheck:
    """A check with what the frames' content says about its gaps, and about them."""
    streams: dict[str, StreamCheck] = {}
    findings = [f for f in check.findings if f.code != "missing_frames"]
    added: list[Finding] = []
    most_gaps = check.profile.limits.most_gaps
    for name, stream in check.streams.items():
        scan = scans.get(name)
        if scan is None:
            streams[name] = stream
            added += missing_frames(name, stream.gaps, most_gaps=most_gaps)
            continue
        tests = _jump_tests(stream.gaps, scan)
        kept, steps = _judged(name, stream.gaps, tests)
        told = missing_frames(name, stream.gaps.taken(kept), most_gaps=most_gaps)
        tested = {int(stream.gaps.before[at]): test for at, test in tests.items()}
        added += [_with_pictures(finding, tested) for finding in told]
        added += steps
        added += lost_samples(name, stream, scan.samples_ns)
        repeats, content = content_findings(stream, scan)
        added += content
        streams[name] = replace(stream, gaps=stream.gaps.taken(kept), duplicate_frames=repeats)
    findings += check.profile.applied_to(added)
    return replace(check, streams=MappingProxyType(streams), findings=tuple(in_order(findings)), deep=True)


def _tasks(job: Job, recording: Recording, check: RecordingCheck) -> list[_Task]:
    tasks = []
    for name, stream in recording.streams.items():
        kind, count = stream.description.kind, len(stream)
        wanted: set[int] = set()
        if kind in _PICTURES:
            for before in check.streams[name].gaps.before[:MOST_GAPS].tolist():
                wanted.update(range(max(0, before - REACH), min(count, before + REACH + 2)))
        size = _CHUNK_ROWS if kind.is_dense else _CHUNK_FRAMES
        for first in range(0, count, size):
            frames = range(first, min(first + size, count))
            tasks.append(_Task(job, name, frames, frozenset(wanted.intersection(frames))))
    return tasks


def _scan(task: _Task) -> Scan:
    """In another process."""
    try:
        stream = _opened(task.job).stream(task.stream)
        return scan_frames(stream, task.frames, wanted=task.wanted)
    except (HfviewerError, OSError) as error:
        return Scan.failed(task.frames, printable(f"It cannot be read any more ({error})."))
    except Exception as error:  # noqa: BLE001 - one frame must not end the check of all
        return Scan.failed(task.frames, printable(f"Decoding it fails ({type(error).__name__}: {error})."))


def _crashed(task: _Task) -> Scan:
    problem = f"Decoding frames {task.frames[0]} to {task.frames[-1]} crashes the decoder."
    return Scan.failed(task.frames, problem)


@lru_cache(maxsize=1)
def _opened(job: Job) -> Recording:
    return open_job(job)


def _jump_tests(gaps: Gaps, scan: Scan) -> dict[int, JumpTest]:
    """By index of the gap."""
    if not scan.pictures:
        return {}
    found = {}
    for at in range(min(len(gaps), MOST_GAPS)):
        before = int(gaps.before[at])
        # Only pictures on this side of the neighbouring gaps lie one frame apart.
        earliest = int(gaps.before[at - 1]) + 1 if at else 0
        latest = int(gaps.before[at + 1]) if at + 1 < len(gaps) else before + REACH + 1
        one = range(max(earliest, before - REACH), before + 1)
        other = range(before + 1, min(latest, before + REACH + 1) + 1)
        left = [scan.pictures[i] for i in one if i in scan.pictures]
        right = [scan.pictures[i] for i in other if i in scan.pictures]
        if before in scan.pictures and before + 1 in scan.pictures:
            found[at] = jump_test(left, right, int(gaps.lost[at]))
    return found


def _judged(name: str, gaps: Gaps, tests: Mapping[int, JumpTest]) -> tuple[NDArray[np.intp], list[Finding]]:
    """Gaps that stay, and ``clock_step`` for those that only the stamps claim while the picture flows on."""
    kept = np.ones(len(gaps), np.bool_)
    steps = []
    for at, test in tests.items():
        gap = gaps[at]
        if test.verdict is Jump.FLOWS and not gap.by_sequence and not gap.by_recorder:
            kept[at] = False
            steps.append(_set_forward(name, gap, test))
    return np.flatnonzero(kept), steps


def _set_forward(name: str, gap: Gap, test: JumpTest) -> Finding:
    size_ns = gap.end_ns - gap.start_ns - (gap.period_ns or 0)
    return Finding(
        code="clock_step",
        severity=severity_of("clock_step"),
        stream=name,
        start_ns=gap.start_ns,
        end_ns=gap.end_ns,
        first_frame=gap.before,
        last_frame=gap.before + 1,
        message=f"The stamps leap by {size_ns / 1e6:.0f} ms after #{gap.before}; no frame is missing.",
        evidence=f"{gap.evidence_text}, but {test.text}",
    )


def _with_pictures(finding: Finding, tests: Mapping[int, JumpTest]) -> Finding:
    shared = finding.first_frame is None or finding.last_frame != finding.first_frame + 1
    test = None if shared or finding.first_frame is None else tests.get(finding.first_frame)
    return finding if test is None else replace(finding, evidence=f"{finding.evidence}; {test.text}")
