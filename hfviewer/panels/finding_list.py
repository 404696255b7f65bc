"""The list of findings: severity, what it is, which stream, by what evidence, and when."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.stream import StreamKind
from hfviewer.model.workspace import Workspace
from hfviewer.panels.drawing import one_line, painting
from hfviewer.panels.theme import Theme, icon_pixmap, kind_colour, number_font, severity_colour, ui_font

Index = QModelIndex | QPersistentModelIndex
ROW_PX = 42
COUNTS_PX = 36
_TEXT_LEFT_PX = 38
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_NAMES = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("info", "info"),
}


class FindingTable(QAbstractListModel):
    """Findings, the worst first, of one severity in order of time."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._findings: list[Finding] = []

    def set_findings(self, findings: list[Finding]) -> None:
        order = list(Severity)
        self.beginResetModel()
        self._findings = sorted(
            findings, key=lambda f: (order.index(f.severity), f.start_ns is not None, f.start_ns or 0)
        )
        self.endResetModel()

    def finding(self, index: Index) -> Finding:
        return self._findings[index.row()]

    def count_of(self, severity: Severity) -> int:
        return sum(finding.severity is severity for finding in self._findings)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._findings)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        finding = self.finding(index)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{finding.severity}: {one_line(finding.message)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = [finding.message, finding.stream or "", finding.evidence]
            return "\n".join(one_line(line) for line in lines if line)
        return None


class FindingDelegate(QStyledItemDelegate):
    """Paints a finding in two lines."""

    def __init__(self, theme: Theme, workspace: Workspace, table: FindingTable, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._workspace = workspace
        self._table = table
        self._message_font = ui_font(13, 600)
        self._stream_font = ui_font(12, 600)
        self._evidence_font = ui_font(12)
        self._time_font = number_font(12)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW_PX)

    def time_text(self, finding: Finding) -> str:
        """When it begins; empty where it has no time."""
        recording = self._workspace.recording
        if finding.start_ns is None or recording is None or recording.description.span is None:
            return ""
        return self._workspace.time_display.format.text(finding.start_ns)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens, finding = self._theme.tokens, self._table.finding(index)
        rect = option.rect
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.accent_ground if selected else tokens.bg3)
            painter.drawRoundedRect(QRectF(rect.adjusted(4, 0, -4, 0)), 4, 4)
        if selected:
            painter.fillRect(QRectF(rect.left() + 4, rect.top() + 4, 2, rect.height() - 8), tokens.accent)
        colour = severity_colour(tokens, finding.severity)
        painter.drawPixmap(rect.left() + 14, rect.top() + 6, icon_pixmap(finding.severity.value, colour, 16))
        upper = QRect(rect.left() + _TEXT_LEFT_PX, rect.top() + 4, rect.width() - _TEXT_LEFT_PX - 12, 18)
        time = self.time_text(finding)
        painter.setFont(self._time_font)
        painter.setPen(tokens.t2)
        painter.drawText(upper, _RIGHT, time)
        time_px = painter.fontMetrics().horizontalAdvance(time) + 8 if time else 0
        painter.setFont(self._message_font)
        painter.setPen(tokens.t1)
        message = painter.fontMetrics().elidedText(
            one_line(finding.message), Qt.TextElideMode.ElideRight, upper.width() - time_px
        )
        painter.drawText(upper, _LEFT, message)
        lower = upper.translated(0, 17)
        if finding.stream is not None:
            painter.setFont(self._stream_font)
            painter.setPen(kind_colour(tokens, self._kind_of(finding.stream)))
            name = painter.fontMetrics().elidedText(
                one_line(finding.stream), Qt.TextElideMode.ElideMiddle, lower.width() // 2
            )
            painter.drawText(lower, _LEFT, name)
            lower.setLeft(lower.left() + painter.fontMetrics().horizontalAdvance(name) + 8)
        painter.setFont(self._evidence_font)
        painter.setPen(tokens.t3 if not selected else tokens.t2)
        evidence = painter.fontMetrics().elidedText(
            one_line(finding.evidence or finding.code.replace("_", " ")),
            Qt.TextElideMode.ElideRight,
            lower.width(),
        )
        painter.drawText(lower, _LEFT, evidence)
        painter.restore()

    def _kind_of(self, stream: str) -> StreamKind:
        recording = self._workspace.recording
        found = None if recording is None else recording.streams.get(stream)
        return StreamKind.UNKNOWN if found is None else found.description.kind


