from __future__ import annotations

import dataclasses

import numpy as np

from hfviewer.core.errors import FrameError
from hfviewer.panels.plate_content import Around, lost_between, plate_content
from hfviewer.panels.standing import Standing
from tests.panels.making import PERIOD_NS, START_NS, table

LOST = (5, 6, 7)
STAMPS = table(20, lost=LOST)
AROUND = Around(
    timestamps_ns=STAMPS,
    sequence=np.delete(np.arange(100, 120), LOST),
    period_ns=PERIOD_NS,
    start_ns=START_NS,
    playhead_ns=int(STAMPS[4]) + 90_000_000,
    wanted=4,
)


def test_a_missing_frame_names_what_was_lost_the_last_the_next_and_the_evidence() -> None:
    plate = plate_content(Standing.MISSING, AROUND, None)
    assert plate is not None
    assert plate.title == "No frame here"
    assert plate.rows == (
        ("Lost", "3 frames", "sequence 105 … 107"),
        ("Last frame", "0.160 s", "90 ms ago"),
        ("Next frame", "0.320 s", "in 70 ms"),
    )
    assert plate.footer == "Evidence: sequence jump +4"
    assert plate.severity == "error"


def test_without_a_counter_the_interval_is_the_evidence() -> None:
    around = dataclasses.replace(AROUND, sequence=None)
    assert lost_between(around, 4) == (3, "interval 4.0 × period")


def test_a_counter_that_does_not_jump_leaves_the_word_to_the_interval() -> None:
    around = dataclasses.replace(AROUND, sequence=np.arange(len(STAMPS)))
    assert lost_between(around, 4) == (3, "interval 4.0 × period")
    plate = plate_content(Standing.MISSING, around, None)
    assert plate is not None
    assert plate.rows[0] == ("Lost", "3 frames", "")


def test_before_the_first_frame_the_plate_says_when_it_starts() -> None:
    around = dataclasses.replace(
        AROUND, start_ns=START_NS - 2_500_000_000, playhead_ns=START_NS - 2_000_000_000, wanted=None
    )
    plate = plate_content(Standing.BEFORE, around, None)
    assert plate is not None
    assert plate.title == "Starts at +2.500 s"
    assert plate.rows[0][2] == "in 2.000 s"
    assert plate.severity == ""


def test_an_unreadable_frame_gives_the_errors_own_words() -> None:
    plate = plate_content(Standing.UNREADABLE, AROUND, FrameError("Cut short.", remedy="Copy it again."))
    assert plate is not None
    assert (plate.title, plate.footer) == ("Frame #4 is unreadable", "Cut short. Copy it again.")


def test_a_current_or_late_or_loading_picture_has_no_plate() -> None:
    for standing in (Standing.FRESH, Standing.LATE, Standing.LOADING):
        assert plate_content(standing, AROUND, None) is None
