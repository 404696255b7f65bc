from pathlib import Path

import pytest

from hfviewer.convert.importers.euroc import EurocImporter
from hfviewer.convert.run import convert
from hfviewer.core.stream import Clock, StreamKind
from hfviewer.readers.registry import open_recording
from tests.convert.layouts import EUROC_START_NS, SENSOR_YAML, make_euroc, png, write


def test_a_sequence_is_converted_with_integer_nanoseconds(tmp_path: Path) -> None:
    report = convert(make_euroc(tmp_path / "飞行" / "mav0").parent, tmp_path / "a.hfr")
    assert report.problems == ()
    assert report.window_ns == 50_000_000
    stamps = [EUROC_START_NS + number * 50_000_000 for number in range(4)]
    with open_recording(tmp_path / "a.hfr") as recording:
        camera, imu = recording.streams["cam0"], recording.streams["imu0"]
        assert camera.timestamps_ns.tolist() == stamps
        assert camera.sequence.tolist() == [0, 1, 2, 3]
        assert camera.payload(2) == png(stamps[2] % 1000, channels=1)
        assert camera.description.clock is Clock.HARDWARE
        assert imu.description.kind is StreamKind.IMU
        assert [(c.name, c.unit) for c in imu.description.channels[2:4]] == [
            ("gyro_z", "rad/s"),
            ("accel_x", "m/s^2"),
        ]
        _, values = imu.samples(0, 2**62)
        assert values[20].tolist() == [-0.1, 0.2, 0.3, 8.1, -0.3, 20 / 3]


def test_ground_truth_becomes_poses_and_a_signal(tmp_path: Path) -> None:
    convert(make_euroc(tmp_path / "mav0"), tmp_path / "a.hfr")
    with open_recording(tmp_path / "a.hfr") as recording:
        _, pose = recording.streams["state_groundtruth_estimate0"].samples(0, 2**62)
        assert pose.tolist() == [[0.5, 1.5, 2.5, 0.2, 0.3, 0.9, 0.1]]
        _, state = recording.streams["state_groundtruth_estimate0/state"].samples(0, 2**62)
        assert state.tolist() == [[float(n) for n in range(9)]]
        _, position = recording.streams["leica0"].samples(0, 2**62)
        assert position.tolist() == [[4.1, -1.2, 0.8]]


def test_a_missing_picture_a_stray_one_and_a_bad_line_are_named(tmp_path: Path) -> None:
    mav0 = make_euroc(tmp_path / "mav0")
    gone = mav0 / "cam0" / "data" / f"{EUROC_START_NS + 50_000_000}.png"
    gone.unlink()
    write(mav0 / "cam0" / "data" / "7.png", png(7))
    with (mav0 / "cam0" / "data.csv").open("a") as file:
        file.write("x,../../secret.png\n")
    report = convert(mav0, tmp_path / "a.hfr")
    assert {name for problem in report.problems for name in problem.names} == {
        f"cam0/data/{gone.name}",
        "cam0/data/7.png",
        "cam0/data.csv line 6",
    }
    with open_recording(tmp_path / "a.hfr") as recording:
        assert recording.streams["cam0"].sequence.tolist() == [0, 2, 3]


def test_the_calibration_says_how_the_camera_sits_on_the_body(tmp_path: Path) -> None:
    calibration = EurocImporter().plan(make_euroc(tmp_path / "mav0")).calibration
    assert calibration is not None
    camera = calibration.cameras["cam0"]
    assert (camera.width, camera.height, camera.distortion_model) == (752, 480, "plumb_bob")
    assert camera.k.tolist() == [[458.654, 0.0, 367.215], [0.0, 457.296, 248.375], [0.0, 0.0, 1.0]]
    assert camera.distortion == (-0.28340811, 0.07395907, 0.00019359, 1.76187114e-05)
    matrix = calibration.between(target="body", source=camera.frame)
    assert matrix is not None
    assert matrix[:3].tolist() == [[0.0, -1.0, 0.0, -0.02], [1.0, 0.0, 0.0, -0.06], [0.0, 0.0, 1.0, 0.01]]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1, 2",
        "- 1\n",
        SENSOR_YAML.replace("752", "0"),
        SENSOR_YAML.replace("458.654", ".nan"),
        SENSOR_YAML.replace("458.654", "true"),
        SENSOR_YAML.replace("radial-tangential", "fisheye-magic"),
        SENSOR_YAML.replace("         0.0, 0.0, 0.0, 1.0]", "         0.0]"),
        "a: " + "[" * 5000,
        "T_BS: !!python/object/apply:os.system ['true']\n",
        "x" * (65 << 10),
    ],
)
def test_a_broken_sensor_file_is_named_and_the_rest_is_converted(tmp_path: Path, text: str) -> None:
    mav0 = make_euroc(tmp_path / "mav0")
    write(mav0 / "cam0" / "sensor.yaml", text)
    plan = EurocImporter().plan(mav0)
    assert "cam0" in {stream.description.name for stream in plan.streams}
    if text:
        assert [problem.names for problem in plan.problems] == [("cam0/sensor.yaml",)]
    assert plan.calibration is None or "cam0" not in plan.calibration.cameras


def test_the_first_line_that_opencv_writes_is_understood(tmp_path: Path) -> None:
    mav0 = make_euroc(tmp_path / "mav0")
    write(mav0 / "cam0" / "sensor.yaml", "%YAML:1.0\n" + SENSOR_YAML)
    assert EurocImporter().plan(mav0).problems == ()
