"""What a frame costs on the GUI thread, as a ratio to a widget that does nothing but draw the same buffer.

Each ratio is that of medians of one run, taken in turns, so that whatever else the machine does meets both.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPaintEvent
from PySide6.QtWidgets import QWidget
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from hfviewer.core.frame import Frame
from hfviewer.core.stream import StreamKind
from hfviewer.panels.depth import DepthPanel
from hfviewer.panels.depth_colour import DepthColours
from hfviewer.panels.drawing import painting
from hfviewer.panels.image import ImagePanel
from hfviewer.panels.picture_panel import PicturePanel
from hfviewer.panels.theme import Theme
from hfviewer.playback.result import FrameResult
from tests.panels.making import START_NS, depth, describe, image, result, show, table

ROUNDS = 80
STAMPS = table(10)
MakePicture = Callable[[], QImage]


class Bare(QWidget):
    """Draws a picture over all of itself, and nothing else."""

    def __init__(self, size: QSize, make: MakePicture) -> None:
        super().__init__()
        self.resize(size)
        self._make = make

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            painter.drawImage(self.rect(), self._make())


def compare(
    benchmark: BenchmarkFixture, qtbot: QtBot, panel: PicturePanel, frames: list[Frame], make: MakePicture
) -> None:
    """Show frame after frame, as a loader thread hands them over, beside the bare widget."""
    results: list[FrameResult] = []
    for frame in frames:
        prepare = panel.preparer()
        assert prepare is not None
        results.append(replace(result(frame), prepared=prepare(frame)))
    canvas = QImage(panel.canvas.size(), QImage.Format.Format_RGB32)
    bare = Bare(panel.canvas.size(), make)
    qtbot.addWidget(bare)
    generations = count(100)

    def show_next() -> None:
        generation = next(generations)
        panel.show_result(replace(results[generation % len(results)], generation=generation))
        panel.canvas.render(canvas)

    shown: list[float] = []
    drawn: list[float] = []
    for _ in range(ROUNDS):
        for call, times in ((show_next, shown), (lambda: bare.render(canvas), drawn)):
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
    benchmark.extra_info["bare_ms"] = round(float(np.median(drawn)) * 1e3, 3)
    benchmark.extra_info["shown_ms"] = round(float(np.median(shown)) * 1e3, 3)
    benchmark.extra_info["ratio"] = round(float(np.median(shown) / np.median(drawn)), 2)
    benchmark.pedantic(show_next, rounds=5, iterations=1)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("size", [(964, 572), (1924, 1112)], ids=["half size", "full size"])
def test_a_1080p_picture(benchmark: BenchmarkFixture, qtbot: QtBot, size: tuple[int, int]) -> None:
    panel = ImagePanel(describe(StreamKind.IMAGE, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, panel, *size)
    panel.set_playhead(START_NS)
    pixels: NDArray[np.uint8] = np.random.default_rng(1).integers(0, 256, (1080, 1920, 3), np.uint8)
    panel.show_result(result(image(pixels)))
    stored = QImage(pixels.data, 1920, 1080, 1920 * 3, QImage.Format.Format_BGR888)
    compare(benchmark, qtbot, panel, [image(pixels.copy()) for _ in range(4)], lambda: stored)


def test_a_depth_picture(benchmark: BenchmarkFixture, qtbot: QtBot) -> None:
    panel = DepthPanel(describe(StreamKind.DEPTH, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, panel, 852, 512)
    panel.set_playhead(START_NS)
    stored = np.random.default_rng(2).integers(0, 6000, (480, 848), np.uint16)
    frame = depth(stored)
    panel.show_result(result(frame))
    colours = DepthColours(low_mm=300, high_mm=5000).table(frame.scale)

    def look_up() -> QImage:
        pixels = np.take(colours, stored)
        return QImage(pixels.data, 848, 480, 848 * 4, QImage.Format.Format_RGB32)

    compare(benchmark, qtbot, panel, [depth(stored.copy()) for _ in range(4)], look_up)
