"""The widget that draws a device's states: the one of now, a strip of all, and a list of the changes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from hfviewer.core.window import TimeWindow
from hfviewer.panels.drawing import painting
from hfviewer.panels.state_history import History, Mood, mood_of
from hfviewer.panels.theme import Theme, icon_pixmap, number_font, ui_font, with_alpha

_EDGE = 12
_NOW_PX, _STRIP_PX, _ROW_PX = 34, 22, 24
_TIME_PX, _LENGTH_PX = 96, 84
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_SHAPES = {Mood.GOOD: "fine", Mood.BAD: "error", Mood.OTHER: "info"}


class StateCanvas(QWidget):
    """Paints a `History`.

    Args:
        theme: colours.
        times: how a time reads.
        parent: the panel.
    """

    state_chosen = Signal(int)  # number of the state
    hovered = Signal(object)  # the same, or None

    def __init__(self, theme: Theme, times: Callable[[int], str], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._times = theme, times
        self._history: History | None = None
        self._span = TimeWindow(0, 1)
        self._position_ns = 0
        self._under: int | None = None
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self.update)

    def show_history(self, history: History | None, span: TimeWindow) -> None:
        """Draw these states over this span."""
        self._history, self._span = history, span
        self.update()

    def set_position(self, position_ns: int) -> None:
        """Where the playhead is."""
        if position_ns != self._position_ns:
            self._position_ns = position_ns
            self.update()

    @property
    def under(self) -> int | None:
        """Number of the state under the pointer."""
        return self._under

    @property
    def now(self) -> int | None:
        """Number of the state at the playhead."""
        return None if self._history is None else self._history.at(self._position_ns)

    def rows(self) -> list[tuple[int, QRect]]:
        """The states that have a row in the list, and where; the one of now is always among them."""
        if self._history is None:
            return []
        top = _NOW_PX + _STRIP_PX + 20
        room = max(0, (self.height() - top - 6) // _ROW_PX)
        count = len(self._history.states)
        first = max(0, min((self.now or 0) - room // 2, count - room))
        width = self.width() - 2 * _EDGE
        return [
            (number, QRect(_EDGE, top + (number - first) * _ROW_PX, width, _ROW_PX))
            for number in range(first, min(count, first + room))
        ]

    def strip(self) -> QRect:
        """Where all states lie side by side."""
        return QRect(_EDGE, _NOW_PX + 8, max(1, self.width() - 2 * _EDGE), _STRIP_PX)

    def colour_of(self, text: str) -> QColor:
        """Of a state; its text, or its shape, always stands beside it."""
        tokens, mood = self._theme.tokens, mood_of(text)
        if mood is Mood.GOOD:
            return tokens.fine
        if mood is Mood.BAD:
            return tokens.error
        others = [] if self._history is None else self._history.kinds()
        others = [kind for kind in others if mood_of(kind) is Mood.OTHER]
        place = others.index(text) if text in others else 0
        return (tokens.info, *tokens.series)[place % (1 + len(tokens.series))]

    # -- Qt --------------------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._set_under(self._state_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._set_under(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        number = self._state_at(event.position())
        if event.button() is Qt.MouseButton.LeftButton and number is not None:
            self.state_chosen.emit(number)

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self, smooth=True) as painter:
            painter.fillRect(self.rect(), self._theme.tokens.bg1)
            if self._history is not None:
                self._paint_now(painter, self._history)
                self._paint_strip(painter, self._history)
                self._paint_rows(painter, self._history)

    # -- inside ----------------------------------------------------------------------------------------------

    def _set_under(self, number: int | None) -> None:
        if number != self._under:
            self._under = number
            self.hovered.emit(number)
            self.update()

    def _state_at(self, place: QPointF) -> int | None:
        point = place.toPoint()
        found = next((number for number, rect in self.rows() if rect.contains(point)), None)
        strip = self.strip()
        if found is None and self._history is not None and strip.contains(point):
            share = (place.x() - strip.left()) / strip.width()
            found = self._history.at(self._span.start_ns + round(share * self._span.duration_ns))
        return found

    def _x(self, time_ns: int) -> float:
        strip = self.strip()
        share = (time_ns - self._span.start_ns) / max(1, self._span.duration_ns)
        return strip.left() + min(1.0, max(0.0, share)) * strip.width()

    def _stop_ns(self, history: History, number: int) -> int:
        following = number + 1
        return history.states[following].start_ns if following < len(history.states) else self._span.stop_ns

    def _paint_now(self, painter: QPainter, history: History) -> None:
        tokens, now = self._theme.tokens, self.now
        line = QRect(_EDGE, 4, self.width() - 2 * _EDGE, _NOW_PX)
        if now is None:
            painter.setFont(ui_font(13))
            painter.setPen(tokens.t3)
            painter.drawText(line, _LEFT, "no state yet")
            return
        state = history.states[now]
        colour = self.colour_of(state.text)
        painter.drawPixmap(line.left(), line.top() + 8, icon_pixmap(_SHAPES[mood_of(state.text)], colour, 18))
        painter.setFont(number_font(12))
        painter.setPen(tokens.t2)
        since = f"since {self._times(state.start_ns)}"
        painter.drawText(line, _RIGHT, since)
        room = line.width() - 28 - painter.fontMetrics().horizontalAdvance(since) - 12
        painter.setFont(ui_font(16, 600))
        painter.setPen(tokens.t1)
        text = painter.fontMetrics().elidedText(state.text, Qt.TextElideMode.ElideRight, max(0, room))
        painter.drawText(line.adjusted(28, 0, 0, 0), _LEFT, text)

    def _paint_strip(self, painter: QPainter, history: History) -> None:
        tokens, strip = self._theme.tokens, self.strip()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.fillRect(strip, tokens.bg0)
        painter.setFont(ui_font(11, 500))
        drawn_to = float(strip.left()) - 1
        for number, state in enumerate(history.states):
            left, right = self._x(state.start_ns), self._x(self._stop_ns(history, number))
            if right <= drawn_to:
                continue  # narrower than a pixel, under one that is drawn
            right = max(right, left + 1)
            drawn_to = right
            bad = mood_of(state.text) is Mood.BAD
            span = QRectF(left, strip.top(), right - left, strip.height())
            painter.fillRect(span, with_alpha(self.colour_of(state.text), 0.85 if bad else 0.45))
            painter.fillRect(QRectF(left, strip.top(), 1, strip.height()), tokens.bg1)
            if right - left > 40:
                painter.setPen(tokens.on_accent if bad else tokens.t1)
                text = painter.fontMetrics().elidedText(
                    state.text, Qt.TextElideMode.ElideRight, int(right - left) - 10
                )
                painter.drawText(span.adjusted(6, 0, -4, 0), _LEFT, text)
        x = self._x(self._position_ns)
        painter.setPen(QPen(tokens.playhead, 1.5))
        painter.drawLine(QPointF(x, strip.top() - 3), QPointF(x, strip.bottom() + 3))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_rows(self, painter: QPainter, history: History) -> None:
        tokens, now = self._theme.tokens, self.now
        for number, rect in self.rows():
            state = history.states[number]
            if number in (now, self._under):
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(tokens.accent_ground if number == now else tokens.bg3)
                painter.drawRoundedRect(QRectF(rect).adjusted(-6, 0, 6, 0), 4, 4)
            inner = QRect(rect)
            shape = _SHAPES[mood_of(state.text)]
            painter.drawPixmap(
                inner.left(), inner.top() + 5, icon_pixmap(shape, self.colour_of(state.text), 14)
            )
            painter.setFont(number_font(12))
            painter.setPen(tokens.t2)
            length_s = (self._stop_ns(history, number) - state.start_ns) / 1e9
            painter.drawText(inner, _RIGHT, f"{length_s:.3f} s")
            inner.setLeft(inner.left() + 22)
            painter.drawText(inner, _LEFT, self._times(state.start_ns))
            inner.adjust(_TIME_PX, 0, -_LENGTH_PX, 0)
            painter.setFont(ui_font(13, 600 if number == now else 400))
            painter.setPen(tokens.t1)
            text = painter.fontMetrics().elidedText(
                state.text, Qt.TextElideMode.ElideRight, max(0, inner.width())
            )
            painter.drawText(inner, _LEFT, text)
