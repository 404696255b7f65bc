"""What a recorder of another format noted about frames, kept in a stream's metadata through a conversion.

``"recorder": {"missing_before": [[timestamp_ns, frames], …], "duplicate": [timestamp_ns, …], "source": …}``:
by timestamp, because a conversion may leave out frames that it cannot read.
Findings about the source that its frames alone do not show lie in the metadata as
``"recorder_findings"``, a list with the keys of the command line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.frame import freeze
from hfviewer.core.recording import RecorderEvidence, Stream
from hfviewer.core.text import printable

KEY = "recorder"
FINDINGS_KEY = "recorder_findings"
_MOST_LOST = 2**31 - 1
_SOURCE_ALONE_TELLS = frozenset({"recorder_drop", "clock_step", "host_clock", "uncertain_rows"})
_MOST_FINDINGS = 1000
_MOST_CHARACTERS = 500


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


def findings_of(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """The metadata of what only the source of a conversion can tell."""
    return [found.document() for found in findings if found.code in _SOURCE_ALONE_TELLS]


def findings_in(metadata: Mapping[str, Any], streams: Mapping[str, Stream]) -> list[Finding]:
    """What the metadata says was found in the source; nonsense is left out.

    Args:
        metadata: of the file.
        streams: by name; frames are found again by their timestamps.
    """
    documents = metadata.get(FINDINGS_KEY)
    if not isinstance(documents, list):
        return []
    found = (_finding(document, streams) for document in documents[:_MOST_FINDINGS])
    return [finding for finding in found if finding is not None]


def _finding(document: object, streams: Mapping[str, Stream]) -> Finding | None:
    if not isinstance(document, dict):
        return None
    code, severity, name = (document.get(key) for key in ("code", "severity", "stream"))
    if not isinstance(code, str) or code not in _SOURCE_ALONE_TELLS or severity not in list(Severity):
        return None
    if name is not None and not (isinstance(name, str) and name in streams):
        return None
    start_ns, end_ns = _stamp(document.get("start_ns")), _stamp(document.get("end_ns"))
    stamps_ns = np.empty(0, np.int64) if name is None else streams[name].timestamps_ns
    return Finding(
        code=code,
        severity=Severity(severity),
        stream=name,
        start_ns=start_ns,
        end_ns=end_ns,
        first_frame=_frame_at(start_ns, stamps_ns),
        last_frame=_frame_at(end_ns, stamps_ns),
        message=_words(document.get("message")),
        evidence=_words(document.get("evidence")),
    )


def _stamp(value: object) -> int | None:
    return value if type(value) is int and abs(value) < 2**63 else None


def _frame_at(stamp_ns: int | None, stamps_ns: NDArray[np.int64]) -> int | None:
    if stamp_ns is None:
        return None
    at, known = _places(np.array([stamp_ns], np.int64), stamps_ns)
    return int(at[0]) if known.any() else None


def _words(value: object) -> str:
    return printable(str(value or "")[:_MOST_CHARACTERS])
