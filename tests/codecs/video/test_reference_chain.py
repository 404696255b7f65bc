from __future__ import annotations

import functools
from pathlib import Path

import av
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hfviewer.codecs.video.nal_units import length_size, parameter_sets, units_of
from hfviewer.codecs.video.reference_chain import Link, ReferenceChain, chain_for
from tests.video_clips import RECIPES, Clip, access_units, shared_clip, x264, x265

PLAIN = [name for name in RECIPES if name not in ("mpeg4.avi", "mjpeg.avi", "vp9.webm", "av1.mp4")]
BYTE_STREAMS: dict[str, tuple[str, Clip]] = {
    "h264": ("h264", x264(24, frames=48)),
    "hevc": ("hevc", x265("keyint=24:min-keyint=24:scenecut=0:repeat-headers=1", frames=48)),
}
HEVC = "keyint=24:min-keyint=24:repeat-headers=1"
ENCODINGS: dict[str, tuple[str, Clip]] = {
    "fields": ("h264", x264(24, frames=60, options={"x264-params": "tff=1"})),
    "several slices": ("h264", x264(24, frames=60, options={"x264-params": "slices=4:aud=1"})),
    "16 references, 16 B frames": (
        "h264",
        x264(60, frames=60, b_frames=16, options={"x264-params": "ref=16:b-adapt=0:b-pyramid=strict"}),
    ),
    "weights": ("h264", x264(24, frames=60, options={"x264-params": "weightp=2:weightb=1:cqm=jvt"})),
    "4:4:4": ("h264", x264(24, frames=60, pixel_format="yuv444p")),
    "temporal layers": ("hevc", x265(f"{HEVC}:temporal-layers=3:bframes=4:b-pyramid=1", frames=60)),
    "leading pictures": ("hevc", x265(f"{HEVC}:open-gop=0:radl=2:bframes=3", frames=60)),
    "scaling lists": ("hevc", x265(f"{HEVC}:scaling-list=default:ref=5:bframes=8", frames=60)),
    "timing": ("hevc", x265(f"{HEVC}:aud=1:hrd=1:vbv-maxrate=2000:vbv-bufsize=2000", frames=60)),
}
COMPLAINTS = (Link.BROKEN, Link.BROKEN_ON)


@functools.cache
def units_of_stream(name: str) -> list[bytes]:
    return [unit[2] for unit in access_units(BYTE_STREAMS[name][1])]


def packets_and_chain(path: Path) -> tuple[list[bytes], ReferenceChain]:
    with av.open(str(path)) as opened:
        context = opened.streams.video[0].codec_context
        open_chain = chain_for(context.codec.canonical_name, context.extradata)
        assert open_chain is not None
        return [bytes(packet) for packet in opened.demux(video=0) if packet.size], open_chain()


def links(chain: ReferenceChain, packets: list[bytes]) -> list[Link]:
    chain.begin()
    return [chain.add(memoryview(packet), lost=0) for packet in packets]


@pytest.mark.parametrize("name", PLAIN)
def test_a_whole_stream_is_whole_from_every_key_frame_on(name: str) -> None:
    path = shared_clip(name)
    packets, chain = packets_and_chain(path)
    with av.open(str(path)) as opened:
        keys = [i for i, p in enumerate(p for p in opened.demux(video=0) if p.size) if p.is_keyframe]
    for key in keys[:4]:
        assert set(links(chain, packets[key:])) == {Link.WHOLE}


@pytest.mark.parametrize("name", ["b_frames.mp4", "x264_open_gop.mp4", "hevc10.mp4", "open_gop.mp4"])
def test_whatever_decodes_otherwise_without_one_packet_is_known(name: str) -> None:
    """FFmpeg's own pictures are the judge: those that change without a packet must be complained about."""
    path = shared_clip(name)
    packets, chain = packets_and_chain(path)
    whole = decoded(path, packets)
    for lost in range(5, 40, 3):
        rest = packets[:lost] + packets[lost + 1 :]
        numbers = [i for i in range(len(packets)) if i != lost]
        known: set[int] = set()
        lasting = False
        for number, link in zip(numbers, links(chain, rest), strict=True):
            lasting = lasting or link is Link.BROKEN_ON
            if lasting or link is Link.BROKEN:
                known.add(number)
        changed = {numbers[i] for i, picture in decoded(path, rest).items() if picture != whole[numbers[i]]}
        assert changed <= known, (name, lost)


