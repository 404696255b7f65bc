from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.codecs.video.file_end import missing_end
from tests.video_clips import shared_clip

EBML = b"\x1a\x45\xdf\xa3\x84head"
SEGMENT = b"\x18\x53\x80\x67"


@pytest.mark.parametrize("name", ["milliseconds.mkv", "vp9.webm", "mjpeg.avi", "b_frames.avi"])
def test_whole_files_end_where_they_say_and_cut_ones_do_not(name: str) -> None:
    data = shared_clip(name).read_bytes()
    assert missing_end(data[:4096], len(data)) == ""
    assert missing_end(data[:4096], len(data) - 1) == f"1 of {len(data)} bytes are missing"


def test_a_segment_of_unknown_size_says_nothing() -> None:
    assert missing_end(EBML + SEGMENT + b"\x01" + b"\xff" * 7, 40) == ""
    assert missing_end(EBML + SEGMENT + b"\xff", 40) == ""


def test_a_segment_of_one_byte_of_size() -> None:
    head = EBML + SEGMENT + b"\x8a"
    assert missing_end(head, len(head) + 10) == ""
    assert missing_end(head, len(head) + 3) == f"7 of {len(head) + 10} bytes are missing"


def test_a_riff_file_counts_from_its_ninth_byte() -> None:
    assert missing_end(b"RIFF" + struct.pack("<I", 92) + b"AVI ", 100) == ""
    assert missing_end(b"RIFF" + struct.pack("<I", 93) + b"AVI ", 100) == "1 of 101 bytes are missing"


@given(st.binary(max_size=64), st.sampled_from([b"", b"RIFF", b"\x1a\x45\xdf\xa3", EBML + SEGMENT]))
def test_any_head_gives_an_answer(tail: bytes, start: bytes) -> None:
    assert isinstance(missing_end(start + tail, 10), str)
