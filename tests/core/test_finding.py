from __future__ import annotations

from dataclasses import asdict

from hfviewer.core.finding import Finding, Severity


def test_the_worst_severity_is_displayed_first() -> None:
    assert [severity.value for severity in Severity] == ["error", "warning", "info"]


def test_a_finding_knows_only_what_it_was_told() -> None:
    finding = Finding(code="truncated", severity=Severity.ERROR, message="The file ends early.")
    told = {"code": "truncated", "severity": "error", "message": "The file ends early.", "evidence": ""}
    assert {key: value for key, value in asdict(finding).items() if value is not None} == told
