from __future__ import annotations

import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.errors import DamagedRecordingError, HfviewerError, UnfinishedRecordingError
from hfviewer.readers.hyperframe.layout import (
    ENTRY,
    ENTRY_STRUCT,
    HEADER_SIZE,
    Header,
    align,
    crc32,
    pack_header,
    parse_header,
)

_U32, _U64 = st.integers(0, 2**32 - 1), st.integers(0, 2**64 - 1)
headers = st.builds(
    Header,
    start_ns=st.integers(-(2**63), 2**63 - 1),
    window_ns=_U64,
    frame_count=_U32,
    stream_count=_U32,
    index_offset=_U64,
    index_size=_U64,
    meta_offset=_U64,
    meta_size=_U64,
    index_crc32=_U32,
    meta_crc32=_U32,
    revision=_U32,
    previous_footer_offset=_U64,
    footer_offset=_U64,
)


@given(headers)
def test_a_header_comes_back_as_it_was_packed(header: Header) -> None:
    block = pack_header(header)
    assert len(block) == HEADER_SIZE
    assert parse_header(block) == header


def test_every_field_lies_where_the_page_says() -> None:
    block = pack_header(
        Header(
            start_ns=1,
            window_ns=2,
            frame_count=3,
            stream_count=4,
            index_offset=5,
            index_size=6,
            meta_offset=7,
            meta_size=8,
            index_crc32=9,
            meta_crc32=10,
            revision=11,
            previous_footer_offset=12,
            footer_offset=13,
        )
    )
    assert block[:12] == b"HFRM" + struct.pack("<HHI", 1, 512, 0x80000003)
    assert struct.unpack_from("<QQII", block, 12) == (1, 2, 3, 4)
    assert struct.unpack_from("<QQQQ", block, 36) == (5, 6, 7, 8)
    assert struct.unpack_from("<III", block, 68) == (9, 10, 11)
    assert struct.unpack_from("<QQ", block, 80) == (12, 13)
    assert block[96:508] == bytes(412)
    assert struct.unpack_from("<I", block, 508) == (crc32(block[:508]),)


def test_an_entry_has_the_layout_of_the_page() -> None:
    packed = ENTRY_STRUCT.pack(1, 2, 3, -4, 5, 6, 7)
    assert ENTRY.itemsize == ENTRY_STRUCT.size == 32
    assert [ENTRY.fields[name][1] for name in ENTRY.names or ()] == [0, 2, 4, 8, 16, 24, 28]  # type: ignore[index]
    assert struct.unpack("<HHIqQII", packed) == (1, 2, 3, -4, 5, 6, 7)


def test_any_flipped_bit_of_a_header_is_noticed() -> None:
    header = Header(frame_count=3, index_offset=512, index_size=96, footer_offset=640)
    block = pack_header(header)
    for bit in range(8 * HEADER_SIZE):
        flipped = bytearray(block)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(HfviewerError):
            parse_header(bytes(flipped))


def test_an_unfinished_header_is_told_from_a_damaged_one() -> None:
    with pytest.raises(UnfinishedRecordingError, match="hfviewer recover"):
        parse_header(pack_header(Header(finalized=False)))
    with pytest.raises(DamagedRecordingError):
        parse_header(bytes(HEADER_SIZE))


def test_noise_is_never_anything_but_a_hfviewer_error() -> None:
    rng = random.Random(1)
    for _ in range(2000):
        block = bytearray(rng.randbytes(HEADER_SIZE))
        block[:8] = b"HFRM" + rng.choice([b"\x01\x00\x00\x02", b"\x00\x01\x02\x00", rng.randbytes(4)])
        with pytest.raises(HfviewerError):
            parse_header(bytes(block))


@given(st.integers(0, 2**60))
def test_aligning_goes_to_the_next_multiple_of_64(offset: int) -> None:
    aligned = align(offset)
    assert aligned % 64 == 0
    assert 0 <= aligned - offset < 64
