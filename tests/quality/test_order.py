from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hfviewer.quality.order import Disorder, find_disorder

P = 10_000_000


def every(count: int) -> NDArray[np.int64]:
    return P * np.arange(count, dtype=np.int64)


def test_doubled_stamps_are_counted() -> None:
    timestamps_ns = np.array([0, 1, 1, 2, 3, 3, 3], np.int64) * P
    found = find_disorder(timestamps_ns, np.arange(7), P)
    assert found.doubled_ns.tolist() == [P, 3 * P]
    assert found.doubled_counts.tolist() == [2, 3]
    assert found.repeats == 3
    assert len(found.late) == 0


def test_late_is_the_frame_that_arrived_after_one_with_a_later_stamp() -> None:
    found = find_disorder(every(6), np.array([0, 1, 3, 2, 4, 5], np.int64), P)
    assert (found.late.tolist(), found.late_ns.tolist()) == ([2], [2 * P])


def test_each_late_frame_counts_once_however_many_it_let_pass() -> None:
    late = find_disorder(every(10), np.array([0, 7, 1, 2, 3, 4, 5, 6, 8, 9], np.int64), P)
    assert late.late.tolist() == [1]
    early = find_disorder(every(10), np.array([0, 2, 3, 4, 1, 5, 6, 7, 8, 9], np.int64), P)
    assert early.late.tolist() == [1, 2, 3]


def test_a_frame_may_let_sixteen_pass_to_be_told_from_a_new_start() -> None:
    for passed, late in ((16, [1]), (17, [])):
        sequence = np.insert(np.delete(np.arange(40), 1 + passed), 1, 1 + passed)
        assert find_disorder(every(40), sequence, P).late.tolist() == late


def test_frames_of_one_stamp_have_no_order_among_themselves() -> None:
    sequence = np.array([0, 2, 1, 3], np.int64)  # as no reader sorts them
    assert len(find_disorder(np.array([0, P, P, 2 * P], np.int64), sequence, P).late) == 0


def test_a_counter_that_starts_anew_is_no_disorder() -> None:
    for sequence in (
        [65533, 65534, 65535, 0, 1, 2],
        [2**32 - 2, 2**32 - 1, 0, 1, 2, 3],
        [90, 91, 92, 5, 6, 7],
    ):
        assert len(find_disorder(every(6), np.array(sequence, np.int64), P).late) == 0


def test_disorder_across_the_wrap_of_the_counter_is_seen() -> None:
    sequence = np.array([2**32 - 2, 0, 2**32 - 1, 1, 2], np.int64)
    assert find_disorder(every(5), sequence, P).late.tolist() == [1]


def test_without_counters_only_stamps_tell() -> None:
    found = find_disorder(np.array([0, 0, P], np.int64), None, P)
    assert (found.repeats, len(found.late)) == (1, 0)


def test_no_frames_are_in_perfect_order() -> None:
    for count in (0, 1):
        found = find_disorder(every(count), np.arange(count), None)
        assert (found.repeats, len(found.late)) == (0, 0)
    assert Disorder.joined([]).repeats == 0


@given(st.lists(st.integers(0, 2), min_size=1, max_size=80), st.integers(1, 20), st.data())
def test_it_is_what_a_plain_loop_finds_also_in_pieces(steps: list[int], size: int, data: Any) -> None:
    timestamps_ns = np.cumsum(steps).astype(np.int64) * P
    sequence = np.arange(len(steps), dtype=np.int64)
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(steps) - 1))
        part = sequence[at : at + 5]
        part[:] = np.roll(part, 1)
    # As readers sort: by time, then by number.
    sequence = sequence[np.lexsort((sequence, timestamps_ns))]
    late = [
        i
        for i in range(len(steps))
        if any(
            sequence[j] < sequence[i] and timestamps_ns[j] > timestamps_ns[i]
            for j in range(i + 1, min(i + 17, len(steps)))
        )
    ]
    repeats = sum(step == 0 for step in steps[1:])
    whole = find_disorder(timestamps_ns, sequence, P)
    pieces = Disorder.joined(
        [
            find_disorder(timestamps_ns, sequence, P, among=range(i, i + size))
            for i in range(0, len(steps), size)
        ]
    )
    assert whole.doubled_ns.tolist() == pieces.doubled_ns.tolist()
    assert whole.doubled_counts.tolist() == pieces.doubled_counts.tolist()
    assert (whole.late.tolist(), whole.repeats) == (pieces.late.tolist(), pieces.repeats) == (late, repeats)
