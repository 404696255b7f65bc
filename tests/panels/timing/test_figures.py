from __future__ import annotations

import numpy as np
import pytest

from hfviewer.core.stream import StreamKind
from hfviewer.panels.timing.figures import Histogram, Series, figures_of, robust_range
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns

PERIOD_NS = 10_000_000


def recording() -> FakeRecording:
    """A camera of 1000 frames that lost frames 500 to 502, an IMU five times as fast and 1 ms later."""
    cam = np.delete(regular_ns(1000, PERIOD_NS), [500, 501, 502])
    imu = regular_ns(5000, PERIOD_NS // 5) + 1_000_000
    return FakeRecording(FakeStream("cam", cam), FakeStream("imu", imu, kind=StreamKind.IMU))


def test_figures_of_a_stream_that_lost_frames() -> None:
    figures = figures_of(recording(), "cam")
    assert (figures.frames, figures.lost, figures.reference) == (997, 3, "imu")
    assert figures.period_ns == PERIOD_NS
    assert figures.intervals is not None
    assert (figures.intervals.p50, figures.intervals.max) == (PERIOD_NS, 4 * PERIOD_NS)
    assert figures.rate_hz == pytest.approx(996 / 9.99)
    assert figures.jitter_ms == pytest.approx(0.0)  # the gap is no jitter
    assert figures.jitter is not None
    late = np.flatnonzero(figures.jitter.values_ms > 1)
    assert figures.jitter.times_ns[late].tolist() == [START_NS + 503 * PERIOD_NS]
    assert figures.jitter.values_ms[late].tolist() == [30.0]


def test_the_distance_to_a_reference_has_a_sign() -> None:
    figures = figures_of(recording(), "cam", "imu")
    assert figures.sync is not None
    assert figures.distance is not None
    assert figures.distance.max == 1_000_000
    assert set(np.unique(figures.sync.values_ms)) <= {-1.0, 1.0}
    other = figures_of(recording(), "imu", "cam")
    assert other.sync is not None
    assert other.sync.values_ms.max() == pytest.approx(19.0, abs=2.0)  # inside the gap
    assert (other.sync.times_ns >= START_NS).all()


def test_no_reference_no_frames_no_overlap() -> None:
    alone = figures_of(FakeRecording(FakeStream("cam", regular_ns(10, PERIOD_NS))), "cam")
    assert (alone.reference, alone.sync, alone.distance) == (None, None, None)
    empty = figures_of(FakeRecording(FakeStream("none", []), FakeStream("cam", regular_ns(9, 5))), "none")
    assert (empty.frames, empty.intervals, empty.histogram, empty.jitter) == (0, None, None, None)
    late = FakeStream("late", regular_ns(100, PERIOD_NS, START_NS + 2000 * PERIOD_NS))
    apart = figures_of(FakeRecording(FakeStream("cam", regular_ns(100, PERIOD_NS)), late), "cam", "late")
    assert apart.reference == "late"
    assert apart.sync is None


def test_one_bad_stamp_does_not_break_the_figures() -> None:
    stamps_ns = np.sort(np.append(regular_ns(1000, PERIOD_NS), 0))
    figures = figures_of(FakeRecording(FakeStream("cam", stamps_ns)), "cam")
    assert figures.period_ns == PERIOD_NS
    assert figures.histogram is not None
    assert figures.histogram.last_ms < 100
    assert figures.jitter is not None
    assert figures.jitter.range_ms[1] < 1


def test_rare_values_do_not_flatten_the_rest() -> None:
    values = np.concatenate([np.linspace(9.9, 10.1, 1000), [2000.0, -5.0]])
    low, high = robust_range(values)
    assert 9.5 < low < 9.95
    assert 10.05 < high < 10.5
    histogram = Histogram.of(values)
    assert histogram is not None
    assert (histogram.shorter, histogram.longer) == (1, 1)
    assert int(histogram.counts.sum()) == 1000
    assert robust_range(np.full(5, 33.3))[0] < 33.3 < robust_range(np.full(5, 33.3))[1]


def test_a_series_is_drawn_by_its_extremes() -> None:
    series = Series(np.arange(100_000, dtype=np.int64), np.sin(np.arange(100_000.0)))
    edges = np.linspace(0, 100_000, 11).astype(np.int64)
    lows, highs = series.columns(edges)
    assert (lows < -0.99).all()
    assert (highs > 0.99).all()
