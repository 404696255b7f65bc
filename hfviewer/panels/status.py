"""The status bar: what is saved, how far showing lags behind, how full the cache is, what a step means."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from hfviewer.core.recording import Recording
from hfviewer.model.workspace import Workspace
from hfviewer.panels.drawing import one_line, painting
from hfviewer.panels.theme import Theme, icon_pixmap, number_font, ui_font
from hfviewer.panels.tips import plain_tip

BAR_PX = 24
_PAD_PX = 12
_METER_PX = 48
_WORD_PX = 6  # between the words of a field
_READ_OUT_PX = 1100  # a window that has less room for it leaves fields out
_MESSAGE_PX = 100  # less room than this is not worth a message
_GIB = 2**30


@dataclass(frozen=True, slots=True)
class _Text:
    text: str
    font: QFont
    colour: QColor
    longest: str = ""

    @property
    def width(self) -> int:
        return QFontMetrics(self.font).horizontalAdvance(self.longest or self.text) + 1


class StatusBar(QWidget):
    """One line. Every field has the room of its longest value, so that nothing moves while playing.

    Showing fewer frames than were recorded is told here only: it must not look like a recorded drop.

    Args:
        workspace: what is open, its playhead and the stream in focus.
        theme: the tokens in force.
        parent: as in Qt.
    """

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._theme = theme
        self._font = ui_font(12)
        self._bold = ui_font(12, 600)
        self._number = number_font(12)
        self._message = ""
        self._saved_text = ""
        self._saved = True
        self._shown_fps: float | None = None
        self._recorded_fps: float | None = None
        self._lag_ms: float | None = None
        self._read_out = ""
        self._cache_bytes = 0
        self._budget_bytes = 0
        self.setFixedHeight(BAR_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        workspace.recording_changed.connect(self._on_recording_changed)
        workspace.focus_changed.connect(self.update)
        workspace.playhead.playing_changed.connect(self.update)
        theme.changed.connect(self.update)

    def set_statistics(
        self,
        shown_fps: float | None,
        recorded_fps: float | None,
        lag_ms: float | None,
        cache_bytes: int,
        budget_bytes: int,
    ) -> None:
        """How the playing goes.

        Args:
            shown_fps: frames a second that reach the screen, of the focused stream; None while paused.
            recorded_fps: frames a second that it holds at this speed; None where it is irregular.
            lag_ms: how long reading and decoding a frame takes; None where nothing was read yet.
            cache_bytes: held by the cache.
            budget_bytes: that it may hold.
        """
        self._shown_fps, self._recorded_fps, self._lag_ms = shown_fps, recorded_fps, lag_ms
        self._cache_bytes, self._budget_bytes = cache_bytes, budget_bytes
        self.update()

    def set_message(self, text: str) -> None:
        """One line about what goes on; empty for nothing."""
        self._message = one_line(text)
        self.setToolTip(plain_tip(text))
        self.update()

    @property
    def read_out(self) -> str:
        """What the pointer is at."""
        return self._read_out

    def set_read_out(self, text: str) -> None:
        """What the pointer is at, in every panel that sees it; takes the place of the message meanwhile."""
        self._read_out = one_line(text)
        self.setToolTip(plain_tip(self._read_out or self._message))
        self.update()

    def set_saved(self, saved: bool, text: str) -> None:
        """Whether every edit is in the recording.

        Args:
            saved: False shows a warning sign.
            text: beside it: ``revision 3 · journal empty``.
        """
        self._saved, self._saved_text = saved, text
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(1280, BAR_PX)

    def texts(self) -> tuple[str, ...]:
        """The fields as they read, from left to right; what is not known is a dash."""
        shown = "–" if self._shown_fps is None else f"{self._shown_fps:.0f}"
        recorded = "–" if self._recorded_fps is None else f"{self._recorded_fps:.0f}"
        lag = "–" if self._lag_ms is None else f"{min(self._lag_ms, 9999):.0f}"
        cache = f"{self._cache_bytes / _GIB:.1f} / {self._budget_bytes / _GIB:.1f} GiB"
        return shown, recorded, lag, cache

    def _on_recording_changed(self, recording: Recording | None) -> None:
        revision = None if recording is None else recording.description.revision
        self.set_saved(True, "" if revision is None else f"revision {revision}")
        self.set_message("")

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        with painting(self, smooth=True) as painter:
            painter.fillRect(self.rect(), tokens.bg2)
            painter.fillRect(0, 0, self.width(), 1, tokens.line)
            right = self._paint_right(painter)
            x = _PAD_PX
            if self._workspace.recording is not None:
                name, colour = ("check", tokens.fine) if self._saved else ("warning", tokens.warning)
                painter.drawPixmap(x, 5, icon_pixmap(name, colour, 14))
                text = QFontMetrics(self._font).elidedText(
                    self._saved_text, Qt.TextElideMode.ElideRight, max(_MESSAGE_PX, self.width() // 4)
                )
                x = self._paint_field(painter, x + 20, [_Text(text, self._bold, tokens.t1)])
            shown, recorded, lag, cache = self.texts()
            plain, number = (self._font, tokens.t2), (self._number, tokens.t1)
            meter_px = _METER_PX + _PAD_PX
            for texts, after_px in (
                (
                    [
                        _Text("showing", *plain),
                        _Text(shown, *number, longest="999"),
                        _Text("of", *plain),
                        _Text(recorded, *number, longest="999"),
                        _Text("fps", *plain),
                    ],
                    0,
                ),
                (
                    [_Text("decode lag", *plain), _Text(lag, *number, longest="9999"), _Text("ms", *plain)],
                    0,
                ),
                ([_Text("cache", *plain), _Text(cache, *number, longest="99.9 / 99.9 GiB")], meter_px),
            ):
                if x + sum(text.width + _WORD_PX for text in texts) + after_px + _PAD_PX > right:
                    return
                if self._read_out and texts[0].text == "decode lag" and right - x < _READ_OUT_PX:
                    break  # what is pointed at matters more meanwhile than how the viewer does
                if x > _PAD_PX:
                    self._paint_separator(painter, x)
                    x += _PAD_PX
                x = self._paint_field(painter, x, texts) + after_px
                if after_px:
                    self._paint_meter(painter, x - after_px - _PAD_PX + _WORD_PX)
            message = self._read_out or self._message
            if message and right - x > _MESSAGE_PX:
                self._paint_separator(painter, x)
                room = QRect(x + _PAD_PX, 0, right - x - 2 * _PAD_PX, self.height())
                elided = QFontMetrics(self._font).elidedText(
                    message, Qt.TextElideMode.ElideRight, room.width()
                )
                painter.setFont(self._font)
                painter.setPen(tokens.t2)
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, elided)

    def _paint_field(self, painter: QPainter, x: int, texts: list[_Text]) -> int:
        """Paint words and numbers in a row, numbers on the right of their room; returns where it ends."""
        for text in texts:
            side = Qt.AlignmentFlag.AlignRight if text.longest else Qt.AlignmentFlag.AlignLeft
            painter.setFont(text.font)
            painter.setPen(text.colour)
            painter.drawText(
                QRect(x, 0, text.width, self.height()), Qt.AlignmentFlag.AlignVCenter | side, text.text
            )
            x += text.width + _WORD_PX
        return x + _PAD_PX - _WORD_PX

    def _paint_separator(self, painter: QPainter, x: int) -> None:
        painter.fillRect(x, 6, 1, self.height() - 12, self._theme.tokens.line2)

    def _paint_right(self, painter: QPainter) -> int:
        """Paint what stands on the right; returns where it begins."""
        tokens, workspace = self._theme.tokens, self._workspace
        if workspace.recording is None:
            return self.width()
        focused = workspace.focused
        step = "" if focused is None else f"step: {one_line(focused)} frames"
        metrics = QFontMetrics(self._font)
        step = metrics.elidedText(step, Qt.TextElideMode.ElideMiddle, 240)
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        x = self.width() - _PAD_PX
        painter.setFont(self._font)
        painter.setPen(tokens.t2)
        painter.drawText(QRect(0, 0, x, self.height()), right, step)
        x -= metrics.horizontalAdvance(step) + 2 * _PAD_PX
        painter.fillRect(x + _PAD_PX, 6, 1, self.height() - 12, tokens.line2)
        painter.setFont(self._bold)
        painter.setPen(tokens.t1)
        painter.drawText(
            QRect(0, 0, x, self.height()), right, "playing" if workspace.playhead.playing else "paused"
        )
        return x - QFontMetrics(self._bold).horizontalAdvance("playing") - _PAD_PX

    def _paint_meter(self, painter: QPainter, left: int) -> None:
        tokens = self._theme.tokens
        share = min(1.0, self._cache_bytes / self._budget_bytes) if self._budget_bytes > 0 else 0.0
        groove = QRectF(left, (self.height() - 6) / 2, _METER_PX, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.bg4)
        painter.drawRoundedRect(groove, 3, 3)
        if share > 0:
            painter.setBrush(tokens.t3)
            groove.setWidth(max(6.0, share * _METER_PX))
            painter.drawRoundedRect(groove, 3, 3)
