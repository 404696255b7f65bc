"""What is listed: severities with their counts, words, one stream; and how the list is grouped."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from hfviewer.core.finding import Severity
from hfviewer.model.workspace import Workspace
from hfviewer.panels.drawing import one_line
from hfviewer.panels.findings.rows import Grouping
from hfviewer.panels.findings.table import FindingTable
from hfviewer.panels.theme import Theme, icon, icon_pixmap, severity_colour, ui_font

_NAMES = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("info", "info"),
}
_ROW_PX = 26
_NARROW_PX = 240
_CHIP_PX = 46  # of a chip beside its words, with the gap to the next
_PAD_PX = 20


class FilterBar(QWidget):
    """Two lines above the list; only the text field takes the keyboard, and gives it back with Enter or Esc.

    Args:
        workspace: what is open.
        theme: the tokens in force.
        table: the list.
        parent: as in Qt.
    """

    done = Signal()  # the text field gave the keyboard back

    def __init__(
        self, workspace: Workspace, theme: Theme, table: FindingTable, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace, self._theme, self._table = workspace, theme, table
        self._chips = {severity: self._chip(severity) for severity in Severity}
        self._accepted = self._button("Accepted findings; click to hide or show them")
        self._accepted.setCheckable(True)
        self._accepted.setChecked(True)
        self._accepted.toggled.connect(lambda shown: table.set_filter(replace(table.filter, accepted=shown)))
        self._fine = QLabel()
        self._nothing = QLabel()
        self._nothing.setFont(ui_font(12))
        self._text = QLineEdit()
        self._text.setPlaceholderText("Filter")
        self._text.setAccessibleName("Filter the findings by words")
        self._text.setToolTip("Words that a finding must hold (Ctrl+F); Esc clears")
        self._text.setClearButtonEnabled(True)
        self._text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._text.setFixedHeight(_ROW_PX)
        self._text.textChanged.connect(lambda text: table.set_filter(replace(table.filter, text=text)))
        self._text.installEventFilter(self)
        self._stream = self._menu_button("One stream, or all of them", self._fill_streams)
        self._group = self._menu_button("What findings stand together by", self._fill_groups)
        self._build()
        table.modelReset.connect(self._refresh)
        workspace.checked_changed.connect(self._refresh)
        workspace.recording_changed.connect(self._on_recording_changed)
        theme.changed.connect(self._refresh)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._refresh()

    @property
    def text_field(self) -> QLineEdit:
        """Where one types what to filter by."""
        return self._text

    @property
    def texts(self) -> list[str]:
        """``2 errors`` and so on, for those that there are."""
        return [chip.text() for chip in self._chips.values() if not chip.isHidden()]

    def chip(self, severity: Severity) -> QToolButton:
        """The button that lists a severity or leaves it out."""
        return self._chips[severity]

    @property
    def empty_text(self) -> str:
        """What it says without findings: that there is no fault, only once that was looked into."""
        if self._workspace.recording is None:
            return ""
        return "No gaps or other faults found" if self._workspace.checked else "Checking…"

    def choose_stream(self, stream: str | None) -> None:
        """List the findings of one stream; None: of all."""
        self._table.set_filter(replace(self._table.filter, stream=stream))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self._text.clear()
            if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.done.emit()
                return True
        return super().eventFilter(watched, event)

    def _build(self) -> None:
        chips = QHBoxLayout()
        chips.setSpacing(6)
        for widget in (*self._chips.values(), self._accepted, self._fine, self._nothing):
            chips.addWidget(widget)
        chips.addStretch(1)
        line = QHBoxLayout()
        line.setSpacing(4)
        line.addWidget(self._text, 1)
        line.addWidget(self._stream)
        line.addWidget(self._group)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 6)
        column.setSpacing(6)
        column.addLayout(chips)
        column.addLayout(line)

    def _button(self, tip: str) -> QToolButton:
        button = QToolButton()
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setFont(ui_font(12, 600))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(QSize(14, 14))
        button.setFixedHeight(_ROW_PX)
        return button

    def _chip(self, severity: Severity) -> QToolButton:
        chip = self._button(f"Findings of severity {severity}; click to leave them out or list them")
        chip.setCheckable(True)
        chip.setChecked(True)
        chip.toggled.connect(lambda shown: self._on_chip(severity, shown))
        return chip

    def _menu_button(self, tip: str, fill: object) -> QToolButton:
        button = self._button(tip)
        button.setFont(ui_font(12))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        assert callable(fill)
        menu.aboutToShow.connect(lambda: fill(menu))
        button.setMenu(menu)
        return button

    def _on_chip(self, severity: Severity, shown: bool) -> None:
        severities = self._table.filter.severities
        chosen = severities | {severity} if shown else severities - {severity}
        self._table.set_filter(replace(self._table.filter, severities=frozenset(chosen)))

    def _fill_streams(self, menu: QMenu) -> None:
        menu.clear()
        streams = sorted({f.stream for f in self._table.findings if f.stream is not None})
        focused = self._workspace.focused
        for stream in (None, *streams):
            title = "All streams" if stream is None else one_line(stream).replace("&", "&&")
            if stream is not None and stream == focused:
                title += " (in focus)"
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(stream == self._table.filter.stream)
            action.triggered.connect(lambda _checked=False, stream=stream: self.choose_stream(stream))

    def _fill_groups(self, menu: QMenu) -> None:
        menu.clear()
        for grouping in Grouping:
            action = menu.addAction(f"By {grouping.value}")
            action.setCheckable(True)
            action.setChecked(grouping is self._table.grouping)
            action.triggered.connect(
                lambda _checked=False, grouping=grouping: self._table.set_grouping(grouping)
            )

    def _on_recording_changed(self, recording: object) -> None:
        stream = self._table.filter.stream
        streams = getattr(recording, "streams", {})
        if stream is not None and stream not in streams:
            self.choose_stream(None)
        self._refresh()

    def minimumSizeHint(self) -> QSize:
        return QSize(_NARROW_PX, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh()

    def _refresh(self) -> None:
        tokens, metrics = self._theme.tokens, self.fontMetrics()
        accepted = self._table.accepted_count()
        counts = {severity: self._table.count_of(severity) for severity in Severity}
        words = {s: f"{n} {_NAMES[s][n != 1]}" for s, n in counts.items() if n}
        # Without room for the words, shape and number must do.
        shown = [*words.values(), *([str(accepted)] if accepted else [])]
        font = QFontMetrics(self._accepted.font())
        needed_px = sum(font.horizontalAdvance(text) + _CHIP_PX for text in shown)
        for severity, chip in self._chips.items():
            count = counts[severity]
            chip.setText(words.get(severity, "") if needed_px <= self.width() - _PAD_PX else str(count))
            chip.setVisible(count > 0)
            chip.setIcon(icon(severity.value, severity_colour(tokens, severity), 14))
        self._accepted.setText(str(accepted))
        self._accepted.setIcon(icon("check", tokens.t2, 14))
        self._accepted.setVisible(accepted > 0)
        some = bool(self._table.findings)
        self._nothing.setText("" if some else self.empty_text)
        self._nothing.setVisible(not some)
        self._fine.setPixmap(icon_pixmap("fine", tokens.fine, 16))
        self._fine.setVisible(not some and self._workspace.checked)
        self._nothing.setStyleSheet(f"color: {tokens.t3.name()};")
        stream = self._table.filter.stream
        title = "All streams" if stream is None else one_line(stream)
        self._stream.setText(metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, 90))
        self._group.setText(f"By {self._table.grouping.value.removesuffix(' of finding')}")
        self.setStyleSheet(
            f"FilterBar {{ background: {tokens.bg1.name()}; }}"
            f"QToolButton {{ background: {tokens.bg3.name()}; color: {tokens.t2.name()}; border: none;"
            f" border-radius: 6px; padding: 0 8px; }}"
            f"QToolButton:hover {{ background: {tokens.bg4.name()}; color: {tokens.t1.name()}; }}"
            f"QToolButton:checked {{ color: {tokens.t1.name()}; }}"
            f"QToolButton:!checked:checkable {{ background: transparent; }}"
        )
