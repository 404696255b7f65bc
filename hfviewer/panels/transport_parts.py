"""The parts of the transport bar: each shows one piece of state and changes it."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from hfviewer.core import timing
from hfviewer.core.time_format import TimeMode, elapsed_text
from hfviewer.core.time_text import format_elapsed
from hfviewer.model.playhead import MAX_SPEED, MIN_SPEED, Playhead
from hfviewer.model.workspace import Workspace
from hfviewer.panels.drawing import one_line, painting
from hfviewer.panels.theme import Theme, icon, icon_pixmap, kind_colour, kind_icon, number_font, ui_font

BOX_PX = 34  # height of framed parts
SPEEDS = (MIN_SPEED, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, MAX_SPEED)
_TIME_CHARACTERS = 12  # 00:00:52.706
_CAP_PX = 18


def speed_text(speed: float) -> str:
    """``1.0×``, ``0.25×``, ``−2.0×``."""
    size = f"{abs(speed):.2f}"
    return f"{'−' if speed < 0 else ''}{size.removesuffix('0')}×"


def next_speed(speed: float, *, faster: bool) -> float:
    """The next speed on the ladder, in the same direction of time."""
    size = abs(speed)
    if faster:
        found = next((step for step in SPEEDS if step > size + 1e-9), MAX_SPEED)
    else:
        found = next((step for step in reversed(SPEEDS) if step < size - 1e-9), MIN_SPEED)
    return -found if speed < 0 else found


class FramedBox(QWidget):
    """A row of things in a thin frame."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedHeight(BOX_PX)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        with painting(self, smooth=True) as painter:
            painter.setBrush(tokens.bg1)
            painter.setPen(QPen(tokens.line2, 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)


class SpeedBox(FramedBox):
    """− 1.0× +; the number itself returns to normal speed."""

    def __init__(self, playhead: Playhead, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._playhead = playhead
        self._slower = flat_button("Slower")
        self._faster = flat_button("Faster")
        self._value = flat_button("Back to normal speed")
        self._value.setFont(number_font(13))
        width = QFontMetrics(self._value.font()).horizontalAdvance("−0.05×") + 6
        self._value.setFixedSize(width, 26)
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 0, 3, 0)
        row.setSpacing(1)
        for button in (self._slower, self._value, self._faster):
            row.addWidget(button)
        self._slower.clicked.connect(lambda: self._step(faster=False))
        self._faster.clicked.connect(lambda: self._step(faster=True))
        self._value.clicked.connect(lambda: playhead.set_speed(1.0))
        playhead.speed_changed.connect(self._on_speed_changed)
        theme.changed.connect(self._tint)
        self._on_speed_changed(playhead.speed)
        self._tint()

    @property
    def text(self) -> str:
        return self._value.text()

    def _step(self, *, faster: bool) -> None:
        self._playhead.set_speed(next_speed(self._playhead.speed, faster=faster))

    def _on_speed_changed(self, speed: float) -> None:
        self._value.setText(speed_text(speed))
        self._slower.setEnabled(abs(speed) > MIN_SPEED)
        self._faster.setEnabled(abs(speed) < MAX_SPEED)

    def _tint(self) -> None:
        tokens = self._theme.tokens
        self._slower.setIcon(icon("minus", tokens.t2, 16, disabled=tokens.off))
        self._faster.setIcon(icon("plus", tokens.t2, 16, disabled=tokens.off))


class RangeBox(FramedBox):
    """In and out, and how long that is. The caps set them at the playhead."""

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        playhead = workspace.playhead
        self._playhead, self._times = playhead, workspace.time_display
        self._font = number_font(13)
        self._small = number_font(11)
        self._caps = {
            "I": flat_button("Set the in point here (I)"),
            "O": flat_button("Set the out point here (O)"),
        }
        for letter, cap in self._caps.items():
            cap.setParent(self)
            cap.setText(letter)
            cap.setFont(ui_font(11, 700))
            cap.setFixedSize(_CAP_PX, _CAP_PX)
        self._caps["I"].clicked.connect(lambda: playhead.set_range(playhead.position_ns, playhead.out_ns))
        self._caps["O"].clicked.connect(lambda: playhead.set_range(playhead.in_ns, playhead.position_ns))
        playhead.range_changed.connect(self.update)
        playhead.span_changed.connect(self._fit)
        workspace.time_display.changed.connect(self._fit)
        theme.changed.connect(self._tint)
        self._tint()
        self._fit()

    def texts(self) -> tuple[str, str, str]:
        """In, out and length as shown; a dash for what is not set."""
        in_ns, out_ns = self._playhead.in_ns, self._playhead.out_ns
        length = ""
        if in_ns is not None and out_ns is not None:
            length = f"{(out_ns - in_ns) / 1e9:.2f} s"
        return self._text(in_ns), self._text(out_ns), length

    def _text(self, time_ns: int | None) -> str:
        return "–" if time_ns is None else self._times.format.text(time_ns)

    def _fit(self) -> None:
        longest = self._text(self._playhead.span.stop_ns)
        length = elapsed_text(self._playhead.span.duration_ns, decimals=2, clock=False)
        self._value_px = QFontMetrics(self._font).horizontalAdvance(longest) + 4
        self._length_px = QFontMetrics(self._small).horizontalAdvance(f"{length} s") + 2
        self._caps["I"].move(8, (BOX_PX - _CAP_PX) // 2)
        self._caps["O"].move(8 + _CAP_PX + 6 + self._value_px + 8, (BOX_PX - _CAP_PX) // 2)
        self.setFixedWidth(8 + 2 * (_CAP_PX + 6 + self._value_px + 8) + self._length_px + 4)
        self.update()

    def _tint(self) -> None:
        tokens = self._theme.tokens
        for cap in self._caps.values():
            cap.setStyleSheet(
                f"QToolButton {{ background: {tokens.bg3.name()}; color: {tokens.t1.name()}; padding: 0;"
                f" border: 1px solid {tokens.line2.name()}; border-radius: 4px; }}"
                f"QToolButton:hover {{ background: {tokens.bg4.name()}; }}"
            )

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        tokens = self._theme.tokens
        with painting(self) as painter:
            middle_left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            in_text, out_text, length = self.texts()
            for cap, text in ((self._caps["I"], in_text), (self._caps["O"], out_text)):
                painter.setFont(self._font)
                painter.setPen(tokens.t3 if text == "–" else tokens.t1)
                painter.drawText(
                    QRect(cap.geometry().right() + 7, 0, self._value_px, BOX_PX), middle_left, text
                )
            painter.setFont(self._small)
            painter.setPen(tokens.t3)
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(self.rect().adjusted(0, 0, -9, 0), right, length)


class BigTime(QWidget):
    """The playhead's time, large. Its width is that of its longest value."""

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        playhead = self._playhead = workspace.playhead
        self._times = workspace.time_display
        self._theme = theme
        self._font = number_font(30, 600)
        self._raw_font = number_font(17, 600)  # 19 digits in the room of 12
        width = ceil(QFontMetricsF(self._font).horizontalAdvance("0" * _TIME_CHARACTERS))
        self.setFixedSize(width + 4, 44)
        self.setToolTip("Time of the playhead")
        playhead.moved.connect(self.update)
        playhead.span_changed.connect(self.update)
        self._times.changed.connect(self.update)
        theme.changed.connect(self.update)

    def text(self) -> str:
        """What it shows."""
        position_ns, times = self._playhead.position_ns, self._times.format
        if times.reads_as is TimeMode.ELAPSED:
            return format_elapsed(position_ns - self._playhead.span.start_ns)
        return times.text(position_ns)

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            text = self.text()
            painter.setFont(self._font if len(text) <= _TIME_CHARACTERS else self._raw_font)
            painter.setPen(self._theme.tokens.t1)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


class FocusInfo(QWidget):
    """The stream that steps go by, the number of its frame, and the playhead's date and time of day."""

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._theme = theme
        self._name_font = ui_font(13, 600)
        self._number_font = number_font(13)
        self._date_font = number_font(12)
        self.setFixedSize(210, 44)
        workspace.playhead.moved.connect(self.update)
        workspace.focus_changed.connect(self._on_focus_changed)
        workspace.time_display.changed.connect(self.update)
        theme.changed.connect(self.update)

    def number_text(self) -> str:
        """``1576 / 1957``; empty without a stream in focus."""
        recording, name = self._workspace.recording, self._workspace.focused
        stream = None if recording is None or name is None else recording.streams.get(name)
        if stream is None:
            return ""
        index = timing.index_at(stream.timestamps_ns, self._workspace.playhead.position_ns)
        count = str(len(stream))
        return f"{('–' if index is None else str(index + 1)).rjust(len(count))} / {count}"

    def date_text(self) -> str:
        """Date and time, local where times read so, else UTC; empty where stamps do not count from 1970."""
        if self._workspace.recording is None:
            return ""
        return self._workspace.time_display.format.date(self._workspace.playhead.position_ns)

    def _on_focus_changed(self, stream: str | None) -> None:
        self.setToolTip("" if stream is None else f"Steps go by the frames of {one_line(stream)}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens, recording = self._theme.tokens, self._workspace.recording
        with painting(self) as painter:
            painter.fillRect(0, 4, 1, self.height() - 8, tokens.line2)
            left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            upper, lower = QRect(12, 2, self.width() - 12, 20), QRect(12, 22, self.width() - 12, 20)
            name, number = self._workspace.focused, self.number_text()
            stream = None if recording is None or name is None else recording.streams.get(name)
            if stream is not None and name is not None:
                kind = stream.description.kind
                painter.drawPixmap(12, 4, icon_pixmap(kind_icon(kind), kind_colour(tokens, kind), 16))
                number_px = QFontMetrics(self._number_font).horizontalAdvance(number)
                painter.setFont(self._name_font)
                painter.setPen(tokens.t1)
                metrics = QFontMetrics(self._name_font)
                shown = metrics.elidedText(
                    one_line(name), Qt.TextElideMode.ElideMiddle, upper.width() - 24 - number_px - 10
                )
                painter.drawText(upper.adjusted(24, 0, 0, 0), left, shown)
                painter.setFont(self._number_font)
                painter.drawText(
                    upper.adjusted(24 + metrics.horizontalAdvance(shown) + 10, 0, 0, 0), left, number
                )
            painter.setFont(self._date_font)
            painter.setPen(tokens.t3)
            painter.drawText(lower, left, self.date_text())


class ModeSegments(FramedBox):
    """Elapsed · UTC · Local · ns."""

    chosen = Signal(object)  # TimeMode

    _ENTRIES = (
        (TimeMode.ELAPSED, "Elapsed", "Time since the start"),
        (TimeMode.UTC, "UTC", "Time of day, UTC"),
        (TimeMode.LOCAL, "Local", "Time of day of this computer's zone"),
        (TimeMode.NS, "ns", "Raw nanoseconds of the recording clock"),
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._group = QButtonGroup(self)
        self._buttons: dict[TimeMode, QToolButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 0, 3, 0)
        row.setSpacing(1)
        for mode, text, tip in self._ENTRIES:
            button = flat_button(tip)
            button.setText(text)
            button.setCheckable(True)
            button.setFont(ui_font(12, 600))
            button.setFixedSize(QFontMetrics(button.font()).horizontalAdvance(text) + 12, 26)
            self._group.addButton(button)
            self._buttons[mode] = button
            row.addWidget(button)
            button.clicked.connect(lambda _checked=False, mode=mode: self.chosen.emit(mode))
        self._buttons[TimeMode.ELAPSED].setChecked(True)
        theme.changed.connect(self._tint)
        self._tint()

    def press(self, mode: TimeMode) -> None:
        """Show a mode as chosen, without saying so."""
        self._buttons[mode].setChecked(True)

    def allow_time_of_day(self, allowed: bool) -> None:
        """Whether the recording's clock counts from 1970."""
        for mode, _, tip in self._ENTRIES[1:3]:
            self._buttons[mode].setEnabled(allowed)
            self._buttons[mode].setToolTip(
                tip if allowed else "This recording's clock does not count from 1970"
            )

    def _tint(self) -> None:
        tokens = self._theme.tokens
        self.setStyleSheet(
            f"QToolButton {{ color: {tokens.t2.name()}; border: none; border-radius: 5px; padding: 0; }}"
            f"QToolButton:hover {{ background: {tokens.bg3.name()}; }}"
            f"QToolButton:checked {{ background: {tokens.bg4.name()}; color: {tokens.t1.name()}; }}"
            f"QToolButton:disabled {{ color: {tokens.off.name()}; }}"
        )


def flat_button(tip: str) -> QToolButton:
    """A button that never takes the keyboard: keys belong to the timeline."""
    button = QToolButton()
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.setIconSize(QSize(16, 16))
    button.setFixedSize(26, 26)
    return button
