"""Which findings are listed, in which order, under which headings. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.finding_codes import title_of

_SEVERITIES = list(Severity)


class Grouping(StrEnum):
    """What findings stand together by."""

    SEVERITY = "severity"
    CODE = "kind of finding"
    STREAM = "stream"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class FindingFilter:
    """Which findings are of interest.

    Args:
        text: every word of it must occur somewhere in a finding, in any case.
        severities: of these only.
        stream: of this one only; None: of all.
        accepted: True to list accepted ones as well.
    """

    text: str = ""
    severities: frozenset[Severity] = frozenset(Severity)
    stream: str | None = None
    accepted: bool = True

    def takes(self, finding: Finding, *, accepted: bool) -> bool:
        """Whether a finding is listed."""
        if finding.severity not in self.severities or (accepted and not self.accepted):
            return False
        if self.stream is not None and finding.stream != self.stream:
            return False
        words = self.text.casefold().split()
        parts = (finding.message, finding.stream or "", finding.evidence, finding.code)
        where = " ".join((*parts, title_of(finding.code))).casefold()
        return all(word in where for word in words)


@dataclass(frozen=True, slots=True)
class Heading:
    """A group of findings.

    Args:
        key: what they have in common; stable, so that a folded group stays folded.
        title: of the group.
        findings: all of them, also while they are folded away.
        severity: of the worst.
        folded: True while they are not listed.
    """

    key: str
    title: str
    findings: tuple[Finding, ...]
    severity: Severity
    folded: bool


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding in the list."""

    finding: Finding
    accepted: bool = False
    note: str = ""


Row = Heading | FindingRow


@dataclass(slots=True)
class Arrangement:
    """How the list is arranged."""

    filter: FindingFilter = field(default_factory=FindingFilter)
    grouping: Grouping = Grouping.SEVERITY
    folded: set[str] = field(default_factory=set)


def rank(finding: Finding) -> tuple[int, bool, int]:
    """The worst first, of one severity those about the whole recording, then in order of time."""
    return _SEVERITIES.index(finding.severity), finding.start_ns is not None, finding.start_ns or 0


def by_time(finding: Finding) -> tuple[bool, int, int]:
    """In order of time, those without one last; of one time the worst first."""
    return finding.start_ns is None, finding.start_ns or 0, _SEVERITIES.index(finding.severity)


def arranged(
    findings: Iterable[Finding],
    arrangement: Arrangement,
    note_of: Callable[[Finding], str | None],
) -> list[Row]:
    """The rows of the list.

    Args:
        findings: in any order.
        arrangement: filter and grouping.
        note_of: why a finding was accepted; None where it was not.
    """
    rows: list[FindingRow] = []
    for finding in findings:
        note = note_of(finding)
        if arrangement.filter.takes(finding, accepted=note is not None):
            rows.append(FindingRow(finding, note is not None, note or ""))
    match arrangement.grouping:
        case Grouping.TIME:
            return [*sorted(rows, key=lambda row: by_time(row.finding))]
        case Grouping.SEVERITY:
            # Severities need no heading: the shapes and the counts above say it.
            return [*sorted(rows, key=lambda row: (row.accepted, *rank(row.finding)))]
        case Grouping.CODE:
            groups = _grouped(rows, lambda finding: finding.code)
            titles = {key: title_of(key) for key in groups}
        case Grouping.STREAM:
            groups = _grouped(rows, lambda finding: finding.stream or "")
            titles = {key: key or "The whole recording" for key in groups}
    return _with_headings(groups, titles, arrangement.folded)


def _grouped(rows: Sequence[FindingRow], key_of: Callable[[Finding], str]) -> dict[str, list[FindingRow]]:
    groups: dict[str, list[FindingRow]] = {}
    for row in sorted(rows, key=lambda row: (row.accepted, *rank(row.finding))):
        groups.setdefault(key_of(row.finding), []).append(row)
    return groups


def _with_headings(
    groups: dict[str, list[FindingRow]], titles: dict[str, str], folded: set[str]
) -> list[Row]:
    out: list[Row] = []
    for key, rows in groups.items():
        findings = tuple(row.finding for row in rows)
        worst = min((finding.severity for finding in findings), key=_SEVERITIES.index)
        out.append(Heading(key, titles[key], findings, worst, key in folded))
        if key not in folded:
            out.extend(rows)
    return out


def next_finding(
    findings: Sequence[Finding], current: Finding | None, position_ns: int, *, forward: bool
) -> tuple[Finding, bool] | None:
    """The finding to go to next in order of time.

    Args:
        findings: to choose from, in any order.
        current: the one chosen last, while the playhead still stands there; else None.
        position_ns: of the playhead.
        forward: True for a later one.

    Returns:
        The finding, and whether the search went round the end; None without findings.
    """
    ordered = sorted(findings, key=by_time)
    if not ordered:
        return None
    if current in ordered:
        index = ordered.index(current) + (1 if forward else -1)
    else:
        # From between two of them; one at the playhead itself counts as ahead.
        ahead = (i for i, f in enumerate(ordered) if f.start_ns is None or f.start_ns >= position_ns)
        index = next(ahead, len(ordered)) - (not forward)
    return ordered[index % len(ordered)], not 0 <= index < len(ordered)
