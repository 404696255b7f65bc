from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from hfviewer.core.window import TimeWindow
from hfviewer.panels.drawing import painting
from hfviewer.panels.signal_data import SignalChannel
from hfviewer.panels.signal_tiles import TILE_PX, CurveTiles, Series, TileScale, shown_gaps
from hfviewer.panels.theme import DARK
from hfviewer.quality.gaps import find_gaps

START_NS = 1_700_000_000_000_000_000
PERIOD_NS = 5_000_000
SPAN_NS = 1_000_000_000
WIDTH, HEIGHT = 613, 80
WHITE = QColor("white")


def stamps(count: int, *lost: int) -> NDArray[np.int64]:
    return np.delete(START_NS + PERIOD_NS * np.arange(count, dtype=np.int64), lost)


def tiles(timestamps_ns: NDArray[np.int64], values: NDArray[np.float64]) -> CurveTiles:
    made = CurveTiles()
    made.set_series(
        [Series(SignalChannel(timestamps_ns, values), WHITE)],
        find_gaps(timestamps_ns, None, PERIOD_NS),
        timestamps_ns,
    )
    return made


def draw(made: CurveTiles, start_ns: int, *, span_ns: int = SPAN_NS, ratio: float = 1.0) -> QImage:
    image = QImage(round(WIDTH * ratio), round(HEIGHT * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor("black"))
    with painting(image) as painter:
        made.draw(
            painter,
            QRect(0, 0, WIDTH, HEIGHT),
            TimeWindow(start_ns, start_ns + span_ns),
            low=-2.0,
            high=2.0,
            ratio=ratio,
            tokens=DARK,
        )
    return image


def bright(image: QImage) -> NDArray[np.uint8]:
    """Brightness, height × width."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), grey.bytesPerLine())
    return rows[:, : grey.width()].copy()


@given(
    anchor_ns=st.integers(-(2**62), 2**62),
    span_ns=st.integers(10_000, 10**18),
    width_px=st.integers(1, 8000),
    offset_ns=st.integers(-(10**18), 10**18),
)
def test_a_time_lies_at_the_nearest_whole_pixel(
    anchor_ns: int, span_ns: int, width_px: int, offset_ns: int
) -> None:
    scale = TileScale(anchor_ns=anchor_ns, span_ns=span_ns, width_px=width_px)
    pixel = scale.pixel_at(anchor_ns + offset_ns)
    assert abs(2 * (pixel * span_ns - offset_ns * width_px)) <= span_ns
    # The pixel's own beginning is rounded down, by less than a nanosecond.
    assert 0 <= pixel * span_ns - (scale.time_at(pixel) - anchor_ns) * width_px < width_px


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("rate", [1, 20], ids=["samples", "columns"])
def test_a_step_is_drawn_within_a_pixel_of_its_time_wherever_the_view_has_come(
    qapp: QApplication, rate: int, ratio: float
) -> None:
    timestamps_ns = START_NS + PERIOD_NS // rate * np.arange(2000 * rate, dtype=np.int64)
    step = 1000 * rate
    made = tiles(timestamps_ns, np.where(np.arange(len(timestamps_ns)) < step, -1.0, 1.0))
    step_ns = int(timestamps_ns[step])
    for start_ns in range(step_ns - SPAN_NS, step_ns, 77_777_777):
        image = bright(draw(made, start_ns, ratio=ratio))
        high, low = image[: image.shape[0] // 2].max(axis=0), image[image.shape[0] // 2 :].max(axis=0)
        expected = (step_ns - start_ns) / SPAN_NS * image.shape[1]
        slope = PERIOD_NS // rate / SPAN_NS * image.shape[1]  # of the line from the last low sample
        first_high, last_low = int(np.argmax(high > 100)), len(low) - int(np.argmax(low[::-1] > 100))
        if 4 < expected < image.shape[1] - 4:
            assert expected - slope - 2 <= first_high <= expected + 2
            assert expected - slope - 2 <= last_low <= expected + 2


@pytest.mark.parametrize("period_ns", [PERIOD_NS, PERIOD_NS * 20, PERIOD_NS // 50])
def test_a_view_that_came_there_bit_by_bit_looks_like_one_made_at_once(
    qapp: QApplication, period_ns: int
) -> None:
    count = 4 * SPAN_NS // period_ns
    kept = np.delete(np.arange(count), range(count // 3, count // 3 + max(2, count // 40)))
    timestamps_ns = START_NS + period_ns * kept
    values = np.sin(kept * 0.4) + np.random.default_rng(1).normal(0, 0.2, len(kept))
    made = CurveTiles()
    series = [Series(SignalChannel(timestamps_ns, values), WHITE)]
    gaps = find_gaps(timestamps_ns, None, period_ns)
    made.set_series(series, gaps, timestamps_ns)
    for start_ns in range(START_NS - SPAN_NS // 2, START_NS + 3 * SPAN_NS, 23_456_789):
        moved = bright(draw(made, start_ns))
        fresh = CurveTiles()
        fresh.set_series(series, gaps, timestamps_ns)
        # A sample on the very edge of two columns may fall into either.
        differs = np.abs(bright(draw(fresh, start_ns)).astype(int) - moved) > 8
        assert np.count_nonzero(differs) < 0.002 * differs.size


def test_following_paints_each_strip_once(qapp: QApplication) -> None:
    timestamps_ns = stamps(2000)
    made = tiles(timestamps_ns, np.sin(np.arange(2000) / 9))
    draw(made, START_NS)
    at_first = made.painted
    assert at_first <= WIDTH // TILE_PX + 2
    moves = 200
    for move in range(moves):
        draw(made, START_NS + move * SPAN_NS // WIDTH * 3)
    assert made.painted - at_first <= moves * 3 // TILE_PX + 2
    painted = made.painted
    draw(made, START_NS + (moves - 1) * SPAN_NS // WIDTH * 3 - SPAN_NS // 2)  # half a view back: still there
    assert made.painted == painted


def test_another_scale_range_or_series_is_painted_anew(qapp: QApplication) -> None:
    timestamps_ns = stamps(1000)
    made = tiles(timestamps_ns, np.sin(np.arange(1000) / 9))
    first = draw(made, START_NS)
    assert draw(made, START_NS, span_ns=SPAN_NS // 2) != first
    assert draw(made, START_NS) == first
    channel = SignalChannel(timestamps_ns, np.zeros(1000))
    made.set_series([Series(channel, WHITE)], None, timestamps_ns)
    assert draw(made, START_NS) != first


def test_stripes_of_a_gap_go_on_where_tiles_meet(qapp: QApplication) -> None:
    timestamps_ns = stamps(400, *range(20, 180))
    made = tiles(timestamps_ns, np.zeros(len(timestamps_ns)))
    image = draw(made, START_NS)
    row = [image.pixel(x, 10) for x in range(round(0.15 * WIDTH), round(0.85 * WIDTH))]
    assert len(set(row)) > 1
    assert row[:-6] == row[6:]


def test_a_gap_of_one_sample_has_a_width_at_any_zoom(qapp: QApplication) -> None:
    timestamps_ns = stamps(100_000, 50_000)
    made = tiles(timestamps_ns, np.zeros(len(timestamps_ns)))
    span_ns = 100_000 * PERIOD_NS
    for shift in range(0, 2 * TILE_PX, 7):  # across the edge of a tile
        image = draw(made, START_NS + shift * span_ns // WIDTH, span_ns=span_ns)
        warm = [
            x for x in range(WIDTH) if image.pixelColor(x, 10).red() > image.pixelColor(x, 10).blue() + 15
        ]
        assert len(warm) >= 3
        assert max(warm) - min(warm) <= 4


def test_of_too_many_gaps_the_longest_show() -> None:
    kept = np.delete(np.arange(10_000), np.arange(5, 10_000, 10))
    kept = kept[(kept < 5000) | (kept > 5100)]
    timestamps_ns = START_NS + PERIOD_NS * kept.astype(np.int64)
    gaps = find_gaps(timestamps_ns, None, PERIOD_NS)
    starts, stops, lost = shown_gaps(gaps, TimeWindow(START_NS, START_NS + 10**12))
    assert len(starts) == len(stops) == len(lost) == 400
    assert max(lost) > 90
    assert starts == sorted(starts)


def test_nothing_to_draw_is_fine(qapp: QApplication) -> None:
    made = CurveTiles()
    assert bright(draw(made, 0)).max() == 0
    empty = np.empty(0, np.int64)
    made.set_series([Series(SignalChannel(empty, np.empty(0)), WHITE)], find_gaps(empty, None, None), empty)
    assert bright(draw(made, START_NS)).max() == 0
