"""What is open: the recording and its streams."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from hfviewer.core.recording import Recording
from hfviewer.core.size_text import size_text
from hfviewer.core.time_text import NS_PER_S
from hfviewer.model.workspace import Workspace
from hfviewer.panels.drawing import one_line, painting
from hfviewer.panels.list_title import ListTitle
from hfviewer.panels.stream_table import (
    EYE_PX,
    ICON_LEFT_PX,
    NAME_LEFT_PX,
    ROW_PX,
    StreamDelegate,
    StreamTable,
)
from hfviewer.panels.theme import Theme, ui_font
from hfviewer.panels.tips import plain_tip

RECORDING_PX = 50
COLUMNS_PX = 24
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


def recording_text(recording: Recording) -> str:
    """``hyperframe · 65.5 s · 656 windows · 4.2 GiB``; the size is that of the streams' payloads."""
    description = recording.description
    duration_ns = 0 if description.span is None else description.span.duration_ns
    windows = len(recording.windows)
    stored = sum(stream.description.stored_bytes for stream in recording.streams.values())
    if duration_ns < 600 * NS_PER_S:
        length = f"{duration_ns / 1e9:.1f} s"
    else:
        length = f"{duration_ns // (60 * NS_PER_S)} min"
    parts = [
        description.format.replace("_", " "),
        length,
        f"{windows} {'window' if windows == 1 else 'windows'}",
    ]
    return " · ".join([*parts, size_text(stored)] if stored else parts)


