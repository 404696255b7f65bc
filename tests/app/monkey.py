"""Somebody who presses, clicks and drags at random, and never reads what it says."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from hfviewer.app.bindings import BINDINGS
from hfviewer.app.main_window import MainWindow
from hfviewer.app.waiting import missing_panels, wait_until
from hfviewer.panels.panel_menu import common_actions

SIZES = ((800, 560), (1280, 720), (1920, 1080), (3840, 2160), (1000, 1400))
_TEXT = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)
_TYPED = ("", "#3", "+1s", "抓取", "../../x", "<b>x</b>", "a\nb", "-1e400", "\u202egnp", "x" * 500)
# It would end the run, or write wherever the working folder is.
_NEVER = {"quit"}


class Monkey:
    """Does one random thing after another to a window.

    Args:
        window: the victim.
        paths: recordings that it may open.
        seed: the same things are done again for the same seed.
    """

    def __init__(self, window: MainWindow, paths: Sequence[Path], seed: int) -> None:
        self._window, self._paths = window, list(paths)
        self._chooser = random.Random(seed)
        self.done: list[str] = []
        # A menu of a button waits in an event loop of its own until somebody chooses, or closes it.
        self._impatience = QTimer(window)
        self._impatience.setInterval(15)
        self._impatience.timeout.connect(self._answer_popup)
        self._impatience.start()
        self._deeds: list[tuple[int, Callable[[], str]]] = [
            (30, self._press_key),
            (14, self._click),
            (10, self._use_menu),
            (8, self._drag),
            (4, self._roll),
            (4, self._type),
            (2, self._open),
            (2, self._resize),
            (1, self._scroll_home),
        ]

    def open_first(self) -> None:
        """Open the first recording, and wait for it."""
        self._window.open_path(str(self._paths[0]))
        wait_until(lambda: self._window.workspace.recording is not None, timeout_s=10.0)

    def run(self, deeds: int, *, until: float = float("inf")) -> None:
        """Do so many things, or as many as can be done until a reading of `time.monotonic`."""
        for _ in range(deeds):
            if time.monotonic() > until:
                break
            weights = [weight for weight, _ in self._deeds]
            deed = self._chooser.choices(self._deeds, weights)[0][1]
            self.done.append(deed())
            QApplication.processEvents()
            if self._chooser.random() < 0.3:
                QTest.qWait(self._chooser.randrange(1, 30))
            self.dismiss()

    def _answer_popup(self) -> None:
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QMenu) and self._chooser.random() < 0.5:
            for _ in range(self._chooser.randrange(1, 5)):
                QTest.keyClick(popup, Qt.Key.Key_Down)
            QTest.keyClick(popup, Qt.Key.Key_Return)
        if isValid(popup) and popup is not None and popup.isVisible():
            popup.close()

    def dismiss(self) -> None:
        """Close what stands in front of the window."""
        for _ in range(10):
            popup = QApplication.activePopupWidget() or QApplication.activeModalWidget()
            if popup is None:
                break
            popup.close()
            QApplication.processEvents()
        for dialog in self._window.findChildren(QDialog):
            if dialog.isVisible():
                dialog.close()

    def settle(self, timeout_s: float = 20.0) -> list[str]:
        """Pause, wait for what is under way, and name the streams whose panels are not up to date then."""
        self._window.workspace.playhead.set_playing(False)
        wait_until(
            lambda: not self._window._opener.busy and not missing_panels(self._window), timeout_s=timeout_s
        )
        self.dismiss()  # a dialog may have come up only now
        return missing_panels(self._window)

    # -- deeds -----------------------------------------------------------------------------------------------

    def _press_key(self) -> str:
        binding = self._chooser.choice([b for b in BINDINGS if b.action not in _NEVER])
        action = self._window.actions_by_name[binding.action]
        if not binding.keys or self._chooser.random() < 0.1:
            action.trigger()
            return f"action {binding.action}"
        target = QApplication.focusWidget()
        if target is None or target.window() is not self._window:
            target = self._window
        for _ in range(self._chooser.choice((1, 1, 1, 2, 5))):
            if isValid(target):
                QTest.keySequence(target, QKeySequence(self._chooser.choice(binding.keys)))
        return f"key {binding.action}"

    def _widgets(self, kind: type[QWidget] = QWidget) -> list[QWidget]:
        for panel in self._window.area.panels:
            panel.header.set_hot(True)
        return [w for w in self._window.findChildren(kind) if w.isVisible() and w.width() > 2 < w.height()]

    def _place(self, widget: QWidget) -> QPoint:
        return QPoint(self._chooser.randrange(widget.width()), self._chooser.randrange(widget.height()))

    def _modifier(self) -> Qt.KeyboardModifier:
        none = Qt.KeyboardModifier.NoModifier
        return self._chooser.choice(
            (none, none, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier)
        )

    def _click(self) -> str:
        kind = self._chooser.choice((QAbstractButton, QAbstractButton, QComboBox, QWidget, QWidget))
        if not (widgets := self._widgets(kind)):
            return "nothing to click"
        widget = self._chooser.choice(widgets)
        name = f"click {type(widget).__name__} {widget.objectName() or widget.toolTip()[:40]}"
        place = self._place(widget)
        left = self._chooser.random() < 0.75
        button = Qt.MouseButton.LeftButton if left else Qt.MouseButton.RightButton
        if self._chooser.random() < 0.15:
            QTest.mouseDClick(widget, button, self._modifier(), place)
        else:
            QTest.mouseClick(widget, button, self._modifier(), place)
        return name

    def _entries(self, actions: Sequence[QAction]) -> list[QAction]:
        found: list[QAction] = []
        for action in actions:
            below = action.menu()
            if isinstance(below, QMenu):
                below.aboutToShow.emit()
                found += self._entries(below.actions())
            elif action.isEnabled() and not action.isSeparator():
                found.append(action)
        return found

    def _use_menu(self) -> str:
        panels = list(self._window.area.panels)
        if not panels or self._chooser.random() < 0.2:
            entries = [
                entry
                for entry in self._entries(self._window.menuBar().actions())
                if entry is not self._window.actions_by_name["quit"]
            ]
            name = "menu bar"
        else:
            panel = self._chooser.choice(panels)
            entries = self._entries([*panel.context_actions(), *common_actions(panel)])
            name = f"menu of {panel.stream_name}"
        if not entries:
            return f"{name}: empty"
        entry = self._chooser.choice(entries)
        text = entry.text()
        entry.trigger()
        return f"{name}: {text}"

    def _drag(self) -> str:
        widget = self._chooser.choice(self._widgets())
        if self._chooser.random() < 0.4:
            widget = self._window.timeline.canvas
        name = f"drag {type(widget).__name__}"
        button = self._chooser.choice(
            (Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton)
        )
        modifier = self._modifier()
        if not widget.isVisible() or widget.width() < 1 or widget.height() < 1:
            return "nothing to drag"
        QTest.mousePress(widget, button, modifier, self._place(widget))
        for _ in range(self._chooser.randrange(1, 6)):
            if not isValid(widget):
                return name
            QTest.mouseMove(widget, self._place(widget))
            if self._chooser.random() < 0.1:
                self._press_key()
        if isValid(widget):
            QTest.mouseRelease(widget, button, modifier, self._place(widget))
        return name

    def _roll(self) -> str:
        widget = self._chooser.choice(self._widgets())
        place = QPointF(self._place(widget))
        turn = QPoint(0, self._chooser.choice((-1200, -120, 120, 1200)))
        event = QWheelEvent(
            place,
            QPointF(widget.mapToGlobal(place.toPoint())),
            QPoint(),
            turn,
            Qt.MouseButton.NoButton,
            self._modifier(),
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        name = f"roll {type(widget).__name__}"
        QApplication.sendEvent(widget, event)
        return name

    def _type(self) -> str:
        fields = [w for kind in _TEXT for w in self._widgets(kind)]
        if not fields:
            self._window.actions_by_name["go_to"].trigger()
            fields = list(self._widgets(QLineEdit))
        if not fields:
            return "nothing to type into"
        field = self._chooser.choice(fields)
        field.setFocus()
        text = self._chooser.choice(_TYPED)
        if isinstance(field, QLineEdit):
            field.setText(text)
        if isValid(field):
            QTest.keyClick(
                field, self._chooser.choice((Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab))
            )
        return f"type {text[:20]!r}"

    def _open(self) -> str:
        path = self._chooser.choice(self._paths)
        self._window.open_path(str(path))
        if self._chooser.random() < 0.7:
            wait_until(lambda: not self._window._opener.busy, timeout_s=10.0)
        return f"open {path.name}"

    def _resize(self) -> str:
        size = self._chooser.choice(SIZES)
        self._window.resize(*size)
        return f"resize {size}"

    def _scroll_home(self) -> str:
        for area in self._window.findChildren(QAbstractScrollArea):
            area.horizontalScrollBar().setValue(0)
        return "scroll home"


def obeys(window: MainWindow) -> bool:
    """Whether Space still plays and pauses, and the arrow still steps, wherever the last click was."""
    playhead = window.workspace.playhead
    window.activateWindow()
    QApplication.processEvents()
    field = QApplication.focusWidget()
    if isinstance(field, _TEXT):
        field.clearFocus()  # a text field takes them, and rightly
    target = QApplication.focusWidget() or window
    playhead.set_playing(False)
    QTest.keyClick(target, Qt.Key.Key_Space)
    plays = playhead.playing
    playhead.set_playing(False)
    return plays
