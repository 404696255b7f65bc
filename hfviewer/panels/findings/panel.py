"""The findings of the open recording: a click goes to the place, on every panel and the timeline."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from hfviewer.core.finding import Finding
from hfviewer.model.accepted import AcceptedFindings
from hfviewer.model.workspace import Workspace
from hfviewer.panels.findings.delegate import FindingDelegate
from hfviewer.panels.findings.filters import FilterBar
from hfviewer.panels.findings.progress_line import ProgressLine
from hfviewer.panels.findings.rows import Heading, next_finding
from hfviewer.panels.findings.table import FindingTable
from hfviewer.panels.findings.words import findings_text
from hfviewer.panels.list_title import ListTitle
from hfviewer.panels.theme import Theme, ui_font


class FindingsPanel(QWidget):
    """Filter, list, and a line to say why a finding is accepted.

    Args:
        workspace: whose findings are listed.
        accepted: which of them were accepted.
        theme: the tokens in force.
        parent: as in Qt.
    """

    activated = Signal(object)  # Finding: the playhead is there now
    label_wanted = Signal(object)  # Finding: to be turned into a label
    left = Signal()  # the keyboard is free again

    def __init__(
        self,
        workspace: Workspace,
        accepted: AcceptedFindings,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._workspace, self._accepted, self._theme = workspace, accepted, theme
        self._chosen: Finding | None = None
        self._to_accept: Sequence[Finding] = ()
        self._table = FindingTable(accepted, self)
        self._filters = FilterBar(workspace, theme, self._table)
        self._view = QListView()
        self._view.setModel(self._table)
        self._view.setItemDelegate(FindingDelegate(theme, workspace, self._table, self))
        self._view.setMouseTracking(True)
        self._view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._view.clicked.connect(self._on_clicked)
        self._view.customContextMenuRequested.connect(self._open_menu)
        self._note = _NoteLine(theme)
        self._note.entered.connect(self._on_note)
        self._note.left.connect(self.left)
        self._filters.done.connect(self.left)
        self.deep = ProgressLine("Checking every frame", theme)
        self.title = _Title("Findings", self._table, theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.title, self._filters):
            column.addWidget(widget)
        column.addWidget(self._view, 1)
        column.addWidget(self._note)
        column.addWidget(self.deep)
        workspace.findings_changed.connect(self._table.set_findings)
        workspace.recording_changed.connect(self._on_recording_changed)
        workspace.time_display.changed.connect(self._view.viewport().update)
        theme.changed.connect(self._view.viewport().update)
        self._table.modelReset.connect(self._show_chosen)
        self._table.set_findings(workspace.findings)

    @property
    def table(self) -> FindingTable:
        return self._table

    @property
    def view(self) -> QListView:
        return self._view

    @property
    def filters(self) -> FilterBar:
        return self._filters

    @property
    def note_field(self) -> QLineEdit:
        """Where one says why a finding is accepted."""
        return self._note.edit

    @property
    def chosen(self) -> Finding | None:
        """The finding that was gone to last."""
        return self._chosen

    def choose(self, finding: Finding) -> None:
        """Go to a finding: its stream into focus, the playhead to its start, its row marked."""
        self._chosen = finding
        self._show_chosen()
        recording = self._workspace.recording
        if recording is not None and finding.stream in recording.streams:
            self._workspace.focus(finding.stream)
        if finding.start_ns is not None:
            self._workspace.playhead.jump_to(finding.start_ns, remember=True)
        self.activated.emit(finding)

    def step(self, direction: int) -> bool:
        """Go to the next or previous finding that is listed and not accepted.

        Returns:
            True where that went round the end.
        """
        playhead = self._workspace.playhead
        open_ones = [row.finding for row in self._table.listed() if not row.accepted]
        current = self._chosen
        if current is not None and current.start_ns is not None:
            stays = playhead.span.clamp(current.start_ns) == playhead.position_ns
            current = current if stays else None
        found = next_finding(open_ones, current, playhead.position_ns, forward=direction > 0)
        if found is None:
            return False
        self.choose(found[0])
        return found[1]

    def start_filtering(self) -> None:
        """Let the user type what to filter by."""
        self._filters.text_field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._filters.text_field.selectAll()

    def copy_text(self, findings: Sequence[Finding] | None = None) -> int:
        """Put findings on the clipboard as text; None: all that are listed. Returns how many those are."""
        recording = self._workspace.recording
        if recording is None:
            return 0
        chosen = [row.finding for row in self._table.listed()] if findings is None else findings
        times = self._workspace.time_display.format
        text = findings_text(recording.description.path, chosen, times, self._table.note_of)
        QGuiApplication.clipboard().setText(text)
        return len(chosen)

    def accept_chosen(self) -> bool:
        """Ask why the chosen finding is fine, or take its acceptance back; False where none is chosen."""
        if self._chosen is None:
            return False
        if self._accepted.of(self._chosen) is not None:
            self._accepted.take_back([self._chosen])
        else:
            self.ask_why([self._chosen])
        return True

    def ask_why(self, findings: Sequence[Finding]) -> None:
        """Let the user say why findings are fine; Enter accepts them."""
        self._to_accept = tuple(findings)
        self._note.ask("Accept it because" if len(findings) == 1 else f"Accept {len(findings)} because")

    def label_chosen(self) -> bool:
        """Ask for a label over the chosen finding; False where none is chosen, or it has no time."""
        if self._chosen is None or self._chosen.start_ns is None:
            return False
        self.label_wanted.emit(self._chosen)
        return True

    def _on_note(self, note: str) -> None:
        self._accepted.accept(self._to_accept, note)
        self._to_accept = ()

    def _on_clicked(self, index: QModelIndex) -> None:
        row = self._table.row(index)
        if isinstance(row, Heading):
            self._table.fold(row)
        else:
            self.choose(row.finding)

    def _on_recording_changed(self, _recording: object) -> None:
        self._chosen = None
        self._note.dismiss()

    def _show_chosen(self) -> None:
        index = self._table.index_of(self._chosen)
        if not index.isValid() and self._chosen in [row.finding for row in self._table.listed()]:
            self._table.unfold_all()
            return
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        selection = self._view.selectionModel()
        if index.isValid():
            selection.setCurrentIndex(index, flags)
            self._view.scrollTo(index)
        else:
            selection.clear()

    def _open_menu(self, point: QPoint) -> None:
        index = self._view.indexAt(point)
        if not index.isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_menu(menu, index)
        menu.popup(self._view.viewport().mapToGlobal(point))

    def fill_menu(self, menu: QMenu, index: QModelIndex) -> None:
        """Put everything into a menu that can be done to a row."""
        row = self._table.row(index)
        findings = row.findings if isinstance(row, Heading) else (row.finding,)
        whose = f"all {len(findings)}" if len(findings) > 1 else "it"
        timed = not isinstance(row, Heading) and row.finding.start_ns is not None
        if not isinstance(row, Heading):
            finding = row.finding
            menu.addAction("Go there").triggered.connect(lambda: self.choose(finding))
            label = menu.addAction("Turn into a label\tT")
            label.triggered.connect(lambda: self.label_wanted.emit(finding))
            label.setEnabled(timed)
        menu.addAction(f"Accept {whose} …").triggered.connect(lambda: self.ask_why(findings))
        accepted = [finding for finding in findings if self._accepted.of(finding) is not None]
        back = menu.addAction("Accept it no longer" if len(accepted) < 2 else "Accept them no longer")
        back.setEnabled(bool(accepted))
        back.triggered.connect(lambda: self._accepted.take_back(accepted))
        menu.addSeparator()
        menu.addAction("Copy as text").triggered.connect(lambda: self.copy_text(findings))
        menu.addAction("Copy all that are listed as text\tCtrl+Shift+C").triggered.connect(
            lambda: self.copy_text()
        )


class _Title(ListTitle):
    """Counts findings, not rows: headings are none, and what is folded away is there."""

    @property
    def count_text(self) -> str:
        assert isinstance(self._model, FindingTable)
        listed, whole = sum(1 for _ in self._model.listed()), len(self._model.findings)
        return str(whole) if listed == whole else f"{listed} of {whole}"


class _NoteLine(QFrame):
    """Asks for a note below the list; Enter takes it, Esc does not."""

    entered = Signal(str)
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("card")
        self._label = QLabel()
        self._label.setFont(ui_font(12, 600))
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self.edit = QLineEdit()
        self.edit.setPlaceholderText("note, may be empty · Enter · Esc")
        self.edit.setAccessibleName("Why the finding is accepted")
        self.edit.setMaxLength(2000)
        self.edit.installEventFilter(self)
        column = QHBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 6)
        column.addWidget(self._label)
        column.addWidget(self.edit, 1)
        self.hide()

    def ask(self, label: str) -> None:
        """Show the line, empty and ready to type into."""
        self._label.setText(label)
        self.edit.clear()
        self.show()
        self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def dismiss(self) -> None:
        """Hide it and give the keyboard back."""
        if not self.isHidden():
            self.hide()
            self.left.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.entered.emit(self.edit.text().strip())
                self.dismiss()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.dismiss()
                return True
        return super().eventFilter(watched, event)
