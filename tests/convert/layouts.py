"""Tiny folders of sensor files, laid out as the real ones are."""

import datetime
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.opencv import cv2

REAL_DATA = Path(__file__).parents[3] / "shared" / "data" / "real"
KITTI_START_NS = 1_317_042_145_900_000_123  # 2011-09-26 13:02:25.900000123 UTC
KITTI_PERIOD_NS = 103_130_001
EUROC_START_NS = 1_403_636_579_763_555_584


def png(seed: int, *, size: tuple[int, int] = (12, 8), bits: int = 8, channels: int = 3) -> bytes:
    return _encode(".png", seed, size, bits, channels)


def jpeg(seed: int, *, size: tuple[int, int] = (12, 8)) -> bytes:
    return _encode(".jpg", seed, size, 8, 3)


def depth_png(seed: int, *, size: tuple[int, int] = (12, 8)) -> bytes:
    return _encode(".png", seed, size, 16, 1)


def _encode(suffix: str, seed: int, size: tuple[int, int], bits: int, channels: int) -> bytes:
    shape = (size[1], size[0]) if channels == 1 else (size[1], size[0], channels)
    values = np.random.default_rng(seed).integers(1, 250, shape)
    pixels = values.astype(np.uint16) if bits == 16 else values.astype(np.uint8)
    done, data = cv2.imencode(suffix, pixels)
    assert done
    return bytes(data.tobytes())


def cloud(seed: int, points: int = 7) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=(points, 4)).astype(np.float32)


def write(path: Path, content: bytes | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    else:
        path.write_bytes(content)
    return path


def kitti_time(time_ns: int) -> str:
    seconds, fraction = divmod(time_ns, 1_000_000_000)
    moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S}.{fraction:09}"


def kitti_times(count: int, offset_ns: int = 0) -> str:
    times = (KITTI_START_NS + offset_ns + number * KITTI_PERIOD_NS for number in range(count))
    return "".join(kitti_time(time_ns) + "\n" for time_ns in times)


def make_kitti(drive: Path, count: int = 5, *, without: Iterable[int] = ()) -> Path:
    """A drive with one camera, a lidar and oxts; files of the numbers in ``without`` are missing."""
    for name, suffix in (("image_02", ".png"), ("velodyne_points", ".bin"), ("oxts", ".txt")):
        write(drive / name / "timestamps.txt", kitti_times(count))
        for number in sorted(set(range(count)) - set(without)):
            content = {
                ".png": png(number),
                ".bin": cloud(number).tobytes(),
                ".txt": " ".join(str(number + column / 7) for column in range(30)).encode(),
            }[suffix]
            write(drive / name / "data" / f"{number:010}{suffix}", content)
    write(drive / "velodyne_points" / "timestamps_start.txt", kitti_times(count, -51_000_007))
    write(drive / "velodyne_points" / "timestamps_end.txt", kitti_times(count, 51_000_003))
    return drive


KITTI_CALIBRATION = {
    "calib_cam_to_cam.txt": (
        "calib_time: 09-Jan-2012 13:57:47\nS_rect_02: 1.242000e+03 3.750000e+02\n"
        "R_rect_00: 0 -1 0 1 0 0 0 0 1\n"
        "P_rect_02: 700 0 600 45 0 700 170 0.2 0 0 1 0.003\n"
        "S_02: 1392 512\nK_02: 950 0 690 0 940 230 0 0 1\nD_02: -0.3 0.2 0.001 0.002 -0.06\n"
        "R_02: 1 0 0 0 1 0 0 0 1\nT_02: 0.06 0 0\n"
    ),
    "calib_velo_to_cam.txt": "R: 0 -1 0 0 0 -1 1 0 0\nT: 0.1 0.2 0.3\n",
    "calib_imu_to_velo.txt": "R: 1 0 0 0 1 0 0 0 1\nT: -0.8 0.3 -0.7\n",
}


def write_kitti_calibration(folder: Path) -> None:
    for name, text in KITTI_CALIBRATION.items():
        write(folder / name, text)


def pose_text(seed: int) -> str:
    rows = np.eye(4)
    rows[:3, 3] = [seed + 0.25, -1.5, 2.0]
    return "".join("".join(f"  {value:.7e}\t" for value in row) + "\n" for row in rows)


def make_seven_scenes(folder: Path, numbers: Sequence[int] = (150, 151, 152, 153)) -> Path:
    for number in numbers:
        write(folder / f"frame-{number:06}.color.jpg", jpeg(number))
        write(folder / f"frame-{number:06}.depth.png", depth_png(number))
        write(folder / f"frame-{number:06}.pose.txt", pose_text(number))
    return folder


