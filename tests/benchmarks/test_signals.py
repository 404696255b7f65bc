"""Ten million samples of one channel: panning in a plot that shows all or a part of them."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from hfviewer.core.stream import Channel, StreamKind
from hfviewer.panels.signal_prepare import prepare_signal
from hfviewer.panels.signals import SignalsPanel
from hfviewer.panels.theme import Theme
from tests.panels.making import START_NS, describe, show

SAMPLES = 10_000_000
PERIOD_NS = 1_000_000
AIM_MS = 5.0


@pytest.fixture(scope="module")
def signal() -> tuple[np.ndarray, np.ndarray]:
    stamps = START_NS + np.arange(SAMPLES, dtype=np.int64) * PERIOD_NS
    rng = np.random.default_rng(2)
    values = np.cumsum(rng.normal(0, 0.01, SAMPLES)) + rng.normal(0, 0.1, SAMPLES)
    return stamps, np.asfortranarray(values[:, None])


@pytest.mark.parametrize("percent", [100.0, 10.0, 0.1])
def test_panning(
    benchmark: BenchmarkFixture, qtbot: QtBot, signal: tuple[np.ndarray, np.ndarray], percent: float
) -> None:
    stamps, values = signal
    channels = (Channel("acc_x", "m/s²"),)
    panel = SignalsPanel(describe(StreamKind.IMU, stamps, channels=channels), stamps, START_NS, Theme())
    show(qtbot, panel, 1260, 400)
    panel.set_playhead(int(stamps[SAMPLES // 2]))
    prepared = prepare_signal(stamps, values, frame_stamps_ns=stamps, sequence=None)
    panel.set_samples(stamps, values, prepared)
    panel.set_progress(1.0)
    panel.show_whole()
    if percent < 100:
        panel._on_view_moved(percent / 100, 0.5, 0.0)
    plot = panel.plots[0]
    target = QImage(plot.size(), QImage.Format.Format_RGB32)
    plot.render(target)
    times_ms: list[float] = []

    def pan() -> None:
        start = time.perf_counter()
        panel._on_view_moved(1.0, 0.5, 0.01)
        plot.render(target)
        times_ms.append((time.perf_counter() - start) * 1e3)

    benchmark.pedantic(pan, rounds=40, iterations=1)  # type: ignore[no-untyped-call]
    bare_ms = bare_picture_ms(target)
    least = min(times_ms)
    middle = float(np.median(times_ms))
    benchmark.extra_info.update(
        {"median_ms": middle, "least_ms": least, "aim_ms": AIM_MS, "bare_ms": bare_ms}
    )
    benchmark.extra_info["times a bare picture"] = middle / bare_ms


def bare_picture_ms(target: QImage) -> float:
    """What it takes to draw one picture as large as the plot."""
    picture = QImage(target.size(), QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(0x80FFFFFF)
    least = float("inf")
    for _ in range(30):
        start = time.perf_counter()
        painter = QPainter(target)
        painter.drawImage(0, 0, picture)
        painter.end()
        least = min(least, (time.perf_counter() - start) * 1e3)
    return least
