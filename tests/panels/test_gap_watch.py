from __future__ import annotations

import numpy as np

from hfviewer.panels.gap_watch import GapWatch
from tests.panels.making import PERIOD_NS, table


def test_it_gives_the_gap_after_a_frame_again_and_again() -> None:
    watch = GapWatch(table(20, lost=(7, 8)), None, PERIOD_NS)
    for index, lost in ((6, 2), (6, 2), (5, None), (6, 2), (19, None), (None, None)):
        gap = watch.after(index)
        assert (gap and gap.lost) == lost
        assert watch.breaks_off(index) is (lost is not None)


def test_it_goes_by_gaps_that_were_judged_by_what_the_frames_hold() -> None:
    watch = GapWatch(table(30, lost=(7, 8, 20)), None, PERIOD_NS)
    assert [watch.breaks_off(index) for index in (6, 17)] == [True, True]
    watch.go_by(watch.finder.all().taken(slice(1, 2)))
    assert [watch.breaks_off(index) for index in (6, 17)] == [False, True]
    assert watch.after(6) is None
    assert watch.finder.after(6) is not None


def test_beside_a_stamp_far_off_all_others_the_stream_breaks_off_with_no_number_of_lost_frames() -> None:
    stray = np.concatenate([[0], table(30), [2**62]]).astype(np.int64)
    watch = GapWatch(stray, None, PERIOD_NS)
    assert [watch.breaks_off(index) for index in (0, 1, 29, 30)] == [True, False, False, True]
    assert [watch.after(index) for index in (0, 30)] == [None, None]


def test_no_frames_break_off_nowhere() -> None:
    assert not GapWatch(np.empty(0, np.int64), None, None).breaks_off(0)
