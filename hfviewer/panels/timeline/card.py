"""The card that tells what lies under the pointer."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from hfviewer.core.finding import Severity
from hfviewer.core.stream import StreamKind
from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import (
    Theme,
    icon_pixmap,
    kind_colour,
    kind_icon,
    number_font,
    severity_colour,
    ui_font,
)

CARD_PX = 232
MOST_CARD_PX = 420
THUMBNAIL_PX = 120
LEAST_THUMBNAIL_PX = 32
_LINE_PX = 18
_PAD_PX = 8
_AWAY_PX = 16  # from the pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class CardContent:
    """What the card says.

    Args:
        time: under the pointer, as text.
        distance: from the playhead, as text.
        stream: under the pointer, or empty over the ruler.
        kind: of that stream.
        number: index of the frame, from 0, and how many there are: ``#1583 of 1957``.
        detail: about that frame, or empty.
        warning: what is wrong there, or empty.
        severity: of that.
        thumbnail: a small picture of the frame, if one is at hand.
    """

    time: str
    distance: str
    stream: str = ""
    kind: StreamKind = StreamKind.UNKNOWN
    number: str = ""
    detail: str = ""
    warning: str = ""
    severity: Severity = Severity.WARNING
    thumbnail: QImage | None = None


class HoverCard(QWidget):
    """Drawn over the lanes; the pointer passes through it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._content: CardContent | None = None
        self._thumbnail_px = THUMBNAIL_PX
        self._name_font = ui_font(13, 600)
        self._number_font = number_font(12)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    @property
    def last_content(self) -> CardContent | None:
        """What it says; None once it was dismissed."""
        return self._content

    def dismiss(self) -> None:
        """Say nothing."""
        self._content = None
        self.hide()

    def show_at(self, point: QPoint, content: CardContent, bounds: QRect) -> None:
        """Show beside a point, inside of bounds."""
        self._content = content
        lines = 1 + bool(content.stream) + bool(content.detail) + bool(content.warning)
        height = lines * _LINE_PX + 2 * _PAD_PX
        if content.thumbnail is not None:
            # A low timeline has room for a low picture only; the words come first.
            room_px = bounds.height() - height - _PAD_PX - 4
            self._thumbnail_px = max(LEAST_THUMBNAIL_PX, min(THUMBNAIL_PX, room_px))
            height += self._thumbnail_px + _PAD_PX
        metrics = QFontMetrics(self._number_font)
        longest = max(metrics.horizontalAdvance(text) for text in (content.detail, content.warning + "   "))
        width = max(CARD_PX, min(longest + 2 * _PAD_PX + 4, MOST_CARD_PX, bounds.width()))
        left = point.x() + _AWAY_PX
        if left + width > bounds.right():
            left = point.x() - _AWAY_PX - width
        top = min(max(point.y() - height // 2, bounds.top() + 2), bounds.bottom() - height - 1)
        self.setGeometry(max(left, bounds.left()), max(top, bounds.top()), width, height)
        self.show()
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        content, tokens = self._content, self._theme.tokens
        if content is None:
            return
        with painting(self, smooth=True) as painter:
            painter.setBrush(tokens.card)
            painter.setPen(QPen(tokens.line2, 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
            inner = self.rect().adjusted(_PAD_PX, _PAD_PX, -_PAD_PX, -_PAD_PX)
            if content.thumbnail is not None and not content.thumbnail.isNull():
                room = QRect(inner.left(), inner.top(), inner.width(), self._thumbnail_px)
                painter.fillRect(room, tokens.picture)
                size = content.thumbnail.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
                target = QRect(QPoint(0, 0), size)
                target.moveCenter(room.center())
                painter.drawImage(target, content.thumbnail)
                inner.setTop(room.bottom() + _PAD_PX)
            line = QRect(inner.left(), inner.top(), inner.width(), _LINE_PX)
            left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.setFont(self._number_font)
            if content.stream:
                painter.setPen(tokens.t1)
                painter.drawText(line, right, content.number)
                room_px = line.width() - 24 - painter.fontMetrics().horizontalAdvance(content.number) - 8
                colour = kind_colour(tokens, content.kind)
                painter.drawPixmap(
                    line.left(), line.top() + 1, icon_pixmap(kind_icon(content.kind), colour, 16)
                )
                painter.setFont(self._name_font)
                name = painter.fontMetrics().elidedText(content.stream, Qt.TextElideMode.ElideMiddle, room_px)
                painter.drawText(line.adjusted(22, 0, 0, 0), left, name)
                line.translate(0, _LINE_PX)
                painter.setFont(self._number_font)
            painter.setPen(tokens.t1)
            painter.drawText(line, left, content.time)
            painter.setPen(tokens.t2)
            painter.drawText(line, right, content.distance)
            if content.detail:
                line.translate(0, _LINE_PX)
                painter.setPen(tokens.t3)
                self._draw_elided(painter, line, content.detail)
            if content.warning:
                line.translate(0, _LINE_PX)
                colour = severity_colour(tokens, content.severity)
                sign = icon_pixmap(content.severity.value, colour, 14)
                painter.drawPixmap(line.left(), line.top() + 2, sign)
                painter.setPen(colour)
                self._draw_elided(painter, line.adjusted(20, 0, 0, 0), content.warning)

    def _draw_elided(self, painter: QPainter, line: QRect, text: str) -> None:
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
