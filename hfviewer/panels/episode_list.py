"""The episodes of the open collection: a table to sort, filter and choose from."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QToolButton, QVBoxLayout, QWidget

from hfviewer.core.collection import EpisodeCollection, EpisodeRow
from hfviewer.model.workspace import Workspace
from hfviewer.panels.episode_card import EpisodeCard
from hfviewer.panels.episode_table import HEADS, Column, Condition, EpisodeFilter, EpisodeTable
from hfviewer.panels.episode_view import EpisodeView
from hfviewer.panels.list_title import ListTitle
from hfviewer.panels.own_keys import claims
from hfviewer.panels.theme import Theme, icon

_BUTTON = 26
_ENDING_KEYS = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down)


class EpisodeList(QWidget):
    """Number, name, length and health of every episode; what is known of the chosen one below.

    Up and Down move in it, Enter or a double click opens, Escape gives the keyboard back.

    Args:
        workspace: which collection is open, and which episode of it.
        theme: the tokens in force.
        parent: as in Qt.
    """

    open_requested = Signal(str)  # key
    same_time_toggled = Signal(bool)
    left = Signal()  # the keyboard may go back to where it came from

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._theme = workspace, theme
        self._table = EpisodeTable(workspace.health, self)
        self._shown = EpisodeFilter(self._table, self)
        self._view = EpisodeView(self._table, self._shown, theme)
        self._line = FilterLine()
        self._conditions = self._make_button("filter", "Which episodes to list")
        self._conditions.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.condition_menu = self._make_menu()
        self.sort_menu = self._make_sort_menu()
        self._conditions.setMenu(self.condition_menu)
        self._same_time = self._make_button(
            "clock", "The next episode opens at the same elapsed time, not at its start"
        )
        self._same_time.setCheckable(True)
        self._same_time.toggled.connect(self.same_time_toggled)
        self._card = EpisodeCard(self._table, theme)
        self._lay_out()
        self._view.opened.connect(self.open_requested)
        self._view.customContextMenuRequested.connect(self._pop_up)
        self._view.left.connect(self.left)
        self._view.chosen.connect(self._show_chosen)
        self._line.textChanged.connect(self._on_text)
        self._line.done.connect(self.take_keyboard)
        self._table.dataChanged.connect(self._show_chosen)
        for model in (self._table, self._shown):
            model.modelReset.connect(self._show_chosen)
        workspace.collection_changed.connect(self._on_collection)
        workspace.episode_changed.connect(self._on_episode)
        theme.changed.connect(self._restyle)
        self._restyle()
        self._on_collection(workspace.collection)

    @property
    def table(self) -> EpisodeTable:
        return self._table

    @property
    def shown(self) -> EpisodeFilter:
        return self._shown

    @property
    def view(self) -> EpisodeView:
        return self._view

    @property
    def filter_line(self) -> QLineEdit:
        return self._line

    @property
    def card(self) -> EpisodeCard:
        return self._card

    @property
    def same_time_button(self) -> QToolButton:
        return self._same_time

    def take_keyboard(self) -> None:
        """Up, Down and Enter are the list's from here on."""
        self._view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if self._shown.rowCount():
            self._view.choose(self._view.chosen_key or self._shown.key_at(0))

    def ask_filter(self) -> None:
        """Have the filter typed."""
        self._line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._line.selectAll()

    def set_same_time(self, same: bool) -> None:
        """Press or release the button without saying that the user did."""
        blocked = self._same_time.blockSignals(True)
        self._same_time.setChecked(same)
        self._same_time.blockSignals(blocked)

    def set_rows(self, rows: list[EpisodeRow]) -> None:
        """List these; what was chosen stays so."""
        chosen, top = self._view.chosen_key, self._view.verticalScrollBar().value()
        self._table.set_rows(rows)
        self._view.choose(chosen, scroll=False)
        self._view.verticalScrollBar().setValue(top)
        self._view.fit_columns()
        self._show_chosen()

    def set_opening(self, key: str | None) -> None:
        """Say which one is being opened."""
        self._view.set_opening(key)
        self._card.set_opening(key)

    def set_progress(self, done: int, whole: int) -> None:
        """Say how many rows have been looked into; all of them: say nothing."""
        self._card.set_progress(done, whole)

    def set_checked(self, done: int, whole: int) -> None:
        """Say how many episodes have been checked for faults; all of them: say nothing."""
        self._card.set_checked(done, whole)

    def neighbour(self, key: str | None, step: int) -> str | None:
        """Key of the next (1) or previous (−1) episode in the order shown; None at the end.

        Where the filter hides the episode itself, the nearest shown one in the collection's order counts.
        """
        count = self._shown.rowCount()
        if count == 0:
            return None
        here = self._shown.index_of(key)
        if here.isValid():
            wanted = here.row() + step
            return self._shown.key_at(wanted) if 0 <= wanted < count else None
        place = self._table.place_of(key)
        if place is None:
            return self._shown.key_at(0 if step > 0 else count - 1)
        places = sorted((self._shown.place(n), n) for n in range(count))
        beyond = [n for at, n in places if (at > place if step > 0 else at < place)]
        return self._shown.key_at(beyond[0 if step > 0 else -1]) if beyond else None

    def sizeHint(self) -> QSize:
        return QSize(272, 300)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._view.fit_columns()

    # -- inside ----------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(8, 6, 8, 4)
        row.setSpacing(4)
        row.addWidget(self._line, 1)
        row.addWidget(self._conditions)
        row.addWidget(self._same_time)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(ListTitle("Episodes", self._shown, self._theme, self._table))
        column.addLayout(row)
        column.addWidget(self._view, 1)
        column.addWidget(self._card)

    def _make_button(self, name: str, hint: str) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("icon-name", name)
        button.setToolTip(hint)
        button.setAccessibleName(hint)
        button.setFixedSize(_BUTTON, _BUTTON)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _make_sort_menu(self) -> QMenu:
        menu = QMenu("Sort by", self)
        entries: list[tuple[str, int]] = [("The order of the folder", -1)]
        entries += [(HEADS[column][0] or "Labels", int(column)) for column in Column]
        for text, column in entries:
            action = menu.addAction("Number" if text == "#" else text)
            action.triggered.connect(lambda _=False, chosen=column: self.sort_by(chosen))
        return menu

    def sort_by(self, column: int) -> None:
        """Sort by a column, the worst and the longest first; −1: as the collection lists them."""
        downwards = column in (Column.LENGTH, Column.STREAMS, Column.LABELS, Column.LOST, Column.HEALTH)
        order = Qt.SortOrder.DescendingOrder if downwards else Qt.SortOrder.AscendingOrder
        self._view.header().setSortIndicator(column, order)

    def _make_menu(self) -> QMenu:
        menu = QMenu("Show", self)
        group = QActionGroup(menu)
        for condition in Condition:
            action = QAction(condition.value, menu)
            action.setCheckable(True)
            action.setChecked(condition is Condition.ALL)
            action.triggered.connect(lambda _=False, chosen=condition: self.set_condition(chosen))
            group.addAction(action)
            menu.addAction(action)
        return menu

    def set_condition(self, condition: Condition) -> None:
        """List only those."""
        self._shown.set_condition(condition)
        for action in self.condition_menu.actions():
            action.setChecked(action.text() == condition.value)
        self._line.setPlaceholderText(
            "Filter" if condition is Condition.ALL else f"Filter: {condition.value.lower()}"
        )
        self._restyle()
        self._show_chosen()

    def row_menu(self, key: str | None) -> QMenu | None:
        """What can be done with an episode; None where it is not listed."""
        row = self._table.row_of(key)
        if row is None:
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open").triggered.connect(lambda: self.open_requested.emit(row.key))
        clipboard = QGuiApplication.clipboard()
        menu.addAction("Copy name").triggered.connect(lambda: clipboard.setText(row.name))
        all_of_it = self._table.tooltip(row)
        menu.addAction("Copy what is known of it").triggered.connect(lambda: clipboard.setText(all_of_it))
        menu.addSeparator()
        menu.addMenu(self.sort_menu)
        return menu

    def _pop_up(self, place: QPoint) -> None:
        menu = self.row_menu(self._view.key_under(place))
        if menu is not None:
            menu.popup(self._view.viewport().mapToGlobal(place))

    def _on_text(self, text: str) -> None:
        self._shown.set_text(text)
        self._show_chosen()

    def _on_collection(self, collection: EpisodeCollection | None) -> None:
        self._line.clear()
        self.set_condition(Condition.ALL)
        self._card.set_progress(0, 0)
        self._card.set_checked(0, 0)
        self.set_opening(None)
        self._table.set_rows([] if collection is None else collection.episodes)
        self._view.fit_columns()
        self._view.scrollToTop()
        self._show_chosen()

    def _on_episode(self, key: str | None) -> None:
        self._table.set_current(key)
        self._view.choose(key)

    def _show_chosen(self, *_: object) -> None:
        self._view.viewport().update()
        if self._table.rowCount() == 0:
            self._view.set_nothing("There are no episodes here.")
        else:
            self._view.set_nothing("" if self._shown.rowCount() else "No episode matches the filter.")
        self._card.show_row(self._table.row_of(self._view.chosen_key), self._table.rowCount())

    def _restyle(self) -> None:
        tokens = self._theme.tokens
        filtered = self._shown.condition is not Condition.ALL
        for button in (self._conditions, self._same_time):
            lit = button.isChecked() or (filtered and button is self._conditions)
            colour = tokens.accent if lit else tokens.t2
            button.setIcon(icon(str(button.property("icon-name")), colour, 16))
            button.setIconSize(QSize(16, 16))


class FilterLine(QLineEdit):
    """The words to look for. Escape empties it, and once it is empty gives the keyboard to the list."""

    done = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText("Filter")
        self.setToolTip("Numbers, names, tasks, streams: an episode is listed where every word occurs")
        self.setAccessibleName("Filter of the episodes")
        self.setClearButtonEnabled(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in _ENDING_KEYS:
            self.done.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        return claims(event, _ENDING_KEYS) or super().event(event)
