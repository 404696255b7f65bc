"""The checks as a JUnit report: a suite for each recording, a case for each code that can be found.

A case fails where a finding of its code is an error or a warning. Build servers show it like any other test.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.finding_codes import CODES, title_of
from hfviewer.core.text import printable
from hfviewer.quality.batch import Outcome


def junit_xml(outcomes: Sequence[Outcome]) -> bytes:
    """The whole report, UTF-8."""
    root = ElementTree.Element("testsuites", name="hfviewer check")
    tests = failures = errors = 0
    for outcome in outcomes:
        suite = _suite(outcome)
        root.append(suite)
        tests += int(suite.get("tests", "0"))
        failures += int(suite.get("failures", "0"))
        errors += int(suite.get("errors", "0"))
    root.set("tests", str(tests))
    root.set("failures", str(failures))
    root.set("errors", str(errors))
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _fit(text: str) -> str:
    """Fit for XML, which knows still fewer characters than a line of text does."""
    return printable(text).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")


def _suite(outcome: Outcome) -> ElementTree.Element:
    name = _fit(outcome.job.title)
    suite = ElementTree.Element("testsuite", name=name)
    codes = [*CODES, *sorted({f.code for f in outcome.findings} - set(CODES))]
    failures = errors = 0
    for code in codes:
        case = ElementTree.SubElement(suite, "testcase", classname=name, name=code)
        found = [finding for finding in outcome.findings if finding.code == code]
        bad = [finding for finding in found if finding.severity is not Severity.INFO]
        if bad:
            kind = "error" if outcome.verdict == "unreadable" else "failure"
            failures += kind == "failure"
            errors += kind == "error"
            problem = ElementTree.SubElement(case, kind, type=code, message=_headline(code, bad))
            problem.text = _lines(bad)
        remarks = [finding for finding in found if finding.severity is Severity.INFO]
        if remarks:
            ElementTree.SubElement(case, "system-out").text = _lines(remarks)
    suite.set("tests", str(len(codes)))
    suite.set("failures", str(failures))
    suite.set("errors", str(errors))
    return suite


def _headline(code: str, findings: Sequence[Finding]) -> str:
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    return _fit(f"{title_of(code)}: {findings[0].message}{more}")


def _lines(findings: Sequence[Finding]) -> str:
    return "\n".join(
        _fit(
            f"{finding.severity}: {finding.stream or 'recording'}: {finding.message}"
            f" [{finding.evidence}] {finding.start_ns}..{finding.end_ns} ns"
        )
        for finding in findings
    )
