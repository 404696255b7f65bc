from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.codecs.video.bits import BitReader, HeaderError, unescaped


def golomb(value: int) -> str:
    digits = f"{value + 1:b}"
    return "0" * (len(digits) - 1) + digits


def packed(digits: str) -> bytes:
    digits += "0" * (-len(digits) % 8)
    return int("1" + digits, 2).to_bytes(len(digits) // 8 + 1, "big")[1:]


@given(st.lists(st.integers(0, 2**32 - 2), max_size=20))
def test_unsigned_codes_come_back(values: list[int]) -> None:
    bits = BitReader(packed("".join(map(golomb, values))))
    assert [bits.unsigned(2**32) for _ in values] == values


def test_signed_codes_alternate() -> None:
    bits = BitReader(packed("".join(map(golomb, range(6)))))
    assert [bits.signed() for _ in range(6)] == [0, 1, -1, 2, -2, 3]


def test_bits_and_flags() -> None:
    bits = BitReader(bytes([0b10110100, 0xFF]))
    assert (bits.bits(3), bits.flag(), bits.flag(), bits.bits(0)) == (5, True, False, 0)
    bits.skip(3)
    assert bits.bits(8) == 255
    with pytest.raises(HeaderError):
        bits.bits(1)


@pytest.mark.parametrize("data", [b"", b"\0", b"\0" * 40, b"\0\0\0\0\xff\xff\xff\xff\xff"])
def test_what_ends_early_or_is_absurd_is_an_error(data: bytes) -> None:
    with pytest.raises(HeaderError):
        BitReader(data).unsigned(1000)


def test_escapes_are_taken_out() -> None:
    assert unescaped(b"\x67\0\0\3\1\0\0\3\0\0\3\3") == b"\x67\0\0\1\0\0\0\0\3"
