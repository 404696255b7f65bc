"""Dense signals and poses: float payloads to rows of numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.compression import Buffer
from hfviewer.core.errors import FrameError
from hfviewer.core.geometry import matrix_from_pose
from hfviewer.core.stream import Channel

POSE_CHANNELS = (
    *(Channel(axis, "m") for axis in "xyz"),
    *(Channel(f"q{axis}", "") for axis in "xyzw"),
)
POSE_ROW_BYTES = {"xyz_qxyzw_f64": 56, "matrix44_f32": 64}
_FLOATS: dict[str, np.dtype[np.floating]] = {"f32": np.dtype("<f4"), "f64": np.dtype("<f8")}


def row_dtype(encoding: str) -> np.dtype[np.floating]:
    """Type of one value of ``f32``, ``f64``, ``f32_batch``, ``f64_batch``.

    Raises:
        FrameError: another encoding.
    """
    dtype = _FLOATS.get(encoding.removesuffix("_batch"))
    if dtype is None:
        raise FrameError(f"Samples in encoding {encoding!r} are unknown.")
    return dtype


def decode_samples(
    payload: Buffer, *, encoding: str, channel_count: int, timestamp_ns: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """One sample or one batch.

    Args:
        payload: C floats; or, of a batch, N int64 timestamps followed by N × C floats, little-endian.
        encoding: ``f32``, ``f64``, ``f32_batch`` or ``f64_batch``.
        channel_count: C; 0 where the recording does not name its channels: then one sample is all there is.
        timestamp_ns: of the frame; the stamp of a single sample.

    Returns:
        int64[N] and float64 N×C.

    Raises:
        FrameError: the size does not fit.
    """
    dtype = row_dtype(encoding)
    size = len(payload)
    if not encoding.endswith("_batch"):
        if size % dtype.itemsize or (channel_count and size != channel_count * dtype.itemsize):
            raise FrameError(f"It holds {size} bytes, not {channel_count} values of {dtype.itemsize} bytes.")
        values = np.frombuffer(payload, dtype).reshape(1, -1).astype(np.float64)
        return np.array([timestamp_ns], np.int64), values
    row_bytes = 8 + channel_count * dtype.itemsize
    if channel_count == 0 or size % row_bytes:
        raise FrameError(f"It holds {size} bytes, not a whole number of samples of {row_bytes} bytes.")
    count = size // row_bytes
    stamps = np.frombuffer(payload, "<i8", count).astype(np.int64)
    values = np.frombuffer(payload, dtype, offset=8 * count).reshape(count, channel_count).astype(np.float64)
    return stamps, values


def encode_batch(timestamps_ns: NDArray[np.int64], values: NDArray[np.float64], *, encoding: str) -> bytes:
    """Payload of ``f32_batch`` or ``f64_batch``: N stamps, then N × C values."""
    return timestamps_ns.astype("<i8").tobytes() + values.astype(row_dtype(encoding)).tobytes()


def decode_pose(payload: Buffer, encoding: str) -> NDArray[np.float64]:
    """float64 4×4 parent_from_sensor.

    Raises:
        FrameError: the size does not fit, or the encoding is unknown.
    """
    row_bytes = POSE_ROW_BYTES.get(encoding)
    if row_bytes is None:
        raise FrameError(f"Poses in encoding {encoding!r} are unknown.")
    if len(payload) != row_bytes:
        raise FrameError(f"It holds {len(payload)} bytes; a pose in {encoding} has {row_bytes}.")
    if encoding == "matrix44_f32":
        return np.frombuffer(payload, "<f4").reshape(4, 4).astype(np.float64)
    values = np.frombuffer(payload, "<f8")
    return matrix_from_pose(values[:3], values[3:])


def pose_rows(raw: NDArray[np.floating], encoding: str) -> NDArray[np.float64]:
    """Stored pose rows as x, y, z, qx, qy, qz, qw.

    Args:
        raw: N×7 (``xyz_qxyzw_f64``) or N×16 (``matrix44_f32``, row-major).
        encoding: of the rows.

    Returns:
        float64 N×7.
    """
    if encoding == "xyz_qxyzw_f64":
        return raw.astype(np.float64)
    matrices = raw.reshape(-1, 4, 4).astype(np.float64)
    return np.concatenate([matrices[:, :3, 3], _quaternions(matrices[:, :3, :3])], axis=1)


def _quaternions(rotations: NDArray[np.float64]) -> NDArray[np.float64]:
    """Quaternions (x, y, z, w), w >= 0, of N rotation matrices.

    The largest eigenvector of the symmetric 4×4 matrix of Bar-Itzhack (2000) is the quaternion; unlike the
    formulas by cases it needs no branch and bears small errors of orthogonality.
    """
    r = np.where(np.isfinite(rotations), rotations, 0.0)
    k = np.empty((len(r), 4, 4))
    k[:, 0, 0] = r[:, 0, 0] - r[:, 1, 1] - r[:, 2, 2]
    k[:, 1, 1] = r[:, 1, 1] - r[:, 0, 0] - r[:, 2, 2]
    k[:, 2, 2] = r[:, 2, 2] - r[:, 0, 0] - r[:, 1, 1]
    k[:, 3, 3] = r[:, 0, 0] + r[:, 1, 1] + r[:, 2, 2]
    k[:, 0, 1] = k[:, 1, 0] = r[:, 0, 1] + r[:, 1, 0]
    k[:, 0, 2] = k[:, 2, 0] = r[:, 0, 2] + r[:, 2, 0]
    k[:, 1, 2] = k[:, 2, 1] = r[:, 1, 2] + r[:, 2, 1]
    k[:, 0, 3] = k[:, 3, 0] = r[:, 2, 1] - r[:, 1, 2]
    k[:, 1, 3] = k[:, 3, 1] = r[:, 0, 2] - r[:, 2, 0]
    k[:, 2, 3] = k[:, 3, 2] = r[:, 1, 0] - r[:, 0, 1]
    _, vectors = np.linalg.eigh(k / 3)
    q = vectors[:, :, 3]
    return np.asarray(np.where(q[:, 3:] < 0, -q, q), np.float64)
