from __future__ import annotations

import numpy as np

from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.lane import Lane, lanes_of, look_through
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns

PERIOD_NS = 10_000_000


def test_a_frame_is_held_until_the_next_one() -> None:
    lane = Lane.of(FakeStream("cam", regular_ns(10, PERIOD_NS)))
    start_ns = START_NS + 3 * PERIOD_NS
    assert lane.hold_at(start_ns + 5) == TimeWindow(start_ns, start_ns + PERIOD_NS)
    assert lane.hold_at(START_NS - 1) is None


def test_the_last_frame_is_held_for_a_period() -> None:
    lane = Lane.of(FakeStream("cam", regular_ns(10, PERIOD_NS)))
    last_ns = START_NS + 9 * PERIOD_NS
    assert lane.hold_at(last_ns + 10 * PERIOD_NS) == TimeWindow(last_ns, last_ns + PERIOD_NS)


def test_the_time_of_a_gap_is_not_held_unless_frames_are_irregular() -> None:
    stamps_ns = np.delete(regular_ns(20, PERIOD_NS), [7])
    before_ns = START_NS + 6 * PERIOD_NS
    regular, irregular = looked_through(
        FakeStream("cam", stamps_ns), FakeStream("irregular", stamps_ns, regular=False)
    )
    assert regular.hold_at(before_ns) is None
    assert irregular.hold_at(before_ns) == TimeWindow(before_ns, before_ns + 2 * PERIOD_NS)


def test_a_frame_is_held_until_one_that_merely_came_late() -> None:
    stamps_ns = regular_ns(40, PERIOD_NS)
    stamps_ns[20] += PERIOD_NS - 1000
    (lane,) = looked_through(FakeStream("cam", stamps_ns))
    assert lane.hold_at(int(stamps_ns[19])) == TimeWindow(int(stamps_ns[19]), int(stamps_ns[20]))


def test_a_single_frame_has_no_period_and_is_not_held() -> None:
    lane = Lane.of(FakeStream("one", [START_NS]))
    assert lane.hold_at(START_NS) is None
    assert lane.px_per_frame(1e6) == float("inf")


def looked_through(*streams: FakeStream) -> list[Lane]:
    recording = FakeRecording(*streams)
    span = recording.description.span
    assert span is not None
    return [step[1] for step in look_through(lanes_of(recording), recording, span) if step is not None]


def test_looking_through_gives_every_lane_its_marks() -> None:
    recording = FakeRecording(
        FakeStream("cam", np.delete(regular_ns(20, PERIOD_NS), [7])),
        FakeStream("irregular", np.delete(regular_ns(20, PERIOD_NS), [7]), regular=False),
        FakeStream("none", []),
    )
    lanes = lanes_of(recording)
    span = recording.description.span
    assert span is not None
    found = [step for step in look_through(lanes, recording, span) if step is not None]
    assert [index for index, _ in found] == [0, 1, 2]
    assert [len(lane.marks.gaps) for _, lane in found] == [1, 0, 0]
    assert all(lane.coarse_ns is not None for _, lane in found)
