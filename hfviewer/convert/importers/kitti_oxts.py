"""Records of KITTI's GPS/IMU unit: 30 numbers in a text file; units after its ``dataformat.txt``."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hfviewer.convert.files import read_bytes
from hfviewer.core.errors import FrameError
from hfviewer.core.stream import Channel

_MAX_RECORD_BYTES = 64 << 10
_COLUMNS = """
lat:deg lon:deg alt:m roll:rad pitch:rad yaw:rad vn:m/s ve:m/s vf:m/s vl:m/s vu:m/s
ax:m/s^2 ay:m/s^2 az:m/s^2 af:m/s^2 al:m/s^2 au:m/s^2
wx:rad/s wy:rad/s wz:rad/s wf:rad/s wl:rad/s wu:rad/s
pos_accuracy:m vel_accuracy:m/s navstat: numsats: posmode: velmode: orimode:
"""
OXTS_CHANNELS = tuple(Channel(*column.split(":")) for column in _COLUMNS.split())
"""Columns in the order of ``dataformat.txt``, whose second "ay" is meant as az."""


def load_oxts(path: Path) -> bytes:
    """One record as 30 float64.

    Raises:
        FrameError: not 30 numbers.
        OSError: it cannot be read.
    """
    words = read_bytes(path, limit_bytes=_MAX_RECORD_BYTES).split()
    if len(words) != len(OXTS_CHANNELS):
        raise FrameError(f"It holds {len(words)} values, not {len(OXTS_CHANNELS)}.")
    try:
        values = [float(word) for word in words]
    except ValueError as error:
        raise FrameError("It holds something that is not a number.") from error
    return np.array(values, "<f8").tobytes()
