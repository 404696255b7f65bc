"""The header strip of a panel: whose frame this is, which one, from when, and how old at the playhead."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolButton, QToolTip, QWidget

from hfviewer.core.stream import StreamKind
from hfviewer.panels.drawing import hatch_brush, one_line, painting
from hfviewer.panels.standing import AgeBadge, Standing
from hfviewer.panels.theme import (
    Theme,
    Tokens,
    icon,
    icon_pixmap,
    kind_colour,
    kind_icon,
    number_font,
    ui_font,
    with_alpha,
)
from hfviewer.panels.tips import plain_tip

HEIGHT = 28
AGE_WIDTH = 92
AGE_RIGHT = 30
_BUTTON = 24
_GAP = 10
_LEFT = 9
_BADGE_ICON = 16
_BUTTONS_FROM = 300  # narrower panels keep the room for the name


@dataclass(frozen=True, slots=True)
class HeaderContent:
    """What the header says.

    Args:
        number: number of the frame on screen counted from 1, or a dash.
        count: frames of the stream.
        timestamp: the frame's own, in seconds since the recording's start; may be empty.
        age: the badge on the right.
    """

    number: str
    count: int
    timestamp: str
    age: AgeBadge


class PanelHeader(QWidget):
    """Paints a `HeaderContent`. Everything keeps its place whatever the numbers are.

    Args:
        name: of the stream.
        kind: of the stream, for the icon.
        widest_number: the longest number that will come, so that fields never move.
        widest_timestamp: the longest timestamp that will come.
        badges: short facts about the stream as a whole ("guessed"), with a sentence for the tooltip each.
        theme: colours.
        parent: the panel.
    """

    menu_requested = Signal()
    context_requested = Signal(QPoint)  # the same menu, at a place on the screen
    maximise_requested = Signal()

    def __init__(
        self,
        *,
        name: str,
        kind: StreamKind,
        widest_number: str,
        widest_timestamp: str,
        badges: tuple[tuple[str, str], ...],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._name, self._kind, self._theme, self._badges = one_line(name), kind, theme, badges
        self._widest_number, self._widest_timestamp = widest_number, widest_timestamp
        self._content = HeaderContent("–", 0, "", AgeBadge(Standing.EMPTY, "no frames", ""))
        self._hot = False
        self.setFixedHeight(HEIGHT)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._menu = self._make_button("menu", "Menu of this panel")
        self._menu.clicked.connect(self.menu_requested)
        self._maximise = self._make_button("maximize", "Maximise this panel, or put it back (F)")
        self._maximise.clicked.connect(self.maximise_requested)
        self._extra: list[QToolButton] = []
        theme.changed.connect(self._restyle)
        self._restyle()
        self._show_buttons()

    @property
    def content(self) -> HeaderContent:
        return self._content

    @property
    def menu_button(self) -> QToolButton:
        return self._menu

    @property
    def badges(self) -> tuple[tuple[str, str], ...]:
        """Words about the stream as a whole, each with its sentence."""
        return self._badges

    def set_content(self, content: HeaderContent) -> None:
        if content != self._content:
            self._content = content
            self.setAccessibleName(
                f"{self._name}, frame {content.number} of {content.count}, "
                f"{content.timestamp}, {content.age.text}"
            )
            self.update()

    def set_widest_timestamp(self, text: str) -> None:
        """Times read another way: the longest that will come now."""
        self._widest_timestamp = text
        self.update()

    def set_hot(self, hot: bool) -> None:
        """Show the buttons of a panel that is focused or under the pointer. Their places are always kept."""
        if hot != self._hot:
            self._hot = hot
            self._show_buttons()

    def add_badge(self, word: str, sentence: str) -> None:
        """Say one more thing about the stream as a whole, e.g. that it is damaged."""
        if (word, sentence) not in self._badges:
            self._badges = (*self._badges, (word, sentence))
            self.update()

    def add_button(self, button: QToolButton) -> None:
        """Put one more button left of "maximise"."""
        button.setParent(self)
        button.setFixedSize(_BUTTON, _BUTTON)
        self._extra.append(button)
        self._show_buttons()
        self._place()

    def sizeHint(self) -> QSize:
        return QSize(360, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.maximise_requested.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.context_requested.emit(event.globalPos())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self._hint_at(event.pos().x())), self)
            return True
        return super().event(event)

    def _make_button(self, name: str, hint: str) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("icon-name", name)
        button.setToolTip(hint)
        button.setAccessibleName(hint)
        button.setFixedSize(_BUTTON, _BUTTON)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _show_buttons(self) -> None:
        for button in (self._maximise, *self._extra):
            button.setVisible(self._hot and self._has_buttons)

    @property
    def _has_buttons(self) -> bool:
        return self.width() >= _BUTTONS_FROM

    def _place(self) -> None:
        top = (HEIGHT - _BUTTON) // 2
        self._menu.move(self.width() - _BUTTON - 3, top)
        left = self.width() - AGE_RIGHT - AGE_WIDTH - _GAP
        for button in (self._maximise, *self._extra):
            left -= _BUTTON + 2
            button.move(left, top)
        self._show_buttons()

    def _restyle(self) -> None:
        tokens = self._theme.tokens
        for button in (self._menu, self._maximise):
            button.setIcon(icon(str(button.property("icon-name")), tokens.t2, 16))
            button.setIconSize(QSize(16, 16))
        self.update()

    def _age_rect(self) -> QRectF:
        return QRectF(self.width() - AGE_RIGHT - AGE_WIDTH, 5, AGE_WIDTH, HEIGHT - 10)

    def _hint_at(self, x: int) -> str:
        rect = self._age_rect()
        if rect.left() <= x <= rect.right():
            return self._content.age.hint
        facts = [hint for _, hint in self._badges]
        return "\n".join([self._name, *facts])

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        with painting(self, smooth=True) as painter:
            painter.fillRect(self.rect(), tokens.bg2)
            paint_age(painter, self._age_rect(), self._content.age, tokens)
            self._paint_left(painter, tokens)

    def _paint_left(self, painter: QPainter, tokens: Tokens) -> None:
        """Icon, name, number, timestamp, badges: what has no room is left out, from the right."""
        stop = self.width() - AGE_RIGHT - AGE_WIDTH - _GAP
        if self._has_buttons:
            stop -= (_BUTTON + 2) * (1 + len(self._extra))
        if self._badges:
            stop -= _BADGE_ICON + 4
        painter.drawPixmap(
            QPointF(_LEFT, 6), icon_pixmap(kind_icon(self._kind), kind_colour(tokens, self._kind), 16)
        )
        left = float(_LEFT + 21)
        name_font, digits = ui_font(13, 600), number_font(12)
        metrics, digit_metrics = QFontMetrics(name_font), QFontMetrics(digits)
        wide_number = f"{self._widest_number} / {self._widest_number}"
        number_width = digit_metrics.horizontalAdvance(wide_number)
        time_width = digit_metrics.horizontalAdvance(self._widest_timestamp)
        name_width = metrics.horizontalAdvance(self._name)
        room = stop - left
        with_number = room >= min(name_width, 60) + 14 + number_width
        kept = number_width + 14 if with_number else 0
        with_time = room - kept >= min(name_width, 90) + 14 + time_width
        kept += time_width + 14 if with_time else 0
        name_room = min(name_width, room - kept)
        if name_room >= min(12, name_width):
            painter.setFont(name_font)
            painter.setPen(tokens.t1)
            shown = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, int(name_room) + 1)
            self._text(painter, left, name_room + 2, shown)
        left += max(0.0, name_room) + 14
        painter.setFont(digits)
        painter.setPen(tokens.t2)
        if with_number:
            number = self._content.number.rjust(len(self._widest_number))
            self._text(painter, left, number_width + 2, f"{number} / {self._content.count}")
            left += number_width + 14
        if with_time:
            self._text(
                painter, left, time_width + 2, self._content.timestamp.rjust(len(self._widest_timestamp))
            )
            left += time_width + 14
        if self._badges:
            self._paint_badges(painter, left, stop + _BADGE_ICON + 4, tokens)

    def _paint_badges(self, painter: QPainter, left: float, stop: float, tokens: Tokens) -> None:
        """Every badge as a word where all have room, else one sign for all; the tooltip has the sentences."""
        font = ui_font(11)
        widths = [QFontMetrics(font).horizontalAdvance(word) + 12 for word, _ in self._badges]
        painter.setFont(font)
        if left + sum(widths) + 4 * (len(widths) - 1) > stop:
            painter.drawPixmap(QPointF(stop - _BADGE_ICON, 6), icon_pixmap("info", tokens.info, _BADGE_ICON))
            return
        for (word, _), width in zip(self._badges, widths, strict=True):
            rect = QRectF(left, 6, width, HEIGHT - 12)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.bg3)
            painter.drawRoundedRect(rect, 4, 4)
            painter.setPen(tokens.t2)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, word)
            left += width + 4

    @staticmethod
    def _text(painter: QPainter, left: float, width: float, text: str) -> None:
        painter.drawText(QRectF(left, 0, width, HEIGHT), Qt.AlignmentFlag.AlignVCenter, text)


def paint_age(painter: QPainter, rect: QRectF, age: AgeBadge, tokens: Tokens) -> None:
    """The age badge: shape, colour and word together, the value right-aligned."""
    look: dict[Standing, tuple[QColor, QColor, str]] = {
        Standing.LATE: (tokens.warning, tokens.warning_ground, "warning"),
        Standing.MISSING: (tokens.error, tokens.error_ground, "error"),
        Standing.UNREADABLE: (tokens.error, tokens.error_ground, "error"),
    }
    colour, ground, shape = look.get(age.standing, (tokens.t2, tokens.bg3, ""))
    painter.setPen(QPen(colour, 1) if shape else Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    if age.standing is Standing.ENDED:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(
            hatch_brush(
                with_alpha(tokens.t3, 0.45), spacing=6, width=1.0, ratio=painter.device().devicePixelRatioF()
            )
        )
        painter.drawRoundedRect(rect, 4, 4)
    if shape:
        painter.drawPixmap(QPointF(rect.left() + 6, rect.top() + 2.5), icon_pixmap(shape, colour, 13))
    font = number_font(12) if age.is_number else ui_font(11, 500)
    inner = rect.adjusted(6 + (16 if shape else 0), 0, -8, 0)
    if age.standing is Standing.ENDED:
        width = QFontMetrics(font).horizontalAdvance(age.text) + 8
        plain = QRectF(inner.right() - width + 4, rect.top() + 2, width, rect.height() - 4)
        painter.setBrush(tokens.bg3)
        painter.drawRect(plain)
    painter.setFont(font)
    painter.setPen(colour)
    text = QFontMetrics(font).elidedText(age.text, Qt.TextElideMode.ElideRight, int(inner.width()) + 1)
    painter.drawText(inner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
