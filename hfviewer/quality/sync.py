"""How far frames that belong together lie apart in time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.finding import Finding
from hfviewer.core.finding_codes import severity_of
from hfviewer.core.recording import Recording
from hfviewer.core.stream import StreamKind
from hfviewer.quality.gap import Gaps
from hfviewer.quality.intervals import Quantiles
from hfviewer.quality.pool import on_threads
from hfviewer.quality.profile import Profile
from hfviewer.quality.stream_timing import StreamTiming

_WORST = 5
_ABOUT_EQUAL = 0.9
_TOO_FAR = 0.75  # periods of the faster stream; without a gap a frame has a partner within half of one


@dataclass(frozen=True, slots=True)
class WorstPlace:
    """A frame that is far from its partner.

    Args:
        at_ns: its timestamp.
        distance_ns: to the nearest frame of the other stream.
    """

    at_ns: int
    distance_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncError:
    """Distances between the frames of two streams, nearest neighbours.

    Every frame of the slower stream looks for its partner in the faster one; of two about equally fast ones
    the reference's frames look. Only where both streams run.

    Args:
        reference: name.
        stream: name.
        spread: of the distances.
        pairs: how many there are.
        worst: the farthest, the worst first.
        bridged_ns: longest interval of the faster stream that a frame of the slower one falls into: what
            interpolating (an IMU) must bridge at worst.
    """

    reference: str
    stream: str
    spread: Quantiles
    pairs: int
    worst: tuple[WorstPlace, ...]
    bridged_ns: int


def choose_reference(recording: Recording, timings: Mapping[str, StreamTiming]) -> str | None:
    """The stream the others are compared with: the first camera, else depth, clouds, anything regular."""
    regular = [name for name, seen in timings.items() if seen.regular and len(seen.timestamps_ns) > 1]
    for kind in (StreamKind.IMAGE, StreamKind.DEPTH, StreamKind.POINTS):
        for name in regular:
            if recording.streams[name].description.kind is kind:
                return name
    return regular[0] if regular else None


def sync_errors(
    timings: Mapping[str, StreamTiming], reference: str | None, *, threads: int | None = None
) -> list[SyncError]:
    """Of every other stream against the reference; streams that never run at the same time are left out."""
    if reference is None or reference not in timings:
        return []
    others = [name for name in timings if name != reference]
    errors = on_threads(lambda name: sync_error(timings, reference, name), others, threads)
    return [error for error in errors if error is not None]


def sync_error(timings: Mapping[str, StreamTiming], reference: str, stream: str) -> SyncError | None:
    """Of one stream; None where they never run at the same time."""
    own, other = timings[reference], timings[stream]
    asking, asked = (other, own) if _is_slower(other, own) else (own, other)
    if len(asking.timestamps_ns) == 0 or len(asked.timestamps_ns) < 2:
        return None
    table_ns, edge_ns = asked.timestamps_ns, asked.gaps.typical_ns or 0
    first_ns, last_ns = int(table_ns[0]) - edge_ns, int(table_ns[-1]) + edge_ns
    at_ns = asking.timestamps_ns[_frames_in(asking.timestamps_ns, first_ns, last_ns)]
    if len(at_ns) == 0:
        return None
    distances_ns, bridged_ns = _nearest(table_ns, at_ns)
    spread = Quantiles.of(distances_ns)
    assert spread is not None
    far = np.flatnonzero(distances_ns >= spread.p99)
    far = far[np.argsort(-distances_ns[far], kind="stable")][:_WORST]
    return SyncError(
        reference=reference,
        stream=stream,
        spread=spread,
        pairs=len(at_ns),
        worst=tuple(WorstPlace(int(at_ns[i]), int(distances_ns[i])) for i in far),
        bridged_ns=bridged_ns,
    )


def sync_findings(
    errors: list[SyncError], timings: Mapping[str, StreamTiming], gaps: Mapping[str, Gaps], profile: Profile
) -> list[Finding]:
    """``sync_error``: frames that belong together lie too far apart.

    Evidence: nearest-neighbour distances. Demanded by the profile (``sync.max_ms``): any beyond it. Otherwise
    only where two regular streams cannot be paired though none of the faster one's frames is missing there:
    the 95th percentile exceeds 0.75 of its period.
    """
    found = []
    for error in errors:
        fast, slow = timings[error.stream], timings[error.reference]
        if _is_slower(fast, slow):
            fast, slow = slow, fast
        demanded = profile.max_sync_ms
        period_ns = fast.gaps.period_ns
        if demanded is not None:
            bad, limit = error.spread.max > demanded * 1e6, f"at most {demanded:g} ms demanded"
        else:
            bad = (
                period_ns is not None and slow.regular and error.spread.p95 > _TOO_FAR * period_ns
            ) and not _explained(error, gaps)
            limit = f"period of the faster stream {(period_ns or 0) / 1e6:.1f} ms"
        if bad:
            worst = error.worst[0]
            found.append(
                Finding(
                    code="sync_error",
                    severity=severity_of("sync_error"),
                    stream=error.stream,
                    start_ns=worst.at_ns,
                    end_ns=worst.at_ns + worst.distance_ns,
                    message=f"Up to {error.spread.max / 1e6:.1f} ms from {error.reference},"
                    f" {error.spread.p95 / 1e6:.1f} ms in 95 of 100 frames.",
                    evidence=f"nearest neighbours, {error.pairs} pairs; {limit}",
                )
            )
    return found


def _explained(error: SyncError, gaps: Mapping[str, Gaps]) -> bool:
    """Whether the worst places lie in gaps, which are told already."""
    known = (gaps[error.stream], gaps[error.reference])
    return all(any(one.at(place.at_ns) is not None for one in known) for place in error.worst)


def _is_slower(one: StreamTiming, other: StreamTiming) -> bool:
    own, theirs = one.gaps.typical_ns, other.gaps.typical_ns
    return bool(own and theirs and theirs < _ABOUT_EQUAL * own)


def _frames_in(table_ns: NDArray[np.int64], first_ns: int, last_ns: int) -> slice:
    """Frames from one time to another, both included; the times may lie beyond int64."""
    before = timing.index_before(table_ns, first_ns)
    after = timing.index_after(table_ns, last_ns)
    return slice(0 if before is None else before + 1, len(table_ns) if after is None else after)


def _nearest(table_ns: NDArray[np.int64], at_ns: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Distances to the nearest entry of a table, and the longest interval that surrounds one of the times."""
    after = table_ns.searchsorted(at_ns)
    np.clip(after, 1, len(table_ns) - 1, out=after)
    high = table_ns[after]
    low = table_ns[after - 1]
    longest_ns = int((high - low).view(np.uint64).max())
    np.subtract(high, at_ns, out=high)
    np.subtract(at_ns, low, out=low)
    return np.minimum(np.abs(high, out=high), np.abs(low, out=low), out=low), longest_ns
