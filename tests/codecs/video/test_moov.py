from __future__ import annotations

import os
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from hfviewer.codecs.video import probe as probing
from hfviewer.codecs.video.boxes import Box, find, top_level, walk
from hfviewer.codecs.video.moov import SampleTable, read_moov
from hfviewer.codecs.video.probe import probe
from hfviewer.core.errors import DamagedRecordingError
from tests.video_clips import EDITS, RECIPES, patched, shared_clip, write_clip, x264

MP4 = [name for name in (*RECIPES, *EDITS) if name.endswith(".mp4")]
# Fragmented, or with edits that show only a part: FFmpeg must look at these.
NOT_SIMPLE = {"fragmented.mp4", "starts_at_ten.mp4", "two_parts.mp4", "stops_at_sixty.mp4"}


def tables(path: Path) -> dict[int, SampleTable | None]:
    fd = os.open(path, os.O_RDONLY)
    try:
        return read_moov(fd, top_level(fd, path.stat().st_size))
    finally:
        os.close(fd)


def place(path: Path, *kinds: bytes) -> Box:
    """Where a box of the first track lies in the file."""
    data = memoryview(path.read_bytes())
    moov = next(box for box in walk(data, 0, len(data)) if box.kind == b"moov")
    box = find(data, moov, b"trak", *kinds)
    assert box is not None
    return box


STBL = (b"mdia", b"minf", b"stbl")


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    return write_clip(tmp_path / "clip.mp4", x264(8, frames=24))


@pytest.mark.parametrize("name", MP4)
def test_the_sample_tables_say_what_a_pass_over_the_packets_says(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shared_clip(name)
    ours = probe(path).tracks[0]
    assert ours.from_moov == (name not in NOT_SIMPLE)
    probing.forget()
    monkeypatch.setattr(probing, "read_moov", lambda fd, top: {})
    passed = probe(path).tracks[0]
    probing.forget()
    assert not passed.from_moov
    for column in ("pts", "is_key", "sizes", "positions", "order", "readable"):
        np.testing.assert_array_equal(
            getattr(ours.table, column), getattr(passed.table, column), err_msg=column
        )
    assert ours.table.time_base == passed.table.time_base


def test_times_of_a_start_offset_begin_later() -> None:
    table = next(iter(tables(shared_clip("start_offset.mp4")).values()))
    assert table is not None
    first_ms = int(table.pts.min()) * 1000 / table.timescale
    assert first_ms == pytest.approx(95 * 1000 / 30, abs=1)  # the file counts empty edits in milliseconds


@pytest.mark.parametrize("kind", [b"stts", b"ctts", b"stss", b"stco", b"stsc", b"stsz"])
@pytest.mark.parametrize("count", [0, 1, 2**31, 2**32 - 1])
def test_a_table_with_a_false_count_is_not_taken(clip: Path, kind: bytes, count: int) -> None:
    at = place(clip, *STBL, kind).start + (8 if kind == b"stsz" else 4)
    before = struct.unpack_from(">I", clip.read_bytes(), at)[0]
    patched(clip, lambda data: struct.pack_into(">I", data, at, count))
    if kind == b"stsz" and count >= 2**31:
        with pytest.raises(DamagedRecordingError, match="claims to have"):
            tables(clip)
    elif count != before and not (kind == b"stss" and count == 1):  # fewer key frames contradict nothing
        assert list(tables(clip).values()) == [None]


def test_a_claim_allocates_nothing(clip: Path) -> None:
    at = place(clip, *STBL, b"stsz").start
    # All samples of one size, as many of them as the limit lets pass.
    patched(clip, lambda data: struct.pack_into(">II", data, at + 4, 1, 20_000_000))
    stts = place(clip, *STBL, b"stts").start
    patched(clip, lambda data: struct.pack_into(">I", data, stts + 8, 2**32 - 1))
    tracemalloc.start()
    try:
        assert list(tables(clip).values()) == [None]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 400 << 20


def test_key_frames_that_do_not_exist_are_not_taken(clip: Path) -> None:
    at = place(clip, *STBL, b"stss").start + 8
    patched(clip, lambda data: struct.pack_into(">I", data, at, 25))
    assert list(tables(clip).values()) == [None]


def test_a_box_that_reaches_beyond_its_parent_is_damage(clip: Path) -> None:
    at = place(clip, b"mdia").start - 8
    patched(clip, lambda data: struct.pack_into(">I", data, at, 2**31))
    with pytest.raises(DamagedRecordingError, match="larger than"):
        tables(clip)


def test_without_moov_there_are_no_tables(clip: Path) -> None:
    data = clip.read_bytes()
    clip.write_bytes(data[: data.index(b"moov") - 4])
    assert tables(clip) == {}
