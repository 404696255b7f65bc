from __future__ import annotations

import av
import pytest

from hfviewer.codecs.video.decode_order import sorter_for
from tests.video_clips import Clip, access_units, x264, x265

X265 = "keyint=24:min-keyint=24:scenecut=0:repeat-headers=1"
STREAMS: dict[str, tuple[str, Clip]] = {
    "h264": ("h264", x264(24, frames=72, b_frames=3)),
    "h264 open GOP": ("h264", x264(24, frames=72, options={"x264-params": "open-gop=1:bframes=3"})),
    "h264 long GOP": (
        "h264",
        x264(100, frames=120, b_frames=8, options={"x264-params": "b-pyramid=strict:b-adapt=0"}),
    ),
    "h264 without B frames": ("h264", x264(24, frames=72, b_frames=0)),
    "hevc": ("hevc", x265(f"{X265}:open-gop=0:bframes=3", frames=72)),
    "hevc open GOP": ("hevc", x265(f"{X265}:open-gop=1:bframes=4:b-pyramid=1", frames=72)),
    "hevc leading pictures": ("hevc", x265(f"{X265}:open-gop=0:radl=2:bframes=3", frames=72)),
}


def shown_by_decoder(codec: str, units: list[bytes], numbers: list[int]) -> list[bytes]:
    """The pictures in the order of their numbers, decoded as given."""
    context = av.CodecContext.create(codec, "r")
    assert isinstance(context, av.VideoCodecContext)
    context.thread_count = 1
    pictures: dict[int | None, bytes] = {}
    for number, unit in [*zip(numbers, units, strict=True), (-1, None)]:
        packet = None if unit is None else av.Packet(unit)
        if packet is not None:
            packet.pts = number
        pictures.update((p.pts, p.to_ndarray().tobytes()) for p in context.decode(packet))
    return [pictures[number] for number in sorted(numbers)]


@pytest.mark.parametrize("name", list(STREAMS))
def test_units_in_the_order_of_display_decode_to_the_same_pictures_once_sorted(name: str) -> None:
    codec, clip = STREAMS[name]
    units = access_units(clip)
    expected = shown_by_decoder(codec, [unit[2] for unit in units], [unit[0] for unit in units])
    display = sorted(units, key=lambda unit: unit[0])
    packets = [(shown, av.Packet(data)) for shown, _, data in display]
    ordered = list(sorter_for(codec)(iter(packets)))  # type: ignore[arg-type]
    numbers = [number for number, _ in ordered]
    assert sorted(numbers) == list(range(clip.frames))
    assert shown_by_decoder(codec, [bytes(packet) for _, packet in ordered], numbers) == expected


@pytest.mark.parametrize("codec", ["h264", "hevc"])
def test_what_cannot_be_read_is_given_all_the_same(codec: str) -> None:
    packets = [(number, av.Packet(bytes([number] * 9))) for number in range(80)]
    ordered = list(sorter_for(codec)(iter(packets)))  # type: ignore[arg-type]
    assert sorted(number for number, _ in ordered) == list(range(80))
