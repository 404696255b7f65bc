from __future__ import annotations

from pathlib import Path

import av
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.codecs.video.references import ReferenceTest, reference_test
from tests.video_clips import access_units, shared_clip, x264

AVCC = bytes([1, 100, 0, 11, 0xFF, 0xE1, 0, 0, 0])
HVCC = bytes([1, *[0] * 20, 0b00001111, 0])  # one temporal layer, lengths of four bytes


def unneeded(path: Path, test: ReferenceTest | None) -> set[int]:
    """Numbers of the packets that can be left out, in decode order."""
    assert test is not None
    with av.open(str(path)) as opened:
        packets = [packet for packet in opened.demux(video=0) if packet.size]
        return {number for number, packet in enumerate(packets) if not test(memoryview(packet))}


def left_by_ffmpeg(path: Path) -> set[int]:
    """Numbers of the packets of which FFmpeg gives no picture when told to leave out what is not needed."""
    with av.open(str(path)) as opened:
        stream = opened.streams.video[0]
        stream.codec_context.skip_frame = "NONREF"
        given_out: set[int | None] = set()
        number = 0
        for packet in opened.demux(stream):
            if packet.size:
                packet.pts = number
                number += 1
            given_out.update(p.pts for p in stream.codec_context.decode(packet if packet.size else None))
        return set(range(number)) - {n for n in given_out if n is not None}


@pytest.mark.parametrize(
    "name", ["b_frames.mp4", "x264_open_gop.mp4", "milliseconds.mkv", "long_gop.mp4", "hevc10.mp4"]
)
def test_the_packets_left_out_are_those_that_ffmpeg_leaves_out(name: str) -> None:
    path = shared_clip(name)
    with av.open(str(path)) as opened:
        context = opened.streams.video[0].codec_context
        test = reference_test(context.codec.canonical_name, context.extradata)
    found = unneeded(path, test)
    assert found
    assert found == left_by_ffmpeg(path)


def test_units_with_start_codes_are_read_too() -> None:
    test = reference_test("h264", None)
    assert test is not None
    units = access_units(x264(12, frames=24))
    assert all(test(memoryview(data)) for _, is_key, data in units if is_key)
    assert not all(test(memoryview(data)) for _, _, data in units)


def test_hevc_with_several_temporal_layers_leaves_nothing_out() -> None:
    assert reference_test("hevc", HVCC) is not None
    assert reference_test("hevc", HVCC[:21] + bytes([0b00010111, 0])) is None
    assert reference_test("hevc", None) is None


def test_other_codecs_leave_nothing_out() -> None:
    for codec in ("av1", "vp9", "ffv1", "mjpeg", "mpeg4"):
        assert reference_test(codec, AVCC) is None


@given(st.sampled_from([("h264", AVCC), ("h264", None), ("hevc", HVCC)]), st.binary(max_size=80))
def test_any_packet_gets_an_answer(stream: tuple[str, bytes | None], data: bytes) -> None:
    test = reference_test(*stream)
    assert test is not None
    assert test(memoryview(data)) in (True, False)


def test_a_packet_without_a_slice_is_kept() -> None:
    for codec, extradata in (("h264", AVCC), ("hevc", HVCC)):
        test = reference_test(codec, extradata)
        assert test is not None
        assert test(memoryview(b""))
        assert test(memoryview(b"\0\0\0\2\x67\x00"))
