"""What a panel says in place of a current picture, in words; no painting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import HfviewerError
from hfviewer.core.time_text import NS_PER_S
from hfviewer.panels.standing import Standing, age_text, index_text, seconds_text
from hfviewer.quality.gaps import Gap


@dataclass(frozen=True, slots=True)
class PlateContent:
    """What a plate says.

    Args:
        title: a few words, in the middle.
        rows: label, value and remark, below.
        footer: e.g. the evidence or an error's words, over as many lines as there is room for.
        severity: ``error`` or empty for a plain fact; decides icon and colour.
        hatched: True where stripes say that there is no data.
    """

    title: str
    rows: tuple[tuple[str, str, str], ...] = ()
    footer: str = ""
    severity: str = ""
    hatched: bool = False

    @property
    def text(self) -> str:
        """All of it, a line for each part."""
        rows = ("  ".join(part for part in row if part) for row in self.rows)
        return "\n".join(line for line in (self.title, *rows, self.footer) if line)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Around:
    """The stream around the playhead.

    Args:
        timestamps_ns: int64[n], recording clock.
        sequence: int64[n], the recorder's counters; None where they are not known.
        gap: that follows on the frame under the playhead, if there is one.
        start_ns: of the recording.
        time_text: how a time reads.
        playhead_ns: recording clock.
        wanted: index of the frame under the playhead; None before the first.
    """

    timestamps_ns: NDArray[np.int64]
    sequence: NDArray[np.int64] | None
    gap: Gap | None
    start_ns: int
    time_text: Callable[[int], str]
    playhead_ns: int
    wanted: int | None


def plate_content(standing: Standing, around: Around, error: HfviewerError | None) -> PlateContent | None:
    """The plate for a panel that stands so, or None where the picture speaks for itself."""
    match standing:
        case Standing.EMPTY:
            return PlateContent("No frames", footer="This stream has no frames.", hatched=True)
        case Standing.BEFORE:
            first_ns = int(around.timestamps_ns[0])
            wait = (f"in {_span_text(first_ns - around.playhead_ns)}",)
            title = f"Starts at +{seconds_text(first_ns - around.start_ns)}"
            return PlateContent(title, (("First frame", around.time_text(first_ns), *wait),), hatched=True)
        case Standing.UNREADABLE:
            words = "" if error is None else " ".join(f"{error.problem} {error.remedy}".split())
            return PlateContent(
                f"Frame {index_text(around.wanted)} is unreadable",
                footer=words,
                severity="error",
                hatched=True,
            )
        case Standing.MISSING:
            return _missing(around)
        case Standing.ENDED:
            return PlateContent("Stream ended", (_last_row(around),), hatched=True)
        case _:
            return None


def _missing(around: Around) -> PlateContent:
    index = around.wanted
    if index is None or index + 1 >= len(around.timestamps_ns):
        return PlateContent("No frame here", severity="error", hatched=True)
    next_ns, gap = int(around.timestamps_ns[index + 1]), around.gap
    rows = [_last_row(around)]
    rows.append(("Next frame", around.time_text(next_ns), f"in {_span_text(next_ns - around.playhead_ns)}"))
    if gap is not None:
        count = f"{gap.lost} frame" if gap.lost == 1 else f"{gap.lost} frames"
        rows.insert(0, ("Lost", count, _numbers(around, gap)))
    return PlateContent(
        "No frame here",
        tuple(rows),
        "" if gap is None else f"Evidence: {gap.evidence_text}",
        severity="error",
        hatched=True,
    )


def _last_row(around: Around) -> tuple[str, str, str]:
    last_ns = int(around.timestamps_ns[around.wanted or 0])
    return ("Last frame", around.time_text(last_ns), f"{_span_text(around.playhead_ns - last_ns)} ago")


def _numbers(around: Around, gap: Gap) -> str:
    """``sequence 1570 … 1575``: counters of the lost frames, where the recorder counted."""
    if around.sequence is None:
        return ""
    first, after = int(around.sequence[gap.before]) + 1, int(around.sequence[gap.before + 1])
    if after - first != gap.by_sequence or gap.by_sequence == 0:
        return ""
    return f"sequence {first}" if gap.lost == 1 else f"sequence {first} … {after - 1}"


def _span_text(span_ns: int) -> str:
    """A length for a remark: whole milliseconds below a second."""
    if abs(span_ns) < NS_PER_S:
        return f"{(span_ns + 500_000) // 1_000_000} ms"
    return age_text(span_ns) if abs(span_ns) >= 100 * NS_PER_S else seconds_text(span_ns)
