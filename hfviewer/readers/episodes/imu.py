"""The IMU of an episode: lists of samples that hang on rows, as one dense signal with its own stamps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.columns import ColumnStream
from hfviewer.readers.episodes.parquet import flat_numbers, ragged, rows_of
from hfviewer.readers.episodes.table import EpisodeTable
from hfviewer.readers.episodes.timeline import Timeline, samples_map

_UNITS = (*["rad/s"] * 3, *["m/s^2"] * 3)
_GRAVITY = 9.81
_LOOKED_AT = 2000


def read_stamps(table: EpisodeTable) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Stamps of all samples, and how many each row holds; None where there is no IMU.

    Raises:
        DamagedRecordingError: the columns are damaged.
    """
    if layout.IMU not in table.column_names or layout.IMU_STAMPS not in table.column_names:
        return None
    offsets, values = ragged(table.column(layout.IMU_STAMPS))
    return flat_numbers(values).astype(np.int64, copy=False), np.diff(offsets)


def imu_stream(
    table: EpisodeTable, stamps_ns: NDArray[np.int64], counts: NDArray[np.int64], timeline: Timeline
) -> ColumnStream:
    """The IMU as a stream: one frame a sample, numbered in the order of the file.

    Args:
        table: of the episode.
        stamps_ns: of all samples.
        counts: samples of each row.
        timeline: of the episode.
    """
    keys = list(timeline.times)
    key = "stereo_left" if "stereo_left" in keys else _with_device(timeline)
    rows = np.repeat(np.arange(len(counts)), counts)
    mapping, words = samples_map(stamps_ns, rows, timeline, key)
    width = len(layout.IMU_CHANNELS)
    at_rest = _mean_length(table, counts)
    is_si = at_rest is None or abs(at_rest - _GRAVITY) < 0.15 * _GRAVITY
    units = _UNITS if is_si else ("",) * width
    unit_words = (
        "Units are not stated by the recorder; the mean of |a| says rad/s and m/s²."
        if is_si
        else f"Units are not stated by the recorder, and a mean |a| of {at_rest:.3g} does not look like m/s²."
    )
    description = StreamDescription(
        name=layout.stream_name(layout.IMU),
        kind=StreamKind.IMU,
        encoding="f32",
        clock=Clock.HARDWARE,
        channels=tuple(Channel(name, unit) for name, unit in zip(layout.IMU_CHANNELS, units, strict=True)),
        frame="imu",
        note=f"Time: {layout.IMU_STAMPS}, {words}. {unit_words}",
        extra={
            "clock_offset_ns": int(mapping.offsets_ns[0]),
            # From which device stamp on which offset was added: stamps as recorded can be had back.
            "clock_parts_ns": np.stack([mapping.starts_ns, mapping.offsets_ns], axis=1).tolist(),
        },
    )
    return ColumnStream(
        description,
        mapping.apply(stamps_ns),
        lambda: _values(table, counts),
        path=str(table.path),
        stored_bytes=len(stamps_ns) * (8 + 4 * width),
    )


def _values(table: EpisodeTable, counts: NDArray[np.int64]) -> NDArray[np.floating]:
    """All samples, n×6 float32, without a Python loop.

    Raises:
        DamagedRecordingError: rows hold another number of values than of stamps.
    """
    offsets, samples = ragged(table.column(layout.IMU))
    if not np.array_equal(np.diff(offsets), counts):
        raise DamagedRecordingError("Its rows hold more or fewer IMU samples than stamps.", path=table.path)
    values = rows_of(samples, len(layout.IMU_CHANNELS))
    return values if values.dtype in (np.float32, np.float64) else values.astype(np.float64)


def _mean_length(table: EpisodeTable, counts: NDArray[np.int64]) -> float | None:
    """Mean |a| of the first samples; None where there are none or they cannot be read."""
    filled = np.flatnonzero(counts)
    if not len(filled):
        return None
    lengths: list[NDArray[np.floating]] = []
    seen = 0
    try:
        for _, piece in table.pieces(layout.IMU, 0, rows=256):
            values = rows_of(ragged(piece)[1], len(layout.IMU_CHANNELS))
            lengths.append(np.linalg.norm(values[:, 3:].astype(np.float64), axis=1))
            seen += len(values)
            if seen >= _LOOKED_AT:
                break
    except DamagedRecordingError:
        return None
    found = np.concatenate(lengths) if lengths else np.empty(0)
    found = found[np.isfinite(found)]
    return float(found.mean()) if len(found) else None


def _with_device(timeline: Timeline) -> str | None:
    return next((key for key, times in timeline.times.items() if times.device is not None), None)
