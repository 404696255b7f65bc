from __future__ import annotations

import numpy as np

from hfviewer.core.errors import FrameError
from hfviewer.panels.signal_filling import Filling

STAMPS = np.array([10, 20, 30], np.int64)
NONE = STAMPS[:0]


def test_what_comes_later_than_the_last_sample_at_hand_is_not_reached() -> None:
    filling = Filling(share=0.5)
    assert filling.reaches(30, STAMPS)
    assert not filling.reaches(31, STAMPS)
    assert not filling.reaches(0, NONE)
    assert Filling(share=1.0).reaches(31, STAMPS)


def test_a_stream_that_was_read_and_gave_nothing_is_reached_everywhere_and_says_so() -> None:
    filling = Filling(share=1.0)
    assert filling.reaches(5, NONE)
    assert filling.note(samples=0, frames=3) == "no samples"
    assert filling.note(samples=0, frames=0) == ""
    assert filling.note(samples=3, frames=3) == ""


def test_trouble_is_said_in_place_of_progress_until_it_is_over() -> None:
    filling = Filling(share=0.25)
    assert filling.note(samples=1, frames=4) == "loading 25 %"
    filling.fail(FrameError("It is cut off.", remedy="Copy it again."))
    assert filling.note(samples=1, frames=4) == "It is cut off. Copy it again."
    filling.fail(None)
    assert filling.note(samples=1, frames=4) == "loading 25 %"
