"""The table widget of the episode list: columns by the room there is, and its own few keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView

from hfviewer.panels.drawing import painting, wrapped
from hfviewer.panels.episode_delegate import EDGE_PX, ROW_PX, EpisodeDelegate
from hfviewer.panels.episode_table import Column, EpisodeFilter, EpisodeTable, length_text
from hfviewer.panels.own_keys import claims
from hfviewer.panels.theme import Theme, number_font, ui_font

_NAME_LEAST_PX = 100
# The widest first to go where there is no room.
_OPTIONAL = (Column.LOST, Column.STREAMS, Column.LABELS)
_MOVING_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down)
_OPENING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class EpisodeView(QTreeView):
    """Rows of episodes.

    Args:
        table: all of them.
        shown: those that are listed, in order.
        theme: the tokens in force.
    """

    opened = Signal(str)  # key
    chosen = Signal()
    left = Signal()

    def __init__(self, table: EpisodeTable, shown: EpisodeFilter, theme: Theme) -> None:
        super().__init__()
        self._table, self._shown, self._theme = table, shown, theme
        self._nothing = ""
        self._painter_of_rows = EpisodeDelegate(theme, table, shown, self)
        self.setModel(shown)
        self.setItemDelegate(self._painter_of_rows)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setExpandsOnDoubleClick(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMinimumHeight(3 * ROW_PX)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setAccessibleName("Episodes")
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(16)
        header.setSectionsMovable(False)
        header.setHighlightSections(False)
        header.setFont(ui_font(12))
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(Column.NAME, QHeaderView.ResizeMode.Stretch)
        header.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        header.setSortIndicatorClearable(True)
        self.setSortingEnabled(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)  # the collection's own order
        self.selectionModel().currentChanged.connect(self.chosen)
        theme.changed.connect(self.viewport().update)

    @property
    def chosen_key(self) -> str | None:
        """Key of the row that Enter would open."""
        index = self.currentIndex()
        return self._shown.key_at(index.row()) if index.isValid() else None

    @property
    def _can_open(self) -> bool:
        """True where another row is chosen than the one that is open."""
        return self.chosen_key not in (None, self._table.current)

    def key_under(self, place: QPoint) -> str | None:
        """Key of the row at a place of the viewport."""
        index = self.indexAt(place)
        return self._shown.key_at(index.row()) if index.isValid() else None

    def choose(self, key: str | None, *, scroll: bool = True) -> None:
        """Make an episode the one that Enter would open."""
        index = self._shown.index_of(key)
        # A view that gets the keyboard makes its first row the current one without selecting it.
        if index.isValid() and not self.selectionModel().isSelected(index):
            flag = QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(index, flag.ClearAndSelect | flag.Rows)
        if index.isValid() and scroll:
            self.scrollTo(index)

    def set_opening(self, key: str | None) -> None:
        """Mark the episode that is being opened."""
        self._painter_of_rows.set_opening(key)
        self.viewport().update()

    def set_nothing(self, text: str) -> None:
        """What to say where no row is listed."""
        self._nothing = text
        self.viewport().update()

    def fit_columns(self) -> None:
        """Give every column the room its texts need, and leave out those that leave too little for names."""
        digits, words = QFontMetrics(number_font(12)), QFontMetrics(ui_font(13))
        count = self._table.rowCount()
        rows = [self._table.row(place) for place in range(count)]
        with_tasks = len({row.task for row in rows}) > 1
        if self._painter_of_rows.with_tasks is not with_tasks:
            self._painter_of_rows.set_with_tasks(with_tasks)
            self.doItemsLayout()
        number = "0" * max((len(str(row.number)) for row in rows), default=1)
        length = max((length_text(row.duration_s) for row in rows), key=len, default="")
        edges = 2 * EDGE_PX
        widths = {
            Column.NUMBER: digits.horizontalAdvance(number.rjust(2, "0")) + edges + 6,
            Column.LENGTH: max(digits.horizontalAdvance(length), digits.horizontalAdvance("opening")) + edges,
            Column.STREAMS: words.horizontalAdvance("Streams") + edges + 4,
            Column.LABELS: 14 + edges,
            Column.LOST: digits.horizontalAdvance("00000 · 00.0%") + edges,
            Column.HEALTH: words.horizontalAdvance("Findings") + edges + 4,
        }
        hidden: list[Column] = []
        for column in (*_OPTIONAL, None):
            used = sum(width for which, width in widths.items() if which not in hidden)
            if column is None or self.viewport().width() - used >= _NAME_LEAST_PX + 20:
                break
            hidden.append(column)
        self._painter_of_rows.set_labels_beside_names(Column.LABELS in hidden)
        for which, width in widths.items():
            self.setColumnHidden(which, which in hidden)
            self.header().resizeSection(which, width)

    # -- Qt --------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        # Its own keys go before what they mean elsewhere. Where there is nothing to open, Enter is the
        # window's: whoever labels the episode on screen has clicked into this list before.
        if self._can_open and claims(event, _OPENING_KEYS):
            return True
        return claims(event, _MOVING_KEYS) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _OPENING_KEYS:
            if (key := self.chosen_key) is not None:
                self.opened.emit(key)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:  # noqa: N802 - Qt's name
        """Letters are the window's keys, not the beginning of a name."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and index.isValid():
            self.opened.emit(self._shown.key_at(index.row()))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._nothing:
            return
        with painting(self.viewport()) as painter:
            painter.setFont(ui_font(12))
            painter.setPen(self._theme.tokens.t3)
            room = self.viewport().rect().adjusted(12, 12, -12, -12)
            for line in wrapped(self._nothing, ui_font(12), max(24, room.width()), 3):
                painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter, line)
                room.translate(0, 18)
