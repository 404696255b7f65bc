from pathlib import Path

import numpy as np
import pytest

from hfviewer.convert.run import convert
from hfviewer.core.geometry import matrix_from_pose
from hfviewer.core.stream import StreamKind
from hfviewer.readers.registry import open_recording
from tests.convert.layouts import REAL_DATA, make_comma2k19, save_array, write

SEGMENT = REAL_DATA / "comma2k19_segment"
LOGS = SEGMENT / "40" / "processed_log"


def test_a_segment_is_converted_with_axes_turned_and_said_so(tmp_path: Path) -> None:
    report = convert(make_comma2k19(tmp_path / "路线" / "40"), tmp_path / "a.hfr")
    assert report.problems == ()
    assert any("preview.png" in note for note in report.notes)
    with open_recording(tmp_path / "a.hfr") as recording:
        accel = recording.streams["IMU/accelerometer"]
        assert accel.description.kind is StreamKind.IMU
        assert int(accel.timestamps_ns[0]) == 46_408_580_034_294
        _, values = accel.samples(0, 2**62)
        assert values[1].tolist() == [3.5, -4.5, -5.5]
        assert "negated" in accel.description.note
        steering = recording.streams["CAN/steering_angle"].description
        assert [(c.name, c.unit) for c in steering.channels] == [("steering_angle", "deg")]
        live = recording.streams["GNSS/live_gnss_ublox"].description
        assert [c.unit for c in live.channels] == ["deg", "deg", "m/s", "ms", "m", "deg"]
        assert "UTC is in ms" in live.note
        _, poses = recording.streams["global_pose"].samples(0, 2**62)
        assert poses[0].tolist() == [0.5, 1.5, 2.5, 0.2, 0.3, 0.9, 0.1]
        assert recording.streams["global_pose/frame_velocities"].description.channels[0].unit == "m/s"


def test_values_as_small_as_the_documented_unit_get_that_unit(tmp_path: Path) -> None:
    segment = make_comma2k19(tmp_path / "40")
    gnss = np.tile([37.7, -122.4, 7.8, 1533226488.299, 33.0, 2.0], (6, 1))
    save_array(segment / "processed_log/GNSS/live_gnss_ublox/value", gnss)
    convert(segment, tmp_path / "a.hfr")
    with open_recording(tmp_path / "a.hfr") as recording:
        assert recording.streams["GNSS/live_gnss_ublox"].description.channels[3].unit == "s"


def test_broken_logs_and_bad_times_are_named_and_the_rest_is_converted(tmp_path: Path) -> None:
    segment = make_comma2k19(tmp_path / "40")
    logs = segment / "processed_log"
    write(logs / "CAN/speed/value", b"rubbish")
    save_array(logs / "CAN/steering_angle/value", np.zeros(3))
    save_array(logs / "IMU/accelerometer/t", np.array([1.0, np.nan, 1.2, -5.0, 1.4, 1.5]))
    save_array(logs / "GNSS/live_gnss_ublox/t", np.zeros(0))
    save_array(logs / "GNSS/live_gnss_ublox/value", np.zeros((0, 6)))
    write(segment / "video.hevc", b"\0\0\0\1")
    report = convert(segment, tmp_path / "a.hfr")
    assert {(problem.stream, problem.names) for problem in report.problems} == {
        ("CAN/speed", ("CAN/speed/value",)),
        ("CAN/steering_angle", ("CAN/steering_angle",)),
        ("IMU/accelerometer", ("IMU/accelerometer row 1", "IMU/accelerometer row 3")),
        ("", ("video.hevc",)),
    }
    with open_recording(tmp_path / "a.hfr") as recording:
        assert recording.streams["IMU/accelerometer"].sequence.tolist() == [0, 2, 4, 5]
        assert "CAN/speed" not in recording.streams


@pytest.mark.skipif(not SEGMENT.exists(), reason="the real recordings are not beside this repository")
def test_the_real_segment_is_converted_whole(tmp_path: Path) -> None:
    report = convert(SEGMENT, tmp_path / "a.hfr")
    assert report.problems == ()
    with open_recording(tmp_path / "a.hfr") as recording:
        for folder in sorted(LOGS.glob("*/*")):
            name = f"{folder.parent.name}/{folder.name}"
            seconds, expected = np.load(folder / "t"), np.load(folder / "value")
            expected = expected.reshape(len(expected), -1)
            if name.startswith("IMU/"):
                expected = expected * [1.0, -1.0, -1.0]
            stamps_ns, values = recording.streams[name].samples(0, 2**62)
            assert np.array_equal(values, expected, equal_nan=True)
            assert np.abs(stamps_ns - np.rint(seconds * 1e9)).max() <= 1
        assert len(recording.streams["CAN/radar"]) == 10_100
        _, accel = recording.streams["IMU/accelerometer"].samples(0, 2**62)
        assert 9.0 < float(np.median(accel[:, 2])) < 10.5  # gravity, measured upwards


@pytest.mark.skipif(not SEGMENT.exists(), reason="the real recordings are not beside this repository")
def test_the_real_pose_looks_where_the_car_drives(tmp_path: Path) -> None:
    convert(SEGMENT, tmp_path / "a.hfr")
    with open_recording(tmp_path / "a.hfr") as recording:
        _, poses = recording.streams["global_pose"].samples(0, 2**62)
        _, velocities = recording.streams["global_pose/frame_velocities"].samples(0, 2**62)
    for row in (0, 600, 1199):
        earth_from_camera = matrix_from_pose(poses[row, :3], poses[row, 3:])[:3, :3]
        forward, right, down = earth_from_camera.T @ velocities[row] / np.linalg.norm(velocities[row])
        assert forward > 0.99
        assert abs(right) < 0.05
        assert abs(down) < 0.1
