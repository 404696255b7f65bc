"""Every control says what it is for, and none of them keeps the keyboard from the transport."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from hfviewer.app.main_window import MainWindow
from hfviewer.app.waiting import missing_panels
from hfviewer.panels.depth import DepthPanel
from hfviewer.panels.image import ImagePanel
from hfviewer.panels.panel_menu import common_actions
from tests.recordings import write_small

MakeWindow = Callable[[], MainWindow]
_CONTROLS = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox)
# Pressing these closes, opens or leaves the very thing that is looked at; their keys are tested elsewhere.
_LEFT_OUT = ("Open", "Close this card", "Menu of this panel")


@pytest.fixture
def window(qtbot: QtBot, make_window: MakeWindow, tmp_path: Path) -> MainWindow:
    made = make_window()
    made.resize(1600, 1000)
    made.open_path(str(write_small(tmp_path / "small.hfr", frames=20)))
    qtbot.waitUntil(lambda: made.workspace.recording is not None, timeout=10_000)
    qtbot.waitUntil(lambda: not missing_panels(made), timeout=10_000)
    camera = made.area.panel("cam")
    assert isinstance(camera, ImagePanel)
    camera.show_adjustments()
    return made


def controls(window: MainWindow) -> list[QWidget]:
    """Every control that can be seen, of whatever panel or bar."""
    for panel in window.area.panels:
        panel.header.set_hot(True)
    found: list[QWidget] = []
    for kind in _CONTROLS:
        found += [
            widget
            for widget in window.findChildren(kind)
            if widget.isVisibleTo(window) and not isinstance(widget, QScrollBar)
        ]
    return found


def says_what_it_is_for(widget: QWidget) -> bool:
    """A tooltip of its own, or that of the row it belongs to."""
    return bool(widget.toolTip()) or (isinstance(widget, QAbstractButton) and bool(widget.text()))


def close_what_opened(window: MainWindow) -> None:
    for _ in range(5):
        popup = QApplication.activePopupWidget()
        if popup is None:
            break
        popup.close()
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            dialog.close()


def test_every_control_says_what_it_is_for(window: MainWindow) -> None:
    silent = [f"{type(w).__name__} {w.objectName()}" for w in controls(window) if not says_what_it_is_for(w)]
    assert not silent


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # menus grab, offscreen cannot
def test_after_a_click_on_any_control_space_and_arrows_drive_the_transport(window: MainWindow) -> None:
    playhead = window.workspace.playhead
    tried = 0
    for widget in controls(window):
        if any(widget.toolTip().startswith(word) for word in _LEFT_OUT) or not widget.isEnabled():
            continue
        if not widget.isVisibleTo(window):
            continue  # an earlier click has put it away
        name = f"{type(widget).__name__} {widget.toolTip() or widget.objectName()}"
        # A button with a menu waits, in an event loop of its own, until the menu is closed.
        closer = QTimer()
        closer.timeout.connect(partial(close_what_opened, window))
        closer.start(20)
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
        closer.stop()
        close_what_opened(window)
        window.activateWindow()
        QApplication.processEvents()
        playhead.set_playing(False)
        target = QApplication.focusWidget() or window
        if not window.isAncestorOf(target) and target is not window:
            target = window
        QTest.keyClick(target, Qt.Key.Key_Space)
        assert playhead.playing, name
        playhead.set_playing(False)
        playhead.jump_to(playhead.span.start_ns)
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Right)
        assert playhead.position_ns > playhead.span.start_ns, name
        tried += 1
    assert tried > 25


def test_everything_that_panels_can_do_is_in_their_menus(window: MainWindow) -> None:
    for panel in window.area.panels:
        texts = [action.text() for action in [*panel.context_actions(), *common_actions(panel)]]
        assert "Picture" in texts
        assert "Another panel of this stream" in texts
        if isinstance(panel, ImagePanel):
            assert {"Brightness, contrast, gamma…", "Lay over it", "Second camera", "Turn"} <= set(texts)
        if isinstance(panel, DepthPanel):
            assert {"Colours", "Range of this frame", "As a point cloud"} <= set(texts)
