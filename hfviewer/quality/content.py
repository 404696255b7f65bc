"""Findings about what frames hold: repeated, frozen, black and unreadable ones, samples lost in batches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.finding import Finding
from hfviewer.core.finding_codes import severity_of
from hfviewer.core.stream import StreamKind
from hfviewer.core.text import counted
from hfviewer.quality.check import StreamCheck
from hfviewer.quality.findings import repeated_frames
from hfviewer.quality.gaps import find_gaps
from hfviewer.quality.runs import run_findings, runs_of
from hfviewer.quality.scan import Scan

MOST_GAPS = 200  # of one stream that are looked at closely
_FROZEN_FRAMES, _FROZEN_NS = 5, 300_000_000
_SAME, _MOVING = 0.1, 1.0  # a repeated picture, coded with loss, changes a tenth of what is usual around it
_AROUND = 15


def content_findings(stream: StreamCheck, scan: Scan) -> tuple[int, list[Finding]]:
    """How many frames repeat the one before, and what the content of the frames says."""
    name, table_ns = stream.name, stream.timing.timestamps_ns
    found = unreadable_frame(name, table_ns, scan)
    found += black_picture(name, stream.kind, table_ns, scan)
    recorded = stream.timing.duplicate
    known = np.zeros(len(table_ns), np.bool_) if recorded is None else recorded
    same = repeats_of(scan)
    frozen = [run for run in runs_of(same) if _is_frozen(run, table_ns)]
    found += frozen_picture(name, table_ns, frozen)
    short = same.copy()
    for run in frozen:
        short[run.start : run.stop] = False
    found += repeated_frames(name, table_ns, runs_of(short & ~known), "equal pictures")
    return int((same | known).sum()), found


def repeats_of(scan: Scan) -> NDArray[np.bool_]:
    """bool[n]: pictures that repeat the one before: equal to the bit, or changed by coding alone.

    The latter where the change is a tenth of what it is around them, and pictures do change there.
    """
    count = len(scan.digests)
    same = np.zeros(count, np.bool_)
    same[1:] = (scan.digests[1:] == scan.digests[:-1]) & (scan.digests[1:] != 0)
    changes = scan.changes
    known = changes[np.isfinite(changes)]
    most = _SAME * float(np.quantile(known, 0.95)) if len(known) else 0.0
    for at in np.flatnonzero(~same & (changes <= most)).tolist():
        around = changes[max(0, at - _AROUND) : at + _AROUND + 1]
        around = around[np.isfinite(around)]
        if len(around) >= _AROUND:
            usual = float(np.median(around))
            same[at] = usual >= _MOVING and changes[at] <= _SAME * usual
    return same


def lost_samples(name: str, stream: StreamCheck, samples_ns: NDArray[np.int64]) -> list[Finding]:
    """``missing_frames`` of a signal whose frames are batches: samples missing in a batch or between two.

    Evidence: intervals between the samples, as between frames (`hfviewer.quality.gaps`). What the stamps of
    the batches tell already is left out.
    """
    samples_ns = np.sort(samples_ns)
    period_ns = timing.period_ns(samples_ns) if timing.rate_hz(samples_ns) is not None else None
    gaps = find_gaps(samples_ns, None, period_ns)
    table_ns, found = stream.timing.timestamps_ns, []
    for at in range(min(len(gaps), MOST_GAPS)):
        gap = gaps[at]
        if any(stream.gaps.at(time_ns) is not None for time_ns in (gap.start_ns + 1, gap.end_ns - 1)):
            continue
        first, last = (timing.index_at(table_ns, time_ns) or 0 for time_ns in (gap.start_ns, gap.end_ns))
        found.append(
            Finding(
                code="missing_frames",
                severity=severity_of("missing_frames", milder=not gap.is_severe),
                stream=name,
                start_ns=gap.start_ns,
                end_ns=gap.end_ns,
                first_frame=first,
                last_frame=last,
                message=f"{counted(gap.lost, 'sample')} lost in the batches #{first} to #{last}.",
                evidence=gap.evidence_text,
            )
        )
    return found


def _is_frozen(run: range, table_ns: NDArray[np.int64]) -> bool:
    return len(run) >= _FROZEN_FRAMES and int(table_ns[run[-1]]) - int(table_ns[run[0] - 1]) >= _FROZEN_NS


def frozen_picture(name: str, table_ns: NDArray[np.int64], runs: list[range]) -> list[Finding]:
    """``frozen_picture``: five frames or more, over 0.3 s or more, repeat one picture while time goes on.

    Evidence: pictures equal to the bit, or to coding noise while those around them move.

    Args:
        name: of the stream.
        table_ns: int64[n], its timestamps.
        runs: frames that repeat the one before.
    """

    def message(run: range) -> str:
        seconds = (int(table_ns[run[-1]]) - int(table_ns[run[0]])) / 1e9
        return f"The picture stands still for {counted(len(run), 'frame')}, {seconds:.2f} s."

    return run_findings(
        "frozen_picture",
        name,
        table_ns,
        [
            range(run.start - 1, run.stop) for run in runs
        ],  # the picture that the others repeat stands still, too
        message=message,
        message_of_rest=lambda frames, places: (
            f"The picture stands still for {counted(frames, 'frame')}, in {counted(places, 'more place')}."
        ),
        evidence=lambda _: "equal pictures",
    )


def black_picture(name: str, kind: StreamKind, table_ns: NDArray[np.int64], scan: Scan) -> list[Finding]:
    """``black_picture``: pictures in which 999 of 1000 pixels are black, or depth without any measurement.

    Evidence: the decoded pictures, made small.
    """
    is_depth = kind is StreamKind.DEPTH
    words = "without a measurement" if is_depth else "black"
    return run_findings(
        "black_picture",
        name,
        table_ns,
        runs_of(scan.dark),
        message=lambda run: f"{counted(len(run), 'frame')} {words}.",
        message_of_rest=lambda frames, places: (
            f"{counted(frames, 'frame')} {words}, in {counted(places, 'more place')}."
        ),
        evidence=lambda _: "no valid pixel" if is_depth else "brightness",
    )


def unreadable_frame(name: str, table_ns: NDArray[np.int64], scan: Scan) -> list[Finding]:
    """``unreadable_frame``: frames that cannot be read or decoded, or whose checksum is wrong.

    One finding for each run of them. Evidence: the reader's own words for the first of each run.
    """
    bad = np.zeros(len(table_ns), np.bool_)
    bad[list(scan.errors)] = True
    return run_findings(
        "unreadable_frame",
        name,
        table_ns,
        runs_of(bad),
        message=lambda run: f"{counted(len(run), 'frame')} cannot be read, from #{run[0]} on.",
        message_of_rest=lambda frames, places: (
            f"{counted(frames, 'frame')} cannot be read, in {counted(places, 'more place')}."
        ),
        evidence=lambda run: scan.errors[run[0]],
    )
