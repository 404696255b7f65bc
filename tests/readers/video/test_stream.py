from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import av
import numpy as np
import pytest

from hfviewer.codecs.video.colour import Matrix
from hfviewer.codecs.video.frames import LOSSY_LOG12
from hfviewer.codecs.video.probe import probe
from hfviewer.core.depth import DepthScale, log12_from_millimetres
from hfviewer.core.errors import FrameError, UsageError
from hfviewer.core.frame import DepthFrame, ImageFrame
from hfviewer.core.stream import Clock, StreamDescription, StreamKind
from hfviewer.readers.video.stream import VideoStream, describe_track
from tests.video_clips import read_number, shared_clip, write_clip, x264, x265

START_NS = 1_700_000_000_000_000_000


def stream_of(path: Path, track: int = 0, **more: object) -> VideoStream:
    video = probe(path)
    found = video.tracks[track]
    return VideoStream(video, found, describe_track(found, "cam"), **more)  # type: ignore[arg-type]


def rows(count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Timestamps of a recorder's own, with a stall that the video does not show."""
    stamps_ns = START_NS + np.arange(count, dtype=np.int64) * 33_333_333
    stamps_ns[count // 2 :] += 4_700_000_000
    return stamps_ns


def number(stream: VideoStream, index: int) -> int | None:
    frame = stream.read(index)
    assert isinstance(frame, ImageFrame)
    return read_number(frame.pixels)


def test_a_description_says_what_the_track_is() -> None:
    description = stream_of(shared_clip("b_frames.mp4")).description
    assert (description.kind, description.encoding) == (StreamKind.IMAGE, "h264")
    assert (description.width, description.height, description.pixel_format) == (160, 96, "yuv420p")
    assert description.frame_count == 120
    assert description.rate_hz == pytest.approx(30, rel=1e-6)
    assert description.stored_bytes > 1000
    assert not description.guessed


def test_a_frame_carries_the_time_of_its_row_and_not_of_the_video() -> None:
    stamps_ns = rows(120)
    stream = stream_of(shared_clip("b_frames.mp4"), timestamps_ns=stamps_ns, sequence=np.arange(120) * 2)
    frame = stream.read(100)
    assert (frame.timestamp_ns, frame.sequence, frame.index) == (int(stamps_ns[100]), 200, 100)
    assert number(stream, 100) == 100
    assert stream.findings == ()


def test_fewer_frames_than_rows_are_a_finding_and_an_error_for_the_rest() -> None:
    stream = stream_of(shared_clip("b_frames.mp4"), timestamps_ns=rows(125))
    assert len(stream) == 125
    (finding,) = stream.findings
    assert finding.code == "count_mismatch"
    assert "125" in finding.message
    assert "120" in finding.message
    assert number(stream, 119) == 119
    with pytest.raises(FrameError, match="has 120 frames"):
        stream.read(120)


def test_more_frames_than_rows_are_a_finding() -> None:
    stream = stream_of(shared_clip("b_frames.mp4"), timestamps_ns=rows(118))
    assert [finding.code for finding in stream.findings] == ["count_mismatch"]


def test_rows_may_say_which_frame_is_theirs() -> None:
    # A depth stream that began three rows late.
    frames = np.arange(120) - 3
    stream = stream_of(
        shared_clip("b_frames.mp4"), timestamps_ns=rows(120), frame_numbers=np.maximum(frames, -1)
    )
    assert number(stream, 50) == 47
    with pytest.raises(FrameError, match="No frame of the video belongs"):
        stream.read(2)


def test_twelve_bit_grey_is_depth_in_logarithmic_codes() -> None:
    path = shared_clip("gray12.mp4")
    stream = stream_of(path)
    assert stream.description.kind is StreamKind.DEPTH
    assert stream.description.guessed
    frame = stream.read(60)
    assert isinstance(frame, DepthFrame)
    with av.open(str(path)) as opened:
        expected = [picture.to_ndarray() for picture in opened.decode(video=0)][60]
    np.testing.assert_array_equal(frame.stored, expected)
    assert frame.scale == LOSSY_LOG12
    millimetres = np.array([250, 1000, 4000], np.uint16)
    table = frame.scale.millimetre_table[log12_from_millimetres(millimetres)]
    assert np.abs(table.astype(int) - millimetres).max() <= 2
    assert int(frame.scale.millimetre_table[95]) == 0  # made of a pixel without a measurement


def test_sixteen_bit_grey_is_depth_in_millimetres_bit_for_bit() -> None:
    path = shared_clip("picture_and_depth.mkv")
    stream = stream_of(path, 1)
    with av.open(str(path)) as opened:
        expected = [picture.to_ndarray() for picture in opened.decode(opened.streams.video[1])]
    for index in (119, 0, 60, 59, 58):
        frame = stream.read(index)
        assert isinstance(frame, DepthFrame)
        np.testing.assert_array_equal(frame.stored, expected[index])
        assert frame.scale == DepthScale()


def test_a_declared_kind_and_scale_win_over_the_guess() -> None:
    video = probe(shared_clip("gray12.mp4"))
    declared = StreamDescription(name="d", kind=StreamKind.DEPTH, encoding="hevc", clock=Clock.HARDWARE)
    stream = VideoStream(video, video.tracks[0], declared, depth_scale=DepthScale(unit_mm=2.0))
    frame = stream.read(0)
    assert isinstance(frame, DepthFrame)
    assert frame.scale.unit_mm == 2.0
    assert stream.description.clock is Clock.HARDWARE
    as_image = VideoStream(
        video, video.tracks[0], StreamDescription(name="i", kind=StreamKind.IMAGE, encoding="hevc")
    ).read(0)
    assert isinstance(as_image, ImageFrame)
    assert as_image.pixels.dtype == np.uint16
    assert as_image.pixels.ndim == 2


def test_a_colour_track_declared_as_depth_is_an_error_of_its_frames() -> None:
    video = probe(shared_clip("b_frames.mp4"))
    declared = StreamDescription(name="d", kind=StreamKind.DEPTH, encoding="h264")
    with pytest.raises(FrameError, match="colour picture"):
        VideoStream(video, video.tracks[0], declared).read(0)


def test_the_caller_s_matrix_is_used_where_the_file_names_none(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "red.mp4", x265("keyint=1:qp=4", frames=1))
    plain, other = stream_of(path).read(0), stream_of(path, untagged=Matrix.BT709).read(0)
    assert isinstance(plain, ImageFrame)
    assert isinstance(other, ImageFrame)
    assert plain.pixels.shape == other.pixels.shape


def test_an_index_that_does_not_exist_is_a_usage_error() -> None:
    stream = stream_of(shared_clip("b_frames.mp4"))
    for index in (-1, 120):
        with pytest.raises(UsageError, match="0 to 119"):
            stream.read(index)


def test_errors_name_the_frame_the_stream_and_the_file(tmp_path: Path) -> None:
    path = write_clip(
        tmp_path / "cut.mp4", x264(8, frames=24, b_frames=0, container={"movflags": "faststart"})
    )
    path.write_bytes(path.read_bytes()[:-300])
    stream = stream_of(path)
    with pytest.raises(FrameError) as caught:
        stream.read(23)
    assert caught.value.line().startswith(f"{path}: Frame 23 of 'cam': The file ends before")
    (finding,) = stream.findings
    assert finding.code == "truncated"
    assert finding.last_frame == 23
    assert finding.first_frame is not None
    assert number(stream, finding.first_frame - 1) == finding.first_frame - 1
    assert finding.start_ns == int(stream.timestamps_ns[finding.first_frame])


def test_many_threads_read_one_stream() -> None:
    stream = stream_of(shared_clip("b_frames.mp4"))
    frames = [i * 37 % 120 for i in range(240)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda i: number(stream, i), frames)) == frames
    stream.close()


def test_after_closing_reading_is_a_frame_error() -> None:
    stream = stream_of(shared_clip("b_frames.mp4"))
    assert number(stream, 3) == 3
    stream.close()
    stream.close()
    with pytest.raises(FrameError, match="closed"):
        stream.read(4)
