"""What a recorder of another format noted about frames, kept in a stream's metadata through a conversion.

``"recorder": {"missing_before": [[timestamp_ns, frames], …], "duplicate": [timestamp_ns, …], "source": …}``:
by timestamp, because a conversion may leave out frames that it cannot read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.frame import freeze
from hfviewer.core.recording import RecorderEvidence

KEY = "recorder"
_MOST_LOST = 2**31 - 1


def notes_of(evidence: RecorderEvidence, timestamps_ns: NDArray[np.int64]) -> dict[str, Any]:
    """The metadata of what was noted.

    Args:
        evidence: of a stream.
        timestamps_ns: int64[n], of the same frames.
    """
    notes: dict[str, Any] = {"source": evidence.source}
    if evidence.missing_before is not None:
        at = np.flatnonzero(evidence.missing_before)
        pairs = np.stack([timestamps_ns[at], evidence.missing_before[at].astype(np.int64)], axis=1)
        notes["missing_before"] = pairs.tolist()
    if evidence.duplicate is not None:
        notes["duplicate"] = timestamps_ns[np.flatnonzero(evidence.duplicate)].tolist()
    return notes


def evidence_in(extra: Mapping[str, Any], timestamps_ns: NDArray[np.int64]) -> RecorderEvidence | None:
    """What the metadata says was noted; None where it says nothing, or nonsense.

    Args:
        extra: of a stream's description.
        timestamps_ns: int64[n], sorted, of its frames.
    """
    notes = extra.get(KEY)
    if not isinstance(notes, dict):
        return None
    lost, doubled = notes.get("missing_before"), notes.get("duplicate")
    missing: NDArray[np.int32] | None = None
    repeats: NDArray[np.bool_] | None = None
    try:
        if isinstance(lost, list):
            pairs = np.array(lost, np.int64).reshape(-1, 2)
            missing = np.zeros(len(timestamps_ns), np.int32)
            at, known = _places(pairs[:, 0], timestamps_ns)
            missing[at] = np.clip(pairs[known, 1], 0, _MOST_LOST)
        if isinstance(doubled, list):
            repeats = np.zeros(len(timestamps_ns), np.bool_)
            repeats[_places(np.array(doubled, np.int64), timestamps_ns)[0]] = True
    except (ValueError, TypeError, OverflowError):
        return None
    if missing is None and repeats is None:
        return None
    return RecorderEvidence(
        missing_before=None if missing is None else freeze(missing),
        duplicate=None if repeats is None else freeze(repeats),
        source=str(notes.get("source", ""))[:200],
    )


def _places(
    stamps_ns: NDArray[np.int64], timestamps_ns: NDArray[np.int64]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Frames with those stamps, and which of the stamps have one."""
    if not len(timestamps_ns):
        return np.empty(0, np.intp), np.zeros(len(stamps_ns), np.bool_)
    at = np.minimum(timestamps_ns.searchsorted(stamps_ns), len(timestamps_ns) - 1)
    known = timestamps_ns[at] == stamps_ns
    return at[known], known
