"""The timeline with 12 streams of a million frames: a new view, and a move of the playhead."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from hfviewer.model.workspace import Workspace
from hfviewer.panels.theme import Theme
from hfviewer.panels.timeline.view import TimelineView
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns

FRAMES = 1_000_000
PERIOD_NS = 1_000_000


@pytest.fixture(scope="module")
def recording() -> FakeRecording:
    rng = np.random.default_rng(7)
    streams = []
    for number in range(12):
        stamps_ns = regular_ns(FRAMES, PERIOD_NS) + rng.integers(0, PERIOD_NS // 5, FRAMES)
        streams.append(FakeStream(f"stream/{number}", np.delete(stamps_ns, rng.integers(1, FRAMES, 5))))
    return FakeRecording(*streams)


def shown(qtbot: QtBot, recording: FakeRecording) -> tuple[TimelineView, Workspace, QImage]:
    workspace = Workspace()
    view = TimelineView(workspace, Theme())
    qtbot.addWidget(view)
    view.resize(1920, 360)
    view.grab()
    workspace.set_recording(recording)
    view.canvas.finish_scan()
    picture = QImage(view.canvas.size(), QImage.Format.Format_RGB32)
    view.canvas.render(picture)
    return view, workspace, picture


@pytest.mark.parametrize("percent", [90.0, 10.0, 0.1, 0.001])
def test_a_new_view(
    benchmark: BenchmarkFixture, qtbot: QtBot, recording: FakeRecording, percent: float
) -> None:
    view, _, picture = shown(qtbot, recording)
    duration_ns = int(FRAMES * PERIOD_NS * percent / 100)
    starts_ns = iter(range(START_NS, START_NS + FRAMES * PERIOD_NS // 20, max(1, duration_ns // 5_000)))

    def paint() -> None:
        axis = view.canvas.axis
        assert axis is not None
        start_ns = next(starts_ns)
        view.canvas.set_axis(axis.showing(start_ns, start_ns + duration_ns))
        view.canvas.render(picture)

    benchmark.pedantic(paint, rounds=30, iterations=1)  # type: ignore[no-untyped-call]


def test_a_move_of_the_playhead(benchmark: BenchmarkFixture, qtbot: QtBot, recording: FakeRecording) -> None:
    view, workspace, picture = shown(qtbot, recording)
    painted = view.canvas.bodies_painted

    def paint() -> None:
        workspace.playhead.move_to(workspace.playhead.position_ns + 7 * PERIOD_NS)
        view.canvas.render(picture)

    benchmark.pedantic(paint, rounds=30, iterations=1)  # type: ignore[no-untyped-call]
    assert view.canvas.bodies_painted == painted
