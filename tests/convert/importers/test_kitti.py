import lzma
from pathlib import Path

import numpy as np
import pytest

from hfviewer.convert.importers.kitti import KittiImporter, load_cloud
from hfviewer.convert.run import convert
from hfviewer.core.errors import ConversionError, FrameError
from hfviewer.core.geometry import project, transform_points
from hfviewer.core.stream import Clock, StreamKind
from hfviewer.readers.registry import open_recording
from tests.convert.layouts import (
    KITTI_PERIOD_NS,
    KITTI_START_NS,
    REAL_DATA,
    cloud,
    jpeg,
    kitti_times,
    make_kitti,
    png,
    write,
    write_kitti_calibration,
)

CITY = REAL_DATA / "kitti_drive_city"
TIMING = REAL_DATA / "kitti_drive0001_timing"


def test_a_drive_is_converted_bit_for_bit_at_its_exact_times(tmp_path: Path) -> None:
    drive = make_kitti(tmp_path / "数据" / "drive_sync")
    report = convert(drive, tmp_path / "a.hfr")
    assert report.problems == ()
    expected_ns = [KITTI_START_NS + number * KITTI_PERIOD_NS for number in range(5)]
    with open_recording(tmp_path / "a.hfr") as recording:
        assert list(recording.streams) == ["image_02", "oxts", "velodyne_points", "velodyne_points/scan"]
        for stream in recording.streams.values():
            assert stream.timestamps_ns.tolist() == expected_ns
            assert stream.sequence.tolist() == [0, 1, 2, 3, 4]
            assert stream.description.clock is Clock.HOST
        for number in range(5):
            assert recording.streams["image_02"].payload(number) == png(number)
            assert recording.streams["velodyne_points"].payload(number) == cloud(number).T.tobytes()
        _, values = recording.streams["oxts"].samples(0, 2**62)
        assert values[3].tolist() == [float(str(3 + column / 7)) for column in range(30)]
        channels = recording.streams["oxts"].description.channels
        assert (channels[0].name, channels[0].unit) == ("lat", "deg")
        assert [channel.name for channel in channels[11:14]] == ["ax", "ay", "az"]
        assert channels[13].unit == "m/s^2"


def test_start_and_end_of_every_scan_are_kept_exactly(tmp_path: Path) -> None:
    convert(make_kitti(tmp_path / "drive"), tmp_path / "a.hfr")
    with open_recording(tmp_path / "a.hfr") as recording:
        scan = recording.streams["velodyne_points/scan"]
        _, offsets = scan.samples(0, 2**62)
        assert offsets.tolist() == [[-51_000_007.0, 51_000_003.0]] * 5
        assert [channel.unit for channel in scan.description.channels] == ["ns", "ns"]


def test_a_missing_file_is_named_and_stays_visible_as_a_jump(tmp_path: Path) -> None:
    drive = make_kitti(tmp_path / "drive", without=[2])
    report = convert(drive, tmp_path / "a.hfr")
    lines = [problem.line() for problem in report.problems]
    assert any("image_02/data/0000000002.png" in line for line in lines)
    assert any("velodyne_points/data/0000000002.bin" in line for line in lines)
    with open_recording(tmp_path / "a.hfr") as recording:
        for stream in recording.streams.values():
            assert stream.sequence.tolist() == [0, 1, 3, 4]


def test_a_file_without_a_usable_line_is_named_and_left_out(tmp_path: Path) -> None:
    drive = make_kitti(tmp_path / "drive")
    lines = kitti_times(4).splitlines()
    lines[1] = "yesterday"
    write(drive / "image_02/timestamps.txt", "\n".join(lines))
    report = convert(drive, tmp_path / "a.hfr")
    problems = {problem.names: problem.message for problem in report.problems}
    assert "cannot be read" in problems["image_02/data/0000000001.png",]
    assert "no line" in problems["image_02/data/0000000004.png",]
    with open_recording(tmp_path / "a.hfr") as recording:
        assert recording.streams["image_02"].sequence.tolist() == [0, 2, 3]


