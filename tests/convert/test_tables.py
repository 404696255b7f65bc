import numpy as np

from hfviewer.convert.tables import data_lines, parse_table, rows_stream
from hfviewer.core.stream import Channel, StreamDescription, StreamKind


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
