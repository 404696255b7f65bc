"""The labels of the open recording as rows, filtered by words."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QIcon, QPixmap

from hfviewer.core.annotation import Annotation, AnnotationSet, place_in
from hfviewer.model.annotations import Annotations
from hfviewer.model.time_display import TimeDisplay
from hfviewer.panels.drawing import one_line, painting
from hfviewer.panels.label_colours import label_colour
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.panels.tips import plain_tip

_SWATCH_PX = 10
_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()


class Column(IntEnum):
    """From left to right."""

    LABEL = 0
    START = 1
    LENGTH = 2
    STATUS = 3


_HEADINGS = ("Label", "Start", "Length, s", "Status")


class LabelTable(QAbstractTableModel):
    """Rows in the order of time; only those in which all words are found.

    Args:
        annotations: that are listed.
        times: how times read.
        theme: the tokens in force.
        parent: as in Qt.
    """

    def __init__(
        self, annotations: Annotations, times: TimeDisplay, theme: Theme, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._annotations, self._times, self._theme = annotations, times, theme
        self._rows: tuple[Annotation, ...] = ()
        self._state: AnnotationSet | None = None
        self._words: tuple[str, ...] = ()
        self._swatches: dict[int, QIcon] = {}
        theme.changed.connect(self._on_theme_changed)
        times.changed.connect(self._on_look_changed)
        self.fill()

    @property
    def rows(self) -> Sequence[Annotation]:
        """What is listed."""
        return self._rows

    def row_of(self, annotation_id: str) -> int | None:
        """Where a label stands; None where it is not listed."""
        annotation = self._annotations.state.get(annotation_id)
        if annotation is None:
            return None
        row = place_in(self._rows, annotation)
        return row if row < len(self._rows) and self._rows[row] is annotation else None

    def set_words(self, text: str) -> None:
        """List only labels with all these words in name, track, note, author, status or answers."""
        words = tuple(text.casefold().split())
        if words != self._words:
            self._words = words
            self._state = None
            self.fill()

    def fill(self) -> None:
        """List what there is now."""
        state = self._annotations.state
        if state is self._state:
            return
        self._state = state
        self.beginResetModel()
        rows = state.in_order()
        self._rows = tuple(a for a in rows if _holds(a, self._words)) if self._words else rows
        self.endResetModel()

    # -- Qt --------------------------------------------------------------------------------------------------

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _HEADINGS[section]
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(Column(section))
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        annotation, column = self._rows[index.row()], Column(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(annotation, column)
            case Qt.ItemDataRole.DecorationRole if column is Column.LABEL:
                return self._swatch(annotation.label)
            case Qt.ItemDataRole.FontRole:
                numbers = column in (Column.START, Column.LENGTH)
                return number_font(12) if numbers else ui_font(12, 600 if column is Column.LABEL else 400)
            case Qt.ItemDataRole.ForegroundRole:
                return self._colour(annotation, column)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
            case Qt.ItemDataRole.ToolTipRole:
                said = (annotation.track, annotation.author, annotation.note)
                return plain_tip("\n".join(part for part in said if part))
            case _:
                return None

    def _text(self, annotation: Annotation, column: Column) -> str:
        match column:
            case Column.LABEL:
                known = annotation.label not in self._annotations.state.unknown_labels
                note = " ✎" if annotation.note else ""
                return one_line(annotation.label) + note + ("" if known else " ?")
            case Column.START:
                return self._times.format.text(annotation.start_ns)
            case Column.LENGTH:
                return (
                    "–" if annotation.is_instant else f"{(annotation.end_ns - annotation.start_ns) / 1e9:.3f}"
                )
            case Column.STATUS:
                return one_line(annotation.status)

    def _colour(self, annotation: Annotation, column: Column) -> QColor:
        tokens = self._theme.tokens
        if column is not Column.STATUS:
            return tokens.t1 if column is Column.LABEL else tokens.t2
        return tokens.warning if annotation.status == "draft" else tokens.t3

    def _swatch(self, name: str) -> QIcon:
        colour = label_colour(self._annotations.state.schema, name, self._theme.tokens)
        found = self._swatches.get(colour.rgba())
        if found is None:
            pixmap = QPixmap(_SWATCH_PX, _SWATCH_PX)
            pixmap.fill(Qt.GlobalColor.transparent)
            with painting(pixmap, smooth=True) as painter:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour)
                painter.drawRoundedRect(0, 0, _SWATCH_PX, _SWATCH_PX, 3, 3)
            found = self._swatches[colour.rgba()] = QIcon(pixmap)
            # Else Qt tints it where its row is selected, and it reads as another label.
            found.addPixmap(pixmap, QIcon.Mode.Selected)
        return found

    def _on_theme_changed(self) -> None:
        self._swatches.clear()
        self._on_look_changed()

    def _on_look_changed(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(Column) - 1))


def _holds(annotation: Annotation, words: Sequence[str]) -> bool:
    parts = (
        annotation.label,
        annotation.track,
        annotation.note,
        annotation.author,
        annotation.status,
        *(f"{key}={value}" for key, value in annotation.attributes.items()),
    )
    text = "\n".join(parts).casefold()
    return all(word in text for word in words)


def _alignment(column: Column) -> int:
    """Of a column's cells and of its heading."""
    right = column in (Column.START, Column.LENGTH)
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)
