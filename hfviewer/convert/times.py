"""Times as sources write them, to int64 nanoseconds; exactly, never through a float product."""

from __future__ import annotations

import datetime
import re
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation

import numpy as np
from numpy.typing import NDArray

MAX_NS = 2**63 - 1
_MAX_DIGITS = 64
_EPOCH = datetime.datetime(1970, 1, 1)
_DATE_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?", re.ASCII)


def ns_from_decimal(text: str, exponent: int = 9) -> int:
    """Nanoseconds of a decimal number in units of ``10**exponent`` ns (9: seconds, 0: ns), half to even.

    Raises:
        ValueError: not a number, negative, or beyond int64.
    """
    text = text.strip()
    if len(text) > _MAX_DIGITS:
        raise ValueError("a time with too many digits")
    try:
        number = Decimal(text)
        if not number.is_finite() or number.adjusted() > 20:
            raise ValueError("a time out of range")
        scaled = number.scaleb(exponent)
        value = int(scaled.quantize(Decimal(1), rounding=ROUND_HALF_EVEN)) if scaled else 0
    except InvalidOperation as error:
        raise ValueError("not a number") from error
    if not 0 <= value <= MAX_NS:
        raise ValueError("a time out of range")
    return value


def ns_from_date_time(text: str) -> int:
    """Nanoseconds since 1970 of ``YYYY-MM-DD HH:MM:SS[.nnnnnnnnn]``, taken as UTC.

    Raises:
        ValueError: not such a text, no such date, or before 1970.
    """
    match = _DATE_TIME.fullmatch(text.strip())
    if match is None:
        raise ValueError("not a date and time")
    *parts, fraction = match.groups()
    year, month, day, hour, minute, second = map(int, parts)
    elapsed = datetime.datetime(year, month, day, hour, minute, second) - _EPOCH
    seconds = elapsed.days * 86_400 + elapsed.seconds
    value = seconds * 1_000_000_000 + int((fraction or "0").ljust(9, "0"))
    if not 0 <= value <= MAX_NS:
        raise ValueError("a time out of range")
    return value


def ns_from_float_seconds(seconds: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Nanoseconds of float64 seconds, and which of them are times at all (finite, not negative, in range).

    Whole seconds and fraction are converted apart, so that nothing is lost but the rounding to 1 ns.
    """
    usable = np.isfinite(seconds) & (seconds >= 0) & (seconds < 9.2e9)
    safe = np.where(usable, seconds, 0.0)
    whole = np.floor(safe)
    fraction_ns = np.rint((safe - whole) * 1e9).astype(np.int64)
    return whole.astype(np.int64) * 1_000_000_000 + fraction_ns, usable


def nominal_ns(steps: NDArray[np.int64], rate_hz: int) -> NDArray[np.int64]:
    """Nanoseconds of ``steps / rate_hz`` seconds, rounded half up, in integers."""
    return (steps * 1_000_000_000 * 2 + rate_hz) // (2 * rate_hz)
