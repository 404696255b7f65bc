"""Which frames to fetch from a damaged file, by what witnesses say; nothing is read here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.readers.hyperframe.evidence import Evidence, Witness
from hfviewer.readers.hyperframe.metadata import parse_stream_id


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """Whom to believe.

    Args:
        primary: lists the frames; None where only looking for payloads is left.
        fillers: for what the primary one lost, the best first.
        newest: the index of the newest revision, as far as it can be read.
        metadata: the best there is.
        expected: frames by stream_id, of those streams where it is known.
    """

    primary: Witness | None
    fillers: tuple[Witness, ...]
    newest: Witness | None
    metadata: dict[str, Any]
    expected: dict[int, int]

    @property
    def frame_count(self) -> int | None:
        """Frames that there should be; None where it is not known."""
        if self.newest is not None and self.newest.header is not None:
            return self.newest.header.frame_count
        return None if self.primary is None else len(self.primary.entries)

    @property
    def listed(self) -> NDArray[np.void] | None:
        """All frames that there should be; None where the list itself is damaged."""
        witness = self.newest or self.primary
        return None if witness is None or witness.counts is None else witness.entries


def make_plan(evidence: Evidence) -> Plan:
    """The newest index first; of a file that never was finished, the journal."""
    indexes = [witness for witness in evidence.indexes if len(witness.entries)]
    journal = [] if evidence.journal is None else [evidence.journal]
    # Behind an unfinished header there may be a footer: the writer died between the two.
    ranked = journal + indexes if evidence.is_unfinished else indexes + journal
    primary = ranked[0] if ranked else None
    newest = evidence.indexes[0] if evidence.indexes else None
    if primary is not None and primary.header is None and evidence.is_unfinished:
        newest = None
    holders = [*([] if newest is None else [newest]), *ranked]
    metadata = next((w.metadata for w in holders if w.metadata is not None), {})
    expected: dict[int, int] = {}
    witness = newest or primary
    if witness is not None:
        expected = witness.counts or _told_counts(witness.metadata or {})
    return Plan(
        primary=primary, fillers=tuple(ranked[1:]), newest=newest, metadata=metadata, expected=expected
    )


def missing_frames(plan: Plan, filler: Witness, copied: NDArray[np.void]) -> NDArray[np.void]:
    """What a filler knows of frames that the primary witness lost.

    Args:
        plan: of the recovery.
        filler: to ask.
        copied: entries of the damaged file that were recovered so far.

    Returns:
        Entries; never more than are missing from a stream. A stream whose payloads were all replaced since
        has none here: its old frames are not what was lost.
    """
    chosen: list[NDArray[np.void]] = []
    all_known = sum(plan.expected.values()) == plan.frame_count
    for stream_id in np.unique(filler.entries["stream_id"]).tolist():
        theirs = filler.entries[filler.entries["stream_id"] == stream_id]
        ours = copied[copied["stream_id"] == stream_id]
        wanted = plan.expected.get(stream_id, 0 if all_known else len(theirs))
        shared = np.isin(theirs["offset"], ours["offset"])
        if wanted <= len(ours) or (len(ours) and not shared.any()):
            continue
        new = theirs[~np.isin(theirs["offset"], copied["offset"])]
        chosen.append(new[: wanted - len(ours)])
    return np.concatenate(chosen) if chosen else copied[:0]


def corrected(entries: NDArray[np.void], fillers: tuple[Witness, ...]) -> NDArray[np.void]:
    """Entries of a damaged index, where a trusted witness lists the same payload with what that one says."""
    trusted = [witness.entries for witness in fillers if witness.is_trusted and len(witness.entries)]
    if not trusted or not len(entries):
        return entries
    known = np.concatenate(trusted)
    known = known[np.argsort(known["offset"], kind="stable")]
    at = np.minimum(known["offset"].searchsorted(entries["offset"]), len(known) - 1)
    same = np.ones(len(entries), np.bool_)
    for part in ("offset", "size", "crc32"):
        same &= known[part][at] == entries[part]
    entries = entries.copy()
    for part in ("stream_id", "timestamp_ns", "sequence"):
        entries[part][same] = known[part][at][same]
    return entries


def share_of_time_lost(
    expected_ns: NDArray[np.int64] | None, recovered_ns: NDArray[np.int64], frames_lost: int
) -> float:
    """How much of a stream's time its lost frames stood for: each until the next one.

    Args:
        expected_ns: all timestamps of the stream, sorted; None where they are not known: then frames count.
        recovered_ns: those that are there.
        frames_lost: how many are not.
    """
    if frames_lost == 0:
        return 0.0
    by_count = frames_lost / (frames_lost + len(recovered_ns))
    if expected_ns is None or len(expected_ns) < 2:
        return by_count
    # Differences of sorted int64 always fit uint64, even where they overflow int64.
    lengths = (expected_ns[1:] - expected_ns[:-1]).view(np.uint64).astype(np.float64)
    lengths = np.append(lengths, np.median(lengths))
    total = float(lengths.sum())
    return float(lengths[~np.isin(expected_ns, recovered_ns)].sum()) / total if total else by_count


def _told_counts(metadata: dict[str, Any]) -> dict[int, int]:
    """Frames by stream_id as the metadata's ``entries`` have them."""
    streams = metadata.get("streams")
    counts: dict[int, int] = {}
    for key, value in streams.items() if isinstance(streams, dict) else ():
        stream_id = parse_stream_id(key)
        entries = value.get("entries") if isinstance(value, dict) else None
        match entries:
            case [int(), int(count)] if stream_id is not None and 0 <= count < 2**32:
                counts[stream_id] = count
    return counts
