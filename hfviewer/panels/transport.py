"""The transport bar: open, step, play, speed, loop, in and out, and what time it is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from hfviewer.core.recording import Recording
from hfviewer.core.time_format import TimeFormat, is_epoch
from hfviewer.model.workspace import Workspace
from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Theme, icon, icon_pixmap
from hfviewer.panels.transport_parts import (
    BigTime,
    FocusInfo,
    ModeSegments,
    RangeBox,
    SpeedBox,
    flat_button,
)

BAR_PX = 56
_BUTTON_PX = 32
_PLAY_PX = 40
_SPACING_PX = 4
_GROUP_PX = 8  # between groups


class TransportBar(QWidget):
    """Moves the playhead; what it cannot do by itself it asks for by its signals.

    Where the window is too narrow the least needed go first: in/out, time mode, speed, the focused stream.

    Args:
        workspace: what is open, its playhead and the stream in focus.
        theme: the tokens in force.
        parent: as in Qt.
    """

    open_requested = Signal()
    step_requested = Signal(int)  # frames of the focused stream; −1 is back
    start_requested = Signal()
    end_requested = Signal()

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._theme = theme
        playhead = workspace.playhead
        self._open = self._button("Open a recording (Ctrl+O)")
        self._start = self._button("To the start (Home)")
        self._back = self._button("One frame back (Left)")
        self._play = self._button("Play (Space)")
        self._forward = self._button("One frame on (Right)")
        self._end = self._button("To the end (End)")
        self._loop = self._button("Play in a loop (Ctrl+L)")
        self._speed = SpeedBox(playhead, theme)
        self._range = RangeBox(workspace, theme)
        self._time = BigTime(workspace, theme)
        self._focus = FocusInfo(workspace, theme)
        self._modes = ModeSegments(theme)
        self._play.setFixedSize(_PLAY_PX + 6, _PLAY_PX)
        self._play.setObjectName("play")
        self._loop.setCheckable(True)
        for button in (self._back, self._forward):
            button.setAutoRepeat(True)
        self._groups = self._build()
        self._connect()
        self._on_theme_changed()
        self._on_playing_changed(playhead.playing)
        self._loop.setChecked(playhead.loop)
        self._on_recording_changed(workspace.recording)

    def sizeHint(self) -> QSize:
        return QSize(1280, BAR_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._needed_px(self._groups[:1]), BAR_PX)

    def _build(self) -> list[QWidget]:
        """Lay out the groups; returns those that may have to go, the most needed first."""
        self.setFixedHeight(BAR_PX)
        row = QHBoxLayout(self)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)  # or nothing could ever be dropped
        row.setContentsMargins(10, 0, 10, 0)
        row.setSpacing(_GROUP_PX)
        buttons = _group(self._start, self._back, self._play, self._forward, self._end)
        speed = _group(self._speed, self._loop)
        opening = _group(self._open)
        for widget in (opening, buttons, speed, self._range, self._time, self._focus):
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        row.addWidget(self._modes, 0, Qt.AlignmentFlag.AlignVCenter)
        self._parted = (buttons, speed, self._range)  # have a line before them
        return [buttons, self._time, opening, self._focus, speed, self._modes, self._range]

    def _connect(self) -> None:
        workspace, playhead = self._workspace, self._workspace.playhead
        self._open.clicked.connect(self.open_requested)
        self._start.clicked.connect(self.start_requested)
        self._end.clicked.connect(self.end_requested)
        self._back.clicked.connect(lambda: self.step_requested.emit(-1))
        self._forward.clicked.connect(lambda: self.step_requested.emit(1))
        self._play.clicked.connect(lambda: playhead.set_playing(not playhead.playing))
        self._loop.toggled.connect(playhead.set_loop)
        self._modes.chosen.connect(workspace.time_display.set_mode)
        workspace.time_display.changed.connect(self._on_times_changed)
        playhead.playing_changed.connect(self._on_playing_changed)
        playhead.span_changed.connect(self._drop_what_does_not_fit)  # times may be longer now
        playhead.loop_changed.connect(self._loop.setChecked)
        workspace.recording_changed.connect(self._on_recording_changed)
        self._theme.changed.connect(self._on_theme_changed)

    def _button(self, tip: str) -> QToolButton:
        button = flat_button(tip)
        button.setFixedSize(_BUTTON_PX, _BUTTON_PX)
        button.setIconSize(QSize(20, 20))
        return button

    def _needed_px(self, groups: list[QWidget]) -> int:
        widths = [max(group.sizeHint().width(), group.minimumWidth()) for group in groups]
        return 20 + sum(widths) + _GROUP_PX * max(0, len(groups) - 1)

    def _drop_what_does_not_fit(self) -> None:
        shown = len(self._groups)
        # The stretch costs a spacing as well.
        while shown > 1 and self._needed_px(self._groups[:shown]) + _GROUP_PX > self.width():
            shown -= 1
        for index, group in enumerate(self._groups):
            group.setVisible(index < shown)

    def _on_recording_changed(self, recording: Recording | None) -> None:
        span = None if recording is None else recording.description.span
        for widget in (
            self._start,
            self._back,
            self._play,
            self._forward,
            self._end,
            self._loop,
            self._speed,
            self._range,
            self._modes,
        ):
            widget.setEnabled(span is not None)
        self._modes.allow_time_of_day(span is not None and is_epoch(span.start_ns))
        self.update()

    def _on_times_changed(self, times: TimeFormat) -> None:
        self._modes.press(times.reads_as)
        self._drop_what_does_not_fit()

    def _on_playing_changed(self, playing: bool) -> None:
        tip = "Pause (Space)" if playing else "Play (Space)"
        self._play.setToolTip(tip)
        self._play.setAccessibleName(tip)
        self._tint_play()

    def _tint_play(self) -> None:
        tokens = self._theme.tokens
        name = "pause" if self._workspace.playhead.playing else "play"
        self._play.setIcon(icon(name, tokens.on_accent, 20, disabled=tokens.off))

    def _on_theme_changed(self) -> None:
        tokens = self._theme.tokens
        for button, name in (
            (self._open, "open"),
            (self._start, "skip-start"),
            (self._back, "step-back"),
            (self._forward, "step-forward"),
            (self._end, "skip-end"),
        ):
            button.setIcon(icon(name, tokens.t1, 20, disabled=tokens.off))
        loop = icon("loop", tokens.t1, 20, disabled=tokens.off)
        loop.addPixmap(icon_pixmap("loop", tokens.accent, 20), QIcon.Mode.Normal, QIcon.State.On)
        self._loop.setIcon(loop)
        accent, disabled = tokens.accent.name(), tokens.bg3.name()
        self._play.setStyleSheet(
            f"#play {{ background: {accent}; border: none; border-radius: 6px; }}"
            f"#play:disabled {{ background: {disabled}; }}"
        )
        self._tint_play()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._drop_what_does_not_fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "_groups"):
            self._drop_what_does_not_fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        with painting(self) as painter:
            painter.fillRect(self.rect(), tokens.bg2)
            painter.fillRect(0, self.height() - 1, self.width(), 1, tokens.line)
            for group in self._parted:
                if group.isVisible():
                    left = group.geometry().left() - _GROUP_PX // 2
                    painter.fillRect(left, 16, 1, self.height() - 32, tokens.line2)


def _group(*widgets: QWidget) -> QWidget:
    group = QWidget()
    row = QHBoxLayout(group)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(_SPACING_PX)
    for widget in widgets:
        row.addWidget(widget)
    return group
