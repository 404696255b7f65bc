from __future__ import annotations

import tracemalloc
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.core.errors import FrameError
from hfviewer.core.frame import Frame, PointFrame, PoseFrame
from hfviewer.core.geometry import Calibration, Transform, invert_rigid, matrix_from_pose, transform_points
from hfviewer.core.recording import Stream
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.panels.cloud_cards import count_text, dropped_text, rough
from hfviewer.panels.cloud_colour import thinned
from hfviewer.panels.cloud_gather import Gathering, gather, gathered, values_of
from hfviewer.panels.cloud_motion import Motion, PathStore, between_poses
from hfviewer.playback.source import FrameSource
from tests.panels.fakes import FakeStream

PERIOD_NS = 100_000_000


def turned(angle: float, place: tuple[float, float, float]) -> NDArray[np.float64]:
    """A pose turned about z."""
    quaternion = np.array([0, 0, np.sin(angle / 2), np.cos(angle / 2)])
    return matrix_from_pose(np.array(place), quaternion)


def pose_at(time_ns: int) -> NDArray[np.float64]:
    """A body that drives 10 m/s along a slow curve."""
    seconds = time_ns / 1e9
    return turned(0.1 * seconds, (10 * seconds, 0.5 * seconds, 0.0))


class Poses(FakeStream):
    @property
    def description(self) -> StreamDescription:
        return replace(super().description, frame="body")

    def samples(self, start_ns: int, stop_ns: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        rows = [[*pose_at(int(t))[:3, 3], 0, 0, 0, 1] for t in self.timestamps_ns]
        return self.timestamps_ns, np.array(rows)


class Source:
    """Frames that are made when they are asked for."""

    def __init__(self, broken: tuple[int, ...] = ()) -> None:
        table = np.arange(20, dtype=np.int64) * PERIOD_NS
        self.broken = broken
        self._streams = {
            "lidar": FakeStream("lidar", table, kind=StreamKind.POINTS),
            "pose": Poses("pose", table + 37_000_000, kind=StreamKind.POSE),
        }

    @property
    def streams(self) -> Mapping[str, Stream]:
        return MappingProxyType(self._streams)

    def frame(self, name: str, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        time_ns = int(self._streams[name].timestamps_ns[index])
        if name == "pose":
            return PoseFrame(
                stream=name, index=index, timestamp_ns=time_ns, sequence=index, matrix=pose_at(time_ns)
            )
        if index in self.broken:
            raise FrameError("It is cut short.")
        return scan(index)


BODY_FROM_LIDAR = turned(0.4, (1.0, 0.2, 1.5))
LANDMARKS = np.random.default_rng(5).uniform(-40, 40, (500, 3))
CALIBRATION = Calibration(transforms=(Transform("body", "lidar", BODY_FROM_LIDAR),))


def scan(index: int) -> PointFrame:
    """The same landmarks as the lidar sees them from where it is."""
    time_ns = index * PERIOD_NS
    seen = transform_points(invert_rigid(pose_at(time_ns) @ BODY_FROM_LIDAR), LANDMARKS)
    fields = {"ring": np.full(500, index, np.float32)} if index % 2 == 0 else {}
    return PointFrame(
        stream="lidar",
        index=index,
        timestamp_ns=time_ns,
        sequence=index,
        xyz=seen.astype(np.float32),
        fields=fields,
    )


def source(broken: tuple[int, ...] = ()) -> FrameSource:
    return cast("FrameSource", Source(broken))


def motion(frames: FrameSource) -> Motion:
    return Motion(frames, "pose", BODY_FROM_LIDAR)


def test_scans_moved_by_poses_lie_where_the_newest_one_sees_them() -> None:
    frames = source()
    shown = gather(scan(10), Gathering(scans=5, pose="pose"), frames, motion=motion(frames))
    assert [part.frame.index for part in shown.parts] == [10, 9, 8, 7, 6]
    assert not shown.unmoved
    newest = shown.parts[0].cloud.xyz
    for part in shown.parts:
        # A straight line between poses 100 ms apart leaves the curve by a millimetre or two.
        np.testing.assert_allclose(part.moved, newest, atol=5e-3)
    unmoved = gather(scan(10), Gathering(scans=5), frames)
    assert unmoved.unmoved
    assert np.abs(unmoved.parts[4].moved - newest).max() > 3


def test_a_point_is_known_by_its_scan_and_its_own_index() -> None:
    frames = source()
    shown = gather(scan(10), Gathering(scans=3), frames)
    part, within, own = shown.part_of(500 + 17)
    assert (part.frame.index, within, own) == (9, 17, 17)
    np.testing.assert_array_equal(part.cloud.xyz[17], scan(9).xyz[17])


def test_scans_that_cannot_be_had_are_counted() -> None:
    shown = gather(scan(10), Gathering(scans=4), source(broken=(9,)))
    assert [part.frame.index for part in shown.parts] == [10, 8, 7]
    assert shown.missing == 1
    assert count_text(shown, len(shown.xyz)) == "1\u202f500 points · 3 scans · 1 missing · no pose: not moved"
    at_the_start = gather(scan(1), Gathering(scans=10), source())
    assert len(at_the_start.parts) == 2
    assert at_the_start.missing == 0


def test_values_of_scans_without_the_field_are_no_numbers() -> None:
    shown = gather(scan(10), Gathering(scans=3), source())
    rings = values_of(shown, "ring")
    assert rings is not None
    assert rings[0] == 10
    assert np.isnan(rings[500:1000]).all()
    assert rings[1000] == 8
    assert values_of(shown, "nothing") is None
    heights = values_of(shown, "height")
    assert heights is not None
    np.testing.assert_array_equal(heights, shown.xyz[:, 2])


def test_the_budget_is_shared_among_the_scans_and_told() -> None:
    shown = gather(scan(10), Gathering(scans=4, most=400), source())
    assert [len(part.moved) for part in shown.parts] == [100, 100, 100, 100]
    assert shown.usable == 2000
    assert count_text(shown, 400).startswith("showing 400 of 2.0 k points · 4 scans")
    assert rough(9_123_456) == "9.1 M"
    assert rough(120_400) == "120 k"


def test_thinning_takes_points_from_everywhere_and_always_the_same() -> None:
    chosen = thinned(1000, 100)
    assert (np.diff(chosen) > 0).all()
    assert ((chosen // 10) == np.arange(100)).all()
    np.testing.assert_array_equal(chosen, thinned(1000, 100))
    assert thinned(7, 7).tolist() == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("count", [0, 1])
def test_an_empty_cloud_and_one_of_one_point(count: int) -> None:
    frame = PointFrame(
        stream="lidar",
        index=0,
        timestamp_ns=0,
        sequence=0,
        xyz=np.ones((count, 3), np.float32),
        fields={},
    )
    shown = gathered([frame], most=10)
    assert len(shown.xyz) == shown.usable == count


def test_thirty_million_points_are_thinned_in_little_memory_and_counted() -> None:
    xyz = np.broadcast_to(np.array([1.0, 2.0, 3.0], np.float32), (30_000_000, 3)).copy()
    xyz[::3, 1] = np.nan
    xyz[1, 0] = 3e38
    frame = PointFrame(stream="lidar", index=0, timestamp_ns=0, sequence=0, xyz=xyz, fields={"x": xyz[:, 0]})
    tracemalloc.start()
    shown = gathered([frame], most=2_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200 << 20
    assert shown.not_finite == 10_000_000
    assert shown.too_far == 1
    assert len(shown.xyz) == pytest.approx(2_000_000, rel=0.01)
    assert np.isfinite(shown.xyz).all()
    assert dropped_text(shown) == "10\u202f000\u202f000 not finite · 1 out of range"
    assert count_text(shown, len(shown.xyz)) == "showing 2.0 M of 20.0 M points · 1 scan"


def test_poses_in_between_turn_and_move_in_proportion() -> None:
    a, b = turned(0.0, (0, 0, 0)), turned(1.0, (10, 0, 2))
    half = between_poses(a, b, 0.25)
    np.testing.assert_allclose(half, turned(0.25, (2.5, 0, 0.5)), atol=1e-12)
    np.testing.assert_allclose(between_poses(a, a, 0.5), a, atol=1e-12)


def test_where_no_pose_is_near_none_is_made_up() -> None:
    known = motion(source())
    assert known.sensor_at(37_000_000 - 100_000_000) is not None
    assert known.sensor_at(-1_000_000_000) is None
    assert known.sensor_at(10**12) is None


def test_the_path_runs_through_the_sensor() -> None:
    path = PathStore(motion(source())).seen_at(37_000_000 + 5 * PERIOD_NS)
    assert len(path) == 20
    np.testing.assert_allclose(path[5], np.zeros(3), atol=0.2)  # these rows carry no turn for the lever arm
    assert np.linalg.norm(path[19]) > 10
    assert len(PathStore(motion(source())).seen_at(10**12)) == 0


def test_a_stream_of_something_else_gives_no_motion() -> None:
    assert Motion.of(source(), "lidar", CALIBRATION, "lidar") is None
    assert Motion.of(source(), "no such", CALIBRATION, "lidar") is None
    assert Motion.of(source(), "pose", CALIBRATION, "lidar") is not None


def test_poses_of_an_unknown_mounting_are_taken_as_the_sensors_own_and_that_is_told() -> None:
    frames = source()
    for calibration, assumed in ((CALIBRATION, False), (Calibration(), True)):
        found = Motion.of(frames, "pose", calibration, "lidar")
        assert found is not None
        shown = gather(scan(10), Gathering(scans=2, pose="pose"), frames, motion=found)
        assert shown.assumed is assumed
        assert ("poses taken as the sensor's own" in count_text(shown, len(shown.xyz))) is assumed
