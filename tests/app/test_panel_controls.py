"""Whatever is clicked in a cloud or signal panel, the keys of the transport go on working."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from hfviewer.app.main_window import MainWindow
from hfviewer.app.waiting import missing_panels
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.cloud import CloudPanel
from hfviewer.panels.signals import SignalsPanel
from tests.recordings import write_small


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[[], MainWindow], tmp_path: Path) -> MainWindow:
    made = make_window()
    made.open_path(str(write_small(tmp_path / "small.hfr")))
    qtbot.waitUntil(lambda: made.workspace.recording is not None, timeout=10_000)
    qtbot.waitUntil(lambda: not missing_panels(made), timeout=10_000)
    return made


def of_kind(window: MainWindow, kind: type[StreamPanel]) -> StreamPanel:
    return next(panel for panel in window.area.visible_panels if type(panel) is kind)


def controls(panel: StreamPanel) -> list[QWidget]:
    """Everything in a panel's dock: its header is the dock's title."""
    dock = panel.parentWidget()
    assert dock is not None
    # Qt makes buttons of its own for a title bar that is never shown.
    return [w for w in dock.findChildren(QWidget) if not w.objectName().startswith("qt_dockwidget")]


def transport_answers(qtbot: QtBot, window: MainWindow, after: str) -> None:
    playhead = window.workspace.playhead
    target = QApplication.focusWidget() or window
    QTest.keyClick(target, Qt.Key.Key_Space)
    assert playhead.playing, f"Space plays after {after}"
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Space)
    assert not playhead.playing, f"Space pauses after {after}"
    playhead.jump_to(playhead.span.start_ns + playhead.span.duration_ns // 2)
    before = playhead.position_ns
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Right)
    assert playhead.position_ns > before, f"Right steps after {after}"
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Left)


@pytest.mark.parametrize("kind", [CloudPanel, SignalsPanel])
@pytest.mark.parametrize("more", [False, True])
def test_space_and_arrows_drive_the_transport_after_any_click(
    qtbot: QtBot, window: MainWindow, kind: type[StreamPanel], more: bool
) -> None:
    panel = of_kind(window, kind)
    QTest.mouseClick(panel.header, Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    if more and isinstance(panel, SignalsPanel):
        panel.toggle_statistics()
        panel.toggle_spectrum()
        panel.put_cursor("A")
    for widget in controls(panel):
        if not widget.isVisible() or widget is panel.header:
            continue
        what = f"a click on {type(widget).__name__} {widget.toolTip()!r}"
        menu = isinstance(widget, QAbstractButton) and widget.toolTip().startswith("Menu")
        maximise = isinstance(widget, QAbstractButton) and widget.toolTip().startswith("Maximise")
        if menu or maximise:
            continue
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=widget.rect().center())
        transport_answers(qtbot, window, what)


@pytest.mark.parametrize("kind", [CloudPanel, SignalsPanel])
def test_every_button_says_what_it_does_and_takes_no_keys(
    qtbot: QtBot, window: MainWindow, kind: type[StreamPanel]
) -> None:
    panel = of_kind(window, kind)
    buttons = [widget for widget in controls(panel) if isinstance(widget, QAbstractButton)]
    assert len(buttons) >= 2
    for button in buttons:
        assert button.toolTip()
        assert button.focusPolicy() is Qt.FocusPolicy.NoFocus


def test_a_signal_panel_can_show_the_span_of_the_timeline(window: MainWindow) -> None:
    panel = of_kind(window, SignalsPanel)
    assert isinstance(panel, SignalsPanel)
    panel.set_view_kind("timeline")
    assert panel.shown_window == window.timeline.view
    window.timeline.zoom(4)
    assert panel.shown_window == window.timeline.view
    before = panel.shown_window
    panel.reset_view()
    window.timeline.zoom(2)
    assert panel.shown_window != window.timeline.view
    assert before != window.timeline.view


def test_what_is_under_the_pointer_of_a_plot_and_what_was_saved_are_told(window: MainWindow) -> None:
    panel = of_kind(window, SignalsPanel)
    panel.read_out_changed.emit("0.5 s   x +1.0")
    assert window.status.read_out == "0.5 s   x +1.0"
    panel.told.emit("imu.csv: 10 samples")
    assert window.banner.text == "imu.csv: 10 samples"