def test_without_timestamps_the_clock_is_nominal_and_says_so(tmp_path: Path) -> None:
    drive = make_kitti(tmp_path / "drive", without=[1])
    (drive / "velodyne_points/timestamps.txt").unlink()
    report = convert(drive, tmp_path / "a.hfr")
    assert any("nominal clock" in problem.message for problem in report.problems)
    with open_recording(tmp_path / "a.hfr") as recording:
        clouds = recording.streams["velodyne_points"]
        assert clouds.description.clock is Clock.NOMINAL
        assert "10 Hz" in clouds.description.note
        assert clouds.timestamps_ns.tolist() == [KITTI_START_NS + step * 100_000_000 for step in (0, 2, 3, 4)]
        assert recording.streams["image_02"].description.clock is Clock.HOST
        assert "velodyne_points/scan" not in recording.streams


def test_packed_scans_and_jpeg_pictures_are_taken_too(tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    write(drive / "velodyne_points/timestamps.txt", kitti_times(1))
    write(drive / "velodyne_points/data/0000000000.bin.xz", lzma.compress(cloud(9).tobytes()))
    write(drive / "image_00/timestamps.txt", kitti_times(1))
    write(drive / "image_00/data/0000000000.jpg", jpeg(9))
    assert convert(drive, tmp_path / "a.hfr").problems == ()
    with open_recording(tmp_path / "a.hfr") as recording:
        assert recording.streams["velodyne_points"].payload(0) == cloud(9).T.tobytes()
        assert recording.streams["image_00"].payload(0) == jpeg(9)
        assert recording.streams["image_00"].description.encoding == "jpeg"


def test_broken_records_scans_and_strangers_are_named(tmp_path: Path) -> None:
    drive = make_kitti(tmp_path / "drive")
    write(drive / "oxts/data/0000000001.txt", "1 2 3")
    write(drive / "oxts/data/0000000002.txt", "x " * 30)
    write(drive / "velodyne_points/data/0000000003.bin", b"")
    write(drive / "image_02/data/notes.docx", b"?")
    report = convert(drive, tmp_path / "a.hfr")
    named = {name for problem in report.problems for name in problem.names}
    assert named == {
        "oxts/data/0000000001.txt",
        "oxts/data/0000000002.txt",
        "velodyne_points/data/0000000003.bin",
        "image_02/data/notes.docx",
    }


def test_timestamps_alone_are_kept_as_frames_without_data_and_said(tmp_path: Path) -> None:
    for name in ("image_00", "velodyne_points"):
        write(tmp_path / "drive" / name / "timestamps.txt", kitti_times(5))
    report = convert(tmp_path / "drive", tmp_path / "a.hfr")
    assert [(problem.stream, problem.count) for problem in report.problems] == [
        ("image_00", 1),
        ("velodyne_points", 1),
    ]
    with open_recording(tmp_path / "a.hfr") as recording:
        for stream in recording.streams.values():
            assert stream.timestamps_ns.tolist() == [KITTI_START_NS + n * KITTI_PERIOD_NS for n in range(5)]
            assert stream.description.stored_bytes == 0
            assert "imestamps only" in stream.description.note


def test_neither_data_nor_timestamps_is_an_error_that_says_what_to_copy(tmp_path: Path) -> None:
    write(tmp_path / "drive" / "image_00" / "timestamps.txt", "no time\n" * 500)
    with pytest.raises(ConversionError) as caught:
        KittiImporter().plan(tmp_path / "drive")
    assert "data" in caught.value.remedy
    assert len(caught.value.line()) < 400


def test_a_scan_that_is_no_whole_number_of_points_is_broken(tmp_path: Path) -> None:
    with pytest.raises(FrameError, match="multiple of 16"):
        load_cloud(write(tmp_path / "a.bin", bytes(33)))


def test_lidar_points_land_where_kitti_says_with_calibration_beside_the_drive(tmp_path: Path) -> None:
    drive = make_kitti(tmp_path / "2011_09_26" / "drive_sync")
    write_kitti_calibration(drive.parent)
    report = convert(drive.parent, tmp_path / "a.hfr")
    assert report.problems == ()
    with open_recording(tmp_path / "a.hfr") as recording:
        calibration = recording.description.calibration
        camera = calibration.cameras["image_02"]
        frames = [
            recording.streams[name].description.frame for name in ("image_02", "velodyne_points", "oxts")
        ]
    assert frames == [camera.frame, "velodyne", "imu"] == ["camera_rect_00", "velodyne", "imu"]
    assert (camera.width, camera.height, camera.distortion) == (1242, 375, ())
    matrix = calibration.between(target=camera.frame, source="velodyne")
    assert matrix is not None
    point = np.array([[12.0, 3.0, -1.0]])
    p_rect = np.array([[700, 0, 600, 45], [0, 700, 170, 0.2], [0, 0, 1, 0.003]])
    r_rect, velo = np.eye(4), np.eye(4)
    r_rect[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    velo[:3, :3] = [[0, -1, 0], [0, 0, -1], [1, 0, 0]]
    velo[:3, 3] = [0.1, 0.2, 0.3]
    u, v, w = p_rect @ r_rect @ velo @ np.array([12.0, 3.0, -1.0, 1.0])
    pixels, _ = project(camera, transform_points(matrix, point))
    assert pixels[0] == pytest.approx([u / w, v / w])
    imu = calibration.between(target="velodyne", source="imu")
    assert imu is not None
    assert imu[:3, 3].tolist() == [-0.8, 0.3, -0.7]


def test_an_extracted_drive_has_distorted_cameras_in_their_own_frames(tmp_path: Path) -> None:
    drive = make_kitti(tmp_path / "drive_extract")
    write_kitti_calibration(drive)
    calibration = KittiImporter().plan(drive).calibration
    assert calibration is not None
    camera = calibration.cameras["image_02"]
    assert (camera.width, camera.height, camera.frame) == (1392, 512, "camera_02")
    assert camera.distortion == (-0.3, 0.2, 0.001, 0.002, -0.06)
    assert camera.projection is None
    matrix = calibration.between(target="camera_02", source="velodyne")
    assert matrix is not None
    assert matrix[:3, 3] == pytest.approx([0.16, 0.2, 0.3])


@pytest.mark.parametrize(
    "text", ["", "P_rect_02: 1 2 3\n", "P_rect_02: nan " + "0 " * 11, "S_rect_02: 0 1e99\n"]
)
def test_a_broken_calibration_is_named_and_the_rest_is_converted(tmp_path: Path, text: str) -> None:
    drive = make_kitti(tmp_path / "drive")
    write(drive / "calib_cam_to_cam.txt", text)
    plan = KittiImporter().plan(drive)
    assert [problem.names for problem in plan.problems] == [("calib_cam_to_cam.txt",)]
    assert len(plan.streams) == 4


@pytest.mark.skipif(not CITY.exists(), reason="the real recordings are not beside this repository")
def test_the_real_city_drive_is_converted_whole(tmp_path: Path) -> None:
    report = convert(CITY, tmp_path / "a.hfr")
    assert report.problems == ()
    assert report.window_ns == 125_000_000
    with open_recording(tmp_path / "a.hfr") as recording:
        pictures, clouds = recording.streams["image_02"], recording.streams["velodyne_points"]
        assert (len(pictures), len(clouds)) == (40, 40)
        assert int(pictures.timestamps_ns[0]) == 1_317_042_145_961_661_696
        assert int(clouds.timestamps_ns[0]) == 1_317_042_145_951_199_337
        for number in (0, 17, 39):
            assert pictures.payload(number) == (CITY / f"image_02/data/{number:010}.jpg").read_bytes()
            original = lzma.decompress((CITY / f"velodyne_points/data/{number:010}.bin.xz").read_bytes())
            planar = np.frombuffer(clouds.payload(number), "<u4").reshape(4, -1)
            assert planar.T.tobytes() == original
        frame = clouds.read(0)
        calibration = recording.description.calibration
        matrix = calibration.between(target="camera_rect_00", source="velodyne")
        assert matrix is not None
        _, inside = project(calibration.cameras["image_02"], transform_points(matrix, frame.xyz))  # type: ignore[attr-defined]
        assert inside.sum() > 15_000  # about a sixth of the scan lies before the camera
        assert clouds.description.kind is StreamKind.POINTS


@pytest.mark.skipif(not TIMING.exists(), reason="the real recordings are not beside this repository")
def test_the_real_timing_drive_gives_its_one_record_all_its_times_and_a_short_list_of_what_is_missing(
    tmp_path: Path,
) -> None:
    report = convert(TIMING, tmp_path / "a.hfr")
    stamped = [*(f"image_0{n}" for n in range(4)), "velodyne_points"]
    assert report.frame_counts == {"oxts": 1} | dict.fromkeys(stamped, 108)
    counts = {problem.stream: problem.count for problem in report.problems}
    assert counts == {"oxts": 107} | dict.fromkeys(stamped, 1)
    assert all(len(problem.line()) < 300 for problem in report.problems)
    with open_recording(tmp_path / "a.hfr") as recording:
        assert recording.streams["oxts"].timestamps_ns.tolist() == [1_317_042_145_964_389_445]
