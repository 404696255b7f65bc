from __future__ import annotations

import math

import numpy as np
import pytest

from hfviewer.core.depth import CODE_COUNT, DepthScale, log12_from_millimetres

ALL_CODES = np.arange(CODE_COUNT, dtype=np.uint16)


def scalar_log12_code(millimetre: int) -> int:
    """The recorder's depth_codec.py, one pixel at a time (pooled.md)."""
    if millimetre == 0:
        return 0
    code = round((math.log(millimetre) - math.log(100)) * 4095 / math.log(50))
    return min(max(code, 0), 4095)


def scalar_log12_millimetres(code: int) -> int:
    return round(math.exp(math.log(100) + code * math.log(50) / 4095))


@pytest.mark.parametrize("unit_mm", [1.0, 0.2, 10.0, 0.1, 0.25])
def test_linear_codes_are_counts_times_the_unit(unit_mm: float) -> None:
    scale = DepthScale(unit_mm=unit_mm)
    whole = scale.millimetre_table.tolist()
    exact = scale.exact_mm_table.tolist()
    for code in range(1, CODE_COUNT):
        assert exact[code] == code * unit_mm
        assert whole[code] == min(max(round(code * unit_mm), 1), 65535)
    assert whole[0] == 0
    assert not scale.valid_table[0]
    assert scale.valid_table[1:].all()


def test_log12_codes_decode_as_the_recorder_decodes_them() -> None:
    scale = DepthScale(log12=True)
    expected = [0, *(scalar_log12_millimetres(code) for code in range(1, 4096))]
    assert scale.millimetre_table[:4096].tolist() == expected
    assert scale.millimetre_table[4095] == 5000


def test_codes_beyond_12_bits_are_invalid_in_log12() -> None:
    scale = DepthScale(log12=True)
    assert not scale.valid_table[4096:].any()
    assert not scale.millimetre_table[4096:].any()
    assert scale.valid_table[1:4096].all()


def test_log12_encodes_every_depth_as_the_recorder_does() -> None:
    codes = log12_from_millimetres(ALL_CODES).tolist()
    assert codes == [scalar_log12_code(millimetre) for millimetre in range(CODE_COUNT)]


def test_a_log12_round_trip_is_as_exact_as_the_recorders() -> None:
    millimetres = np.arange(100, 5001, dtype=np.uint16)
    codes = log12_from_millimetres(millimetres)
    decoded = DepthScale(log12=True, invalid_codes=()).millimetre_table[codes]
    off = np.abs(decoded.astype(int) - millimetres)
    # Measured on files of the recorder's own writer (pooled.md).
    assert not off[: 1090 - 100].any()
    assert off.max() == 2
    assert off.mean() == pytest.approx(0.55, abs=0.01)
    assert len(np.unique(codes)) == 2585


def test_log12_keeps_the_shape_of_a_picture_and_clips_what_it_cannot_hold() -> None:
    picture = np.array([[0, 1, 100], [101, 5000, 65535]], np.uint16)
    codes = log12_from_millimetres(picture)
    assert codes.dtype == np.uint16
    assert codes.tolist() == [[0, 0, 0], [scalar_log12_code(101), 4095, 4095]]


@pytest.mark.parametrize("log12", [False, True])
def test_every_invalid_code_is_nan_and_zero_and_no_other_code_is(log12: bool) -> None:
    scale = DepthScale(log12=log12, invalid_codes=(0, 7, 4000, 65535, 70_000, -1))
    invalid = set(np.flatnonzero(~scale.valid_table[:4096]).tolist())
    assert invalid == {0, 7, 4000}
    assert not scale.valid_table[65535]
    np.testing.assert_array_equal(np.isnan(scale.exact_mm_table), ~scale.valid_table)
    np.testing.assert_array_equal(scale.millimetre_table == 0, ~scale.valid_table)


def test_lossy_small_codes_are_not_trusted() -> None:
    scale = DepthScale(log12=True, invalid_below_mm=110.0)
    valid = scale.valid_table[:4096]
    first = int(np.argmax(valid))
    assert scalar_log12_millimetres(first) >= 110
    assert 100 * 50 ** ((first - 1) / 4095) <= 110.0 < 100 * 50 ** (first / 4095)
    assert not valid[:first].any()
    assert valid[first:].all()


def test_zero_means_invalid_and_only_invalid_even_for_tiny_units() -> None:
    scale = DepthScale(unit_mm=0.001)
    assert scale.millimetre_table[1] == 1
    assert scale.millimetre_table[0] == 0


@pytest.mark.parametrize("unit_mm", [math.nan, math.inf, -1.0, 0.0, 1e308])
def test_a_hostile_unit_makes_no_warning_and_no_wrong_depth(unit_mm: float) -> None:
    table = DepthScale(unit_mm=unit_mm).millimetre_table
    assert set(table[2:].tolist()) == ({65535} if unit_mm > 1 else {0})


def test_tables_cannot_be_changed_by_who_reads_them() -> None:
    scale = DepthScale()
    for table in (scale.exact_mm_table, scale.millimetre_table, scale.valid_table):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1
