from __future__ import annotations

import shutil
from pathlib import Path

import av
import numpy as np
import pytest

from hfviewer.core.errors import DamagedRecordingError, NotARecordingError, UsageError
from hfviewer.core.frame import DepthFrame, ImageFrame
from hfviewer.readers.base import Match
from hfviewer.readers.registry import open_recording
from hfviewer.readers.video.reader import VideoFileReader
from tests.readers.conformance import ReaderConformance
from tests.video_clips import read_number, shared_clip, write_clip, x264


class TestConformance(ReaderConformance):
    format = "video"

    def make(self, folder: Path) -> Path:
        return Path(shutil.copy(shared_clip("picture_and_depth.mkv"), folder / "clip.mkv"))

    def damage(self, path: Path) -> None:
        path.write_bytes(path.read_bytes()[:100])


@pytest.mark.parametrize("suffix", ["mp4", "mov", "mkv", "avi"])
def test_a_video_file_opens_by_itself_as_a_recording(tmp_path: Path, suffix: str) -> None:
    path = write_clip(tmp_path / f"clip.{suffix}", x264(8, frames=16))
    with open_recording(path) as recording:
        description = recording.description
        assert (description.format, description.title) == ("video", path.name)
        assert description.findings == ()
        stream = recording.stream("video")
        assert "own" in stream.description.note
        assert stream.description.clock is None
        frame = stream.read(11)
        assert isinstance(frame, ImageFrame)
        assert read_number(frame.pixels) == 11


def test_each_track_is_a_stream() -> None:
    with open_recording(shared_clip("picture_and_depth.mkv")) as recording:
        assert list(recording.streams) == ["video/0", "video/1"]
        assert isinstance(recording.streams["video/1"].read(60), DepthFrame)


def test_the_content_decides_and_not_the_name(tmp_path: Path) -> None:
    path = Path(shutil.copy(shared_clip("b_frames.mp4"), tmp_path / "clip.bin"))
    with open_recording(path) as recording:
        assert recording.description.format == "video"
    reader = VideoFileReader()
    assert reader.sniff(path, path.read_bytes()[:4096]) is Match.BY_CONTENT
    assert reader.sniff(Path("x.MP4"), b"whatever") is Match.BY_NAME
    assert reader.sniff(Path("x.txt"), b"whatever") is Match.NO
    assert reader.sniff(Path("x.mp4"), b"") is Match.NO


def test_a_file_that_ends_early_opens_and_says_so(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "clip.mkv", x264(8, frames=24))
    path.write_bytes(path.read_bytes()[:-700])
    with open_recording(path) as recording:
        assert [finding.code for finding in recording.description.findings] == ["truncated"]
        assert not recording.description.finalized
        assert recording.stream("video").read(0) is not None


def test_a_video_that_was_never_finished_names_the_reason(tmp_path: Path) -> None:
    data = shared_clip("b_frames.mp4").read_bytes()
    path = tmp_path / "killed.mp4"
    path.write_bytes(data[: data.index(b"moov") - 4])
    with pytest.raises(DamagedRecordingError, match="never finished") as caught:
        open_recording(path)
    assert caught.value.remedy


def test_a_file_without_any_picture_is_no_recording(tmp_path: Path) -> None:
    path = tmp_path / "sound.mp4"
    with av.open(str(path), "w") as out:
        sound = out.add_stream("aac", rate=8000)
        samples = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        samples.sample_rate = 8000
        out.mux(sound.encode(samples))
        out.mux(sound.encode(None))
    with pytest.raises(NotARecordingError, match="holds no video") as caught:
        open_recording(path)
    assert caught.value.remedy


def test_a_revision_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no revisions"):
        open_recording(shared_clip("b_frames.mp4"), revision=2)
