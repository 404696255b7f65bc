from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.age import AgeState, FrameAge, frame_age

EPOCH_NS = 1_700_000_000_000_000_000


@given(st.integers(0, 500), st.integers(1, 200), st.booleans(), st.booleans())
def test_the_state_follows_from_the_age_in_periods_and_from_what_is_missing(
    age_ns: int, period_ns: int, is_last: bool, gap_follows: bool
) -> None:
    periods = Fraction(age_ns, period_ns)
    if periods <= 1:
        expected = AgeState.FRESH
    elif periods <= Fraction(3, 2):
        expected = AgeState.LATE
    else:
        expected = AgeState.ENDED if is_last else AgeState.MISSING if gap_follows else AgeState.LATE
    age = frame_age(
        timestamp_ns=EPOCH_NS,
        playhead_ns=EPOCH_NS + age_ns,
        period_ns=period_ns,
        is_last=is_last,
        gap_follows=gap_follows,
    )
    assert age == FrameAge(expected, age_ns)


@pytest.mark.parametrize(
    ("age_ns", "state"),
    [
        (0, AgeState.FRESH),
        (33_333_333, AgeState.FRESH),
        (33_333_334, AgeState.LATE),
        (49_999_999, AgeState.LATE),
        (50_000_000, AgeState.MISSING),
    ],
)
def test_the_borders_are_exact_to_the_nanosecond(age_ns: int, state: AgeState) -> None:
    age = frame_age(
        timestamp_ns=EPOCH_NS,
        playhead_ns=EPOCH_NS + age_ns,
        period_ns=33_333_333,
        is_last=False,
        gap_follows=True,
    )
    assert age.state is state


def test_before_the_first_frame_there_is_no_age() -> None:
    age = frame_age(timestamp_ns=None, playhead_ns=EPOCH_NS, period_ns=10, is_last=False, gap_follows=False)
    assert age == FrameAge(AgeState.NONE, None)


@given(st.integers(0, 10**18), st.booleans())
def test_a_frame_of_an_irregular_stream_is_never_missing(age_ns: int, is_last: bool) -> None:
    age = frame_age(
        timestamp_ns=EPOCH_NS,
        playhead_ns=EPOCH_NS + age_ns,
        period_ns=None,
        is_last=is_last,
        gap_follows=True,
    )
    assert age == FrameAge(AgeState.FRESH, age_ns)
