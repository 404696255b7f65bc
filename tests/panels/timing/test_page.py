from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from hfviewer.core.stream import StreamKind
from hfviewer.core.window import TimeWindow
from hfviewer.model.workspace import Workspace
from hfviewer.panels.theme import DARK, LIGHT, Theme
from hfviewer.panels.timing.figures import TimingFigures
from hfviewer.panels.timing.page import TimingPage
from hfviewer.panels.timing.plots import Plot, SeriesPlot
from tests.panels.fakes import START_NS, FakeRecording, FakeStream
from tests.panels.making import move_pointer
from tests.panels.timing.test_figures import PERIOD_NS, recording

SECOND_NS = 1_000_000_000


@pytest.fixture
def workspace(qapp: object) -> Workspace:
    return Workspace()


@pytest.fixture
def theme(qapp: object) -> Theme:
    return Theme()


@pytest.fixture
def page(qtbot: QtBot, workspace: Workspace, theme: Theme) -> Iterator[TimingPage]:
    made = TimingPage(workspace, theme)
    qtbot.addWidget(made)
    made.resize(900, 700)
    workspace.set_recording(recording())
    made.show()
    yield made
    made.close_worker()


@pytest.fixture
def shown(qtbot: QtBot, page: TimingPage) -> Callable[[str], TimingFigures]:
    def wait(stream: str) -> TimingFigures:
        qtbot.waitUntil(lambda: page.figures is not None and page.figures.stream == stream)
        page.grab()
        assert page.figures is not None
        return page.figures

    return wait


def test_the_stream_in_focus_is_shown_and_followed(
    page: TimingPage, workspace: Workspace, shown: Callable[[str], TimingFigures]
) -> None:
    shown("cam")
    assert "lost 3" in page.text
    assert "max 40.000 ms" in page.text
    workspace.focus("imu")
    assert shown("imu").reference == "cam"


def test_another_reference_can_be_chosen(
    qtbot: QtBot, page: TimingPage, workspace: Workspace, shown: Callable[[str], TimingFigures]
) -> None:
    more = FakeStream("lidar", recording().streams["cam"].timestamps_ns + 3_000_000, kind=StreamKind.POINTS)
    streams = [FakeStream(n, s.timestamps_ns) for n, s in recording().streams.items()]
    workspace.set_recording(FakeRecording(*streams, more))
    shown("cam")
    with qtbot.waitSignal(page.worked_out, timeout=2000):
        page.choose_reference("lidar")
    figures = shown("cam")
    assert figures.reference == "lidar"
    assert figures.distance is not None
    assert figures.distance.p50 == 3_000_000


