"""The strip of findings: every finding of every stream at its place, the worst on top.

Hidden and scrolled-away lanes are in it too, so that nothing hides with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from hfviewer.core.finding import Finding, Severity
from hfviewer.panels.theme import Tokens, icon_pixmap, severity_colour
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.density import runs_of

_ICON_PX = 12
_PAD_PX = 2
_FEW = 256
# Height as well as colour tells severities apart, in shares of the strip.
_SHARES = {Severity.ERROR: 1.0, Severity.WARNING: 0.7, Severity.INFO: 0.25}


def strip_title(timed: int, whole: int) -> str:
    """``Findings 6``, or ``Findings 6 of 8`` where some have no time that could be marked."""
    if whole == 0:
        return "Findings"
    return f"Findings {whole}" if timed == whole else f"Findings {timed} of {whole}"


@dataclass(frozen=True, slots=True, eq=False)
class StripMarks:
    """Findings that have a time, in the order of their starts.

    Args:
        findings: themselves.
        start_ns: int64[f].
        end_ns: int64[f], at or after the start.
        rank: intp[f], index of the severity; 0 is the worst.
    """

    findings: tuple[Finding, ...]
    start_ns: NDArray[np.int64]
    end_ns: NDArray[np.int64]
    rank: NDArray[np.intp]

    @classmethod
    def of(cls, findings: Sequence[Finding]) -> StripMarks:
        timed = [(f.start_ns, f) for f in findings if f.start_ns is not None]
        timed.sort(key=lambda pair: pair[0])
        order = list(Severity)
        starts = np.array([start_ns for start_ns, _ in timed], np.int64)
        ends = [start_ns if f.end_ns is None else max(start_ns, f.end_ns) for start_ns, f in timed]
        ranks = np.array([order.index(f.severity) for _, f in timed], np.intp)
        return cls(tuple(f for _, f in timed), starts, np.array(ends, np.int64), ranks)

    def __len__(self) -> int:
        return len(self.findings)

    def covered(self, severity: Severity, edges_ns: NDArray[np.int64]) -> NDArray[np.bool_]:
        """bool[m]: columns with a finding of that severity.

        Args:
            severity: which.
            edges_ns: int64[m + 1] of `TimeAxis.edges_ns`.
        """
        width = len(edges_ns) - 1
        chosen = self.rank == list(Severity).index(severity)
        chosen &= (self.end_ns >= edges_ns[0]) & (self.start_ns < edges_ns[-1])
        if not chosen.any():
            return np.zeros(width, np.bool_)
        first = np.maximum(edges_ns.searchsorted(self.start_ns[chosen], side="right") - 1, 0)
        stop = np.minimum(edges_ns.searchsorted(self.end_ns[chosen], side="right"), width)
        if len(first) <= _FEW:  # so many are quicker one by one
            covered = np.zeros(width, np.bool_)
            for begin, end in zip(first.tolist(), stop.tolist(), strict=True):
                covered[begin:end] = True
            return covered
        steps = np.bincount(first, minlength=width + 1) - np.bincount(stop, minlength=width + 1)
        return np.cumsum(steps[:-1]) > 0

    def at(self, axis: TimeAxis, column: int, *, reach_px: int = 6) -> Finding | None:
        """The finding to show for a column: the worst one there or near, of those the nearest start."""
        first_ns, stop_ns = axis.time_at(column - reach_px), axis.time_at(column + reach_px + 1)
        near = np.flatnonzero((self.start_ns < stop_ns) & (self.end_ns >= first_ns))
        if len(near) == 0:
            return None
        middle_ns = axis.time_at(column)
        return self.findings[min(near, key=lambda i: (self.rank[i], abs(int(self.start_ns[i]) - middle_ns)))]


def paint_strip(
    painter: QPainter, rect: QRect, axis: TimeAxis, marks: StripMarks, tokens: Tokens, *, icons: bool
) -> None:
    """Paint findings along an axis.

    Args:
        painter: anything.
        rect: as wide as the axis.
        axis: of the view, or of the whole recording.
        marks: what was found.
        tokens: of the theme.
        icons: True to put a severity's shape at the beginning of each run that has room for it.
    """
    if len(marks) == 0 or rect.height() < 1:
        return
    edges_ns = axis.edges_ns()
    taken = np.zeros(axis.width_px, np.bool_)
    room = rect.height() - 2 * _PAD_PX if icons else rect.height()
    bottom = rect.bottom() + 1 - (_PAD_PX if icons else 0)
    signs: list[tuple[int, Severity]] = []
    for severity, share in _SHARES.items():
        covered = marks.covered(severity, edges_ns) & ~taken
        if not covered.any():
            continue
        runs = runs_of(covered)
        colour = severity_colour(tokens, severity)
        height = max(1, round(room * share))
        for first, stop in zip(runs.firsts.tolist(), runs.stops.tolist(), strict=True):
            painter.fillRect(rect.left() + first, bottom - height, stop - first, height, colour)
            taken[first:stop] = True
            signs.append((first, severity))
    if icons:
        _paint_signs(painter, rect, signs, axis.width_px, tokens)


def _paint_signs(
    painter: QPainter, rect: QRect, signs: list[tuple[int, Severity]], width: int, tokens: Tokens
) -> None:
    """The worst have the first choice of room."""
    used = np.zeros(width + _ICON_PX + 2, np.bool_)
    icons = {
        severity: icon_pixmap(severity.value, severity_colour(tokens, severity), _ICON_PX)
        for severity in {severity for _, severity in signs}
    }
    top = rect.top() + (rect.height() - _ICON_PX) // 2
    for first, severity in signs:
        left = min(first, max(0, width - _ICON_PX))
        if used[left : left + _ICON_PX + 2].any():
            continue
        used[left : left + _ICON_PX + 2] = True
        painter.fillRect(rect.left() + left, rect.top() + 1, _ICON_PX, rect.height() - 2, tokens.bg1)
        painter.drawPixmap(rect.left() + left, top, icons[severity])
