from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.core.stream import Channel
from hfviewer.core.window import TimeWindow
from hfviewer.panels.signal_data import (
    VALUE_CHARACTERS,
    SignalChannel,
    decimals_for,
    grouped_channels,
    value_range,
    value_text,
)
from hfviewer.quality.gaps import Gaps, find_gaps
from tests.panels.making import PERIOD_NS, START_NS, table

NO_GAPS = Gaps.none()


def everything(stamps: NDArray[np.int64]) -> TimeWindow:
    return TimeWindow(int(stamps[0]), int(stamps[-1]) + 1)


def test_channels_of_one_unit_share_a_plot_whatever_the_spelling() -> None:
    channels = (
        Channel("acc_x", "m/s^2"),
        Channel("gyro_x", "rad/s"),
        Channel("acc_y", "m/s²"),
        Channel("state"),
        Channel("odd", "furlong"),
    )
    groups = grouped_channels(dict(enumerate(channels)))
    assert [(g.title, g.columns) for g in groups] == [
        ("Acceleration, m/s²", (0, 2)),
        ("Angular rate, rad/s", (1,)),
        ("Values", (3,)),
        ("furlong", (4,)),
    ]


def test_few_samples_are_drawn_as_they_are_and_broken_at_gaps() -> None:
    stamps = table(6, lost=(3,))
    channel = SignalChannel(stamps, np.arange(5.0))
    x, y, exact = channel.curve(everything(stamps), 100, START_NS, find_gaps(stamps, None, PERIOD_NS))
    assert exact
    assert np.array_equal(y, [0, 1, 2, np.nan, 3, 4], equal_nan=True)
    assert x[[0, 1, 2, 4, 5]] == pytest.approx([0, 0.04, 0.08, 0.16, 0.2])


def test_the_curve_reaches_one_sample_beyond_both_edges() -> None:
    stamps = table(10)
    channel = SignalChannel(stamps, np.arange(10.0))
    window = TimeWindow(int(stamps[4]) + 1, int(stamps[6]) + 1)
    _, y, _ = channel.curve(window, 100, START_NS, NO_GAPS)
    assert y.tolist() == [4, 5, 6, 7]


def test_many_samples_keep_every_extreme() -> None:
    count = 200_000
    stamps = START_NS + np.arange(count, dtype=np.int64) * 1000
    values = np.sin(np.arange(count) / 3000)
    values[77_777], values[123_456] = 50, -50
    x, y, exact = SignalChannel(stamps, values).curve(everything(stamps), 300, START_NS, NO_GAPS)
    assert not exact
    assert len(x) == len(y) == 600
    assert (y.max(), y.min()) == (50, -50)
    assert x[np.argmax(y)] == pytest.approx(0.077777, abs=0.2 / 300)
    assert np.all(np.diff(x) >= 0)


def test_many_samples_are_broken_at_a_gap_too() -> None:
    count = 50_000
    stamps = START_NS + np.arange(count, dtype=np.int64) * 1000
    stamps[25_000:] += 10_000_000
    gaps = find_gaps(stamps, None, 1000)
    x, y, _ = SignalChannel(stamps, np.zeros(count)).curve(everything(stamps), 100, START_NS, gaps)
    (hole,) = np.flatnonzero(np.isnan(y))
    assert x[hole - 1] < 0.0255
    assert x[hole + 1] > 0.0345


def test_values_that_are_no_numbers_break_the_curve_and_have_no_read_out() -> None:
    stamps = table(4)
    channel = SignalChannel(stamps, np.array([1.0, np.inf, np.nan, -1e300]))
    _, y, _ = channel.curve(everything(stamps), 50, START_NS, NO_GAPS)
    assert np.isnan(y[1:]).all()
    assert channel.value_at(int(stamps[0])) == 1.0
    assert channel.value_at(int(stamps[1])) is None
    assert channel.value_at(START_NS - 1) is None
    assert channel.sample().tolist() == [1.0, 1.0, 1.0]


def test_an_empty_signal_has_an_empty_curve() -> None:
    channel = SignalChannel(np.empty(0, np.int64), np.empty(0))
    x, y, _ = channel.curve(TimeWindow(0, 1000), 10, 0, NO_GAPS)
    assert len(x) == len(y) == 0
    assert channel.value_at(5) is None
    assert len(channel.sample()) == 0


def test_the_value_range_holds_all_values_but_a_lone_outlier() -> None:
    values = np.linspace(-1, 1, 1000)
    low, high = value_range([values])
    assert low < -1 < 1 < high < 1.5
    low, high = value_range([np.append(values, 1e6)])
    assert low < -1 < 1 < high < 3
    low, high = value_range([np.append(values, 8.0)])  # a spike that matters
    assert high > 8
    for nothing in ([], [np.empty(0)], [np.zeros(3)], [np.full(3, 1e12)]):
        low, high = value_range(nothing)
        assert low < high


@pytest.mark.parametrize("value", [None, 0.0, -1.575, 12345.678, -1e-9, 1e300, -123456.0])
def test_values_are_always_equally_wide(value: float | None) -> None:
    for decimals in range(5):
        assert len(value_text(value, decimals)) == VALUE_CHARACTERS


def test_decimals_follow_the_range() -> None:
    assert [decimals_for(-r, r) for r in (0.001, 0.5, 1.5, 12, 150, 5000)] == [4, 4, 3, 2, 1, 0]
