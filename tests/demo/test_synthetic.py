import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hfviewer.core import timing
from hfviewer.core.errors import CancelledError, UsageError
from hfviewer.core.frame import DepthFrame, ImageFrame, PointFrame
from hfviewer.core.geometry import back_project, invert_rigid, project, transform_points
from hfviewer.core.recording import Recording, Stream
from hfviewer.demo import scene
from hfviewer.demo.synthetic import make_demo
from hfviewer.demo.timetable import START_NS
from hfviewer.readers.registry import open_recording


@dataclass(frozen=True)
class Demo:
    recording: Recording
    truth: dict[str, Any]
    path: Path


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    path = tmp_path_factory.mktemp("demo") / "demo.hfr"
    truth = make_demo(path, seconds=2.0)
    with open_recording(path) as recording:
        yield Demo(recording, truth, path)


def matrix(demo: Demo, target: str, source: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    found = demo.recording.description.calibration.between(target=target, source=source)
    assert found is not None
    return found


def faults_of(name: str, stream: Stream) -> list[dict[str, Any]]:
    steps, intervals_ns = np.diff(stream.sequence), np.diff(stream.timestamps_ns)
    return [
        {
            "code": "missing_frames" if steps[index] > 1 else "duplicate_timestamp",
            "stream": name,
            "start_ns": int(stream.timestamps_ns[index]),
            "end_ns": int(stream.timestamps_ns[index + 1]),
            "first_frame": index,
            "last_frame": index + 1,
            "missing": int(steps[index]) - 1,
        }
        for index in np.flatnonzero((steps != 1) | (intervals_ns <= 0)).tolist()
    ]


def test_it_opens_without_a_finding_and_holds_what_the_truth_says(demo: Demo) -> None:
    assert demo.recording.description.findings == ()
    assert {name: len(stream) for name, stream in demo.recording.streams.items()} == {
        stream["name"]: stream["frame_count"] for stream in demo.truth["streams"]
    }
    assert [d.kind for d in (s.description for s in demo.recording.streams.values())] == [
        "image",
        "image",
        "depth",
        "points",
        "imu",
        "signal",
    ]
    json.dumps(demo.truth, allow_nan=False)


def test_every_fault_of_the_truth_is_in_the_recording_and_no_other(demo: Demo) -> None:
    found = [fault for name, stream in demo.recording.streams.items() for fault in faults_of(name, stream)]
    by_stream = sorted(demo.truth["faults"], key=lambda fault: str(fault["stream"]))
    assert sorted(found, key=lambda fault: str(fault["stream"])) == by_stream
    assert [fault["missing"] for fault in by_stream] == [3, 0, 40]


def test_lidar_points_on_the_red_car_land_on_red_pixels(demo: Demo) -> None:
    clouds, pictures = demo.recording.streams["lidar"], demo.recording.streams["camera/left"]
    index = timing.index_nearest(pictures.timestamps_ns, int(clouds.timestamps_ns[12]))
    assert index is not None
    cloud, picture = clouds.read(12), pictures.read(index)
    assert isinstance(cloud, PointFrame)
    assert isinstance(picture, ImageFrame)
    on_car = np.isclose(cloud.fields["intensity"], 0.9)
    xyz = transform_points(matrix(demo, "camera_left", "lidar"), cloud.xyz[on_car])
    pixels, inside = project(demo.recording.description.calibration.cameras["camera/left"], xyz)
    assert inside.sum() > 20
    u, v = np.rint(pixels[inside]).astype(int).T
    colours = picture.pixels[v, u].astype(int)
    red = (colours[:, 2] > 100) & (colours[:, 2] > 2 * colours[:, 0])
    assert red.mean() > 0.9


def test_depth_pixels_back_projected_lie_on_the_surfaces_of_the_scene(demo: Demo) -> None:
    stream = demo.recording.streams["depth"]
    frame = stream.read(20)
    assert isinstance(frame, DepthFrame)
    assert 0.05 < (frame.millimetres == 0).mean() < 0.7
    v, u = np.nonzero(frame.millimetres)
    camera = demo.recording.description.calibration.cameras["depth"]
    depth_m = frame.millimetres[v, u] / 1000.0
    xyz = back_project(camera, np.stack([u, v], axis=1), depth_m)
    x, y, z = transform_points(matrix(demo, "base", "depth_camera"), xyz).T
    on_street = (np.abs(z) < 0.02) | (np.abs(np.abs(y) - scene.WALL_Y_M) < 0.02)
    boxes = scene.boxes_at((int(stream.timestamps_ns[20]) - START_NS) / 1e9)
    on_box = np.zeros(len(x), bool)
    for box in boxes:
        near = [
            (p > low - 0.05) & (p < high + 0.05)
            for p, low, high in zip((x, y, z), box.low, box.high, strict=True)
        ]
        on_box |= np.logical_and.reduce(near)
    assert (on_street | on_box).mean() > 0.995
    assert on_box.sum() > 500


def test_pictures_change_and_the_doubled_stamp_is_not_a_doubled_picture(demo: Demo) -> None:
    stream = demo.recording.streams["camera/right"]
    (fault,) = (f for f in demo.truth["faults"] if f["code"] == "duplicate_timestamp")
    assert stream.payload(fault["first_frame"]) != stream.payload(fault["last_frame"])


def test_the_same_call_gives_the_same_frames(demo: Demo, tmp_path: Path) -> None:
    make_demo(tmp_path / "again.hfr", seconds=2.0)
    assert (tmp_path / "again.hfr").read_bytes() == demo.path.read_bytes()


def test_accelerometer_and_gps_agree_with_the_drive(demo: Demo) -> None:
    stamps_ns, imu = demo.recording.streams["imu"].samples(0, 2**62)
    seconds = (stamps_ns - START_NS) / 1e9
    expected = np.array([scene.acceleration_m_s2(t) for t in seconds.tolist()])
    assert abs(float(np.mean(imu[:, 0] - expected))) < 0.01
    assert float(np.mean(imu[:, 2])) == pytest.approx(9.81, abs=0.02)
    assert scene.speed_m_s(1.0) == pytest.approx(
        (scene.travelled_m(1.0001) - scene.travelled_m(0.9999)) / 2e-4
    )


def test_a_cancelled_or_impossible_demo_leaves_nothing_behind(tmp_path: Path) -> None:
    asked = iter(range(1000))
    with pytest.raises(CancelledError):
        make_demo(tmp_path / "a.hfr", seconds=2.0, cancelled=lambda: next(asked) > 5)
    for seconds in (0.0, float("nan"), 1e9):
        with pytest.raises(UsageError):
            make_demo(tmp_path / "a.hfr", seconds=seconds)
    assert list(tmp_path.iterdir()) == []


def test_mountings_are_rigid(demo: Demo) -> None:
    for transform in demo.recording.description.calibration.transforms:
        assert np.allclose(transform.matrix @ invert_rigid(transform.matrix), np.eye(4))
