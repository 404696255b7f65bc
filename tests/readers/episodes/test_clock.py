from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.readers.episodes.clock import (
    ClockMap,
    find_breaks,
    fit,
    is_capture_time,
    sane,
    unwrap_32,
    wall_to_ns,
)

T = 33_333_333
NONE = np.empty(0, np.intp)


def ticks(count: int, start: int = 0) -> NDArray[np.int64]:
    return start + np.arange(count, dtype=np.int64) * T


def test_wall_time_loses_no_more_than_the_file_lost() -> None:
    seconds = np.array([1_790_000_000.25, 0.1, np.nan, 1e300])
    assert wall_to_ns(seconds).tolist() == [1_790_000_000_250_000_000, 100_000_000, 0, 0]


def cut_to_32(stamps: NDArray[np.int64]) -> NDArray[np.int64]:
    return (stamps + (1 << 31)) % (1 << 32) - (1 << 31)


def test_stamps_cut_to_32_bit_are_made_whole() -> None:
    whole = ticks(400, 7_654_321_000)
    found, was_cut = unwrap_32(cut_to_32(whole))
    assert was_cut
    assert np.array_equal(np.diff(found), np.diff(whole))


def test_unknown_stamps_stay_unknown_while_the_others_are_made_whole() -> None:
    stamps = cut_to_32(ticks(400, 7_654_321_000))
    stamps[[3, 200]] = 0
    found, _ = unwrap_32(stamps)
    assert (found[[3, 200]] == 0).all()
    assert found[201] - found[199] == 2 * T


def test_a_true_hole_is_not_shrunk() -> None:
    whole = ticks(100, 4_000_000_000_000)
    whole[50:] += 4_680_000_000
    found, was_cut = unwrap_32(whole)
    assert not was_cut
    assert np.array_equal(found, whole)
    short = np.concatenate([ticks(20, 1), ticks(20, 1_900_000_000)])  # small numbers, but no wrap among them
    assert not unwrap_32(short)[1]


def captured(count: int = 100) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    relative = (ticks(count) / 1e9).astype(np.float32).astype(np.float64)
    return wall_to_ns(1_790_000_000.0 + relative), relative


def test_wall_time_is_that_of_capture_only_where_all_evidence_says_so() -> None:
    wall, relative = captured()
    assert is_capture_time(wall, relative, (1, 3, 17), has_raw=True)
    assert is_capture_time(wall, relative, (), has_raw=True)
    assert not is_capture_time(wall, relative, (1, 3, 16), has_raw=True)
    assert not is_capture_time(wall, relative, (1, 3, 17), has_raw=False)
    late = wall.copy()
    late[50] += 33_000_000  # it waited for its turn to be written
    assert not is_capture_time(late, relative, (1, 3, 17), has_raw=True)
    assert not is_capture_time(np.repeat(wall[::2], 2), relative, (1, 3, 17), has_raw=True)


def test_a_constant_offset_keeps_differences_to_the_nanosecond() -> None:
    device = ticks(100, 4_321_000_000_000)
    mapping = fit(device, device + 1_790_000_000_000_000_123, NONE, late=False)
    assert mapping is not None
    samples = np.array([4_321_000_000_001, 4_400_000_000_000], np.int64)
    assert (mapping.apply(samples) - samples).tolist() == [1_790_000_000_000_000_123] * 2


def test_of_rows_that_waited_to_be_written_the_quickest_counts() -> None:
    device = ticks(100)
    waited = np.random.default_rng(1).integers(2_000_000, 900_000_000, 100)
    waited[40] = 1_000_000
    mapping = fit(device, device + 10**18 + waited, NONE, late=True)
    assert mapping is not None
    assert 1_000_000 <= int(mapping.offsets_ns[0]) - 10**18 < 30_000_000


def test_drift_between_clocks_is_followed_in_long_episodes() -> None:
    device = np.arange(0, 600 * 10**9, T, dtype=np.int64)
    wall = 10**18 + device + device // 20_000  # 50 ppm: 30 ms in ten minutes
    mapping = fit(device, wall, NONE, late=False)
    assert mapping is not None
    assert np.abs(mapping.apply(device) - wall).max() < 1_000_000
    assert "drift" in mapping.words()


def test_a_clock_that_was_set_has_another_offset_from_there_on() -> None:
    wall = ticks(100)
    device = ticks(100, 10**12)
    device[60:] += 400_000_000
    breaks = find_breaks(device, wall, wall_is_true=True, samples_ns=None)
    assert breaks.tolist() == [60]
    mapping = fit(device, wall, breaks, late=False)
    assert mapping is not None
    assert np.array_equal(mapping.apply(device), wall)
    assert "-400.000 ms" in mapping.words()
    between = np.array([device[59] + 20_000_000, device[60] - 20_000_000])
    assert mapping.apply(between).tolist() == [wall[59] + 20_000_000, wall[60] - 20_000_000]


def test_where_rows_waited_a_leap_is_one_only_if_other_sensors_were_silent_too() -> None:
    wall, device = ticks(100), ticks(100, 10**12)
    device[60:] += 400_000_000

    def breaks(samples: NDArray[np.int64] | None) -> list[int]:
        return list(find_breaks(device, wall, wall_is_true=False, samples_ns=samples))

    leapt = np.concatenate([np.arange(10**12, int(device[59]) + T, 5_000_000), device[60:]])
    going_on = np.arange(10**12, int(device[-1]), 5_000_000)
    assert breaks(leapt) == [60]
    assert breaks(going_on) == []
    assert breaks(None) == []


def test_a_stall_in_both_clocks_is_no_step() -> None:
    wall, device = ticks(100), ticks(100, 10**12)
    wall[60:] += 500_000_000
    device[60:] += 500_000_000
    assert find_breaks(device, wall, wall_is_true=True, samples_ns=None).tolist() == []


def test_a_clock_that_starts_again_at_zero_has_no_single_map() -> None:
    device = np.concatenate([ticks(50, 10**9), ticks(50)])
    breaks = find_breaks(device, ticks(100), wall_is_true=False, samples_ns=None)
    assert breaks.tolist() == [50]
    assert fit(device, ticks(100), breaks, late=True) is None


def test_without_pairs_there_is_no_map() -> None:
    assert fit(np.empty(0, np.int64), np.empty(0, np.int64), NONE, late=True) is None
    assert ClockMap.constant(5).apply(np.array([1], np.int64)).tolist() == [6]


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_rows_have_no_breaks(count: int) -> None:
    assert find_breaks(ticks(count), ticks(count), wall_is_true=True, samples_ns=None).tolist() == []


def test_stamps_that_no_clock_gives_are_unknown_and_overflow_nothing() -> None:
    wild = np.array([2**63 - 1, -(2**63), 0, 4_000_000_000_000, 1_790_000_000_000_000_000], np.int64)
    assert sane(wild).tolist() == [0, 0, 0, 4_000_000_000_000, 1_790_000_000_000_000_000]
    mapped = ClockMap.constant(1_790_000_000_000_000_000).apply(wild)
    assert mapped[1] < mapped[3] < mapped[0]
