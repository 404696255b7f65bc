"""What the window shows while nothing is open: how to open something, and what was opened lately."""

from __future__ import annotations

import os
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Theme, icon, ui_font
from hfviewer.panels.tips import plain_tip

_WIDTH = 560


class Welcome(QWidget):
    """Empty state of the main window."""

    open_requested = Signal()
    recording_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = QLabel("Open a recording", self)
        self._title.setFont(ui_font(20, 600))
        self._hint = QLabel(self)
        self._hint.setFont(ui_font(13))
        self._hint.setWordWrap(True)
        self._open = QPushButton("Open…   Ctrl+O", self)
        self._open.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._open.setFixedHeight(34)
        self._open.clicked.connect(self.open_requested)
        self._recent_title = QLabel("Recent", self)
        self._recent_title.setFont(ui_font(12, 600))
        self._recent = QVBoxLayout()
        self._recent.setSpacing(2)
        inner = QWidget(self)
        inner.setFixedWidth(_WIDTH)
        column = QVBoxLayout(inner)
        column.setContentsMargins(32, 32, 32, 32)
        column.setSpacing(12)
        column.addWidget(self._title)
        column.addWidget(self._hint)
        row = QHBoxLayout()
        row.addWidget(self._open)
        row.addStretch(1)
        column.addLayout(row)
        column.addSpacing(12)
        column.addWidget(self._recent_title)
        column.addLayout(self._recent)
        outer = QVBoxLayout(self)
        middle = QHBoxLayout()  # an alignment instead of it would ignore how high wrapped text is
        middle.addStretch(1)
        middle.addWidget(inner)
        middle.addStretch(1)
        outer.addStretch(2)
        outer.addLayout(middle)
        outer.addStretch(3)
        self._inner = inner
        theme.changed.connect(self._restyle)
        self.set_busy("")

    def set_busy(self, path: str) -> None:
        """Say that something is being opened; empty: nothing is."""
        self._title.setText(f"Opening {os.path.basename(path)}…" if path else "Open a recording")
        self._hint.setText(
            "Drop a hyperframe file (.hfr), a task of pooled episodes or a folder of recordings anywhere"
            " on this window; Ctrl+Shift+O opens a folder. Folders of sensor files"
            " (KITTI, RGB-D, EuRoC, comma2k19, IMU tables) become one with hfviewer convert."
        )
        self._open.setVisible(not path)
        self._restyle()

    def set_recent(self, paths: Sequence[str]) -> None:
        """List what was opened lately, newest first."""
        while (item := self._recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for path in paths[:8]:
            button = QPushButton(self)
            button.setFlat(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            folder = os.path.dirname(path)
            metrics = button.fontMetrics()
            short = metrics.elidedText(folder, Qt.TextElideMode.ElideMiddle, 280)
            name = metrics.elidedText(os.path.basename(path), Qt.TextElideMode.ElideMiddle, 180)
            button.setText(f"{name}   {short}".replace("&", "&&"))
            button.setToolTip(plain_tip(path))
            button.setMinimumHeight(28)
            button.setStyleSheet("text-align: left; padding: 4px 6px; border: none;")
            button.clicked.connect(lambda _checked=False, chosen=path: self.recording_chosen.emit(chosen))
            self._recent.addWidget(button)
        self._recent_title.setVisible(bool(paths))

    def _restyle(self) -> None:
        tokens = self._theme.tokens
        for label, colour in (
            (self._title, tokens.t1),
            (self._hint, tokens.t2),
            (self._recent_title, tokens.t3),
        ):
            palette = label.palette()
            palette.setColor(palette.ColorRole.WindowText, colour)
            label.setPalette(palette)
        self._open.setIcon(icon("open", tokens.t1, 16))
        self._open.setIconSize(QSize(16, 16))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        with painting(self, smooth=True) as painter:
            painter.fillRect(self.rect(), tokens.bg1)
            painter.setPen(QPen(tokens.line2, 1.5, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(self._inner.geometry(), 6, 6)