def test_a_click_on_a_curve_moves_the_playhead_there(
    page: TimingPage, workspace: Workspace, shown: Callable[[str], TimingFigures]
) -> None:
    shown("cam")
    plot = page.jitter
    axis = plot.axis
    assert axis is not None
    x = axis.column_at(START_NS + 5 * SECOND_NS) + plot.area.left()
    QTest.mouseClick(plot.canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, plot.area.center().y()))
    assert abs(workspace.playhead.position_ns - START_NS - 5 * SECOND_NS) < 2 * axis.ns_per_px
    move_pointer(plot.canvas.viewport(), QPoint(x, plot.area.center().y()))
    assert plot.read_out.endswith("ms")
    QTest.mouseClick(plot.canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert abs(workspace.playhead.position_ns - START_NS - 5 * SECOND_NS) < 2 * axis.ns_per_px


def test_the_curves_follow_the_timeline_when_asked(
    page: TimingPage, shown: Callable[[str], TimingFigures]
) -> None:
    shown("cam")
    view = TimeWindow(START_NS + SECOND_NS, START_NS + 2 * SECOND_NS)
    page.set_linked_view(view)
    assert page.sync.axis is not None
    assert page.sync.axis.fits
    link = next(b for b in page.findChildren(QToolButton) if b.text() == "As the timeline")
    link.click()
    assert page.sync.axis.view == view
    page.set_linked_view(TimeWindow(view.start_ns, view.stop_ns + PERIOD_NS))
    assert page.sync.axis.view.duration_ns == SECOND_NS + PERIOD_NS


def test_a_bar_tells_its_lengths_and_its_number(
    page: TimingPage, shown: Callable[[str], TimingFigures]
) -> None:
    figures = shown("cam")
    assert figures.histogram is not None
    plot = page.histogram
    bar = int(np.argmax(figures.histogram.counts))
    x = plot.area.left() + (2 * bar + 1) * plot.area.width() // (2 * len(figures.histogram.counts))
    assert plot.bar_at(QPoint(x, plot.area.center().y())) == bar
    move_pointer(plot.canvas.viewport(), QPoint(x, plot.area.center().y()))
    assert plot.read_out.endswith(f"ms: {figures.histogram.counts[bar]}")


@pytest.mark.parametrize("dark", [True, False])
def test_streams_without_frames_and_nothing_open_are_painted(
    qtbot: QtBot, page: TimingPage, workspace: Workspace, dark: bool, shown: Callable[[str], TimingFigures]
) -> None:
    workspace.set_recording(FakeRecording(FakeStream("one", [START_NS]), FakeStream("none", [])))
    for stream in ("none", "one"):
        workspace.focus(stream)
        assert shown(stream).jitter is None
    workspace.set_recording(None)
    assert page.figures is None
    assert not page.grab().isNull()


def test_nothing_is_worked_out_while_nobody_looks(
    qtbot: QtBot, page: TimingPage, workspace: Workspace, shown: Callable[[str], TimingFigures]
) -> None:
    shown("cam")
    page.hide()
    with qtbot.assertNotEmitted(page.worked_out, wait=100):
        workspace.focus("imu")
    page.show()
    shown("imu")


def turn_wheel(plot: SeriesPlot, x: int, notches: int) -> None:
    at = QPointF(x, plot.area.center().y())
    view = plot.canvas.viewport()
    event = QWheelEvent(
        at,
        QPointF(view.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def test_zooming_one_curve_zooms_both_and_leaves_the_timeline(
    page: TimingPage, shown: Callable[[str], TimingFigures]
) -> None:
    shown("cam")
    link = next(b for b in page.findChildren(QToolButton) if b.text() == "As the timeline")
    page.set_linked_view(TimeWindow(START_NS, START_NS + 4 * SECOND_NS))
    link.click()
    assert page.jitter.axis is not None
    x = page.jitter.area.center().x()
    under_ns = page.jitter.axis.time_at(x - page.jitter.area.left())
    turn_wheel(page.jitter, x, 5)
    seen = page.jitter.axis.view
    assert seen.duration_ns < 4 * SECOND_NS
    assert abs((seen.start_ns + seen.stop_ns) // 2 - under_ns) < 3 * page.jitter.axis.ns_per_px
    assert page.sync.axis is not None
    assert page.sync.axis.view == seen
    assert not link.isChecked()
    turn_wheel(page.sync, x, -200)  # never farther out than the timeline goes
    assert page.jitter.axis.fits
    assert page.jitter.axis.view.duration_ns < 2 * page.jitter.axis.span.duration_ns
    turn_wheel(page.sync, x, 5)
    assert not page.jitter.axis.fits
    choose(page.jitter, "Whole recording")
    assert page.jitter.axis.fits


def choose(plot: Plot, text: str) -> None:
    next(action for action in plot.menu_actions() if action.text() == text).trigger()


def test_the_menu_brings_every_value_into_sight(
    page: TimingPage, shown: Callable[[str], TimingFigures]
) -> None:
    figures = shown("cam")
    assert figures.jitter is not None
    most = figures.jitter.values_ms.max()
    heights = page.jitter.canvas.box.viewRange
    assert heights()[1][1] < most
    choose(page.jitter, "Every value")
    assert heights()[1][1] > most
    choose(page.jitter, "Every value")
    assert heights()[1][1] < most


def test_a_right_click_opens_the_menu_of_the_plot_alone(
    page: TimingPage, shown: Callable[[str], TimingFigures], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[object, list[str]]] = []
    monkeypatch.setattr(
        "hfviewer.panels.timing.plots.popup_menu",
        lambda plot, actions, _place: opened.append((plot, [action.text() for action in actions])),
    )
    shown("cam")
    for plot in (page.histogram, page.sync):
        QTest.mouseClick(plot.canvas.viewport(), Qt.MouseButton.RightButton, pos=plot.area.center())
    assert opened == [(page.histogram, ["All lengths"]), (page.sync, ["Whole recording", "Every value"])]
    assert QApplication.activePopupWidget() is None


def test_the_ends_of_all_time_can_be_looked_at(
    page: TimingPage, workspace: Workspace, shown: Callable[[str], TimingFigures]
) -> None:
    workspace.set_recording(FakeRecording(FakeStream("cam", [-(2**63), 0, 5, 2**63 - 1])))
    shown("cam")
    turn_wheel(page.jitter, page.jitter.area.center().x(), 3)
    turn_wheel(page.jitter, page.jitter.area.center().x(), -9)
    assert not page.grab().isNull()


def test_the_colours_follow_the_theme(
    qtbot: QtBot, page: TimingPage, shown: Callable[[str], TimingFigures], theme: Theme
) -> None:
    shown("cam")
    for dark, tokens in ((True, DARK), (False, LIGHT)):
        theme.set_dark(dark)
        image = page.jitter.canvas.grab().toImage()
        area = page.jitter.area
        seen = {
            image.pixel(x, y) & 0xFFFFFF for x in range(area.left(), area.right()) for y in (area.top() + 3,)
        }
        assert tokens.bg0.rgb() & 0xFFFFFF in seen
        assert image.pixel(2, 2) & 0xFFFFFF == tokens.bg1.rgb() & 0xFFFFFF


def test_no_plot_takes_the_keyboard(page: TimingPage) -> None:
    for plot in (page.histogram, page.jitter, page.sync):
        for widget in (plot, plot.canvas, plot.canvas.viewport()):
            assert widget.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_no_button_takes_the_keyboard(page: TimingPage) -> None:
    buttons = page.findChildren(QToolButton)
    assert len(buttons) == 3
    assert all(b.focusPolicy() == Qt.FocusPolicy.NoFocus and b.toolTip() for b in buttons)


def test_the_plots_are_drawn_in_the_colour_of_the_kind(
    page: TimingPage, workspace: Workspace, shown: Callable[[str], TimingFigures]
) -> None:
    def colours() -> set[int]:
        image = page.histogram.canvas.grab().toImage()
        area = page.histogram.area
        y = area.bottom() - 2
        return {image.pixel(x, y) & 0xFFFFFF for x in range(area.left(), area.right())}

    image_rgb, signal_rgb = DARK.image.rgb() & 0xFFFFFF, DARK.signal.rgb() & 0xFFFFFF
    shown("cam")
    assert image_rgb in colours()
    workspace.focus("imu")
    shown("imu")
    assert image_rgb not in colours()
    assert signal_rgb in colours()
