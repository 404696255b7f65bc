from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import FrameError
from hfviewer.panels.plate_content import Around, PlateContent, plate_content
from hfviewer.panels.standing import Standing, seconds_text
from hfviewer.quality.gaps import GapFinder
from tests.panels.making import PERIOD_NS, START_NS, table

LOST = (5, 6, 7)
STAMPS = table(20, lost=LOST)
NUMBERS = np.delete(np.arange(100, 120), LOST)


def around(sequence: NDArray[np.int64] | None) -> Around:
    return Around(
        timestamps_ns=STAMPS,
        sequence=sequence,
        gap=GapFinder(STAMPS, sequence, PERIOD_NS).after(4),
        start_ns=START_NS,
        time_text=lambda time_ns: seconds_text(time_ns - START_NS),
        playhead_ns=int(STAMPS[4]) + 90_000_000,
        wanted=4,
    )


AROUND = around(NUMBERS)


def missing(sequence: NDArray[np.int64] | None) -> PlateContent:
    plate = plate_content(Standing.MISSING, around(sequence), None)
    assert plate is not None
    return plate


def test_a_missing_frame_names_what_was_lost_the_last_the_next_and_the_evidence() -> None:
    plate = plate_content(Standing.MISSING, AROUND, None)
    assert plate is not None
    assert plate.title == "No frame here"
    assert plate.rows == (
        ("Lost", "3 frames", "sequence 105 … 107"),
        ("Last frame", "0.160 s", "90 ms ago"),
        ("Next frame", "0.320 s", "in 70 ms"),
    )
    assert plate.footer == "Evidence: sequence jump +4; interval 4.0 × period"
    assert plate.severity == "error"


def test_without_a_counter_or_with_one_that_does_not_jump_the_interval_is_the_evidence() -> None:
    for sequence in (None, np.arange(len(STAMPS))):
        plate = missing(sequence)
        assert plate.rows[0] == ("Lost", "3 frames", "")
        assert plate.footer == "Evidence: interval 4.0 × period"


def test_a_counter_that_leaps_beyond_belief_is_named_and_not_counted() -> None:
    sequence = NUMBERS.copy()
    sequence[5:] += 2**40
    plate = missing(sequence)
    assert plate.rows[0] == ("Lost", "3 frames", "")
    assert plate.footer == "Evidence: interval 4.0 × period; sequence leap +1099511627780 not believed"


def test_before_the_first_frame_the_plate_says_when_it_starts() -> None:
    before = dataclasses.replace(
        AROUND, start_ns=START_NS - 2_500_000_000, playhead_ns=START_NS - 2_000_000_000, wanted=None
    )
    plate = plate_content(Standing.BEFORE, before, None)
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
