from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hfviewer.core.decimate import BASE_BLOCK, FACTOR, MinMaxPyramid

lengths = st.one_of(st.integers(0, 80), st.sampled_from([255, 256, 257, 1024, 1025, 5000]))


def make_signal(length: int, seed: int, nan_share: float) -> NDArray[np.float64]:
    random = np.random.default_rng(seed)
    values = random.normal(size=length)
    values[random.random(length) < nan_share] = np.nan
    return values


def naive_extremes(values: NDArray[np.float64]) -> tuple[float, float]:
    low = high = float("nan")
    for value in values.tolist():
        if value == value:
            low = value if low != low else min(low, value)
            high = value if high != high else max(high, value)
    return low, high


def cut_block(width: int, length: int) -> int:
    """Block size that a column of this width may be read in: at most half of it."""
    block, levels = 1, BASE_BLOCK
    while levels * 2 <= width and levels < length:
        block, levels = levels, levels * FACTOR
    return block


@given(lengths, st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.3, 1.0]), st.data())
def test_a_column_misses_no_extreme_and_takes_in_no_sample_beyond_the_blocks_that_its_edges_cut(
    length: int, seed: int, nan_share: float, data: st.DataObject
) -> None:
    values = make_signal(length, seed, nan_share)
    drawn = data.draw(st.lists(st.integers(0, length), min_size=1, max_size=12))
    edges = np.array(sorted(drawn), np.intp)
    lows, highs = MinMaxPyramid(values).columns(edges)
    assert len(lows) == len(highs) == len(edges) - 1
    for column, (start, stop) in enumerate(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)):
        low, high = lows[column], highs[column]
        if start == stop:
            assert np.isnan([low, high]).all()
            continue
        block = cut_block(stop - start, length)
        assert 2 * (block - 1) < stop - start  # what it may add is less than what it holds
        inner = naive_extremes(values[start:stop])
        outer = naive_extremes(values[start // block * block : -(-stop // block) * block])
        if not np.isnan(inner[0]):
            assert low <= inner[0]
            assert high >= inner[1]
        if np.isnan(outer[0]):
            assert np.isnan([low, high]).all()
        elif not np.isnan(low):
            assert outer[0] <= low <= high <= outer[1]


@given(st.integers(1, 5000), st.integers(0, 2**32 - 1))
def test_one_column_over_everything_is_exact(length: int, seed: int) -> None:
    values = make_signal(length, seed, 0.1)
    low, high = MinMaxPyramid(values).columns(np.array([0, length]))
    np.testing.assert_array_equal([low[0], high[0]], naive_extremes(values))


@pytest.mark.parametrize("at", [0, 1, 255, 256, 4095, 99_999])
def test_a_single_spike_shows_in_its_column_and_spills_at_most_into_the_next(at: int) -> None:
    values = np.zeros(100_000)
    values[at] = 7.0
    edges = np.linspace(0, len(values), 301).astype(np.intp)
    _, high = MinMaxPyramid(values).columns(edges)
    home = int(np.searchsorted(edges, at, side="right")) - 1
    shown = np.flatnonzero(high == 7.0)
    assert home in shown
    assert np.abs(shown - home).max() <= 1


def test_a_narrow_column_beside_a_wide_one_is_still_exact() -> None:
    values = np.arange(10_000, dtype=np.float64)
    low, high = MinMaxPyramid(values).columns(np.array([5, 6, 9_000, 9_003]))
    assert (low[0], high[0]) == (5.0, 5.0)
    assert (low[2], high[2]) == (9000.0, 9002.0)


def test_infinities_are_extremes_like_any_other() -> None:
    values = np.array([0.0, np.inf, np.nan, -np.inf] * 50)
    low, high = MinMaxPyramid(values).columns(np.array([0, 200]))
    assert (low[0], high[0]) == (-np.inf, np.inf)


def test_an_empty_signal_has_only_empty_columns() -> None:
    pyramid = MinMaxPyramid(np.empty(0))
    low, high = pyramid.columns(np.array([0, 0, 0]))
    assert len(pyramid) == 0
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, True]


def test_drawing_does_not_change_the_signal() -> None:
    values = make_signal(1000, 1, 0.2)
    values.flags.writeable = False
    kept = values.copy()
    MinMaxPyramid(values).columns(np.array([3, 500, 1000]))
    np.testing.assert_array_equal(values, kept)
