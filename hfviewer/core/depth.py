"""Depth codes and what they mean.

Two codings occur: linear counts with a unit (any 16-bit depth camera), and the recorder's 12-bit logarithm.
Both become one table of 65 536 entries, so that converting a picture is one `numpy.take`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

CODE_COUNT = 65536
LOG12_MIN_MM = 100.0
LOG12_MAX_MM = 5000.0
LOG12_MAX_CODE = 4095


@dataclass(frozen=True)
class DepthScale:
    """How stored codes become millimetres.

    Args:
        unit_mm: millimetres per count of a linear code.
        log12: True where codes are the recorder's 12-bit logarithm (pooled.md, section on depth):
            ``mm = exp(ln 100 + code · ln 50 / 4095)``, so 100 mm to 5 m.
        invalid_codes: stored codes that mean "no measurement".
        invalid_below_mm: measurements up to here are not trusted (lossy video makes small codes out of
            invalid pixels); 0 for lossless sources.
    """

    unit_mm: float = 1.0
    log12: bool = False
    invalid_codes: tuple[int, ...] = (0,)
    invalid_below_mm: float = 0.0

    @cached_property
    def exact_mm_table(self) -> NDArray[np.float64]:
        """float64[65536]: millimetres of each code, before rounding; NaN where invalid."""
        codes = np.arange(CODE_COUNT, dtype=np.float64)
        if self.log12:
            step = math.log(LOG12_MAX_MM / LOG12_MIN_MM) / LOG12_MAX_CODE
            millimetres = LOG12_MIN_MM * np.exp(np.minimum(codes, LOG12_MAX_CODE) * step)
            millimetres[LOG12_MAX_CODE + 1 :] = np.nan
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                millimetres = codes * self.unit_mm
        for code in self.invalid_codes:
            if 0 <= code < CODE_COUNT:
                millimetres[code] = np.nan
        millimetres[millimetres <= self.invalid_below_mm] = np.nan
        millimetres.flags.writeable = False
        return millimetres

    @cached_property
    def millimetre_table(self) -> NDArray[np.uint16]:
        """uint16[65536]: whole millimetres of each code, 0 where invalid, 65535 where farther than that.

        A measurement below half a millimetre becomes 1, so that 0 always and only means invalid.
        """
        exact = self.exact_mm_table
        whole = np.where(np.isnan(exact), 0.0, np.clip(np.rint(exact), 1, CODE_COUNT - 1))
        table = whole.astype(np.uint16)
        table.flags.writeable = False
        return table

    @cached_property
    def valid_table(self) -> NDArray[np.bool_]:
        """bool[65536]: which codes are measurements."""
        table = ~np.isnan(self.exact_mm_table)
        table.flags.writeable = False
        return table


def log12_from_millimetres(millimetres: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """The recorder's 12-bit code of each depth (pooled.md, constants of its depth codec).

    Args:
        millimetres: uint16, any shape; 0 means invalid and stays 0.

    Returns:
        uint16 codes 0..4095 of the same shape; depths outside 100..5000 mm are clipped.
    """
    safe = np.maximum(millimetres.astype(np.float64), 1.0)
    scale = LOG12_MAX_CODE / math.log(LOG12_MAX_MM / LOG12_MIN_MM)
    codes = np.clip(np.rint(np.log(safe / LOG12_MIN_MM) * scale), 0, LOG12_MAX_CODE)
    codes[millimetres == 0] = 0
    return codes.astype(np.uint16)