class StreamList(QWidget):
    """Streams with rate, frames and an eye each.

    Args:
        workspace: what is open and which stream is in focus.
        theme: the tokens in force.
        parent: as in Qt.
    """

    visibility_toggled = Signal(str, bool)
    context_requested = Signal(str, QPoint)  # stream, place on the screen
    panel_requested = Signal(str)

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._table = StreamTable(self)
        delegate = StreamDelegate(theme, self._table, self)
        self._view = StreamView(self._table, theme)
        self._view.setItemDelegate(delegate)
        self._head = _Head(workspace, theme, delegate, self._view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(ListTitle("Streams", self._table, theme))
        column.addWidget(self._head)
        column.addWidget(self._view, 1)
        self._view.clicked.connect(self._on_clicked)
        self._view.doubleClicked.connect(self._on_double_clicked)
        self._view.customContextMenuRequested.connect(self._on_context)
        self._table.shown_changed.connect(self.visibility_toggled)
        workspace.recording_changed.connect(self._on_recording_changed)
        workspace.focus_changed.connect(self._on_focus_changed)
        self._on_recording_changed(workspace.recording)
        self._on_focus_changed(workspace.focused)

    @property
    def view(self) -> StreamView:
        return self._view

    @property
    def table(self) -> StreamTable:
        return self._table

    def set_shown(self, name: str, shown: bool) -> None:
        """Open or close a stream's eye, as its panel was opened or closed elsewhere."""
        self._table.set_shown(name, shown)

    def sizeHint(self) -> QSize:
        return QSize(272, 480)

    def _on_recording_changed(self, recording: Recording | None) -> None:
        self._table.set_recording(recording)
        self._head.set_recording(recording)

    def _on_focus_changed(self, stream: str | None) -> None:
        index = self._table.index_of(stream)
        self._view.setCurrentIndex(index)
        if index.isValid():
            self._view.scrollTo(index)

    def _on_clicked(self, index: QModelIndex) -> None:
        self._workspace.focus(self._table.row(index).description.name)

    def _on_double_clicked(self, index: QModelIndex) -> None:
        self.panel_requested.emit(self._table.row(index).description.name)

    def _on_context(self, point: QPoint) -> None:
        index = self._view.indexAt(point)
        if index.isValid():
            name = self._table.row(index).description.name
            self.context_requested.emit(name, self._view.viewport().mapToGlobal(point))


class StreamView(QListView):
    """The rows; a click on an eye is not a click on its row.

    Args:
        table: what is listed.
        theme: the tokens in force.
    """

    def __init__(self, table: StreamTable, theme: Theme) -> None:
        super().__init__()
        self._table = table
        self.setModel(table)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setMinimumHeight(3 * ROW_PX)
        theme.changed.connect(self.viewport().update)

    def eye_rect(self, index: QModelIndex) -> QRect:
        """Where a row's eye is, in the viewport."""
        row = self.visualRect(index)
        return QRect(row.right() + 1 - EYE_PX, row.top(), EYE_PX, row.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._pressed_eye(event):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self._pressed_eye(event):
            super().mouseDoubleClickEvent(event)

    def _pressed_eye(self, event: QMouseEvent) -> bool:
        point = event.position().toPoint()
        index = self.indexAt(point)
        if event.button() is not Qt.MouseButton.LeftButton or not index.isValid():
            return False
        if not self.eye_rect(index).contains(point):
            return False
        self._table.toggle(index)
        return True


class _Head(QWidget):
    """The recording, and the names of the columns."""

    def __init__(self, workspace: Workspace, theme: Theme, delegate: StreamDelegate, view: QListView) -> None:
        super().__init__()
        self._workspace = workspace
        self._theme = theme
        self._delegate = delegate
        self._view = view
        self._name_font = ui_font(13, 600)
        self._font = ui_font(12)
        self._small_font = ui_font(11)
        self.setFixedHeight(RECORDING_PX + COLUMNS_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_recording(self, recording: Recording | None) -> None:
        self.setToolTip("" if recording is None else plain_tip(recording.description.path))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens, recording = self._theme.tokens, self._workspace.recording
        with painting(self, smooth=True) as painter:
            painter.fillRect(self.rect(), tokens.bg1)
            if recording is None:
                painter.setFont(self._font)
                painter.setPen(tokens.t3)
                painter.drawText(self.rect().adjusted(ICON_LEFT_PX, 0, 0, 0), _LEFT, "No recording is open")
                return
            self._paint_recording(painter, recording)
            painter.fillRect(ICON_LEFT_PX, RECORDING_PX, self.width() - 2 * ICON_LEFT_PX, 1, tokens.line)
            painter.setFont(self._font)
            painter.setPen(tokens.t3)
            line = QRect(0, RECORDING_PX + 1, self._view.viewport().width(), COLUMNS_PX)
            painter.drawText(line.adjusted(NAME_LEFT_PX, 0, 0, 0), _LEFT, "Stream")
            line.setRight(line.right() - EYE_PX)
            painter.drawText(line, _RIGHT, "Frames")
            line.setRight(line.right() - self._delegate.frames_px())
            painter.drawText(line, _RIGHT, "Rate, Hz")

    def _paint_recording(self, painter: QPainter, recording: Recording) -> None:
        tokens, description = self._theme.tokens, recording.description
        upper = QRect(ICON_LEFT_PX, 6, self.width() - 2 * ICON_LEFT_PX, 20)
        room_px = upper.width()
        if description.revision is not None:
            text = f"rev {description.revision}"
            painter.setFont(self._font)
            width = painter.fontMetrics().horizontalAdvance(text) + 14
            badge = QRectF(upper.right() + 1 - width, upper.top(), width, upper.height())
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.bg3)
            painter.drawRoundedRect(badge, 4, 4)
            painter.setPen(tokens.t2)
            painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)
            room_px -= width + 8
        painter.setFont(self._name_font)
        painter.setPen(tokens.t1)
        # An episode lies in a folder with many others: its own name tells them apart.
        own = description.title if self._workspace.episode is not None else ""
        name = one_line(own or PurePath(description.path).name or description.path)
        elided = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, room_px)
        painter.drawText(upper, _LEFT, elided)
        painter.setFont(self._small_font)
        painter.setPen(tokens.t3)
        lower = upper.translated(0, 20)
        text = painter.fontMetrics().elidedText(
            recording_text(recording), Qt.TextElideMode.ElideRight, lower.width()
        )
        painter.drawText(lower, _LEFT, text)
