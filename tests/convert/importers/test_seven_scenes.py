from pathlib import Path

import numpy as np
import pytest

from hfviewer.convert.importers.seven_scenes import parse_intrinsics
from hfviewer.convert.run import convert
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import DepthFrame, PoseFrame
from hfviewer.core.stream import Clock
from hfviewer.readers.registry import open_recording
from tests.convert.layouts import REAL_DATA, depth_png, jpeg, make_seven_scenes, png, write

KITCHEN = REAL_DATA / "rgbd_7scenes_kitchen"


def test_a_sequence_is_converted_on_a_nominal_clock_that_says_so(tmp_path: Path) -> None:
    report = convert(make_seven_scenes(tmp_path / "厨房" / "seq-01"), tmp_path / "a.hfr")
    assert report.problems == ()
    assert report.window_ns == 40_000_000
    with open_recording(tmp_path / "a.hfr") as recording:
        assert list(recording.streams) == ["color", "depth", "pose"]
        for stream in recording.streams.values():
            assert stream.description.clock is Clock.NOMINAL
            assert "no timestamps" in stream.description.note
            assert stream.timestamps_ns.tolist() == [0, 33_333_333, 66_666_667, 100_000_000]
            assert stream.sequence.tolist() == [150, 151, 152, 153]
        assert recording.streams["color"].payload(2) == jpeg(152)
        assert recording.streams["depth"].payload(2) == depth_png(152)
        pose = recording.streams["pose"].read(1)
        assert isinstance(pose, PoseFrame)
        assert pose.matrix[:3, 3].tolist() == [151.25, -1.5, 2.0]


def test_a_missing_file_is_named_and_leaves_its_number_and_its_time_free(tmp_path: Path) -> None:
    folder = make_seven_scenes(tmp_path / "seq")
    (folder / "frame-000151.depth.png").unlink()
    report = convert(folder, tmp_path / "a.hfr")
    assert [problem.names for problem in report.problems] == [("frame-000151.depth.png",)]
    with open_recording(tmp_path / "a.hfr") as recording:
        depth = recording.streams["depth"]
        assert depth.sequence.tolist() == [150, 152, 153]
        assert depth.timestamps_ns.tolist() == [0, 66_666_667, 100_000_000]


def test_broken_depth_and_lost_tracking_cost_only_their_own_frame(tmp_path: Path) -> None:
    folder = make_seven_scenes(tmp_path / "seq")
    write(folder / "frame-000150.depth.png", png(1))
    write(folder / "frame-000151.pose.txt", " ".join(["-1.#IND"] * 16))
    write(folder / "frame-000152.pose.txt", " ".join(["nan"] * 16))
    write(folder / "frame-000153.pose.txt", "1 2 3")
    report = convert(folder, tmp_path / "a.hfr")
    assert {name for problem in report.problems for name in problem.names} == {
        "frame-000150.depth.png",
        "frame-000151.pose.txt",
        "frame-000152.pose.txt",
        "frame-000153.pose.txt",
    }
    assert report.frame_counts == {"color": 4, "depth": 3, "pose": 1}


def test_depth_is_millimetres_and_both_codes_of_nothing_are_invalid(tmp_path: Path) -> None:
    convert(make_seven_scenes(tmp_path / "seq"), tmp_path / "a.hfr")
    with open_recording(tmp_path / "a.hfr") as recording:
        description = recording.streams["depth"].description
    assert (description.depth_unit_mm, description.depth_invalid) == (1.0, (0, 65535))


def test_intrinsics_come_as_a_matrix_or_as_four_numbers() -> None:
    expected = [[585.0, 0.0, 320.0], [0.0, 586.0, 240.0], [0.0, 0.0, 1.0]]
    assert parse_intrinsics(["[[585, 0, 320],", " [0, 586, 240], # px", "[0 0 1]]"]).tolist() == expected
    assert parse_intrinsics(["585 586", "320 240"]).tolist() == expected
    for lines in (["1 2 3"], ["nan 1 2 3"], ["a b c d"], []):
        with pytest.raises(FrameError):
            parse_intrinsics(lines)


def test_intrinsics_beside_the_folder_calibrate_both_cameras_and_broken_ones_are_named(
    tmp_path: Path,
) -> None:
    folder = make_seven_scenes(tmp_path / "x" / "rgbd-frames")
    file = write(folder.parent / "camera-intrinsics.txt", "585 0 320 0 585 240 0 0 1")
    convert(folder.parent, tmp_path / "a.hfr")
    with open_recording(tmp_path / "a.hfr") as recording:
        cameras = recording.description.calibration.cameras
    assert {name: (camera.width, camera.height) for name, camera in cameras.items()} == {
        "color": (12, 8),
        "depth": (12, 8),
    }
    assert cameras["depth"].k[0].tolist() == [585.0, 0.0, 320.0]
    write(file, "what")
    assert [p.names for p in convert(folder, tmp_path / "b.hfr").problems] == [("camera-intrinsics.txt",)]


@pytest.mark.skipif(not KITCHEN.exists(), reason="the real recordings are not beside this repository")
def test_the_real_kitchen_is_converted_whole(tmp_path: Path) -> None:
    report = convert(KITCHEN, tmp_path / "a.hfr")
    assert report.problems == ()
    frames = KITCHEN / "rgbd-frames"
    with open_recording(tmp_path / "a.hfr") as recording:
        assert report.frame_counts == {"color": 50, "depth": 50, "pose": 50}
        for index in (0, 49):
            stem = f"frame-{150 + index:06}"
            assert recording.streams["color"].payload(index) == (frames / f"{stem}.color.jpg").read_bytes()
            assert recording.streams["depth"].payload(index) == (frames / f"{stem}.depth.png").read_bytes()
            pose = recording.streams["pose"].read(index)
            expected = np.loadtxt(frames / f"{stem}.pose.txt")
            assert isinstance(pose, PoseFrame)
            assert np.array_equal(pose.matrix, expected.astype(np.float32))
        depth = recording.streams["depth"].read(0)
        assert isinstance(depth, DepthFrame)
        assert 939 <= int(np.median(depth.millimetres[depth.millimetres > 0])) <= 3033
        assert recording.description.calibration.cameras["color"].k[0, 0] == 585.0
