from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hfviewer.codecs.video.arrival import arrival_of, before_their_key

PERIOD_NS = 33_333_333
GROUP = np.array([0, 2, 3, 1])  # P B B P, as displayed
SEQUENCE = np.concatenate([4 * k + GROUP for k in range(300)])
ORDER = np.argsort(SEQUENCE)
TIMES_NS = np.arange(1200, dtype=np.int64) * PERIOD_NS


def order_of(sequence: NDArray[np.int64]) -> list[int]:
    found = arrival_of(sequence, TIMES_NS[: len(sequence)])
    assert found.is_known
    assert not found.strays.any()
    return [int(place) for place in found.order]


def test_a_sensor_s_counter_with_gaps_says_the_order_of_arrival() -> None:
    assert order_of(np.array([10, 14, 12, 13, 20, 18], np.int64)) == [0, 2, 3, 1, 5, 4]
    assert order_of(np.empty(0, np.int64)) == []
    assert order_of(np.array([7], np.int64)) == [0]


@pytest.mark.parametrize("modulus", [256, 512, 65536])
@pytest.mark.parametrize("first", range(4))
def test_a_counter_that_goes_round_is_followed(modulus: int, first: int) -> None:
    assert order_of((SEQUENCE + modulus - 300 + first) % modulus) == ORDER.tolist()


@pytest.mark.parametrize("offset", [5000, 50, 0])
@pytest.mark.parametrize("place", range(598, 606))
def test_a_counter_that_starts_again_is_followed_on_both_sides(place: int, offset: int) -> None:
    sequence = np.where(place <= SEQUENCE, SEQUENCE - place, SEQUENCE + offset)
    assert order_of(sequence) == ORDER.tolist()


@pytest.mark.parametrize("value", [10**9, 0])
@pytest.mark.parametrize("place", range(500, 504))
def test_one_number_far_off_is_the_one_that_its_neighbours_miss(place: int, value: int) -> None:
    sequence = SEQUENCE.copy()
    sequence[place] = value
    assert order_of(sequence) == ORDER.tolist()


@pytest.mark.parametrize("place", range(500, 504))
def test_a_unit_stamped_late_has_the_place_that_its_number_says(place: int) -> None:
    sequence = np.insert(np.delete(SEQUENCE, place), 700, SEQUENCE[place])
    assert sequence[order_of(sequence)].tolist() == list(range(1200))


def test_where_both_could_be_off_the_unit_has_no_place() -> None:
    sequence = np.delete(SEQUENCE, [500, 900])
    sequence[700] = 10**6
    sequence = np.delete(sequence, 705)
    found = arrival_of(sequence, TIMES_NS[: len(sequence)])
    assert np.flatnonzero(found.strays).tolist() == [700]
    assert sorted(found.order.tolist()) == list(range(len(sequence)))


@pytest.mark.parametrize("sequence", [SEQUENCE * 0, np.random.default_rng(1).permutation(SEQUENCE)])
def test_a_counter_without_meaning_leaves_the_order_of_time_and_says_so(sequence: NDArray[np.int64]) -> None:
    found = arrival_of(sequence, TIMES_NS)
    assert not found.is_known
    assert found.order.tolist() == list(range(1200))


def test_numbers_left_out_are_lost_units_where_there_is_a_gap_in_time() -> None:
    sequence = np.where(SEQUENCE < 600, SEQUENCE, SEQUENCE + 7)
    assert not arrival_of(sequence, TIMES_NS).lost.any()
    later_ns = np.where(SEQUENCE < 600, TIMES_NS, TIMES_NS + 7 * PERIOD_NS)
    lost = arrival_of(sequence, later_ns).lost
    assert np.flatnonzero(lost).tolist() == [600]
    assert lost[600] == 7


def test_where_a_counter_starts_again_after_a_gap_any_number_may_be_lost() -> None:
    sequence = np.where(SEQUENCE < 600, SEQUENCE, SEQUENCE - 600)
    later_ns = np.where(SEQUENCE < 600, TIMES_NS, TIMES_NS + 3 * PERIOD_NS)
    lost = arrival_of(sequence, later_ns).lost
    assert np.flatnonzero(lost).tolist() == [600]
    assert lost[600] > 2**31


def test_what_arrived_before_a_key_frame_is_not_shown_after_it() -> None:
    is_key = np.zeros(1200, bool)
    is_key[600] = True
    assert not before_their_key(ORDER, is_key).any()
    order = np.arange(1200)
    order[[600, 601]] = 601, 600
    assert np.flatnonzero(before_their_key(order, is_key)).tolist() == [601]
    late = np.insert(np.delete(np.arange(1200), 900), 300, 900)
    assert not before_their_key(late, is_key).any()
    assert before_their_key(np.empty(0, np.intp), np.empty(0, bool)).tolist() == []


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 300), max_size=80))
def test_whatever_the_counter_says_every_unit_has_one_place(numbers: list[int]) -> None:
    stamps_ns = np.sort(np.array(numbers, np.int64)) // 4
    found = arrival_of(np.array(numbers, np.int64), stamps_ns)
    assert sorted(found.order.tolist()) == list(range(len(numbers)))
    assert len(found.lost) == len(found.strays) == len(numbers)
    assert (found.lost >= 0).all()
