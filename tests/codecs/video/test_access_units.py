from __future__ import annotations

import functools
import random
import struct

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.codecs.video.access_units import AccessUnits, with_start_codes
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


@functools.cache
def encoded(name: str) -> list[tuple[int, bool, bytes]]:
    return access_units(STREAMS[name][1])


class Stored:
    """Access units as a container holds them: sorted by time, `sequence` in order of arrival."""

    def __init__(self, name: str) -> None:
        self.codec = STREAMS[name][0]
        units = encoded(name)
        pts = np.array([unit[0] for unit in units], np.int64)
        order = np.argsort(pts, kind="stable")
        self.payloads: list[bytes | None] = [units[i][2] for i in order]
        self.numbers = list(range(len(units)))
        self.timestamps_ns = pts[order] * 33_333_333
        self.sequence = order.astype(np.int64)
        self.is_key = np.array([units[i][1] for i in order], bool)
        self.reads = 0

    def drop(self, index: int) -> None:
        """Take one entry out."""
        del self.payloads[index], self.numbers[index]
        self.timestamps_ns = np.delete(self.timestamps_ns, index)
        self.sequence = np.delete(self.sequence, index)
        self.is_key = np.delete(self.is_key, index)

    def move(self, index: int, to: int) -> None:
        """Stamp one entry later: just before the one that stood at another place."""
        payload, number = self.payloads[index], self.numbers[index]
        sequence, is_key = self.sequence[index], self.is_key[index]
        late_ns = int(self.timestamps_ns[to]) - 1
        self.drop(index)
        self.payloads.insert(to - 1, payload)
        self.numbers.insert(to - 1, number)
        self.timestamps_ns = np.insert(self.timestamps_ns, to - 1, late_ns)
        self.sequence = np.insert(self.sequence, to - 1, sequence)
        self.is_key = np.insert(self.is_key, to - 1, is_key)

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


def shown_or_refused(stored: Stored) -> tuple[list[int], list[int]]:
    """Which entries are shown, each of which must be itself, and which are refused."""
    units = stored.open()
    shown, refused = [], []
    entries = list(range(len(stored.payloads)))
    random.Random(3).shuffle(entries)
    for index in entries:
        try:
            picture = to_pixels(units.picture(index))
        except FrameError:
            refused.append(index)
        else:
            assert read_number(picture) == stored.numbers[index]
            shown.append(index)
    units.close()
    return sorted(shown), sorted(refused)


def counted_otherwise(kind: str, sequence: NDArray[np.int64]) -> NDArray[np.int64]:
    if kind == "modulo 256":
        return (sequence + 230) % 256
    if kind == "starts again":
        return np.where(sequence < 41, sequence + 500, sequence - 41)
    if kind == "jumps":
        return np.where(sequence < 41, sequence, sequence + 100_000)
    changed = sequence.copy()
    if kind == "one far off":
        changed[30] = 1_000_000
    if kind == "always 0":
        changed[:] = 0
    return changed


@pytest.mark.parametrize("kind", ["modulo 256", "starts again", "jumps", "one far off", "always 0"])
@pytest.mark.parametrize("name", ["h264", "hevc open GOP"])
def test_whatever_the_counter_does_every_frame_is_shown(name: str, kind: str) -> None:
    stored = Stored(name)
    stored.sequence = counted_otherwise(kind, stored.sequence)
    assert shown_or_refused(stored) == (list(range(72)), [])


@pytest.mark.parametrize("name", ["h264", "hevc open GOP"])
def test_a_unit_stamped_late_is_shown_where_it_stands(name: str) -> None:
    stored = Stored(name)
    stored.move(21, 60)
    shown, refused = shown_or_refused(stored)
    assert refused == []
    assert len(shown) == 72


@pytest.mark.parametrize("name", list(STREAMS))
@pytest.mark.parametrize("has_counter", [True, False])
def test_without_one_unit_what_builds_on_it_is_refused_and_all_else_is_itself(
    name: str, has_counter: bool
) -> None:
    for lost in range(3, 40, 9):
        stored = Stored(name)
        stored.drop(lost)
        if not has_counter:  # as if the sensor had dropped it
            stored.sequence = np.argsort(np.argsort(stored.sequence))
        shown, refused = shown_or_refused(stored)
        assert set(range(49, 71)) <= set(shown), lost  # the last group of pictures is whole
        assert not refused or min(refused) >= lost - 8


@pytest.mark.parametrize("name", ["h264", "hevc open GOP"])
def test_units_in_a_wrong_order_are_refused_and_never_another_frame(name: str) -> None:
    for place in range(26, 40, 5):
        stored = Stored(name)
        stored.sequence[[place, place + 2]] = stored.sequence[[place + 2, place]]
        shown, _ = shown_or_refused(stored)
        assert set(range(49, 71)) <= set(shown), place


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
