from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.codecs.video.packet_table import PacketTable, to_ns
from hfviewer.core.errors import DamagedRecordingError


def table(pts: list[int], keys: set[int], **more: object) -> PacketTable:
    return PacketTable.build(
        pts=np.array(pts, np.int64),
        is_key=np.array([i in keys for i in range(len(pts))], bool),
        sizes=np.arange(len(pts), dtype=np.int64) + 10,
        time_base=Fraction(1, 30),
        **more,  # type: ignore[arg-type]
    )


def test_frames_are_in_the_order_of_their_times_and_equal_times_in_that_of_decoding() -> None:
    packets = table([0, 3, 1, 1, 6, 4], {0})
    assert packets.order.tolist() == [0, 2, 3, 1, 5, 4]
    assert packets.frame_of.tolist() == [0, 3, 1, 2, 5, 4]


def test_packets_that_are_not_shown_are_no_frames() -> None:
    packets = table([0, 1, 2, 3], {0, 2}, shown=np.array([False, False, True, True]))
    assert packets.order.tolist() == [2, 3]
    assert packets.frame_of.tolist() == [-1, -1, 0, 1]
    assert packets.start_for(0) == 2


def test_decoding_starts_at_the_key_frame_before() -> None:
    packets = table(list(range(9)), {0, 4, 8})
    assert [packets.start_for(i) for i in range(9)] == [0, 0, 0, 0, 4, 4, 4, 4, 8]
    assert packets.start_for(8, earlier=1) == 4
    assert packets.start_for(4, earlier=9) == 0


def test_leading_pictures_of_an_open_gop_start_one_key_frame_earlier() -> None:
    # Decoded after the key frame (packet 3, shown at 5), shown before it.
    packets = table([0, 1, 2, 5, 3, 4, 6], {0, 3})
    assert [packets.start_for(i) for i in range(7)] == [0, 0, 0, 0, 0, 3, 3]


def test_without_any_key_frame_decoding_starts_at_the_first_packet() -> None:
    assert table([0, 1, 2], set()).start_for(2) == 0


def test_a_key_frame_outside_the_file_is_no_place_to_start() -> None:
    packets = table([0, 1, 2], {0, 1}, readable=np.array([True, False, True]))
    assert packets.start_for(2) == 0


def test_a_packet_is_known_by_its_place_its_size_and_then_its_time() -> None:
    packets = table([0, 1, 2, 3], {0}, positions=np.array([100, 50, 50, 200]))
    assert packets.packet_at(100, 10, None) == 0
    assert packets.packet_at(50, 12, 2) == 2
    assert packets.packet_at(50, 99, 2) is None
    assert packets.packet_at(51, 11, 1) is None
    twins = PacketTable.build(
        pts=np.array([7, 8]),
        is_key=np.ones(2, bool),
        sizes=np.array([5, 5]),
        time_base=Fraction(1),
        positions=np.array([50, 50]),
    )
    assert twins.packet_at(50, 5, 8) == 1
    assert twins.packet_at(50, 5, None) is None


@given(
    st.lists(st.integers(-(2**29), 2**29), max_size=20),
    st.fractions(min_value=Fraction(1, 10**6), max_value=10, max_denominator=10**6),
)
def test_nanoseconds_are_exact_to_the_half(times: list[int], base: Fraction) -> None:
    got = to_ns(np.array(times, np.int64), base)
    for value, time in zip(got.tolist(), times, strict=True):
        assert abs(Fraction(value) - time * base * 10**9) <= Fraction(1, 2)


def test_ticks_of_less_than_a_nanosecond_are_exact_too() -> None:
    base = Fraction(1, 2**33)
    assert to_ns(np.array([2**33, 2**32 + 1]), base).tolist() == [10**9, 5 * 10**8]


@pytest.mark.parametrize(
    ("time", "base"), [(2**62, Fraction(1)), (-(2**62), Fraction(1, 90)), (2**62, Fraction(7, 2))]
)
def test_a_time_beyond_all_nanoseconds_is_damage(time: int, base: Fraction) -> None:
    with pytest.raises(DamagedRecordingError):
        to_ns(np.array([0, time]), base)


def test_timestamps_of_display_order_never_fall() -> None:
    assert table([0, 90, 30, 60], {0}).timestamps_ns.tolist() == [0, 10**9, 2 * 10**9, 3 * 10**9]
