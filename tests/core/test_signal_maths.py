from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.core.signal_maths import (
    derivative,
    even_stretch,
    integral,
    magnitude,
    moving_mean,
    runs,
    spectrum,
    statistics,
)

START_NS = 1_700_000_000_000_000_000


def stamps(count: int, period_ns: int = 10_000_000) -> NDArray[np.int64]:
    return START_NS + np.arange(count, dtype=np.int64) * period_ns


def with_gap() -> NDArray[np.int64]:
    """Two stretches of fifty, half a second apart."""
    table = stamps(100)
    table[50:] += 500_000_000
    return table


def test_figures_of_a_stretch_are_those_of_its_finite_values() -> None:
    found = statistics(stamps(6), np.array([1.0, np.nan, 3.0, np.inf, 5.0, 7.0]))
    assert (found.count, found.low, found.high, found.mean) == (4, 1, 7, 4)
    assert found.std == pytest.approx(np.std([1, 3, 5, 7]))
    assert found.rms == pytest.approx(np.sqrt(21))
    assert found.rate_hz == pytest.approx(100)


def test_figures_without_a_value_are_no_numbers() -> None:
    for values in (np.empty(0), np.full(4, np.nan)):
        found = statistics(stamps(len(values)), values)
        assert found.count == 0
        assert np.isnan([found.mean, found.std, found.low, found.high, found.rms]).all()
    assert statistics(stamps(1), np.array([2.0])).rate_hz is None
    assert statistics(np.full(3, START_NS), np.ones(3)).rate_hz is None


def test_a_gap_parts_the_runs() -> None:
    assert runs(with_gap()) == [slice(0, 50), slice(50, 100)]
    assert runs(stamps(5)) == [slice(0, 5)]
    assert runs(stamps(0)) == []


def test_the_derivative_of_a_parabola_is_a_line() -> None:
    table = stamps(200)
    seconds = np.arange(200) / 100
    found = derivative(table, 3 * seconds**2)
    np.testing.assert_allclose(found[1:-1], 6 * seconds[1:-1], atol=1e-9)


def test_the_derivative_does_not_reach_across_gaps_and_bears_equal_stamps() -> None:
    values = np.where(np.arange(100) < 50, 0.0, 1000.0)
    assert not derivative(with_gap(), values).any()
    assert np.isnan(derivative(np.full(5, START_NS), np.arange(5.0))).all()
    assert len(derivative(stamps(0), np.empty(0))) == 0
    assert np.isnan(derivative(stamps(1), np.ones(1))).all()


def test_the_integral_undoes_the_derivative() -> None:
    seconds = np.arange(1000) / 100
    found = integral(stamps(1000), np.cos(seconds))
    np.testing.assert_allclose(found, np.sin(seconds), atol=1e-4)


def test_the_integral_adds_nothing_across_gaps_and_missing_values() -> None:
    found = integral(with_gap(), np.ones(100))
    assert found[49] == pytest.approx(0.49)
    assert found[50] == pytest.approx(0.49)
    assert found[-1] == pytest.approx(0.98)
    values = np.ones(100)
    values[10] = np.nan
    assert integral(stamps(100), values)[-1] == pytest.approx(0.97)


def test_the_moving_mean_is_that_of_the_samples_around() -> None:
    values = np.arange(50.0)
    values[20] = np.nan
    found = moving_mean(stamps(50), values, 40_000_000)
    assert found[10] == pytest.approx(10)
    assert found[0] == pytest.approx(1)
    assert found[20] == pytest.approx(20)
    assert found[21] == pytest.approx(np.mean([19, 21, 22, 23]))
    assert np.isnan(moving_mean(stamps(3), np.full(3, np.nan), 10**9)).all()
    large = moving_mean(stamps(100_000), np.full(100_000, 4e9) + np.tile([0, 1e-3], 50_000), 20_000_000)
    assert np.ptp(large[10:-10]) < 1e-3


def test_the_magnitude_is_the_length_of_the_vector() -> None:
    found = magnitude([np.array([3.0, np.nan]), np.array([4.0, 1.0]), np.array([12.0, 1.0])])
    assert found[0] == 13
    assert np.isnan(found[1])


def test_a_spectrum_keeps_the_power_of_the_signal() -> None:
    rng = np.random.default_rng(4)
    values = rng.normal(0, 2.0, 65_536)
    table = stamps(len(values))
    found = spectrum(table, values, even_stretch(table))
    step_hz = float(found.frequencies_hz[1])
    assert (found.density**2).sum() * step_hz == pytest.approx(4.0, rel=0.03)
    assert found.frequencies_hz[-1] == pytest.approx(50)
    assert found.method.startswith("Welch, 15 windows of 8192 (Hann)")


def test_one_window_is_the_transform_by_its_definition() -> None:
    rng = np.random.default_rng(4)
    values = rng.normal(0, 1, 101)
    table = stamps(len(values))
    found = spectrum(table, values, even_stretch(table))
    assert found.method.startswith("one window of 101")
    n = np.arange(101)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * n / 101)
    weighed = (values - values.mean()) * window
    for k in (0, 1, 7, 50):
        swing = abs(np.sum(weighed * np.exp(-2j * np.pi * k * n / 101))) ** 2 * (1 if k == 0 else 2)
        assert found.density[k] == pytest.approx(np.sqrt(swing / (100 * np.sum(window**2))), abs=1e-12)


def test_the_peak_is_at_the_frequency_of_a_tone() -> None:
    table = stamps(4000)
    seconds = np.arange(4000) / 100
    peak = spectrum(table, np.sin(2 * np.pi * 12.5 * seconds), even_stretch(table)).peak()
    assert peak is not None
    assert peak[0] == pytest.approx(12.5, abs=0.2)
    assert spectrum(table, np.full(4000, 7.0), even_stretch(table)).peak() is None


def test_uneven_stamps_are_resampled_and_gaps_left_out_and_both_are_told() -> None:
    rng = np.random.default_rng(9)
    table = stamps(3000) + rng.integers(0, 3_000_000, 3000)
    seconds = (table - table[0]) / 1e9
    found = spectrum(table, np.sin(2 * np.pi * 5 * seconds), even_stretch(table))
    assert "uneven stamps resampled to" in found.method
    peak = found.peak()
    assert peak is not None
    assert peak[0] == pytest.approx(5, abs=0.2)
    stretch = even_stretch(with_gap())
    assert stretch is not None
    assert (stretch.first, stretch.stop) == (0, 50)
    assert stretch.rate_hz == pytest.approx(100)
    assert "longest of 2 stretches" in stretch.method


@pytest.mark.parametrize("count", [0, 1, 15])
def test_too_few_samples_have_no_spectrum(count: int) -> None:
    table = stamps(count)
    found = spectrum(table, np.ones(count), even_stretch(table))
    assert len(found.frequencies_hz) == 0
    assert found.method == "too few samples for a spectrum"
    assert found.peak() is None
    assert even_stretch(np.full(100, START_NS)) is None


def test_missing_values_are_filled_in_or_too_many() -> None:
    table = stamps(1000)
    values = np.sin(np.arange(1000) / 3)
    values[::50] = np.nan
    assert "20 missing values filled in" in spectrum(table, values, even_stretch(table)).method
    assert spectrum(table, np.full(1000, np.nan), even_stretch(table)).method == "too few values"
