from __future__ import annotations

import pytest

from hfviewer.core.age import AgeState, FrameAge
from hfviewer.panels.standing import Standing, age_badge, age_text, seconds_text, standing_of

FRESH = FrameAge(AgeState.FRESH, 5)
MISSING = FrameAge(AgeState.MISSING, 500)


def test_a_frame_that_is_not_the_wanted_one_is_loading_even_inside_a_recorded_gap() -> None:
    assert standing_of(age=MISSING, frame_count=9, wanted=4, shown=3, failed=False) is Standing.LOADING
    assert standing_of(age=MISSING, frame_count=9, wanted=4, shown=None, failed=False) is Standing.LOADING
    assert standing_of(age=MISSING, frame_count=9, wanted=4, shown=4, failed=False) is Standing.MISSING


def test_a_failed_frame_is_unreadable_only_while_it_is_the_wanted_one() -> None:
    assert standing_of(age=FRESH, frame_count=9, wanted=4, shown=4, failed=True) is Standing.UNREADABLE
    assert standing_of(age=FRESH, frame_count=9, wanted=5, shown=4, failed=True) is Standing.LOADING


def test_no_frames_and_no_frame_yet_are_told_apart() -> None:
    none = FrameAge(AgeState.NONE, None)
    assert standing_of(age=none, frame_count=0, wanted=None, shown=None, failed=False) is Standing.EMPTY
    assert standing_of(age=none, frame_count=9, wanted=None, shown=None, failed=False) is Standing.BEFORE


@pytest.mark.parametrize("state", [s for s in AgeState if s is not AgeState.NONE])
def test_every_age_has_a_standing_of_its_own(state: AgeState) -> None:
    standing = standing_of(age=FrameAge(state, 1), frame_count=2, wanted=1, shown=1, failed=False)
    assert standing.value == state.value


def test_the_loading_badge_says_how_many_frames_behind_or_ahead() -> None:
    assert age_badge(Standing.LOADING, age_ns=1, behind=3).text == "loading −3"
    assert age_badge(Standing.LOADING, age_ns=1, behind=-2).text == "loading +2"
    assert age_badge(Standing.LOADING, age_ns=None, behind=None).text == "loading"


def test_a_frame_not_yet_overdue_keeps_the_true_age_of_what_is_shown() -> None:
    badge = age_badge(Standing.LOADING, age_ns=45_000_000, behind=1, overdue=False)
    assert (badge.text, badge.standing, badge.is_number) == ("45.0 ms", Standing.LOADING, True)


def test_an_ended_stream_says_so_in_a_word() -> None:
    assert age_badge(Standing.ENDED, age_ns=10**9, behind=0).text == "ended"


@pytest.mark.parametrize(
    ("age_ns", "text"),
    [
        (0, "0.0 ms"),
        (20_749_999, "20.7 ms"),
        (20_750_000, "20.8 ms"),
        (-1_500_000, "−1.5 ms"),
        (99_999_900_000, "99999.9 ms"),
        (100_000_000_000, "100.0 s"),
        (36_000_000_000_000, "10.0 h"),
    ],
)
def test_an_age_has_one_decimal_and_a_unit_that_keeps_it_short(age_ns: int, text: str) -> None:
    assert age_text(age_ns) == text
    assert len(text) <= 10


def test_seconds_are_rounded_down_so_that_they_never_name_the_next_frame() -> None:
    assert seconds_text(52_685_999_999) == "52.685 s"
    assert seconds_text(-1_500_000_000) == "−1.500 s"
