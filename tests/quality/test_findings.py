from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.finding import Severity
from hfviewer.demo.timetable import timetables
from hfviewer.quality.findings import MOST_GAPS
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns
from tests.quality.tables import timing_findings

P = 10_000_000


def without(count: int, *lost: int) -> NDArray[np.int64]:
    return np.delete(regular_ns(count, P), lost)


def test_a_whole_recording_has_no_findings() -> None:
    recording = FakeRecording(FakeStream("cam", regular_ns(100, P)), FakeStream("none", []))
    assert timing_findings(recording) == []


def test_every_gap_is_a_finding_with_its_place_and_evidence() -> None:
    numbers = np.delete(np.arange(50), [20])
    recording = FakeRecording(
        FakeStream("a", without(50, 20), sequence=numbers),
        FakeStream("b", without(50, 20)),
        FakeStream("c", without(50, 20, 21)),
    )
    found = timing_findings(recording)
    assert [(f.code, f.stream, f.severity) for f in found] == [
        ("missing_frames", "a", Severity.ERROR),
        ("missing_frames", "b", Severity.WARNING),
        ("missing_frames", "c", Severity.ERROR),
    ]
    assert (found[0].start_ns, found[0].end_ns) == (START_NS + 19 * P, START_NS + 21 * P)
    assert (found[0].first_frame, found[0].last_frame) == (19, 20)
    assert found[0].evidence == "sequence jump +2; interval 2.0 × period"
    assert [f.message for f in found[1:]] == [
        "1 frame lost after #19.",
        "2 frames lost after #19.",
    ]


def test_beyond_twenty_gaps_the_rest_share_one_finding() -> None:
    lost = range(10, 260, 10)
    recording = FakeRecording(FakeStream("cam", without(300, *lost)))
    found = timing_findings(recording)
    assert len(found) == MOST_GAPS + 1
    rest = found[-1]
    assert rest.evidence == "interval"
    assert rest.message == "5 frames lost in 5 more gaps."
    assert rest.severity is Severity.WARNING
    assert (rest.start_ns, rest.end_ns) == (START_NS + 209 * P, START_NS + 251 * P)
    assert (rest.first_frame, rest.last_frame) == (209 - 20, 251 - 25)


def test_the_shared_finding_says_how_many_gaps_the_counter_knows_of() -> None:
    lost = range(10, 260, 10)
    numbers = np.arange(300 - len(lost))
    numbers[-60:] += 1
    rest = timing_findings(FakeRecording(FakeStream("cam", without(300, *lost), sequence=numbers)))[-1]
    assert rest.evidence == "sequence in 1 of them, interval in the others"
    assert rest.severity is Severity.ERROR


def test_doubled_stamps_and_late_frames_are_one_finding_each() -> None:
    stamps_ns = regular_ns(100, P)
    stamps_ns[20], stamps_ns[40:42] = stamps_ns[19], stamps_ns[39]
    numbers = np.arange(100)
    numbers[[60, 61]] = numbers[[61, 60]]
    found = timing_findings(FakeRecording(FakeStream("cam", stamps_ns, sequence=numbers)))
    assert [(f.code, f.severity) for f in found] == [
        ("duplicate_timestamp", Severity.WARNING),
        ("out_of_order", Severity.WARNING),
    ]
    doubled, late = found
    assert doubled.message == "3 frames with a repeated timestamp."
    assert (doubled.first_frame, doubled.last_frame) == (19, 41)
    assert (doubled.start_ns, doubled.end_ns) == (START_NS + 19 * P, START_NS + 39 * P)
    assert late.message == "1 frame out of order."
    assert (late.first_frame, late.start_ns) == (60, START_NS + 60 * P)


def test_a_stray_stamp_is_no_lost_frame() -> None:
    stamps_ns = np.concatenate([[0], regular_ns(100, P), [2**62]]).astype(np.int64)
    (found,) = timing_findings(FakeRecording(FakeStream("cam", stamps_ns)))
    assert (found.code, found.first_frame, found.last_frame) == ("clock_step", 0, 101)


def test_the_demonstration_has_the_faults_that_it_claims_and_no_other() -> None:
    tables, faults = timetables(20.0)
    recording = FakeRecording(
        *(FakeStream(name, t.timestamps_ns, sequence=t.sequence) for name, t in tables.items())
    )
    found = [(f.code, f.stream, f.first_frame, f.last_frame) for f in timing_findings(recording)]
    truth = [(f["code"], f["stream"], f["first_frame"], f["last_frame"]) for f in faults]
    assert sorted(found, key=str) == sorted(truth, key=str)
