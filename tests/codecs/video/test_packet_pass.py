from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest

from hfviewer.codecs.video.packet_pass import PacketList, in_order_of_decoder, pass_over
from tests.video_clips import shared_clip, shown_numbers


def packets(pts: list[int | None], dts: list[int | None]) -> PacketList:
    count = len(pts)
    return PacketList(
        pts=pts,
        dts=dts,
        positions=list(range(count)),
        sizes=[5] * count,
        is_key=[True] * count,
        is_discard=[False] * count,
        is_corrupt=[False] * count,
    )


def test_a_missing_time_is_that_of_decoding_else_one_later_than_the_one_before() -> None:
    table = packets([0, None, 8, None], [-2, 4, 6, None]).table(Fraction(1, 10), by_dts=False)
    assert table.pts.tolist() == [0, 4, 8, 9]


def test_a_format_without_times_of_showing_goes_by_those_of_decoding() -> None:
    table = packets([9, 7, None], [0, 1, 2]).table(Fraction(1, 10), by_dts=True)
    assert table.pts.tolist() == [0, 1, 2]


def test_discarded_packets_are_no_frames_and_corrupt_ones_not_readable() -> None:
    found = packets([0, 1, 2], [0, 1, 2])
    found.is_discard[0] = True
    found.is_corrupt[2] = True
    table = found.table(Fraction(1, 10), by_dts=False)
    assert table.order.tolist() == [1, 2]
    assert table.readable.tolist() == [True, True, False]


def test_one_pass_finds_the_packets_of_every_track() -> None:
    with av.open(str(shared_clip("picture_and_depth.mkv"))) as opened:
        found = pass_over(opened, list(opened.streams.video))
    assert [len(track.sizes) for track in found] == [120, 120]
    assert not any(track.stopped for track in found)


@pytest.mark.parametrize("name", ["b_frames.avi", "mpeg4.avi"])
def test_avi_frames_are_in_the_order_of_showing_though_the_file_does_not_say_it(name: str) -> None:
    path = shared_clip(name)
    with av.open(str(path)) as opened, av.open(str(path)) as again:
        stream = opened.streams.video[0]
        (found,) = pass_over(opened, [stream])
        by_dts = found.table(stream.time_base or Fraction(1), by_dts=True)
        shown = in_order_of_decoder(again, again.streams.video[0], by_dts)
    assert by_dts.order.tolist() == list(range(120))
    assert sorted(shown.order.tolist()) == list(range(120))
    assert shown.order.tolist() != by_dts.order.tolist()
    np.testing.assert_array_equal(shown.timestamps_ns, by_dts.timestamps_ns)
    assert shown_numbers(path) == list(range(120))
