from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hfviewer.core.finding import Severity
from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.hover import describe, distance_text, pointed_ns
from hfviewer.panels.timeline.lane import Lane, look_through
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns

PERIOD_NS = 10_000_000


def looked_at(stream: FakeStream) -> tuple[Lane, TimeAxis]:
    recording = FakeRecording(stream)
    span = recording.description.span
    assert span is not None
    lane = Lane.of(stream)
    for step in look_through([lane], recording, span):
        if step is not None:
            lane = step[1]
    return lane, TimeAxis.fitting(span, 500)


@pytest.mark.parametrize(
    ("distance_ns", "text"),
    [
        (0, "+0.0 µs"),
        (-1_500, "−1.5 µs"),
        (279_000_000, "+279.0 ms"),
        (-3_200_000_000, "−3.200 s"),
        (61_000_000_000, "+0:01:01.000"),
    ],
)
def test_distances_read_in_the_unit_of_their_size(distance_ns: int, text: str) -> None:
    assert distance_text(distance_ns) == text


def test_pointing_at_a_column_means_the_frame_that_is_drawn_in_it() -> None:
    lane, axis = looked_at(FakeStream("cam", regular_ns(100, PERIOD_NS)))
    for index in range(100):
        column = axis.column_at(int(lane.timestamps_ns[index]))
        assert describe(axis, column, START_NS, lane).number == f"#{index} of 100"
        assert axis.column_at(pointed_ns(axis, column)) == column


def test_a_narrow_gap_is_told_on_all_columns_of_its_mark() -> None:
    lane, axis = looked_at(FakeStream("cam", np.delete(regular_ns(5000, PERIOD_NS), 2000)))
    first = axis.column_at(START_NS + 1999 * PERIOD_NS)
    told = [describe(axis, column, START_NS, lane).warning for column in range(first - 1, first + 4)]
    assert told == ["", *["1 frame lost, by interval"] * 3, ""]


def test_the_evidence_of_a_sequence_is_named_and_severe() -> None:
    sequence = np.arange(100, dtype=np.int64)
    sequence[50:] += 1
    lane, axis = looked_at(FakeStream("cam", regular_ns(100, PERIOD_NS), sequence=sequence))
    content = describe(axis, axis.column_at(START_NS + 49 * PERIOD_NS) + 1, START_NS, lane)
    assert (content.warning, content.severity) == ("1 frame lost, by sequence", Severity.ERROR)


def test_doubled_stamps_and_frames_out_of_order_are_told() -> None:
    stamps_ns = regular_ns(100, PERIOD_NS)
    stamps_ns[20] = stamps_ns[21]
    sequence = np.arange(100, dtype=np.int64)
    sequence[[60, 61]] = [61, 60]
    lane, axis = looked_at(FakeStream("cam", stamps_ns, sequence=sequence))
    doubled = describe(axis, axis.column_at(START_NS + 21 * PERIOD_NS), START_NS, lane)
    assert doubled.warning == "2 frames share this time"
    late = describe(axis, axis.column_at(START_NS + 60 * PERIOD_NS), START_NS, lane)
    assert late.warning == "arrived out of order"


def test_before_its_first_frame_a_stream_says_when_it_starts() -> None:
    lane, _ = looked_at(FakeStream("cam", regular_ns(10, PERIOD_NS, START_NS + 2_000_000_000)))
    axis = TimeAxis.fitting(TimeWindow(START_NS, START_NS + 4_000_000_000), 4_000_000)
    content = describe(axis, 999_999, START_NS, lane)
    assert (content.number, content.detail) == ("– of 10", "starts +1.000 s")


def test_the_ruler_tells_time_and_distance_only() -> None:
    axis = TimeAxis.fitting(TimeWindow(START_NS, START_NS + 10_000_000_000), 1_000)
    content = describe(axis, 499, START_NS, None)
    assert (content.time, content.distance, content.stream) == ("4.999 s", "+4.999 s", "")


def test_marks_outside_the_lane_tell_nothing() -> None:
    lane, axis = looked_at(FakeStream("cam", regular_ns(100, PERIOD_NS)))
    bare = replace(lane, marks=type(lane.marks).none())
    assert describe(axis, 10, START_NS, bare).warning == ""
