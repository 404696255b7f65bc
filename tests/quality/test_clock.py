from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.quality.stream_timing import StreamTiming, look_at
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns

P = 33_333_333
HOUR_NS = 3_600_000_000_000


def sorted_stream(name: str, arrived_ns: NDArray[np.int64], numbers: NDArray[np.int64]) -> FakeStream:
    """As readers hand it over: sorted by time, the counter keeping the order of arrival."""
    order = np.lexsort((numbers, arrived_ns))
    return FakeStream(name, arrived_ns[order], sequence=numbers[order])


def timing_of(arrived_ns: NDArray[np.int64], *others: FakeStream, lost: tuple[int, ...] = ()) -> StreamTiming:
    numbers = np.delete(np.arange(len(arrived_ns)), lost)
    stream = sorted_stream("cam", np.delete(arrived_ns, lost), numbers)
    return look_at(FakeRecording(stream, *others))["cam"]


def other(count: int = 6000, period_ns: int = 10_000_000) -> FakeStream:
    return FakeStream("imu", regular_ns(count, period_ns))


@pytest.mark.parametrize("hours", [-1, 1, -30, 30, -1_000, 1_000])
@pytest.mark.parametrize("alone", [True, False])
def test_a_clock_that_was_set_is_one_step_and_loses_nothing(hours: int, alone: bool) -> None:
    arrived_ns = regular_ns(1800, P)
    arrived_ns[700:] += hours * HOUR_NS
    seen = timing_of(arrived_ns, *([] if alone else [other()]))
    assert seen.clock is not None
    (step,) = seen.clock.steps
    assert abs(step.size_ns - hours * HOUR_NS) <= P
    assert (seen.sequence[step.before], seen.sequence[step.after]) == (699, 700)
    assert len(seen.clock.strays) == len(seen.gaps.all()) == len(seen.disorder().late) == 0


def test_a_clock_set_back_by_less_than_what_was_recorded_interleaves_and_still_loses_nothing() -> None:
    arrived_ns = regular_ns(1800, P)
    arrived_ns[1000:] -= 5_000_000_000
    seen = timing_of(arrived_ns, other(), lost=(200, 201, 202, 990, 1100))
    assert seen.clock is not None
    assert len(seen.clock.steps) == 1
    gaps = seen.gaps.all()
    assert sorted(gaps.lost.tolist()) == [1, 1, 3]
    assert sorted(seen.sequence[gaps.before].tolist()) == [199, 989, 1099]
    assert gaps.by_sequence.tolist() == gaps.by_interval.tolist()
    assert len(seen.disorder().late) == 0


def test_a_silent_sensor_lost_its_frames_while_the_others_went_on() -> None:
    arrived_ns = np.delete(regular_ns(1800, P), range(600, 1000))
    seen = timing_of(arrived_ns, other())
    assert seen.clock is None
    assert seen.gaps.all().lost.tolist() == [400]


def test_a_leap_beyond_the_end_of_all_others_is_the_clock_s() -> None:
    arrived_ns = regular_ns(1800, P)
    arrived_ns[900:] += 10_000_000_000
    seen = timing_of(arrived_ns, other())
    assert seen.clock is not None
    assert len(seen.gaps.all()) == 0
    assert timing_of(arrived_ns).gaps.all().lost.tolist() == [300]  # alone, nobody can tell


@pytest.mark.parametrize("stamp_ns", [0, 1_000_000_000, START_NS - 86_400_000_000_000, 2**62])
@pytest.mark.parametrize("at", [0, 5, 900, 1799])
def test_one_bad_stamp_is_named_and_its_frame_is_not_lost(stamp_ns: int, at: int) -> None:
    arrived_ns = regular_ns(1800, P)
    arrived_ns[at] = stamp_ns
    seen = timing_of(arrived_ns, other(), lost=(300, 301))
    assert seen.clock is not None
    assert seen.sequence[seen.clock.strays].tolist() == [at]
    assert abs(int(seen.clock.expected_ns[0]) - (START_NS + at * P)) < P
    assert seen.clock.steps == ()
    gaps = seen.gaps.all()
    assert (gaps.lost.tolist(), seen.sequence[gaps.before].tolist()) == ([2], [299])


def test_a_frame_lost_beside_a_bad_stamp_is_still_lost() -> None:
    arrived_ns = regular_ns(1800, P)
    arrived_ns[900] = 0
    gaps = timing_of(arrived_ns, other(), lost=(899, 901)).gaps.all()
    assert gaps.lost.tolist() == [2]


def test_pieces_give_the_same_gaps_and_the_same_disorder_as_the_whole() -> None:
    arrived_ns = regular_ns(1800, P)
    arrived_ns[1000:] -= HOUR_NS
    arrived_ns[400] = arrived_ns[399]
    seen = timing_of(arrived_ns, other(), lost=(200, 1500, 1501))
    pieces = [seen.gaps.among(range(i, i + 97)) for i in range(0, 1800, 97)]
    assert sum(len(p) for p in pieces) == len(seen.gaps.all()) == 2
    assert np.concatenate([p.before for p in pieces]).tolist() == seen.gaps.all().before.tolist()
    assert sum(seen.disorder(range(i, i + 97)).repeats for i in range(0, 1800, 97)) == 1


def test_a_counter_that_was_started_anew_is_no_clock_that_was_set() -> None:
    numbers = np.concatenate([np.arange(900), np.arange(900)])
    seen = look_at(FakeRecording(FakeStream("cam", regular_ns(1800, P), sequence=numbers)))["cam"]
    assert seen.clock is None
    assert len(seen.gaps.all()) == 0


def test_a_narrow_counter_is_followed_across_its_wrap() -> None:
    numbers = np.delete(np.arange(2000), [255, 256, 700]) % 256
    stamps_ns = np.delete(regular_ns(2000, P), [255, 256, 700])
    seen = look_at(FakeRecording(FakeStream("cam", stamps_ns, sequence=numbers)))["cam"]
    assert seen.width == 256
    assert seen.gaps.all().by_sequence.tolist() == [2, 1]
