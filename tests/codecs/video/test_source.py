from __future__ import annotations

from pathlib import Path

import pytest

from hfviewer.codecs.video.packet_table import PacketTable
from hfviewer.codecs.video.probe import probe
from hfviewer.codecs.video.source import FileSource
from hfviewer.core.errors import FrameError
from tests.video_clips import EDITS, RECIPES, Clip, shared_clip, write_clip, x264

CLIPS = [*RECIPES, *EDITS]


def source_of(path: Path) -> tuple[FileSource, PacketTable]:
    video = probe(path)
    track = video.tracks[0]
    return FileSource(path, video.container, track.number, track.table), track.table


@pytest.mark.parametrize("name", CLIPS)
def test_packets_from_a_key_frame_begin_there_and_follow_each_other(name: str) -> None:
    source, table = source_of(shared_clip(name))
    for key in reversed(table.keys.tolist()):
        numbered = source.packets_from(key)
        first, packet = next(numbered)
        assert (first, packet.size) == (key, table.sizes[key])
        assert [number for number, _ in numbered] == list(range(key + 1, table.packet_count))
    source.close()


def test_a_number_that_is_no_key_frame_is_reached_from_the_key_frame_before() -> None:
    source, table = source_of(shared_clip("b_frames.mp4"))
    between = int(table.keys[1]) + 5
    assert next(source.packets_from(between))[0] == between
    source.close()


def test_of_a_file_replaced_by_another_no_packet_is_taken_for_an_old_one(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "clip.mp4", x264(1, frames=12, b_frames=0))
    table = probe(path).tracks[0].table
    write_clip(path, Clip(codec="mjpeg", pixel_format="yuvj420p", frames=30))
    source = FileSource(path, "mp4", 0, table)
    with pytest.raises(FrameError, match="cannot be read up to there"):
        source.packets_from(10)
    source.close()


def test_a_file_that_is_no_video_any_more_is_a_frame_error(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "clip.mp4", Clip(frames=2))
    table = probe(path).tracks[0].table
    path.write_bytes(b"not a video")
    with pytest.raises(FrameError, match="cannot be opened"):
        FileSource(path, "mp4", 0, table)


def test_a_file_that_is_emptied_while_it_is_read_is_an_error_and_no_bug(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "emptied.mp4", x264(8, frames=24, b_frames=0))
    source, _ = source_of(path)
    data = path.read_bytes()
    path.write_bytes(b"")
    assert list(source._numbered(None)) == []  # it cannot be opened again
    path.write_bytes(data)
    assert next(source.packets_from(16))[0] == 16
    source.close()
