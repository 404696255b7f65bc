from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.window import TimeWindow
from hfviewer.quality.gaps import Evidence, GapFinder, Gaps, find_gaps

P = 10_000_000
REAL = Path(__file__).parents[3] / "shared" / "data" / "real"
needs_real = pytest.mark.skipif(not REAL.is_dir(), reason="the real recordings are not here")


def every(count: int) -> NDArray[np.int64]:
    return P * np.arange(count, dtype=np.int64)


def counted(count: int) -> NDArray[np.int64]:
    return np.arange(count, dtype=np.int64)


def stamps(*periods: float) -> NDArray[np.int64]:
    return (np.array(periods) * P).round().astype(np.int64)


def test_a_missing_frame_is_known_by_the_interval() -> None:
    found = find_gaps(np.delete(every(20), [7, 8, 9]), counted(17), P)
    assert len(found) == 1
    gap = found[0]
    assert (gap.before, gap.start_ns, gap.end_ns, gap.lost) == (6, 6 * P, 10 * P, 3)
    assert (gap.evidence, gap.is_severe) == (Evidence.INTERVAL, True)
    assert gap.evidence_text == "interval 4.0 × period"


def test_counter_and_interval_that_agree_are_both_evidence() -> None:
    found = find_gaps(np.delete(every(20), [7]), np.delete(counted(20), [7]), P)
    assert (found[0].lost, found[0].evidence, found[0].is_severe) == (1, Evidence.BOTH, True)
    assert found[0].evidence_text == "sequence jump +2; interval 2.0 × period"


def test_where_they_disagree_the_counter_decides_and_both_numbers_are_told() -> None:
    sequence = np.delete(counted(20), [7, 8, 9])
    sequence[7:] += 2  # the counter says five are lost, the interval three
    gap = find_gaps(np.delete(every(20), [7, 8, 9]), sequence, P)[0]
    assert (gap.lost, gap.by_sequence, gap.by_interval) == (5, 5, 3)
    assert gap.evidence_text == "sequence jump +6 (5 lost); interval 4.0 × period (3 lost)"


def test_a_jump_without_a_long_interval_is_a_gap_as_well() -> None:
    sequence = counted(10)
    sequence[4:] += 1
    found = find_gaps(every(10), sequence, P)
    assert (found.before.tolist(), found.lost.tolist()) == ([3], [1])
    assert found[0].evidence is Evidence.SEQUENCE


