"""Lanes of a report: where frames lie in time, and where they are missing; small enough to hand on."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.bayer import demosaic
from hfviewer.codecs.levels import grey_levels, to_eight_bit
from hfviewer.codecs.opencv import cv2
from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import DepthFrame, Frame, ImageFrame
from hfviewer.core.recording import Recording
from hfviewer.core.stream import StreamKind
from hfviewer.core.window import TimeWindow
from hfviewer.quality.check import RecordingCheck, StreamCheck
from hfviewer.quality.gap import Gaps

COLUMNS = 1000
_INT64_MAX = 2**63 - 1
_LEVELS = 4
_SOLID_COLUMNS = 5.0  # a lane whose frames lie closer is drawn without holes between them
_MOST_MARKS = 400
_PICTURE_PX = 240
_PICTURES_OF_A_STREAM, _PICTURES_OF_A_RECORDING = 3, 6
_QUALITY = 78


@dataclass(frozen=True, slots=True)
class LaneGap:
    """A gap, or several that lie too close to be drawn apart; columns of the lane."""

    start: float
    end: float
    lost: int


@dataclass(frozen=True, slots=True)
class Lane:
    """A stream, drawn to scale over the recording's span.

    Args:
        name: of the stream.
        kind: gives the colour.
        runs: (first column, columns, level): where frames are, level 1 to 4 by how many of the usual number.
        gaps: where frames are missing.
        marks: columns of doubled stamps and of frames out of order.
    """

    name: str
    kind: StreamKind
    runs: tuple[tuple[int, int, int], ...]
    gaps: tuple[LaneGap, ...]
    marks: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A gap with the pictures on either side of it.

    Args:
        stream: its name.
        start_ns: stamp of the last frame before.
        lost: frames.
        evidence: for a person.
        before: JPEG in base64; empty where it cannot be read.
        after: likewise.
        before_frame: index.
    """

    stream: str
    start_ns: int
    lost: int
    evidence: str
    before: str
    after: str
    before_frame: int


def lanes_of(check: RecordingCheck) -> tuple[Lane, ...]:
    """A lane for every stream that has frames."""
    span = check.span
    if span is None:
        return ()
    return tuple(_lane(stream, span) for stream in check.streams.values() if stream.frame_count)


def _lane(stream: StreamCheck, span: TimeWindow) -> Lane:
    length = max(1, span.duration_ns)
    whole = [span.start_ns + length * column // COLUMNS for column in range(COLUMNS + 1)]
    edges = np.array([min(edge, _INT64_MAX) for edge in whole], np.int64)
    counts = np.diff(stream.timing.timestamps_ns.searchsorted(edges))
    usual = max(1.0, float(np.median(counts[counts > 0])) if counts.any() else 1.0)
    levels = np.where(counts > 0, np.clip(np.ceil(counts / usual * 2), 1, _LEVELS), 0).astype(np.intp)
    period = (stream.timing.gaps.period_ns or 0) / length * COLUMNS
    if 0 < period < _SOLID_COLUMNS:
        levels = _filled(levels, 1 + int(1.5 * period))
    starts = np.flatnonzero(np.diff(levels, prepend=-1))
    stops = np.append(starts[1:], COLUMNS)
    runs = tuple(
        (int(a), int(b - a), int(levels[a])) for a, b in zip(starts, stops, strict=True) if levels[a]
    )
    marked = np.concatenate([stream.disorder.doubled_ns, stream.disorder.late_ns])[:_MOST_MARKS]
    return Lane(
        name=stream.name,
        kind=stream.kind,
        runs=runs,
        gaps=tuple(_merged(stream.gaps, span)),
        marks=tuple(_column(int(ns), span) for ns in marked if int(ns) in span),
    )


def _filled(levels: NDArray[np.intp], longest: int) -> NDArray[np.intp]:
    """Levels without the holes that frames closer than a few columns leave by chance; longer ones stay."""
    places = np.flatnonzero(levels)
    for before, after in pairwise(places):
        if 1 < after - before <= longest:
            levels[before + 1 : after] = levels[before]
    return levels


def _merged(gaps: Gaps, span: TimeWindow) -> Iterable[LaneGap]:
    """Gaps in columns; those within three columns of each other share a mark."""
    current: LaneGap | None = None
    for start_ns, end_ns, lost in zip(
        gaps.start_ns.tolist(), gaps.end_ns.tolist(), gaps.lost.tolist(), strict=True
    ):
        start, end = _column(start_ns, span), _column(end_ns, span)
        if current is not None and start <= max(current.end, current.start + 3):
            current = LaneGap(current.start, max(current.end, end), current.lost + lost)
            continue
        if current is not None:
            yield current
        current = LaneGap(start, end, lost)
    if current is not None:
        yield current


def _column(time_ns: int, span: TimeWindow) -> float:
    return round((time_ns - span.start_ns) / max(1, span.duration_ns) * COLUMNS, 2)


def worst_places(recording: Recording, check: RecordingCheck) -> tuple[Place, ...]:
    """The longest gaps of cameras and depth, with the last picture before and the first one after."""
    found: list[Place] = []
    for name, stream in check.streams.items():
        if stream.kind not in (StreamKind.IMAGE, StreamKind.DEPTH):
            continue
        order = np.argsort(-stream.gaps.lost, kind="stable")[:_PICTURES_OF_A_STREAM]
        for at in np.sort(order).tolist():
            gap = stream.gaps[at]
            found.append(
                Place(
                    stream=name,
                    start_ns=gap.start_ns,
                    lost=gap.lost,
                    evidence=gap.evidence_text,
                    before=_picture(recording, name, gap.before),
                    after=_picture(recording, name, gap.before + 1),
                    before_frame=gap.before,
                )
            )
    found.sort(key=lambda place: -place.lost)
    return tuple(found[:_PICTURES_OF_A_RECORDING])


def _picture(recording: Recording, name: str, index: int) -> str:
    """A small JPEG in base64; empty where there is none."""
    try:
        pixels = _visible(recording.streams[name].read(index, max_size=(_PICTURE_PX, _PICTURE_PX)))
    except HfviewerError:
        return ""
    if pixels is None:
        return ""
    height, width = pixels.shape[:2]
    scale = min(1.0, _PICTURE_PX / width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    done, data = cv2.imencode(
        ".jpg", cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
    )
    return base64.b64encode(data.tobytes()).decode() if done else ""


def _visible(frame: Frame) -> NDArray[np.uint8] | None:
    """8-bit pixels of a picture; depth as distance, the nearest bright."""
    if isinstance(frame, ImageFrame):
        pixels = demosaic(frame.pixels, frame.pixel_format)
        return to_eight_bit(pixels, grey_levels(pixels))
    if isinstance(frame, DepthFrame):
        millimetres = frame.millimetres
        valid = millimetres > 0
        if not valid.any():
            return np.zeros(millimetres.shape, np.uint8)
        low, high = np.percentile(millimetres[valid], [1, 99])
        share = np.clip((millimetres - low) / max(1.0, high - low), 0, 1)
        grey: NDArray[np.uint8] = np.where(valid, 255 - 215 * share, 0).astype(np.uint8)
        return grey
    return None