def make_tum(folder: Path) -> Path:
    stamps = ("1305031102.175304", "1305031102.211214", "1305031102.243211")
    write(folder / "rgb.txt", "# color images\n# timestamp filename\n" + _list(stamps, "rgb"))
    write(folder / "depth.txt", "# depth maps\n" + _list(stamps, "depth"))
    for seed, stamp in enumerate(stamps):
        write(folder / "rgb" / f"{stamp}.png", png(seed))
        write(folder / "depth" / f"{stamp}.png", depth_png(seed))
    write(
        folder / "groundtruth.txt",
        "# x\n1305031098.6659 1.3563 0.6305 1.6380 0.6132 0.5962 -0.3311 -0.3986\n",
    )
    write(folder / "accelerometer.txt", "# x\n1305031102.1 -0.5 8.6 -4.1\n1305031102.1000000004 0 9.8 0\n")
    return folder


def _list(stamps: Sequence[str], folder: str) -> str:
    return "".join(f"{stamp} {folder}/{stamp}.png\n" for stamp in stamps)


SENSOR_YAML = """\
#Default camera sensor yaml file
sensor_type: camera
T_BS:
  cols: 4
  rows: 4
  data: [0.0, -1.0, 0.0, -0.02,
         1.0, 0.0, 0.0, -0.06,
         0.0, 0.0, 1.0, 0.01,
         0.0, 0.0, 0.0, 1.0]
rate_hz: 20
resolution: [752, 480]
camera_model: pinhole
intrinsics: [458.654, 457.296, 367.215, 248.375] #fu, fv, cu, cv
distortion_model: radial-tangential
distortion_coefficients: [-0.28340811, 0.07395907, 0.00019359, 1.76187114e-05]
"""


def make_euroc(mav0: Path, count: int = 4) -> Path:
    stamps = [EUROC_START_NS + number * 50_000_000 for number in range(count)]
    rows = "".join(f"{stamp},{stamp}.png\r\n" for stamp in stamps)
    write(mav0 / "cam0" / "data.csv", "#timestamp [ns],filename\r\n" + rows)
    for stamp in stamps:
        write(mav0 / "cam0" / "data" / f"{stamp}.png", png(stamp % 1000, channels=1))
    write(mav0 / "cam0" / "sensor.yaml", SENSOR_YAML)
    header = "#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y,w_RS_S_z,a_RS_S_x [m s^-2],a_RS_S_y,a_RS_S_z\n"
    imu = "".join(f"{stamps[0] + n * 5_000_000},-0.1,0.2,0.3,8.1,-0.3,{n / 3}\n" for n in range(count * 10))
    write(mav0 / "imu0" / "data.csv", header + imu)
    truth = ",".join(["0.5", "1.5", "2.5", "0.1", "0.2", "0.3", "0.9", *(str(n) for n in range(9))])
    write(mav0 / "state_groundtruth_estimate0" / "data.csv", f"#timestamp, ...\n{stamps[1]},{truth}\n")
    write(mav0 / "leica0" / "data.csv", f"#timestamp, x [m], y [m], z [m]\n{stamps[0]},4.1,-1.2,0.8\n")
    return mav0


def save_array(path: Path, values: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        np.save(file, np.asarray(values))


def make_comma2k19(segment: Path, rows: int = 6) -> Path:
    seconds = 46408.580034294 + np.arange(rows) * 0.0096
    imu = np.arange(rows * 3, dtype=np.float64).reshape(rows, 3) + 0.5
    for name, values in (
        ("IMU/accelerometer", imu),
        ("CAN/steering_angle", imu[:, 0]),
        ("CAN/speed", imu[:, :1]),
    ):
        save_array(segment / "processed_log" / name / "t", seconds)
        save_array(segment / "processed_log" / name / "value", values)
    gnss = np.tile([37.7, -122.4, 7.8, 1533226488299.0, 33.0, 2.0], (rows, 1))
    save_array(segment / "processed_log" / "GNSS/live_gnss_ublox/t", seconds)
    save_array(segment / "processed_log" / "GNSS/live_gnss_ublox/value", gnss)
    save_array(segment / "global_pose" / "frame_times", seconds)
    save_array(segment / "global_pose" / "frame_positions", imu)
    save_array(segment / "global_pose" / "frame_orientations", np.tile([0.1, 0.2, 0.3, 0.9], (rows, 1)))
    save_array(segment / "global_pose" / "frame_velocities", imu)
    write(segment / "preview.png", png(1))
    return segment
