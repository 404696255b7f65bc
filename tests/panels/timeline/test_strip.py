from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.window import TimeWindow
from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import DARK
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.strip import StripMarks, paint_strip, strip_title

AXIS = TimeAxis.fitting(TimeWindow(0, 100_000), 100)  # a microsecond a column


def found(severity: Severity, start_ns: int | None, end_ns: int | None = None, code: str = "x") -> Finding:
    return Finding(code=code, severity=severity, message=code, start_ns=start_ns, end_ns=end_ns)


def test_findings_cover_the_columns_from_their_start_to_their_end() -> None:
    marks = StripMarks.of(
        [found(Severity.ERROR, 20_000, 29_500), found(Severity.WARNING, 50_000), found(Severity.INFO, None)]
    )
    assert len(marks) == 2
    errors = np.flatnonzero(marks.covered(Severity.ERROR, AXIS.edges_ns()))
    assert errors.tolist() == list(range(20, 30))
    assert np.flatnonzero(marks.covered(Severity.WARNING, AXIS.edges_ns())).tolist() == [50]
    assert not marks.covered(Severity.INFO, AXIS.edges_ns()).any()


def test_findings_without_a_time_are_counted_apart() -> None:
    assert strip_title(0, 0) == "Findings"
    assert strip_title(6, 6) == "Findings 6"
    assert strip_title(6, 8) == "Findings 6 of 8"


def test_what_lies_outside_the_view_is_not_drawn_at_its_edges() -> None:
    marks = StripMarks.of([found(Severity.ERROR, 0, 1_000), found(Severity.ERROR, 95_000, 99_000)])
    zoomed = AXIS.showing(40_000, 60_000)
    assert not marks.covered(Severity.ERROR, zoomed.edges_ns()).any()
    across = StripMarks.of([found(Severity.ERROR, 0, 99_000)])
    assert across.covered(Severity.ERROR, zoomed.edges_ns()).all()


def test_the_worst_finding_near_the_pointer_is_meant() -> None:
    marks = StripMarks.of(
        [
            found(Severity.WARNING, 10_000, 60_000, "long"),
            found(Severity.ERROR, 30_000, 31_000, "loss"),
            found(Severity.WARNING, 52_000, None, "near"),
        ]
    )
    codes = [getattr(marks.at(AXIS, column), "code", None) for column in (3, 12, 27, 30, 50, 80)]
    assert codes == [None, "long", "loss", "loss", "near", None]


def test_severities_differ_in_height_and_the_worst_is_on_top(qapp: QApplication) -> None:
    marks = StripMarks.of(
        [found(Severity.WARNING, 0, 99_000), found(Severity.ERROR, 40_000, 59_000), found(Severity.INFO, 0)]
    )
    image = QImage(100, 10, QImage.Format.Format_RGB32)
    image.fill(DARK.bg1)
    with painting(image) as painter:
        paint_strip(painter, QRect(0, 0, 100, 10), AXIS, marks, DARK, icons=False)
    assert image.pixelColor(50, 0).rgb() == DARK.error.rgb()
    assert image.pixelColor(20, 0).rgb() == DARK.bg1.rgb()
    assert image.pixelColor(20, 9).rgb() == DARK.warning.rgb()
