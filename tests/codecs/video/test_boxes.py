from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.codecs.video.boxes import Box, TopLevel, find, top_level, walk
from hfviewer.core.errors import DamagedRecordingError


def box(kind: bytes, body: bytes = b"") -> bytes:
    return struct.pack(">I4s", 8 + len(body), kind) + body


def top(path: Path, data: bytes) -> TopLevel:
    path.write_bytes(data)
    fd = os.open(path, os.O_RDONLY)
    try:
        return top_level(fd, len(data))
    finally:
        os.close(fd)


def test_boxes_follow_one_another() -> None:
    data = memoryview(box(b"free", b"abc") + box(b"mdat") + struct.pack(">I4sQ", 1, b"wide", 20) + b"1234")
    assert list(walk(data, 0, len(data))) == [
        Box(b"free", 8, 11),
        Box(b"mdat", 19, 19),
        Box(b"wide", 35, 39),
    ]


def test_a_box_of_size_zero_reaches_to_the_end() -> None:
    data = memoryview(struct.pack(">I4s", 0, b"mdat") + b"12345")
    assert list(walk(data, 0, len(data))) == [Box(b"mdat", 8, 13)]


def test_a_box_is_found_by_its_path() -> None:
    data = memoryview(box(b"trak", box(b"tkhd", b"x") + box(b"mdia", box(b"mdhd", b"yz"))))
    whole = Box(b"moov", 0, len(data))
    found = find(data, whole, b"trak", b"mdia", b"mdhd")
    assert found is not None
    assert bytes(data[found.start : found.stop]) == b"yz"
    assert find(data, whole, b"trak", b"minf", b"stbl") is None


@pytest.mark.parametrize(
    "data",
    [
        struct.pack(">I4s", 7, b"mdat"),  # shorter than its own head
        struct.pack(">I4s", 9, b"mdat"),  # longer than what holds it
        struct.pack(">I4sQ", 1, b"mdat", 15),  # 64-bit size shorter than its own head
        struct.pack(">I4sI", 1, b"mdat", 0),  # 64-bit size cut off
        struct.pack(">I4sQ", 1, b"mdat", 2**64 - 1),
    ],
)
def test_an_impossible_size_is_damage(data: bytes) -> None:
    with pytest.raises(DamagedRecordingError):
        list(walk(memoryview(data), 0, len(data)))


@given(st.binary(max_size=200))
def test_any_bytes_are_walked_to_an_end_inside_them(data: bytes) -> None:
    try:
        boxes = list(walk(memoryview(data), 0, len(data)))
    except DamagedRecordingError:
        return
    for inner in boxes:
        assert 8 <= inner.start <= inner.stop <= len(data)
    assert [b.stop for b in boxes] == sorted(b.stop for b in boxes)


def test_the_top_level_says_what_is_there(tmp_path: Path) -> None:
    found = top(tmp_path / "a", box(b"ftyp", b"isom") + box(b"mdat", b"1234") + box(b"moov", b"56"))
    assert found == TopLevel(Box(b"moov", 32, 34), media=True, fragmented=False, damage="")


def test_a_cut_box_is_said_and_not_believed(tmp_path: Path) -> None:
    found = top(tmp_path / "a", box(b"ftyp", b"isom") + struct.pack(">I4s", 4_000_000_000, b"moov") + b"xx")
    assert found.moov is None
    assert "moov" in found.damage


def test_a_million_tiny_boxes_end_the_walk(tmp_path: Path) -> None:
    found = top(tmp_path / "a", box(b"free") * 100_000 + box(b"moov"))
    assert found.moov is None
    assert found.damage
