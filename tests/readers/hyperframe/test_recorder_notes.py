from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.recording import RecorderEvidence
from hfviewer.readers.hyperframe.recorder_notes import (
    FINDINGS_KEY,
    KEY,
    evidence_in,
    findings_in,
    findings_of,
    notes_of,
)

STAMPS = np.arange(10, dtype=np.int64) * 1000


def test_notes_come_back_for_the_frames_that_are_still_there() -> None:
    missing = np.zeros(10, np.int32)
    missing[[2, 7]] = [3, 1]
    repeats = np.zeros(10, np.bool_)
    repeats[6] = True
    notes = notes_of(RecorderEvidence(missing_before=missing, duplicate=repeats, source="rgb_gap"), STAMPS)
    found = evidence_in({KEY: notes}, np.delete(STAMPS, 6))
    assert found is not None
    assert found.missing_before is not None
    assert found.missing_before.tolist() == np.delete(missing, 6).tolist()
    assert found.duplicate is not None
    assert not found.duplicate.any()
    assert found.source == "rgb_gap"


@pytest.mark.parametrize(
    "notes",
    [
        None,
        [],
        {"missing_before": [[1]]},
        {"missing_before": [["a", "b"]]},
        {"missing_before": [[2**70, 1]]},
        {"duplicate": [{}]},
        {"source": 3},
    ],
)
def test_nonsense_is_no_evidence(notes: Any) -> None:
    assert evidence_in({KEY: notes}, STAMPS) is None
    assert evidence_in({}, STAMPS) is None


def test_impossible_counts_are_bounded() -> None:
    found = evidence_in({KEY: {"missing_before": [[1000, 2**62], [2000, -5], [77, 1]]}}, STAMPS)
    assert found is not None
    assert found.missing_before is not None
    assert found.missing_before.tolist()[:3] == [0, 2**31 - 1, 0]
    assert evidence_in({KEY: {"duplicate": [1]}}, STAMPS[:0]) is not None


def test_findings_come_back_without_those_that_the_file_itself_shows() -> None:
    drop = Finding(code="recorder_drop", severity=Severity.WARNING, message="2 lost.", evidence="drop_stats")
    truncated = Finding(code="truncated", severity=Severity.ERROR, message="It ends early.")
    documents = json.loads(json.dumps(findings_of([drop, truncated])))
    assert findings_in({FINDINGS_KEY: documents}, {}) == [drop]


@pytest.mark.parametrize(
    "documents",
    [
        None,
        7,
        [None, 3, []],
        [{"code": "missing_frames", "severity": "error", "message": "x"}],
        [{"code": ["recorder_drop"], "severity": "info"}],
        [{"code": "recorder_drop", "severity": ["info"]}],
        [{"code": "recorder_drop", "severity": "info", "stream": "nowhere"}],
        [{"code": "recorder_drop", "severity": "info", "stream": {}}],
    ],
)
def test_nonsense_is_no_finding(documents: object) -> None:
    assert findings_in({FINDINGS_KEY: documents}, {}) == []


def test_stamps_and_words_of_strangers_are_bounded() -> None:
    document = {
        **{"code": "clock_step", "severity": "info", "message": "\x1b[31m" + "x" * 10_000, "evidence": 3},
        **{"start_ns": 2**70, "end_ns": True, "first_frame": -4, "last_frame": "x"},
    }
    (finding,) = findings_in({FINDINGS_KEY: [document] * 1}, {})
    assert (finding.start_ns, finding.end_ns, finding.first_frame, finding.last_frame) == (None,) * 4
    assert "\x1b" not in finding.message
    assert len(finding.message) < 1000
    assert len(findings_in({FINDINGS_KEY: [document] * 5000}, {})) == 1000
