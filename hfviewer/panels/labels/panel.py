"""The labels of the open recording: what there are, and what is said about the one that is selected."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from hfviewer.core.annotation import Annotation
from hfviewer.model.annotations import Annotations
from hfviewer.model.time_display import TimeDisplay
from hfviewer.panels.labels.chips import LabelChips
from hfviewer.panels.labels.table import Column, LabelTable
from hfviewer.panels.list_title import ListTitle
from hfviewer.panels.theme import Theme, ui_font
from hfviewer.panels.tips import plain_tip

_ROW_PX = 24
_MOST_MARKED = 1000  # rows of more that are selected are not all marked
_WIDE_PX = 300  # from here on there is room for how long a label is


class LabelsPanel(QWidget):
    """Chips, filter, list, note and answers.

    Args:
        annotations: that are listed.
        times: how times read.
        theme: the tokens in force.
        parent: as in Qt.
    """

    chosen = Signal(str)  # id of the label that was clicked
    digit_pressed = Signal(str)
    note_entered = Signal(str)
    attributes_entered = Signal(object)  # dict[str, Any]: to set; None takes one away
    left = Signal()  # the keyboard is free again

    def __init__(
        self, annotations: Annotations, times: TimeDisplay, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._annotations = annotations
        self._table = LabelTable(annotations, times, theme, self)
        self.title = ListTitle("Labels", self._table, theme)
        self._track, self._how, self._said = QLabel(), QLabel(), QLabel()
        for text in (self._track, self._how, self._said):
            text.setTextFormat(Qt.TextFormat.PlainText)
        self._track.setFont(ui_font(12, 600))
        self._how.setFont(ui_font(11))
        self._how.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.chips = LabelChips(theme)
        self.chips.pressed.connect(self.digit_pressed)
        self.filter = self._line("Filter: label, track, note, author, status")
        self.filter.textChanged.connect(self._table.set_words)
        self.note = self._line("Note on what is selected")
        self.note.returnPressed.connect(self._on_note)
        self.answers = self._line("Answers on it: key=value, key=value")
        self.answers.returnPressed.connect(self._on_answers)
        self._said.setFont(ui_font(11))
        self._said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._view = QTableView()
        self._view.setModel(self._table)
        self._view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self._view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._view.setShowGrid(False)
        self._view.setWordWrap(False)
        self._view.verticalHeader().hide()
        self._view.verticalHeader().setDefaultSectionSize(_ROW_PX)
        self._view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self._view.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(Column.LABEL, QHeaderView.ResizeMode.Stretch)
        for column, width_px in ((Column.START, 72), (Column.LENGTH, 68), (Column.STATUS, 68)):
            self._view.setColumnWidth(column, width_px)
        self._view.clicked.connect(self._on_clicked)
        self._build()
        annotations.changed.connect(self._on_changed)
        annotations.selection_changed.connect(self._show_selected)
        self._table.modelReset.connect(self._show_selected)
        self._on_changed()

    def set_mode(self, track: str, how: str) -> None:
        """Where keys put labels, and how they are pressed."""
        self._track.setText(f"Track {track}")
        self._track.setToolTip("Where digits put labels; Alt+Up and Alt+Down choose another track")
        self._how.setText(how)
        self._how.setToolTip(plain_tip(how))

    @property
    def table(self) -> LabelTable:
        return self._table

    @property
    def view(self) -> QTableView:
        return self._view

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                if watched is self.filter:
                    self.filter.clear()
                self._show_selected()
                self.left.emit()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and watched is self.filter:
                self.left.emit()
                return True
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._on_changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._view.setColumnHidden(Column.LENGTH, self.width() < _WIDE_PX)
        super().resizeEvent(event)

    # -- inside ----------------------------------------------------------------------------------------------

    def _line(self, hint: str) -> QLineEdit:
        line = QLineEdit()
        line.setPlaceholderText(hint)
        line.setAccessibleName(hint)
        line.setFont(ui_font(12))
        line.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        line.installEventFilter(self)
        return line

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        mode = _padded(self._track)
        mode.setSpacing(8)
        mode.addWidget(self._how, 1)
        column.addLayout(mode)
        column.addWidget(self.chips)
        column.addLayout(_padded(self.filter))
        column.addWidget(self._view, 1)
        column.addLayout(_padded(self._said))
        column.addLayout(_padded(self.note))
        column.addLayout(_padded(self.answers))

    def _on_changed(self) -> None:
        if not self.isVisible():
            return  # many labels take a moment to sort; `showEvent` does it
        self._table.fill()
        self._show_selected()

    def _on_clicked(self, index: QModelIndex) -> None:
        self.chosen.emit(self._table.rows[index.row()].id)

    def _show_selected(self) -> None:
        if not self.isVisible():
            return
        selected = self._annotations.selected
        selection = self._view.selectionModel()
        selection.clearSelection()
        marked = selected[:_MOST_MARKED]
        rows = [row for a in marked if (row := self._table.row_of(a.id)) is not None]
        how = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        for row in rows:
            selection.select(self._table.index(row, 0), how)
        if rows:
            self._view.scrollTo(self._table.index(rows[0], 0))
        one = selected[0] if len(selected) == 1 else None
        for line in (self.note, self.answers):
            line.setEnabled(one is not None and self._annotations.condition.editable)
        if not self.note.hasFocus():
            self.note.setText("" if one is None else one.note)
        if not self.answers.hasFocus():
            self.answers.setText("" if one is None else answers_text(one))
        about = "" if one is None else self._about(one)
        self._said.setText(about)
        self._said.setToolTip(plain_tip(about))
        label = None if one is None else self._annotations.state.schema.label(one.label)
        self.answers.setVisible(one is not None and bool(one.attributes or (label and label.attributes)))

    def _about(self, annotation: Annotation) -> str:
        frames = ""
        if annotation.first_frame is not None:
            frames = f"{annotation.stream} #{annotation.first_frame}–{annotation.last_frame}"
        label = self._annotations.state.schema.label(annotation.label)
        asked = (
            ""
            if label is None or not label.attributes
            else "asks for "
            + ", ".join(f"{a.name} ({' | '.join(a.choices) or a.kind})" for a in label.attributes)
        )
        said = (annotation.track, annotation.author and f"by {annotation.author}", frames, asked)
        return " · ".join(part for part in said if part)

    def _on_note(self) -> None:
        self.note_entered.emit(self.note.text())
        self.left.emit()

    def _on_answers(self) -> None:
        selected = self._annotations.selected
        if len(selected) == 1:
            values: dict[str, Any] = dict.fromkeys(selected[0].attributes)
            self.attributes_entered.emit(values | answers_of(self.answers.text()))
        self.left.emit()


def answers_text(annotation: Annotation) -> str:
    """``speed=3, wet=true``."""
    return ", ".join(
        f"{key}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for key, value in annotation.attributes.items()
    )


def answers_of(text: str) -> dict[str, Any]:
    """What was typed: numbers, true, false and null are what they look like, all else is text."""
    found: dict[str, Any] = {}
    for part in text.split(","):
        key, separator, value = part.partition("=")
        key, value = key.strip(), value.strip()
        if not key:
            continue
        try:
            found[key] = json.loads(value) if separator else True
        except ValueError:
            found[key] = value
    return found


def _padded(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(8, 4, 8, 4)
    row.addWidget(widget)
    return row
