"""The rows of the episode list: what they hold, how they are sorted, and which a filter lets through."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import IntEnum, StrEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)

from hfviewer.core.collection import EpisodeRow
from hfviewer.core.finding import Severity
from hfviewer.model.health import HealthStore
from hfviewer.panels.drawing import one_line
from hfviewer.panels.tips import plain_tip

Index = QModelIndex | QPersistentModelIndex
_DIGITS = re.compile(r"(\d+)")


class Column(IntEnum):
    """Columns of the list, from the left."""

    NUMBER = 0
    NAME = 1
    LENGTH = 2
    STREAMS = 3
    LABELS = 4
    LOST = 5
    HEALTH = 6


HEADS = {
    Column.NUMBER: ("#", "Number of the episode in its task"),
    Column.NAME: ("Episode", "Name of the episode"),
    Column.LENGTH: ("Length", "How long it is, in seconds"),
    Column.STREAMS: ("Streams", "How many streams it has"),
    Column.LABELS: ("", "Whether it is labelled"),
    Column.LOST: ("Lost", "Frames lost, and the share of its time that lies in gaps"),
    Column.HEALTH: ("Findings", "How many things its checks found; the shape says how bad the worst is"),
}


class Condition(StrEnum):
    """Which episodes to list."""

    ALL = "All episodes"
    FINDINGS = "With findings"
    PROBLEMS = "With a problem"
    UNLABELLED = "Not labelled"
    LABELLED = "Labelled"


def length_text(duration_s: float | None) -> str:
    """``71.2 s``, longer ones as ``12:03``; a dash where it is not known."""
    if duration_s is None or not 0 <= duration_s < 1e7:
        return "–"
    if duration_s < 600:
        return f"{duration_s:.1f} s"
    minutes, seconds = divmod(round(duration_s), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"


def start_text(start_ns: int | None) -> str:
    """Wall time to the second, local; empty where it is not known or none that a calendar has."""
    if start_ns is None:
        return ""
    try:
        moment = datetime.fromtimestamp(start_ns // 1_000_000_000, UTC).astimezone()
    except (OverflowError, ValueError, OSError):
        return ""
    return f"{moment:%Y-%m-%d %H:%M:%S}"


class EpisodeTable(QAbstractTableModel):
    """A row per episode, in the collection's order.

    Args:
        health: what checks found so far.
        parent: as in Qt.
    """

    def __init__(self, health: HealthStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._health = health
        self._rows: list[EpisodeRow] = []
        self._places: dict[str, int] = {}
        self._current: str | None = None
        health.changed.connect(self._on_health)
        health.cleared.connect(self._on_health_cleared)

    @property
    def health(self) -> HealthStore:
        return self._health

    @property
    def current(self) -> str | None:
        """Key of the episode that is open."""
        return self._current

    def set_rows(self, rows: Sequence[EpisodeRow]) -> None:
        """List these. Where only their contents changed, nothing jumps."""
        rows = list(rows)
        if [row.key for row in rows] == [row.key for row in self._rows]:
            for row in rows:
                self.set_row(row)
            return
        self.beginResetModel()
        self._rows = rows
        self._places = {row.key: place for place, row in enumerate(rows)}
        self.endResetModel()

    def set_row(self, row: EpisodeRow) -> None:
        """Say more about one that is listed."""
        place = self._places.get(row.key)
        if place is not None and self._rows[place] != row:
            self._rows[place] = row
            self._tell(place)

    def set_current(self, key: str | None) -> None:
        """Mark the episode that is open."""
        before, self._current = self._current, key
        for changed in (before, key):
            if changed in self._places:
                self._tell(self._places[changed])

    def row(self, place: int) -> EpisodeRow:
        return self._rows[place]

    def row_of(self, key: str | None) -> EpisodeRow | None:
        """The row with that key, if it is listed."""
        place = self.place_of(key)
        return None if place is None else self._rows[place]

    def place_of(self, key: str | None) -> int | None:
        """Where an episode stands in the collection's order."""
        return None if key is None else self._places.get(key)

    def sort_key(self, place: int, column: int) -> tuple[Any, ...]:
        """What a column is sorted by; what is not known comes first."""
        row = self._rows[place]
        match Column(column):
            case Column.NUMBER:
                return (row.task, row.number)
            case Column.NAME:
                return tuple(
                    (int(part), "") if part.isdecimal() and len(part) < 20 else (-1, part)
                    for part in _DIGITS.split(row.name.casefold())
                )
            case Column.LENGTH:
                return (-1.0 if row.duration_s is None else row.duration_s,)
            case Column.STREAMS:
                return (len(row.streams),)
            case Column.LABELS:
                return (-1 if row.labelled is None else int(row.labelled),)
            case Column.LOST:
                found = self._health.of(row.key)
                return (-1, 0.0) if found is None else (found.frames_lost, found.lost_share)
            case _:
                return self._badness(row)

    def words(self, place: int) -> str:
        """All that a filter's words are looked for in."""
        row = self._rows[place]
        parts = (str(row.number), row.name, row.id, row.task, *row.streams, row.problem)
        return "\n".join(parts).casefold()

    def meets(self, place: int, condition: Condition) -> bool:
        """Whether an episode is one of those."""
        row = self._rows[place]
        match condition:
            case Condition.FINDINGS:
                found = self._health.of(row.key)
                return not row.ok or (found is not None and found.findings > 0)
            case Condition.PROBLEMS:
                return not row.ok
            case Condition.LABELLED:
                return row.labelled is True
            case Condition.UNLABELLED:
                return row.labelled is not True
            case _:
                return True

    # -- Qt --------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        text, hint = HEADS[Column(section)]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            left = section in (Column.NAME, Column.LABELS, Column.HEALTH)
            side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{hint}. Click to sort by it."
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self.tooltip(row))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{HEADS[Column(index.column())][1]}: {self._text(row, index.column()) or 'not known'}"
        return None

    def tooltip(self, row: EpisodeRow) -> str:
        """Everything known about an episode, a fact per line."""
        found = self._health.of(row.key)
        lines = [
            one_line(row.name),
            f"Number {row.number}" + (f" of {one_line(row.task)}" if row.task else ""),
            one_line(row.id) if row.id not in ("", row.name) else "",
            f"Problem: {one_line(row.problem)}" if not row.ok else "",
            f"Started {start}" if (start := start_text(row.start_ns)) else "",
            "" if row.duration_s is None else f"{row.duration_s:.3f} s long",
            "" if row.frame_count is None else f"{row.frame_count} frames",
            f"Streams: {', '.join(map(one_line, row.streams))}" if row.streams else "",
            {True: "Labelled", False: "Not labelled", None: ""}[row.labelled],
        ]
        if found is not None:
            lines.append(
                f"{found.findings} findings, {found.frames_lost} frames lost, "
                f"{found.lost_share:.1%} of its time in gaps"
                if found.findings
                else "Checked: no fault found"
            )
        return "\n".join(line for line in lines if line)

    # -- inside ----------------------------------------------------------------------------------------------

    def _text(self, row: EpisodeRow, column: int) -> str:
        found = self._health.of(row.key)
        match Column(column):
            case Column.NUMBER:
                return str(row.number)
            case Column.NAME:
                return one_line(row.name)
            case Column.LENGTH:
                return length_text(row.duration_s)
            case Column.STREAMS:
                return str(len(row.streams)) if row.streams else "–"
            case Column.LABELS:
                return "labelled" if row.labelled else ""
            case Column.LOST:
                if found is None or not found.frames_lost:
                    return "" if found is None else "0"
                return f"{found.frames_lost} · {found.lost_share:.1%}"
            case _:
                if found is None or not found.findings:
                    return "" if row.ok else "problem"
                return str(found.findings)

    def _badness(self, row: EpisodeRow) -> tuple[Any, ...]:
        found = self._health.of(row.key)
        if not row.ok:
            return (len(Severity) + 1, 0)
        if found is None:
            return (-1, 0)
        rank = 0 if found.severity is None else len(Severity) - list(Severity).index(found.severity)
        return (rank, found.findings)

    def _tell(self, place: int) -> None:
        self.dataChanged.emit(self.index(place, 0), self.index(place, len(Column) - 1))

    def _on_health(self, key: str) -> None:
        if key in self._places:
            self._tell(self._places[key])

    def _on_health_cleared(self) -> None:
        if self._rows:
            last = self.index(len(self._rows) - 1, len(Column) - 1)
            self.dataChanged.emit(self.index(0, 0), last)


