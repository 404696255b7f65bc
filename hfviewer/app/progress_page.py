"""How far a folder is labelled: by whom, with what, in how much time; each recording a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from hfviewer.core.label_progress import Progress, total
from hfviewer.core.text import counted
from hfviewer.panels.drawing import one_line
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.panels.tips import plain_tip

_SIZE = (860, 560)
_KEY = Qt.ItemDataRole.UserRole
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ProgressPage(QDialog):
    """Does not block the window. Enter or a double click opens a recording, Escape closes the page.

    Args:
        theme: the tokens in force.
        parent: the window.
    """

    open_requested = Signal(str)  # key

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Labels of this folder")
        self.resize(*_SIZE)
        self._theme = theme
        self._parts: dict[str, Progress] = {}
        self._items: dict[str, QTreeWidgetItem] = {}
        self._done = self._whole = 0
        self._sum, self._state = QLabel(), QLabel()
        for label in (self._sum, self._state):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self._sum.setFont(ui_font(14, 600))
        self._sum.setWordWrap(True)
        self._state.setFont(ui_font(11))
        self.recordings = _table("Recording", "Labels", "State", "At work")
        self.people = _table("By", "Labels", "At work")
        self.labels = _table("Label", "How many")
        for table in (self.people, self.labels):
            table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.recordings.itemActivated.connect(self._on_activated)
        side = QVBoxLayout()
        side.setSpacing(12)
        side.addWidget(self.people, 2)
        side.addWidget(self.labels, 3)
        both = QHBoxLayout()
        both.setSpacing(12)
        both.addWidget(self.recordings, 3)
        both.addLayout(side, 2)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(20, 16, 20, 16)
        outer.setSpacing(8)
        outer.addWidget(self._sum)
        outer.addWidget(self._state)
        outer.addLayout(both, 1)

    @property
    def summary(self) -> str:
        """What is said about all of them."""
        return self._sum.text()

    def set_recordings(self, recordings: Sequence[tuple[str, str]]) -> None:
        """Begin anew with these, keys and names; nothing is known of their labels yet."""
        self._parts, self._items = {}, {}
        self._done, self._whole = 0, len(recordings)
        self.recordings.clear()
        for key, name in recordings:
            item = _row(one_line(name), "", "", "")
            item.setData(0, _KEY, key)
            self._items[key] = item
        self.recordings.addTopLevelItems(list(self._items.values()))
        self._show()

    def set_current(self, key: str | None) -> None:
        """Begin at the episode on screen."""
        item = self._items.get(key or "")
        if item is not None:
            self.recordings.setCurrentItem(item)
            self.recordings.scrollToItem(item)

    def set_parts(self, parts: Sequence[Progress], done: int) -> None:
        """Some more are known; so many have been read by now."""
        tokens = self._theme.tokens
        for part in parts:
            item = self._items.get(part.key)
            if item is None:
                continue
            self._parts[part.key] = part
            state = "finished" if part.finished else "begun" if part.count else "no labels"
            item.setText(1, str(part.count))
            item.setText(2, state)
            item.setText(3, _spent_text(sum(part.spent_ns.values())))
            colour = tokens.t2 if part.finished else tokens.warning if part.count else tokens.t3
            item.setForeground(2, colour)
        self._done = max(self._done, done)
        self._show()

    # -- inside ----------------------------------------------------------------------------------------------

    def _show(self) -> None:
        parts = list(self._parts.values())
        everything = total(parts)
        begun, finished = sum(p.count > 0 for p in parts), sum(p.finished for p in parts)
        self._sum.setText(
            f"{begun} of {counted(self._whole, 'recording')} labelled, {finished} finished"
            f" · {counted(everything.count, 'label')}"
            f" · {_spent_text(sum(everything.spent_ns.values())) or '0 min'} at work"
        )
        reading = f"read {self._done} of {self._whole}"
        unread = self._whole - len(parts)
        told = f"{counted(unread, 'recording')} cannot be opened" if unread else ""
        hint = "Enter opens a recording. Finished: all its labels are done or reviewed."
        self._state.setText(reading if self._done < self._whole else " · ".join(filter(None, (told, hint))))
        _fill(self.people, everything.authors, everything.spent_ns)
        _fill(self.labels, everything.labels)

    def _on_activated(self, item: QTreeWidgetItem) -> None:
        key = item.data(0, _KEY)
        if key:
            self.close()
            self.open_requested.emit(key)


def _table(*heads: str) -> QTreeWidget:
    table = QTreeWidget()
    table.setHeaderLabels(list(heads))
    for column in range(1, len(heads)):
        table.headerItem().setTextAlignment(column, _RIGHT)
    for column in range(1, len(heads)):
        table.headerItem().setTextAlignment(column, _RIGHT)
    table.setRootIsDecorated(False)
    table.setUniformRowHeights(True)
    table.setFont(ui_font(12))
    header = table.header()
    header.setStretchLastSection(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    return table


def _row(*texts: str) -> QTreeWidgetItem:
    item = QTreeWidgetItem(list(texts))
    item.setToolTip(0, plain_tip(texts[0]))
    for column in range(1, len(texts)):
        item.setTextAlignment(column, _RIGHT)
        item.setFont(column, number_font(12))
    return item


def _fill(table: QTreeWidget, counts: Mapping[str, int], spent_ns: Mapping[str, int] | None = None) -> None:
    table.clear()
    for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        spent = [] if spent_ns is None else [_spent_text(spent_ns.get(name, 0))]
        table.addTopLevelItem(_row(one_line(name) or "nobody in particular", str(count), *spent))


def _spent_text(spent_ns: int) -> str:
    """``1 h 05 min``; whole minutes, rounded up, so that work that was done is never none."""
    minutes = -(-spent_ns // 60_000_000_000)
    if not minutes:
        return ""
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"
