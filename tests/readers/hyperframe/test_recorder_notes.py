from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hfviewer.core.recording import RecorderEvidence
from hfviewer.readers.hyperframe.recorder_notes import KEY, evidence_in, notes_of

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
