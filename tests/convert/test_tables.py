from pathlib import Path

import numpy as np

from hfviewer.convert.source import ProblemLog
from hfviewer.convert.tables import data_lines, parse_table, read_table_lines, rows_stream
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from tests.convert.layouts import write


def test_rows_that_cannot_be_read_are_named_and_leave_their_number_free() -> None:
    lines = data_lines(["# head", "1.5 10 20", "", "oops 1 2", "2.5 11", "3.5 12 22", "4.5 x 22"])
    bad: list[int] = []
    table = parse_table(lines, delimiter=None, columns=3, values=(2, 1), on_bad=bad.append)
    assert bad == [4, 5, 7]
    assert table.timestamps_ns.tolist() == [1_500_000_000, 3_500_000_000]
    assert table.rows.tolist() == [0, 3]
    assert table.values.tolist() == [[20.0, 10.0], [22.0, 12.0]]


def test_a_row_becomes_a_frame_of_float64_and_says_where_it_came_from() -> None:
    table = parse_table([(1, "5,0.1")], delimiter=",", columns=2, values=[1], time_exponent=0, on_bad=print)
    description = StreamDescription(
        name="a", kind=StreamKind.SIGNAL, encoding="f64", channels=(Channel("v", "m"),)
    )
    stream = rows_stream(description, table, "a.csv")
    assert (len(stream), stream.origin(0)) == (1, "a.csv row 0")
    assert stream.load(0) == np.array([0.1]).tobytes()


def test_a_table_that_cannot_be_read_is_told_once_and_one_without_data_is_empty(tmp_path: Path) -> None:
    log = ProblemLog()
    write(tmp_path / "table.csv", "# time, x\n1, 2\n\n3, 4\n")
    write(tmp_path / "empty.csv", "")
    assert read_table_lines(tmp_path / "table.csv", "imu", "table.csv", log) == [(2, "1, 2"), (4, "3, 4")]
    assert read_table_lines(tmp_path / "empty.csv", "imu", "empty.csv", log) == []
    assert log.problems() == ()
    assert read_table_lines(tmp_path / "none.csv", "imu", "sensors/none.csv", log) is None
    (problem,) = log.problems()
    assert problem.line() == "imu: It cannot be read (No such file or directory): sensors/none.csv"
