from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from hfviewer.convert.signal_csv import column_names, write_signal_csv
from hfviewer.core.stream import Channel

START_NS = 1_700_000_000_000_000_000


def test_stamps_are_exact_and_values_read_back_as_the_same_floats(tmp_path: Path) -> None:
    stamps = START_NS + np.array([0, 1, 10_000_000_007], np.int64)
    values = np.array([0.1 + 0.2, np.nan, -1e-300])
    path = tmp_path / "a.csv"
    write_signal_csv(path, stamps, [(Channel("acc_x", "m/s²"), values)], start_ns=START_NS)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["timestamp_ns", "seconds", "acc_x [m/s²]"]
    assert [int(row[0]) for row in rows[1:]] == stamps.tolist()
    assert float(rows[1][2]) == values[0]
    assert rows[2][2] == ""
    assert float(rows[3][2]) == values[2]
    assert [row[1] for row in rows[1:]] == ["0.000000000", "0.000000001", "10.000000007"]


def test_frames_are_a_column_of_their_own_and_times_before_the_start_negative(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    stamps = START_NS + np.array([-1_500_000_000, -1], np.int64)
    columns = [(Channel("frame"), np.array([1.0, 2.5]))]
    write_signal_csv(path, stamps, columns, start_ns=START_NS, frames=np.array([7, 8]))
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["timestamp_ns", "seconds", "frame", "frame 2"]
    assert [row[1:3] for row in rows[1:]] == [["-1.500000000", "7"], ["-0.000000001", "8"]]
    assert [float(row[3]) for row in rows[1:]] == [1.0, 2.5]


def test_no_samples_leave_the_heading(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write_signal_csv(path, np.empty(0, np.int64), [(Channel("a"), np.empty(0))], start_ns=0)
    assert path.read_text().splitlines() == ['"timestamp_ns","seconds","a"']


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        write_signal_csv(path, np.zeros(1, np.int64), [], start_ns=0)
    assert path.read_text() == "mine"


def test_every_column_has_a_name_of_its_own_on_one_line() -> None:
    channels = [Channel("a"), Channel("a"), Channel("seconds"), Channel("b\nc", "V"), Channel("")]
    assert column_names(channels) == ["a", "a 2", "seconds 2", "b c [V]", "value"]
