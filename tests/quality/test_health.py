from __future__ import annotations

import numpy as np

from hfviewer.core.finding import Finding, Severity
from hfviewer.quality.gaps import Gaps
from hfviewer.quality.health import Health, covered_ns, health_of, worst
from tests.panels.fakes import START_NS, FakeRecording, FakeStream
from tests.quality.tables import timing_findings

PERIOD_NS = 10_000_000


def table(count: int, *, lost: tuple[int, ...] = ()) -> np.ndarray:
    return np.delete(START_NS + PERIOD_NS * np.arange(count, dtype=np.int64), list(lost))


def test_a_sound_recording_has_no_worst_finding() -> None:
    recording = FakeRecording(FakeStream("a", table(101)))
    assert health_of(recording, timing_findings(recording)) == Health()


def test_lost_frames_and_the_time_they_cover_are_counted() -> None:
    first = FakeStream("a", table(101, lost=(20, 21, 22)))
    second = FakeStream("b", table(101, lost=(22, 23)))
    recording = FakeRecording(first, second)
    health = health_of(recording, timing_findings(recording))
    assert (health.severity, health.frames_lost) == (Severity.ERROR, 5)
    # From frame 19 to frame 24: the two gaps overlap.
    assert abs(health.lost_share - 0.05) < 1e-6
    assert health.findings == 2


def test_gaps_within_others_do_not_count_twice() -> None:
    def gaps(*spans: tuple[int, int]) -> Gaps:
        starts, ends = (np.array(side, np.int64) for side in zip(*spans, strict=True))
        zeros = np.zeros(len(spans), np.int64)
        return Gaps(zeros.astype(np.intp), starts, ends, zeros, zeros, zeros)

    assert covered_ns([gaps((0, 100)), gaps((10, 20), (90, 120)), Gaps.none()]) == 120
    assert covered_ns([]) == 0


def test_an_error_is_worse_than_a_warning() -> None:
    warning, error = (
        Finding(code="x", severity=severity, message="") for severity in (Severity.WARNING, Severity.ERROR)
    )
    assert worst([warning, error]) is Severity.ERROR
    assert worst([]) is None