@pytest.mark.parametrize(("late_ns", "lost"), [(P // 2, []), (P // 2 + 1, [1])])
def test_an_interval_counts_from_one_and_a_half_periods_on(late_ns: int, lost: list[int]) -> None:
    timestamps_ns = every(10)
    timestamps_ns[5:] += late_ns
    assert find_gaps(timestamps_ns, None, P).lost.tolist() == lost


def test_one_frame_lost_by_interval_alone_is_not_severe() -> None:
    found = find_gaps(np.delete(every(20), [7]), None, P)
    assert (found[0].lost, found[0].is_severe, found.severe.tolist()) == (1, False, [False])


def test_irregular_streams_have_gaps_only_by_sequence() -> None:
    timestamps_ns = stamps(0, 1, 50, 51, 900)
    assert len(find_gaps(timestamps_ns, counted(5), None)) == 0
    assert find_gaps(timestamps_ns, np.array([0, 1, 2, 5, 6]), None).lost.tolist() == [2]


@pytest.mark.parametrize("distance", [1, 5, 14])
def test_a_number_that_turns_up_within_a_few_frames_is_not_lost(distance: int) -> None:
    sequence = np.insert(np.delete(counted(40), 10), 10 + distance, 10)
    assert len(find_gaps(every(40), sequence, P)) == 0


def test_a_number_that_two_frames_bear_turns_up_once() -> None:
    sequence = np.array([0, 1, 4, 3, 3, 5, 6], np.int64)  # 2 never comes
    assert find_gaps(every(7), sequence, P).by_sequence.tolist() == [1]


@pytest.mark.parametrize(
    "sequence",
    [
        [65533, 65534, 65535, 0, 1, 2],
        [2**32 - 3, 2**32 - 2, 2**32 - 1, 0, 1, 2],
        [0, 1, 2, 2**40, 2**40 + 1, 2**40 + 2],
        [0, 1, 2, 2**31 + 2, 2**31 + 3, 2**31 + 4],
        [0, 1, 2, 1_000_000, 1_000_001, 1_000_002],
        [0, 1, 2, 2**62, 4, 5],
        [2**63 - 1, -(2**63), 5, 6, 7, 8],
    ],
)
def test_a_counter_that_wraps_restarts_or_leaps_beyond_belief_loses_nothing(sequence: list[int]) -> None:
    assert len(find_gaps(every(6), np.array(sequence, np.int64), P)) == 0


def test_numbers_lost_across_the_wrap_are_counted() -> None:
    sequence = np.array([2**32 - 3, 2**32 - 2, 1, 2], np.int64)
    assert find_gaps(stamps(0, 1, 4, 5), sequence, P)[0].lost == 2


def test_a_leap_beyond_belief_leaves_the_word_to_the_interval_and_is_named() -> None:
    sequence = counted(20)
    sequence[10:] += 2**40
    timestamps_ns = every(20)
    timestamps_ns[10:] += P
    gap = find_gaps(timestamps_ns, sequence, P)[0]
    assert (gap.lost, gap.evidence, gap.is_severe) == (1, Evidence.INTERVAL, False)
    assert gap.evidence_text == "interval 2.0 × period; sequence leap +1099511627777 not believed"


def test_an_irregular_stream_is_judged_by_its_typical_interval() -> None:
    timestamps_ns = stamps(0, 0.5, 4, 5, 9, 9.5, 14)
    sequence = counted(7)
    sequence[3:] += 500
    assert find_gaps(timestamps_ns, sequence, None).lost.tolist() == [500]
    sequence[3:] += 1_000_000
    assert len(find_gaps(timestamps_ns, sequence, None)) == 0


def test_a_frame_that_only_came_late_is_not_lost() -> None:
    late = every(40)
    late[20] += P - 1  # and the next one right behind it
    assert len(find_gaps(late, counted(40), P)) == 0


def test_after_a_frame_that_came_early_none_is_lost() -> None:
    early = every(40)
    early[20] -= 6 * P // 10
    assert len(find_gaps(early, counted(40), P)) == 0


def test_frames_that_are_often_late_are_not_lost() -> None:
    late = np.random.default_rng(0).random(100_000) < 0.1
    timestamps_ns = np.sort(every(100_000) + late * (P - P // 10))
    assert (np.diff(timestamps_ns) > 1.5 * P).sum() > 5_000
    assert len(find_gaps(timestamps_ns[:-20], None, P)) <= 1  # the very last one may still be awaited


@pytest.mark.parametrize("stall", [2, 10, 100, 1000])
def test_a_burst_that_makes_up_for_a_stall_loses_nothing(stall: int) -> None:
    timestamps_ns = every(3 * stall + 100)
    end = 30 + stall
    timestamps_ns[30:end] = timestamps_ns[end] - np.arange(stall, 0, -1) * 1000
    assert len(find_gaps(timestamps_ns, counted(len(timestamps_ns)), P)) == 0


def test_a_burst_that_makes_up_for_a_part_only_leaves_the_gap() -> None:
    timestamps_ns = every(100)
    timestamps_ns[30:40] = timestamps_ns[40] - np.arange(10, 0, -1) * 1000
    found = find_gaps(np.delete(timestamps_ns, [30, 31, 32]), counted(97), P)
    assert found.before.tolist() == [29]


def test_a_lost_frame_is_a_gap_however_much_the_others_jitter() -> None:
    rng = np.random.default_rng(1)
    timestamps_ns = np.sort(every(2000) + (0.14 * P * rng.standard_normal(2000)).astype(np.int64))
    assert (np.diff(timestamps_ns) > 1.5 * P).sum() > 5
    assert len(find_gaps(timestamps_ns, counted(2000), P)) == 0
    lost = [300, 700, 701, 1500]
    found = find_gaps(np.delete(timestamps_ns, lost), counted(1996), P)
    assert found.before.tolist() == [299, 698, 1496]


def test_a_frame_whose_stamp_repeats_the_one_before_is_not_lost() -> None:
    timestamps_ns = every(40)
    timestamps_ns[20] = timestamps_ns[19]
    assert len(find_gaps(timestamps_ns, counted(40), P)) == 0


def test_a_stamp_doubled_elsewhere_hides_no_lost_frame() -> None:
    timestamps_ns = np.insert(np.delete(every(60), 20), 23, every(60)[23])
    assert find_gaps(timestamps_ns, counted(60), P).before.tolist() == [19]


def test_rows_that_share_a_stamp_as_a_rule_hide_no_lost_message() -> None:
    rows = np.full(59, 4)
    rows[19] = 30
    timestamps_ns = np.repeat(np.delete(every(60), 20), rows)
    found = find_gaps(timestamps_ns, counted(len(timestamps_ns)), P)
    assert (found.before.tolist(), found.lost.tolist()) == ([19 * 4 + 30 - 1], [1])


def test_frames_that_come_early_now_and_then_make_up_for_nothing() -> None:
    intervals = np.ones(400)
    intervals[::10] = 0.5
    intervals[205] = 2
    assert find_gaps(stamps(*np.cumsum(intervals)), counted(400), P).before.tolist() == [204]


def test_a_broken_stamp_far_outside_leaves_no_gap() -> None:
    timestamps_ns = np.concatenate([[0], 10**18 + every(10)]).astype(np.int64)
    span = TimeWindow(10**18, 10**18 + 10 * P)
    assert len(find_gaps(timestamps_ns, counted(11), P, span=span)) == 0


def test_stamps_at_the_ends_of_int64_are_survived() -> None:
    timestamps_ns = np.array([-(2**63), 0, 2**63 - 1], np.int64)
    found = find_gaps(timestamps_ns, counted(3), 1)
    assert (found.lost > 0).all()
    assert found.lost_before[-1] > 0


@pytest.mark.parametrize("count", [0, 1])
def test_a_stream_without_intervals_has_no_gaps(count: int) -> None:
    found = find_gaps(every(count), counted(count), P)
    assert len(found) == 0
    assert found.at(0) is None
    assert GapFinder(every(count), None, P).after(0) is None


def test_a_time_knows_the_gap_it_lies_in() -> None:
    found = find_gaps(np.delete(every(20), [7, 12, 13]), None, P)
    assert [found.at(t) for t in (6 * P, 6 * P + 1, 8 * P, 12 * P)] == [None, 0, None, 1]
    assert [found.follow(i) for i in (5, 6, 7, 10, 16)] == [False, True, False, True, False]


def test_the_gaps_of_a_window_are_those_that_reach_into_it() -> None:
    found = find_gaps(np.delete(every(20), [3, 8]), None, P)
    assert found.lost[found.within(TimeWindow(3 * P, 3 * P + 1))].tolist() == [1]
    assert len(found.lost[found.within(TimeWindow(5 * P, 6 * P))]) == 0


tables = st.lists(
    st.tuples(st.sampled_from([0, 0.2, 1, 1, 1, 1, 1.4, 1.6, 2, 7, 40]), st.integers(-18, 25)),
    min_size=1,
    max_size=150,
).map(
    lambda rows: (
        stamps(*np.cumsum([interval for interval, _ in rows])),
        np.cumsum([1 if step % 3 else step for _, step in rows]).astype(np.int64),
    )
)


@given(tables, st.booleans(), st.integers(1, 40))
def test_pieces_and_single_frames_give_the_same_gaps_as_the_whole(
    table: tuple[NDArray[np.int64], NDArray[np.int64]], regular: bool, size: int
) -> None:
    finder = GapFinder(*table, P if regular else None)
    whole = finder.all()
    pieces = Gaps.joined([finder.among(range(i, i + size)) for i in range(0, len(table[0]), size)])
    singly = [finder.after(i) for i in range(len(table[0]))]
    expected = [whole[i] for i in range(len(whole))]
    assert [pieces[i] for i in range(len(pieces))] == expected
    assert [gap for gap in singly if gap is not None] == expected


def naive_gaps(timestamps_ns: list[int], sequence: list[int]) -> list[tuple[int, int, int]]:
    """The rule read aloud, without wraps, restarts and leaps: (before, by_sequence, by_interval)."""
    found = []
    for i in range(len(timestamps_ns) - 1):
        between = set(range(sequence[i] + 1, sequence[i + 1]))
        by_sequence = len(between - set(sequence[max(0, i - 16) : i + 18]))
        interval_ns = timestamps_ns[i + 1] - timestamps_ns[i]
        by_interval = (interval_ns + P // 2) // P - 1 if 2 * interval_ns > 3 * P else 0
        if by_sequence or by_interval:
            found.append((i, by_sequence, by_interval))
    return found


@given(st.lists(st.integers(1, 12), min_size=2, max_size=60), st.data())
def test_the_rule_holds_as_read_aloud(steps: list[int], data: Any) -> None:
    numbers = np.cumsum(steps)  # frames that arrived, of a regular sensor
    counter = numbers.copy()
    for _ in range(data.draw(st.integers(0, 3))):  # some arrived in another order
        at = data.draw(st.integers(0, len(numbers) - 2))
        if abs(counter[at + 1] - counter[at]) <= 12:
            counter[[at, at + 1]] = counter[[at + 1, at]]
    falls = np.diff(counter)
    counter = counter if len(falls) == 0 or falls.min() >= -16 else numbers
    timestamps_ns = (numbers * P).astype(np.int64)
    found = find_gaps(timestamps_ns, counter.astype(np.int64), P)
    told = list(
        zip(found.before.tolist(), found.by_sequence.tolist(), found.by_interval.tolist(), strict=True)
    )
    assert told == naive_gaps(timestamps_ns.tolist(), counter.tolist())


def real_gaps(seconds: NDArray[np.float64]) -> Gaps:
    timestamps_ns = np.sort((seconds * 1e9).round().astype(np.int64))
    period_ns = timing.period_ns(timestamps_ns) if timing.rate_hz(timestamps_ns) is not None else None
    return find_gaps(timestamps_ns, counted(len(timestamps_ns)), period_ns)


@needs_real
def test_a_real_imu_and_gps_lost_what_their_description_says() -> None:
    folder = REAL / "kitti_imu_gps"
    imu = real_gaps(np.loadtxt(folder / "KittiEquivBiasedImu.txt", skiprows=1)[:, 0])
    assert (imu.before[0], imu.lost.tolist()) == (0, [191, 1])
    gps = real_gaps(np.loadtxt(folder / "KittiGps_converted.txt", skiprows=1, delimiter=",")[:, 0])
    assert (gps.before.tolist(), gps.lost.tolist()) == ([0], [2])


@needs_real
def test_a_real_gnss_receiver_lost_nineteen_single_epochs() -> None:
    folder = REAL / "comma2k19_segment/40/processed_log/GNSS/live_gnss_ublox"
    found = real_gaps(np.load(folder / "t"))
    utc_ms = np.load(folder / "value")[:, 3]
    assert found.lost.tolist() == [1] * 19
    assert found.before.tolist() == np.flatnonzero(np.diff(utc_ms).round() > 150).tolist()


@needs_real
@pytest.mark.parametrize(
    "log",
    [
        "IMU/magnetometer",
        "IMU/accelerometer",
        "CAN/speed",
        "CAN/steering_angle",
        "CAN/radar",
        "GNSS/raw_gnss_ublox",
        "GNSS/raw_gnss_qcom",
        "GNSS/live_gnss_qcom",
    ],
)
def test_late_bursty_and_shared_stamps_of_real_sensors_are_no_gaps(log: str) -> None:
    assert len(real_gaps(np.load(REAL / "comma2k19_segment/40/processed_log" / log / "t"))) == 0
