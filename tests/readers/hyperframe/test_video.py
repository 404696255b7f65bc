from __future__ import annotations

import random
import threading
from pathlib import Path

import numpy as np
import pytest

from hfviewer.codecs.video.frames import LOSSY_LOG12
from hfviewer.core.depth import DepthScale
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import DepthFrame, ImageFrame
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.readers.hyperframe.stream import HyperframeStream
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from hfviewer.readers.registry import open_recording
from tests.video_clips import Clip, access_units, gray12_codes, patched, read_number, x264, x265

START_NS = 1_700_000_000_000_000_000
PERIOD_NS = 33_333_333


def write_video(path: Path, clip: Clip, kind: StreamKind, encoding: str, **more: object) -> Path:
    """Access units in order of arrival, stamped with the time of showing."""
    with HyperframeWriter(path, 100_000_000) as writer:
        description = StreamDescription(name="cam", kind=kind, encoding=encoding, **more)  # type: ignore[arg-type]
        writer.add_stream(description)
        for shown, is_key, unit in access_units(clip):
            writer.append("cam", START_NS + shown * PERIOD_NS, unit, keyframe=is_key)
    return path


def number(stream: HyperframeStream, index: int) -> int | None:
    frame = stream.read(index)
    assert isinstance(frame, ImageFrame)
    return read_number(frame.pixels)


@pytest.mark.parametrize(
    ("encoding", "clip"),
    [
        ("h264", x264(24, frames=72)),
        ("hevc", x265("keyint=24:min-keyint=24:scenecut=0:open-gop=1:repeat-headers=1", frames=72)),
    ],
)
def test_every_frame_of_a_video_stream_is_the_one_at_its_time(
    tmp_path: Path, encoding: str, clip: Clip
) -> None:
    path = write_video(tmp_path / "video.hfr", clip, StreamKind.IMAGE, encoding)
    with open_recording(path) as recording:
        stream = recording.stream("cam")
        assert isinstance(stream, HyperframeStream)
        assert bool((np.diff(stream.sequence) < 0).any())  # B frames: not in order of arrival
        rng = random.Random(3)
        for index in [*(rng.randrange(72) for _ in range(40)), *range(71, -1, -1), *range(72)]:
            assert number(stream, index) == index
            assert stream.read(index).timestamp_ns == START_NS + index * PERIOD_NS


def test_depth_in_hevc_gives_its_codes_and_what_they_mean(tmp_path: Path) -> None:
    clip = x265("lossless=1:keyint=12:range=full:repeat-headers=1", frames=24, pixel_format="gray12le")
    for unit_mm, scale in ((None, LOSSY_LOG12), (2.0, DepthScale(unit_mm=2.0))):
        path = tmp_path / f"depth {unit_mm}.hfr"
        write_video(path, clip, StreamKind.DEPTH, "hevc", depth_unit_mm=unit_mm)
        with open_recording(path) as recording:
            for index in (23, 5, 4, 12):
                frame = recording.stream("cam").read(index)
                assert isinstance(frame, DepthFrame)
                np.testing.assert_array_equal(frame.stored, gray12_codes(index, (160, 96)))
                assert frame.scale == scale


def test_a_damaged_unit_takes_only_those_with_it_that_build_on_it(tmp_path: Path) -> None:
    path = write_video(tmp_path / "video.hfr", x264(24, frames=72, b_frames=0), StreamKind.IMAGE, "h264")
    with open_recording(path) as recording:
        offset = int(recording.stream("cam").entries[30]["offset"])  # type: ignore[attr-defined]
    patched(path, lambda data: data.__setitem__(offset + 6, data[offset + 6] ^ 0xFF))
    with open_recording(path) as recording:
        stream = recording.stream("cam")
        assert isinstance(stream, HyperframeStream)
        with pytest.raises(FrameError, match=r"Frame 30 of 'cam'.*checksum"):
            stream.read(30)
        with pytest.raises(FrameError, match=r"Frame 40 of 'cam'.*builds on frame 30"):
            stream.read(40)
        assert [number(stream, i) for i in (29, 48, 0, 71)] == [29, 48, 0, 71]


def test_closing_the_recording_stops_decoding(tmp_path: Path) -> None:
    path = write_video(tmp_path / "video.hfr", x264(24, frames=72), StreamKind.IMAGE, "h264")
    recording = open_recording(path)
    stream = recording.stream("cam")
    for index in range(60, 50, -1):
        stream.read(index)
    recording.close()
    assert not [t for t in threading.enumerate() if t.name == "video-fetcher"]
    with pytest.raises(FrameError):
        stream.read(70)


def test_video_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = write_video(tmp_path / "video.hfr", x264(8, frames=8), StreamKind.IMAGE, "h264")

    def declare_depth(data: bytearray) -> None:
        at = data.index(b'"image"')
        data[at : at + 7] = b'"depth"'

    patched(path, declare_depth)
    with open_recording(path) as recording, pytest.raises(FrameError, match="unknown to this version"):
        recording.stream("cam").read(0)
