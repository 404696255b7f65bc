from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from hfviewer.core.stream import StreamKind
from hfviewer.panels.timeline.lanes import Lanes
from tests.panels.fakes import FakeRecording, FakeStream, regular_ns

STAMPS_NS = regular_ns(10, 10_000_000)


def with_empty() -> FakeRecording:
    """Two streams with frames, and between them two without."""
    return FakeRecording(
        FakeStream("cam", STAMPS_NS),
        FakeStream("action", [], kind=StreamKind.SIGNAL),
        FakeStream("pose", [], kind=StreamKind.POSE),
        FakeStream("imu", STAMPS_NS, kind=StreamKind.IMU),
    )


@pytest.fixture
def lanes(qapp: QApplication) -> Iterator[Lanes]:
    made = Lanes()
    made.set_recording(with_empty())
    yield made
    made.set_recording(None)


def names(lanes: Lanes) -> list[str]:
    return [lane.name for lane in lanes.shown]


def test_a_stream_without_a_frame_has_no_lane_until_one_asks_for_it(lanes: Lanes) -> None:
    assert names(lanes) == ["cam", "imu"]
    assert lanes.hidden == ["action", "pose"]
    assert lanes.hides_only_empty
    lanes.set_hidden("pose", False)
    assert names(lanes) == ["cam", "pose", "imu"]
    lanes.show_all()
    assert names(lanes) == ["cam", "action", "pose", "imu"]
    lanes.set_hidden("action", True)
    assert names(lanes) == ["cam", "pose", "imu"]
    lanes.reset()
    assert names(lanes) == ["cam", "imu"]


def test_the_lanes_that_are_seen_move_among_each_other(lanes: Lanes) -> None:
    lanes.move("imu", 0)
    assert names(lanes) == ["imu", "cam"]
    lanes.show_all()
    assert names(lanes) == ["imu", "action", "pose", "cam"]


def test_a_lane_with_frames_that_is_hidden_is_told_apart_from_empty_ones(lanes: Lanes) -> None:
    lanes.set_hidden("imu", True)
    assert names(lanes) == ["cam"]
    assert not lanes.hides_only_empty


def test_an_arrangement_does_not_hide_what_has_frames_in_the_next_episode(lanes: Lanes) -> None:
    lanes.move("imu", 0)
    filled = [FakeStream(name, STAMPS_NS) for name in ("cam", "action", "pose", "imu")]
    lanes.set_recording(FakeRecording(*filled))
    assert names(lanes) == ["imu", "action", "pose", "cam"]


def test_where_no_stream_has_a_frame_all_have_a_lane(lanes: Lanes) -> None:
    lanes.set_recording(FakeRecording(FakeStream("action", []), FakeStream("pose", [])))
    assert names(lanes) == ["action", "pose"]
    assert lanes.hidden == []
