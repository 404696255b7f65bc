"""Findings as plain text, to paste into a report or a message."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hfviewer.core.finding import Finding
from hfviewer.core.time_format import TimeFormat
from hfviewer.panels.drawing import one_line


def finding_text(finding: Finding, times: TimeFormat, note: str | None = None) -> str:
    """``error  52.488 s  camera/right  6 frames lost after #1569.  [sequence jump +7]``."""
    when = "" if finding.start_ns is None else times.with_unit(finding.start_ns)
    parts = [finding.severity.value, when, finding.stream or "", finding.message]
    if finding.evidence:
        parts.append(f"[{finding.evidence}]")
    if note is not None:
        parts.append(f"(accepted: {note})" if note else "(accepted)")
    return "  ".join(one_line(part) for part in parts if part)


def findings_text(
    path: str,
    findings: Sequence[Finding],
    times: TimeFormat,
    note_of: Callable[[Finding], str | None],
) -> str:
    """A line for the recording and one for each finding.

    Args:
        path: of the recording.
        findings: in the order of the list.
        times: how times read.
        note_of: why a finding was accepted; None where it was not.
    """
    lines = [finding_text(finding, times, note_of(finding)) for finding in findings]
    return "\n".join([one_line(path), *lines])
