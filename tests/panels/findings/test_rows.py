from __future__ import annotations

import pytest

from hfviewer.core.finding import Finding, Severity
from hfviewer.panels.findings.rows import (
    Arrangement,
    FindingFilter,
    FindingRow,
    Grouping,
    Heading,
    arranged,
    next_finding,
)


def found(code: str, severity: Severity, stream: str | None, start_ns: int | None, message: str) -> Finding:
    return Finding(code=code, severity=severity, stream=stream, start_ns=start_ns, message=message)


LATE = found("late_start", Severity.WARNING, "imu", 2_500, "imu begins 2 s late.")
LOST = found("missing_frames", Severity.ERROR, "cam", 9_000, "6 frames lost after #12.")
CUT = found("truncated", Severity.INFO, None, None, "It ends early.")
ONE = found("missing_frames", Severity.WARNING, "imu", 0, "1 frame lost.")
ALL = [LATE, LOST, CUT, ONE]


def shown(arrangement: Arrangement, accepted: dict[str, str] | None = None) -> list[str]:
    notes = accepted or {}
    rows = arranged(ALL, arrangement, lambda finding: notes.get(finding.message))
    return [
        row.finding.message if isinstance(row, FindingRow) else f"{row.title} {len(row.findings)}"
        for row in rows
    ]


def test_the_worst_stand_first_and_then_the_earliest() -> None:
    assert shown(Arrangement()) == [LOST.message, ONE.message, LATE.message, CUT.message]


def test_accepted_ones_go_behind_the_others() -> None:
    assert shown(Arrangement(), {LOST.message: "cable"})[-1] == LOST.message
    hidden = Arrangement(FindingFilter(accepted=False))
    assert LOST.message not in shown(hidden, {LOST.message: ""})


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("LOST", {LOST.message, ONE.message}),
        ("lost cam", {LOST.message}),
        ("late start", {LATE.message}),
        ("missing_frames imu", {ONE.message}),
        ("  ", {finding.message for finding in ALL}),
        ("nothing", set()),
    ],
)
def test_every_word_must_occur(text: str, messages: set[str]) -> None:
    assert set(shown(Arrangement(FindingFilter(text=text)))) == messages


def test_severity_and_stream_filter() -> None:
    only = FindingFilter(severities=frozenset({Severity.WARNING}), stream="imu")
    assert shown(Arrangement(only)) == [ONE.message, LATE.message]


def test_groups_have_a_heading_with_their_number() -> None:
    assert shown(Arrangement(grouping=Grouping.CODE)) == [
        "Missing frames 2",
        LOST.message,
        ONE.message,
        "Late start 1",
        LATE.message,
        "Cut off 1",
        CUT.message,
    ]
    by_stream = shown(Arrangement(grouping=Grouping.STREAM, folded={"imu"}))
    assert by_stream == ["cam 1", LOST.message, "imu 2", "The whole recording 1", CUT.message]
    rows = arranged(ALL, Arrangement(grouping=Grouping.STREAM), lambda _: None)
    worst = {row.title: row.severity for row in rows if isinstance(row, Heading)}
    assert worst["imu"] is Severity.WARNING


def test_in_order_of_time_those_without_one_come_last() -> None:
    assert shown(Arrangement(grouping=Grouping.TIME)) == [m.message for m in (ONE, LATE, LOST, CUT)]


def test_the_next_finding_is_the_next_in_time_and_goes_round() -> None:
    def walk(current: Finding | None, position_ns: int, *, forward: bool) -> tuple[str, bool]:
        step = next_finding(ALL, current, position_ns, forward=forward)
        assert step is not None
        return step[0].message, step[1]

    assert walk(None, 0, forward=True) == (ONE.message, False)
    assert walk(ONE, 0, forward=True) == (LATE.message, False)
    assert walk(None, 3_000, forward=True) == (LOST.message, False)
    assert walk(None, 3_000, forward=False) == (LATE.message, False)
    assert walk(LOST, 9_000, forward=True) == (CUT.message, False)
    assert walk(CUT, 9_000, forward=True) == (ONE.message, True)
    assert walk(ONE, 0, forward=False) == (CUT.message, True)
    assert next_finding([], None, 0, forward=True) is None


def test_two_findings_of_one_moment_are_both_met() -> None:
    twin = found("empty_window", Severity.WARNING, "cam", 9_000, "twin")
    step = next_finding([*ALL, twin], LOST, 9_000, forward=True)
    assert step == (twin, False)
