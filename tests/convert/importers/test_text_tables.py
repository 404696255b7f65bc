from pathlib import Path

import numpy as np
import pytest

from hfviewer.convert.importers.text_tables import parse_header
from hfviewer.convert.run import convert
from hfviewer.core.stream import StreamKind
from hfviewer.readers.registry import open_recording
from tests.convert.layouts import REAL_DATA, write

GTSAM = REAL_DATA / "kitti_imu_gps"
IMU = "Time dt accelX accelY accelZ omegaX omegaY omegaZ\n46534.47837579 46534.47837579 1.5 2 3 4 5 6\n"
GPS = "Time,X,Y,Z\n46534.478375790000428,-6.8269361350059405424,-11.8,0.04\n"


def test_tables_become_imu_and_gps_with_units_and_exact_times(tmp_path: Path) -> None:
    folder = tmp_path / "表"
    write(folder / "KittiEquivBiasedImu.txt", IMU + "46536.397971133 1.9 1 2 3 4 5 6\n")
    write(folder / "KittiGps_converted.txt", GPS)
    write(folder / "Imu_metadata.txt", "BodyPtx BodyPty\n0 0\n")
    report = convert(folder, tmp_path / "a.hfr")
    assert report.problems == ()
    assert any("Imu_metadata.txt" in note for note in report.notes)
    with open_recording(tmp_path / "a.hfr") as recording:
        imu, gps = recording.streams["imu"], recording.streams["gps"]
        assert (imu.description.kind, gps.description.kind) == (StreamKind.IMU, StreamKind.SIGNAL)
        assert [(c.name, c.unit) for c in imu.description.channels[2:4]] == [
            ("accelZ", "m/s^2"),
            ("omegaX", "rad/s"),
        ]
        assert [c.unit for c in gps.description.channels] == ["m", "m", "m"]
        assert imu.timestamps_ns.tolist() == [46_534_478_375_790, 46_536_397_971_133]
        assert gps.timestamps_ns.tolist() == [46_534_478_375_790]
        _, values = gps.samples(0, 2**62)
        assert values[0, 0] == -6.8269361350059405424
        assert "dt" in imu.description.note


def test_a_bad_row_is_named_and_leaves_its_number_free(tmp_path: Path) -> None:
    file = write(tmp_path / "imu.csv", "time,ax,ay\n1.0,1,2\n1.1,x,2\n1.2\n1.3,3,4\n")
    report = convert(file, tmp_path / "a.hfr")
    assert [problem.names for problem in report.problems] == [("imu.csv line 3", "imu.csv line 4")]
    with open_recording(tmp_path / "a.hfr") as recording:
        assert recording.streams["imu"].sequence.tolist() == [0, 3]


@pytest.mark.parametrize(
    ("header", "time", "expected_ns"),
    [
        ("timestamp_ns,a", "1700000000123456789", 1_700_000_000_123_456_789),
        ("#timestamp [ns],w_x [rad s^-1]", "1700000000123456789", 1_700_000_000_123_456_789),
        ("time_us;a", "1500", 1_500_000),
        ("t\ta", "0.0000000015", 2),
        ("timestamp,a", "1700000000123456789", 1_700_000_000_123_456_789),
        ("timestamp,a", "1700000000123", 1_700_000_000_123_000_000),
        ("timestamp,a", "1700000000.5", 1_700_000_000_500_000_000),
    ],
)
def test_the_unit_of_time_comes_from_the_header_or_from_the_size(
    tmp_path: Path, header: str, time: str, expected_ns: int
) -> None:
    delimiter = next(sign for sign in ",;\t" if sign in header)
    file = write(tmp_path / "table.txt", f"{header}\n{time}{delimiter}1.0\n")
    convert(file, tmp_path / "a.hfr")
    with open_recording(tmp_path / "a.hfr") as recording:
        (stream,) = recording.streams.values()
        assert stream.timestamps_ns.tolist() == [expected_ns]
        guessed = "its size says" in stream.description.note
        assert guessed == (header in ("timestamp,a", "t\ta"))


def test_units_are_taken_from_brackets_or_known_names_and_never_made_up() -> None:
    header = parse_header("#timestamp [ns],w_x [rad s^-1],acc_y,voltage,lat,a (kPa)")
    assert header is not None
    assert header.units == ("ns", "rad/s", "m/s^2", "", "deg", "kPa")
    assert header.names == ("timestamp", "w_x", "acc_y", "voltage", "lat", "a")


@pytest.mark.parametrize("line", ["", "hello", "BodyPtx BodyPty", "time", "0.1 0.2 0.3", "the time is now"])
def test_a_line_without_a_time_column_is_no_header(line: str) -> None:
    header = parse_header(line)
    assert header is None or line == "the time is now"


def test_two_tables_that_would_share_a_name_keep_their_own(tmp_path: Path) -> None:
    for name in ("imu_left", "imu_right"):
        write(tmp_path / "x" / f"{name}.csv", "t,ax\n1,2\n")
    assert list(convert(tmp_path / "x", tmp_path / "a.hfr").frame_counts) == ["imu_left", "imu_right"]


@pytest.mark.skipif(not GTSAM.exists(), reason="the real recordings are not beside this repository")
def test_the_real_tables_keep_their_dropouts(tmp_path: Path) -> None:
    report = convert(GTSAM, tmp_path / "a.hfr")
    assert report.problems == ()
    assert report.frame_counts == {"imu": 6361, "gps": 64}
    with open_recording(tmp_path / "a.hfr") as recording:
        imu, gps = recording.streams["imu"], recording.streams["gps"]
        intervals = np.diff(imu.timestamps_ns)
        assert sorted(intervals.tolist())[-2:] == [19_999_555, 1_919_595_343]
        assert int(np.diff(gps.timestamps_ns).max()) == 2_909_579_543
        period_ns = gps.description.period_ns
    assert period_ns is not None
    assert period_ns <= report.window_ns <= 2 * period_ns