def decoded(path: Path, packets: list[bytes]) -> dict[int, bytes]:
    """Pictures by the number of their packet."""
    with av.open(str(path)) as opened:
        context = opened.streams.video[0].codec_context
        context.thread_count = 1
        pictures: dict[int, bytes] = {}
        for number, data in enumerate([*packets, None]):
            packet = None if data is None else av.Packet(data)
            if packet is not None:
                packet.pts = number
            try:
                given_out = context.decode(packet)
            except av.error.FFmpegError:
                continue
            pictures.update((p.pts, p.to_ndarray().tobytes()) for p in given_out if p.pts is not None)
        return pictures


@pytest.mark.parametrize("name", list(ENCODINGS))
def test_what_encoders_can_do_is_understood(name: str) -> None:
    codec, clip = ENCODINGS[name]
    open_chain = chain_for(codec, None)
    assert open_chain is not None
    units = access_units(clip)
    assert links(open_chain(), [unit[2] for unit in units]) == [Link.WHOLE] * len(units)


@pytest.mark.parametrize("name", list(BYTE_STREAMS))
def test_units_in_the_order_of_display_do_not_fit(name: str) -> None:
    codec, clip = BYTE_STREAMS[name]
    open_chain = chain_for(codec, None)
    assert open_chain is not None
    units = access_units(clip)
    assert set(links(open_chain(), [unit[2] for unit in units])) == {Link.WHOLE}
    shown = [unit[2] for unit in sorted(units, key=lambda unit: unit[0])]
    assert set(links(open_chain(), shown)) & set(COMPLAINTS)


def test_as_many_lost_as_the_count_goes_round_in_is_never_whole() -> None:
    open_chain = chain_for("h264", None)
    assert open_chain is not None
    chain = open_chain()
    units = [unit[2] for unit in access_units(x264(48, frames=48, b_frames=0))]
    chain.begin()
    for unit in units[:10]:
        assert chain.add(memoryview(unit), lost=0) is Link.WHOLE
    assert chain.add(memoryview(units[26]), lost=0) is Link.WHOLE  # nothing in the stream tells
    chain.begin()
    for unit in units[:10]:
        chain.add(memoryview(unit), lost=0)
    assert chain.add(memoryview(units[26]), lost=16) is Link.BROKEN_ON


def test_other_codecs_are_not_followed() -> None:
    assert chain_for("av1", None) is None
    assert chain_for("mjpeg", b"\1" * 40) is None


@pytest.mark.parametrize("name", list(BYTE_STREAMS))
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_heads_get_an_answer(name: str, data: st.DataObject) -> None:
    open_chain = chain_for(BYTE_STREAMS[name][0], None)
    assert open_chain is not None
    chain = open_chain()
    chain.begin()
    for unit in units_of_stream(name)[:6]:
        broken = bytearray(unit[: data.draw(st.integers(0, 400))])
        for at in data.draw(st.lists(st.integers(0, 399), max_size=6)):
            if at < len(broken):
                broken[at] ^= data.draw(st.integers(1, 255))
        assert chain.add(memoryview(bytes(broken)), lost=0) in Link


@given(st.sampled_from(["h264", "hevc"]), st.binary(max_size=200))
def test_any_extradata_and_any_packet_get_an_answer(codec: str, data: bytes) -> None:
    for extradata in (data, b"\1" + data, None):
        open_chain = chain_for(codec, extradata)
        assert open_chain is not None
        assert open_chain().add(memoryview(data), lost=0) in Link
        assert len(list(parameter_sets(codec, extradata))) <= 1 + len(data)
        assert all(len(unit) for unit in units_of(memoryview(data), length_size(codec, extradata)))