class SeverityCounts(QWidget):
    """How many findings of each severity there are: shape, number and word."""

    def __init__(
        self, theme: Theme, workspace: Workspace, table: FindingTable, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._workspace = workspace
        self._table = table
        self._font = ui_font(12, 600)
        self.setFixedHeight(COUNTS_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        table.modelReset.connect(self.update)
        workspace.checked_changed.connect(self.update)
        theme.changed.connect(self.update)

    def texts(self) -> list[tuple[Severity, str]]:
        """``2 errors`` and so on, for those that there are."""
        found = []
        for severity, (one, many) in _NAMES.items():
            count = self._table.count_of(severity)
            if count:
                found.append((severity, f"{count} {one if count == 1 else many}"))
        return found

    @property
    def empty_text(self) -> str:
        """What it says without findings: that there is no fault, only once that was looked into."""
        if self._workspace.recording is None:
            return ""
        return "No gaps or other faults found" if self._workspace.checked else "Checking…"

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        with painting(self, smooth=True) as painter:
            painter.setFont(self._font)
            painter.fillRect(self.rect(), tokens.bg1)
            texts = self.texts()
            if not texts:
                if self._workspace.checked:
                    painter.drawPixmap(14, 10, icon_pixmap("fine", tokens.fine, 16))
                painter.setPen(tokens.t3)
                painter.drawText(self.rect().adjusted(_TEXT_LEFT_PX, 0, 0, 0), _LEFT, self.empty_text)
            x = 10
            for severity, text in texts:
                width = painter.fontMetrics().horizontalAdvance(text) + 34
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(tokens.bg3)
                painter.drawRoundedRect(QRectF(x, 6, width, COUNTS_PX - 12), 12, 12)
                painter.drawPixmap(
                    x + 8, 11, icon_pixmap(severity.value, severity_colour(tokens, severity), 14)
                )
                painter.setPen(tokens.t1)
                painter.drawText(QRect(x + 26, 0, width, COUNTS_PX), _LEFT, text)
                x += width + 6


class FindingList(QWidget):
    """Counts and list. A click shows the place: the playhead jumps there, its stream comes into focus.

    Args:
        workspace: whose findings are listed.
        theme: the tokens in force.
        parent: as in Qt.
    """

    activated = Signal(object)  # Finding

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._table = FindingTable(self)
        self._view = QListView()
        self._view.setModel(self._table)
        self._view.setItemDelegate(FindingDelegate(theme, workspace, self._table, self))
        self._view.setUniformItemSizes(True)
        self._view.setMouseTracking(True)
        self._view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._view.clicked.connect(self._on_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(SeverityCounts(theme, workspace, self._table))
        column.addWidget(self._view, 1)
        workspace.findings_changed.connect(self._table.set_findings)
        theme.changed.connect(self._view.viewport().update)
        workspace.time_display.changed.connect(self._view.viewport().update)
        self._table.set_findings(workspace.findings)

    @property
    def table(self) -> FindingTable:
        return self._table

    @property
    def view(self) -> QListView:
        return self._view

    def _on_clicked(self, index: QModelIndex) -> None:
        finding = self._table.finding(index)
        recording = self._workspace.recording
        if recording is not None and finding.stream in recording.streams:
            self._workspace.focus(finding.stream)
        if finding.start_ns is not None:
            self._workspace.playhead.jump_to(finding.start_ns, remember=True)
        self.activated.emit(finding)