class EpisodeFilter(QSortFilterProxyModel):
    """The episodes that are wanted, in the order that is wanted."""

    def __init__(self, table: EpisodeTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._words: list[str] = []
        self._condition = Condition.ALL
        self.setDynamicSortFilter(True)
        self.setSourceModel(table)

    @property
    def condition(self) -> Condition:
        return self._condition

    def set_text(self, text: str) -> None:
        """List those in which every one of these words occurs."""
        self._words = text.casefold().split()
        self.invalidate()

    def set_condition(self, condition: Condition) -> None:
        self._condition = condition
        self.invalidate()

    def place(self, number: int) -> int:
        """Where the row that stands there in this list stands in the collection's order."""
        return self.mapToSource(self.index(number, 0)).row()

    def key_at(self, number: int) -> str:
        """Key of the row that stands there in this list."""
        return self._table.row(self.place(number)).key

    def index_of(self, key: str | None) -> QModelIndex:
        """Where an episode stands here; an invalid index where it does not."""
        place = self._table.place_of(key)
        return QModelIndex() if place is None else self.mapFromSource(self._table.index(place, 0))

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:  # noqa: N802 - Qt's name
        if not self._table.meets(row, self._condition):
            return False
        if not self._words:
            return True
        text = self._table.words(row)
        return all(word in text for word in self._words)

    def lessThan(self, left: Index, right: Index) -> bool:  # noqa: N802 - Qt's name
        column = left.column()
        first, second = (self._table.sort_key(index.row(), column) for index in (left, right))
        return bool(first < second)
