from __future__ import annotations

import random
import struct

import av
import numpy as np
import pytest

from hfviewer.codecs.video.access_units import AccessUnits, arrival_order, with_start_codes
from hfviewer.codecs.video.colour import to_pixels
from hfviewer.core.errors import FrameError
from tests.video_clips import Clip, access_units, read_number, x264, x265

X265 = "keyint=24:min-keyint=24:scenecut=0:repeat-headers=1"
STREAMS: dict[str, tuple[str, Clip]] = {
    "h264": ("h264", x264(24, frames=72)),
    "h264 without B frames": ("h264", x264(24, frames=72, b_frames=0)),
    "hevc open GOP": ("hevc", x265(f"{X265}:open-gop=1:bframes=3", frames=72)),
    "hevc gray12": ("hevc", x265(f"{X265}:qp=6:range=full", frames=72, pixel_format="gray12le")),
}


class Stored:
    """Access units as a container holds them: sorted by time, `sequence` in order of arrival."""

    def __init__(self, name: str) -> None:
        self.codec, clip = STREAMS[name]
        units = access_units(clip)
        pts = np.array([unit[0] for unit in units], np.int64)
        order = np.argsort(pts, kind="stable")
        self.payloads: list[bytes | None] = [units[i][2] for i in order]
        self.timestamps_ns = pts[order] * 33_333_333
        self.sequence = order.astype(np.int64)
        self.is_key = np.array([units[i][1] for i in order], bool)
        self.reads = 0

    def payload(self, index: int) -> bytes:
        self.reads += 1
        payload = self.payloads[index]
        if payload is None:
            raise FrameError("Its bytes are damaged (checksum).")
        return payload

    def open(self) -> AccessUnits:
        return AccessUnits(
            self.codec,
            self.payload,
            timestamps_ns=self.timestamps_ns,
            sequence=self.sequence,
            is_key=self.is_key,
        )


def number(units: AccessUnits, index: int) -> int | None:
    return read_number(to_pixels(units.picture(index)))


@pytest.mark.parametrize("name", list(STREAMS))
def test_every_frame_of_a_container_s_stream_is_the_one_that_was_asked_for(name: str) -> None:
    stored = Stored(name)
    units = stored.open()
    rng = random.Random(name)
    frames = [*(rng.randrange(72) for _ in range(60)), *range(71, -1, -1), *range(72)]
    assert [number(units, i) for i in frames] == frames
    units.close()


def test_gray12_codes_are_exact() -> None:
    stored = Stored("hevc gray12")
    decoder = av.CodecContext.create("hevc", "r")
    assert isinstance(decoder, av.VideoCodecContext)
    decoder.thread_count = 1
    arrival = np.argsort(stored.sequence)
    pictures = [p for i in arrival for p in decoder.decode(av.Packet(stored.payload(int(i))))]
    pictures += decoder.decode(None)
    units = stored.open()
    for index in (71, 0, 30, 29):
        np.testing.assert_array_equal(to_pixels(units.picture(index)), pictures[index].to_ndarray())


def test_lengths_instead_of_start_codes_are_understood() -> None:
    stored = Stored("h264")
    for i, payload in enumerate(stored.payloads):
        assert payload is not None
        parts = [p for p in payload.replace(b"\0\0\0\1", b"\0\0\1").split(b"\0\0\1") if p]
        stored.payloads[i] = b"".join(struct.pack(">I", len(part)) + part for part in parts)
    units = stored.open()
    assert [number(units, i) for i in (50, 3, 71)] == [50, 3, 71]


@pytest.mark.parametrize("payload", [b"\xff" * 20, b"\0\0\0\x63abc", b"ab", b"\0\0\0\0\0\0\0\0"])
def test_what_is_no_access_unit_is_an_error(payload: bytes) -> None:
    with pytest.raises(FrameError, match="access unit"):
        with_start_codes(payload)


def test_a_unit_that_cannot_be_read_says_why_and_those_that_build_on_it_say_that() -> None:
    stored = Stored("h264 without B frames")
    stored.payloads[30] = None
    units = stored.open()
    with pytest.raises(FrameError, match="checksum"):
        units.picture(30)
    with pytest.raises(FrameError, match="builds on frame 30"):
        units.picture(35)
    assert [number(units, i) for i in (29, 24, 48, 71, 0)] == [29, 24, 48, 71, 0]


def test_without_key_flags_decoding_begins_at_the_first_unit() -> None:
    stored = Stored("h264")
    stored.is_key[:] = False
    units = stored.open()
    assert number(units, 60) == 60


def test_a_sensor_s_counter_with_gaps_still_says_the_order_of_arrival() -> None:
    sequence = np.array([10, 14, 12, 13, 20, 18], np.int64)
    assert arrival_order(sequence).tolist() == [0, 2, 3, 1, 5, 4]


def test_a_counter_that_starts_again_is_followed_on_both_sides() -> None:
    sequence = np.concatenate([np.arange(1000, 1200), [0, 2, 3, 1], np.arange(4, 200)])
    assert arrival_order(sequence).tolist() == [*range(200), 200, 203, 201, 202, *range(204, 400)]
    assert arrival_order(np.empty(0, np.int64)).tolist() == []


@pytest.mark.parametrize("value", [10**9, 0])
@pytest.mark.parametrize("place", range(118, 126))
def test_one_number_far_off_disturbs_its_own_neighbourhood_only(place: int, value: int) -> None:
    group = np.array([0, 2, 3, 1])  # P B B P, as displayed
    sequence = np.concatenate([1000 + 4 * k + group for k in range(60)])
    expected = arrival_order(sequence)
    assert expected[:4].tolist() == [0, 3, 1, 2]
    sequence[place] = value
    order = arrival_order(sequence)
    assert sorted(order.tolist()) == list(range(240))
    first_of_group = place - place % 4
    assert set(np.flatnonzero(order != expected)) <= set(range(first_of_group, first_of_group + 4))


def test_a_counter_without_meaning_leaves_the_order_of_time() -> None:
    sequence = np.stack([np.arange(200), np.arange(200) + 50], axis=1).ravel()
    sequence = np.concatenate([np.arange(0, 20_000, 100), sequence])
    order = arrival_order(sequence)
    assert sorted(order.tolist()) == list(range(600))
    assert int(np.abs(order - np.arange(600)).max()) <= 64


def test_one_number_far_off_leaves_the_other_groups_of_pictures_as_they_are() -> None:
    stored = Stored("h264")
    stored.sequence[5] = 1_000_000  # in the first group of three
    units = stored.open()
    others = list(range(24, 72))
    assert [number(units, i) for i in others] == others


def test_decoders_go_away_while_their_threads_hold_packets() -> None:
    stored = Stored("h264")
    for _ in range(20):
        units = stored.open()
        assert number(units, 40) == 40
        units.close()
        del units


def test_after_closing_reading_is_an_error() -> None:
    units = Stored("h264").open()
    assert number(units, 5) == 5
    units.close()
    with pytest.raises(FrameError, match="closed"):
        units.picture(6)
