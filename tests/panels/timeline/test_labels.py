from __future__ import annotations

import numpy as np
import pytest

from hfviewer.panels.timeline.density import MarkRuns
from hfviewer.panels.timeline.labels import MAX_LABELS, Label, largest, lost_text, place


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, "−1"), (9_999, "−9999"), (10_000, "−10k"), (2_500_000, "−2M"), (3_000_000_000, "−3G")],
)
def test_lost_frames_are_written_with_a_true_minus_sign_and_in_short(count: int, text: str) -> None:
    assert lost_text(count) == text


def empty(width: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.zeros(width + 1, np.bool_)


def test_a_label_lies_on_its_mark_if_that_is_wide_enough() -> None:
    assert place(Label("−6", 100, 160, True), 24, empty(500)) == 118


def test_a_label_stands_beside_a_narrow_mark() -> None:
    assert place(Label("−1", 100, 103, False), 24, empty(500)) == 106


def test_a_label_goes_to_the_left_at_the_right_edge() -> None:
    assert place(Label("−1", 490, 493, False), 24, empty(500)) == 463


def test_a_label_makes_way_for_what_is_already_there() -> None:
    taken = empty(500)
    taken[106:130] = True
    taken[70:97] = True
    assert place(Label("×2", 100, 103, False), 24, taken) == 130


def test_a_label_without_room_is_left_out() -> None:
    taken = empty(500)
    taken[:] = True
    assert place(Label("−1", 100, 103, False), 24, taken) is None


def test_of_too_many_marks_the_largest_are_labelled() -> None:
    count = 10 * MAX_LABELS
    columns = np.arange(count) * 5
    runs = MarkRuns(
        columns, columns + 3, np.arange(count), np.ones(count, np.int64), np.zeros(count, np.bool_)
    )
    chosen = largest(runs)
    assert len(chosen) == MAX_LABELS
    assert chosen.counts.min() == count - MAX_LABELS
    assert (np.diff(chosen.firsts) > 0).all()
