"""The rows of the list of findings as Qt's views want them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.finding_codes import CODES
from hfviewer.model.accepted import AcceptedFindings
from hfviewer.panels.drawing import one_line
from hfviewer.panels.findings.rows import (
    Arrangement,
    FindingFilter,
    FindingRow,
    Grouping,
    Heading,
    Row,
    arranged,
)
from hfviewer.panels.tips import plain_tip

Index = QModelIndex | QPersistentModelIndex


class FindingTable(QAbstractListModel):
    """Findings as arranged, headings between them.

    Args:
        accepted: which of them were accepted.
        parent: as in Qt.
    """

    def __init__(self, accepted: AcceptedFindings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._accepted = accepted
        self._findings: list[Finding] = []
        self._arrangement = Arrangement()
        self._rows: list[Row] = []
        accepted.changed.connect(self._arrange)

    @property
    def findings(self) -> Sequence[Finding]:
        """All of them, whatever the filter says."""
        return self._findings

    @property
    def filter(self) -> FindingFilter:
        return self._arrangement.filter

    @property
    def grouping(self) -> Grouping:
        return self._arrangement.grouping

    def set_findings(self, findings: list[Finding]) -> None:
        self._findings = list(findings)
        self._arrange()

    def set_filter(self, chosen: FindingFilter) -> None:
        if chosen != self._arrangement.filter:
            self._arrangement.filter = chosen
            self._arrange()

    def set_grouping(self, grouping: Grouping) -> None:
        if grouping is not self._arrangement.grouping:
            self._arrangement.grouping = grouping
            self._arrange()

    def fold(self, heading: Heading) -> None:
        """Fold a group away, or show its findings again."""
        self._arrangement.folded ^= {heading.key}
        self._arrange()

    def unfold_all(self) -> None:
        if self._arrangement.folded:
            self._arrangement.folded.clear()
            self._arrange()

    def row(self, index: Index) -> Row:
        return self._rows[index.row()]

    def listed(self) -> Iterator[FindingRow]:
        """Every finding that the filter takes, folded away or not, in the order of the list."""
        for row in self._rows:
            if isinstance(row, FindingRow):
                yield row
            elif row.folded:
                for finding in row.findings:
                    note = self.note_of(finding)
                    yield FindingRow(finding, note is not None, note or "")

    def index_of(self, finding: Finding | None) -> QModelIndex:
        """Where a finding stands; invalid where it is not listed."""
        for number, row in enumerate(self._rows):
            if isinstance(row, FindingRow) and row.finding == finding:
                return self.index(number)
        return QModelIndex()

    def note_of(self, finding: Finding) -> str | None:
        """Why a finding was accepted; None where it was not."""
        found = self._accepted.of(finding)
        return None if found is None else found.note

    def count_of(self, severity: Severity) -> int:
        """How many there are that were not accepted, whatever the filter says."""
        return sum(f.severity is severity and self._accepted.of(f) is None for f in self._findings)

    def accepted_count(self) -> int:
        return sum(self._accepted.of(finding) is not None for finding in self._findings)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.row(index)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            if isinstance(row, Heading):
                return f"{one_line(row.title)}, {len(row.findings)}"
            state = ", accepted" if row.accepted else ""
            return f"{row.finding.severity}: {one_line(row.finding.message)}{state}"
        if role == Qt.ItemDataRole.ToolTipRole:
            if isinstance(row, Heading):
                return "Click to fold or unfold"
            finding = row.finding
            code = CODES.get(finding.code)
            meaning = "" if code is None else code.meaning
            lines = [finding.message, finding.stream or "", finding.evidence, meaning]
            if row.accepted:
                lines.append(f"Accepted: {row.note}" if row.note else "Accepted")
            return plain_tip("\n".join(one_line(line) for line in lines if line))
        return None

    def _arrange(self) -> None:
        self.beginResetModel()
        self._rows = arranged(self._findings, self._arrangement, self.note_of)
        self.endResetModel()
