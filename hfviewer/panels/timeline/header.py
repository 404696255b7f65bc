"""The line above the timeline: snapping, in and out, gaps, lanes; how much is shown; zoom."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from hfviewer.panels.theme import Theme, icon, icon_pixmap, number_font, ui_font
from hfviewer.panels.tips import plain_tip

HEADER_PX = 36
_BUTTON_PX = 26
_TIPS = {
    "in": "Set the in point at the playhead (I)",
    "out": "Set the out point at the playhead (O)",
    "gap-previous": "To the previous gap of the lanes shown (Alt+PgUp)",
    "gap-next": "To the next gap of the lanes shown (Alt+PgDn)",
    "lanes": "Lanes: hide, show, group by kind, height",
    "minus": "Zoom out (−)",
    "plus": "Zoom in (+)",
    "fit": "Show all of the recording (Ctrl+0)",
}


class TimelineHeader(QWidget):
    """Buttons that never take the keyboard; `pressed` names the one that was clicked."""

    pressed = Signal(str)  # key of _TIPS
    snap_toggled = Signal(bool)
    show_hidden_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("timelineHeader")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEADER_PX)
        self._title = QLabel("Timeline")
        self._title.setFont(ui_font(13, 600))
        self._span = QLabel()
        self._span.setFont(number_font(12))
        self._span.setToolTip("How much is shown of how much there is")
        self._message = QLabel()
        self._message.setTextFormat(Qt.TextFormat.PlainText)
        self._message.setFont(ui_font(12))
        self._message.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._snap = self._button("Snap to frames of the focused stream; Alt turns it round (Shift+S)")
        self._snap.setText("Snap")
        self._snap.setFont(ui_font(12, 600))
        self._snap.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._snap.setCheckable(True)
        self._snap.setFixedSize(72, _BUTTON_PX)
        self._snap.toggled.connect(self.snap_toggled)
        self._hidden = self._button("Streams whose lane is hidden; a click shows all (Shift+H)")
        self._hidden.setFont(ui_font(12))
        self._hidden.setMinimumWidth(0)
        self._hidden.setMaximumWidth(16777215)
        self._hidden.clicked.connect(self.show_hidden_wanted)
        self._hidden.hide()
        self._only_empty = False
        self._buttons: dict[str, QToolButton] = {}
        for name, tip in _TIPS.items():
            button = self._buttons[name] = self._button(tip)
            button.clicked.connect(lambda _checked=False, name=name: self.pressed.emit(name))
        self._build()
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @property
    def span_text(self) -> str:
        """How much is shown."""
        return self._span.text()

    def button(self, name: str) -> QToolButton:
        """One of them, by the name of its icon."""
        return self._buttons[name]

    @property
    def snap(self) -> QToolButton:
        return self._snap

    def set_span_text(self, text: str) -> None:
        """How much is shown of how much there is."""
        self._span.setText(text)

    def set_message(self, text: str) -> None:
        """What is under way on the timeline; empty for nothing."""
        self._message.setText(text)
        self._message.setToolTip(plain_tip(text))

    @property
    def message(self) -> str:
        """What is under way."""
        return self._message.text()

    def set_snapping(self, snapping: bool) -> None:
        """Show whether snapping is on, without saying so."""
        blocked = self._snap.blockSignals(True)
        self._snap.setChecked(snapping)
        self._snap.blockSignals(blocked)

    def set_hidden_lanes(self, count: int, *, empty: bool) -> None:
        """Say how many lanes are hidden: what is not shown must not be forgotten.

        Args:
            count: of lanes.
            empty: True where there would be nothing to see on any of them.
        """
        lanes = "lane" if count == 1 else "lanes"
        self._hidden.setText(f"{count} empty {lanes} hidden" if empty else f"{count} {lanes} hidden")
        self._hidden.setVisible(count > 0)
        self._only_empty = empty
        self._style_hidden()

    def set_open(self, is_open: bool) -> None:
        """Whether there is anything to act on."""
        for button in (*self._buttons.values(), self._snap):
            button.setEnabled(is_open)

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 8, 0)
        row.setSpacing(4)
        self._title.setFixedWidth(186)  # what follows begins above the lanes
        row.addWidget(self._title)
        row.addWidget(self._snap)
        for name in ("in", "out", "gap-previous", "gap-next", "lanes"):
            row.addSpacing(8 if name in ("in", "gap-previous", "lanes") else 0)
            row.addWidget(self._buttons[name])
        row.addWidget(self._hidden)
        row.addSpacing(12)
        row.addWidget(self._message, 1)
        row.addWidget(self._span)
        row.addSpacing(8)
        for name in ("minus", "plus", "fit"):
            row.addWidget(self._buttons[name])

    def _button(self, tip: str) -> QToolButton:
        button = QToolButton()
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setAutoRaise(True)
        button.setFixedSize(_BUTTON_PX, _BUTTON_PX)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _on_theme_changed(self) -> None:
        tokens = self._theme.tokens
        ground, line = tokens.bg2.name(), tokens.line.name()
        self.setStyleSheet(f"#timelineHeader {{ background: {ground}; border-bottom: 1px solid {line}; }}")
        self._title.setStyleSheet(f"color: {tokens.t1.name()};")
        self._span.setStyleSheet(f"color: {tokens.t3.name()};")
        self._message.setStyleSheet(f"color: {tokens.t2.name()};")
        self._style_hidden()
        for name, button in self._buttons.items():
            button.setIcon(icon(name, tokens.t2, 16, disabled=tokens.off))
        snap = icon("snap", tokens.t2, 16, disabled=tokens.off)
        snap.addPixmap(icon_pixmap("snap", tokens.accent, 16), QIcon.Mode.Normal, QIcon.State.On)
        self._snap.setIcon(snap)

    def _style_hidden(self) -> None:
        """A warning, unless what is hidden is nothing."""
        tokens = self._theme.tokens
        colour = tokens.t3 if self._only_empty else tokens.warning
        self._hidden.setStyleSheet(f"color: {colour.name()};")
