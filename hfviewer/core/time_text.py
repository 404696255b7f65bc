"""Times as people type and read them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation

from hfviewer.core.errors import UsageError

NS_PER_S = 1_000_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_INT64_MAX = 2**63 - 1
# A fraction of the seconds of the time of day, not of an hour, a date or a zone.
_ISO_FRACTION = re.compile(
    r"(?P<whole>[^.,]*[^\d.,:+-]\d\d:?\d\d:?\d\d)[.,](?P<fraction>[0-9]+)(?P<rest>\D.*)?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class FrameNumber:
    """``#340``: a frame of the stream that is asked about, counted from 0."""

    index: int


def parse_time(text: str, *, start_ns: int) -> int | FrameNumber:
    """Read a time from the command line.

    Args:
        text: ``12.5`` (seconds from the start), ``+3s``, ``#340``, ``ns:1700000000123456789`` or ISO 8601
            (UTC where it names no zone).
        start_ns: start of the recording.

    Raises:
        UsageError: it is none of these.
    """
    text = text.strip()
    try:
        if text.startswith("#"):
            if not re.fullmatch("#[0-9]+", text):
                raise ValueError("a frame's number counts from 0")
            return FrameNumber(int(text[1:]))
        if text.startswith("ns:"):
            time_ns = int(text[3:])
        elif re.fullmatch(r"[+-]?\d*\.?\d+(?:[eE][+-]?\d{1,2})?s?", text):
            time_ns = start_ns + int(Decimal(text.removesuffix("s")) * NS_PER_S)
        else:
            time_ns = parse_iso_ns(text)
    except (ValueError, InvalidOperation, OverflowError) as error:
        raise UsageError(
            f"{text!r} is not a time.",
            remedy="Write 12.5 (seconds from the start), +3s, #340, ns:1700000000123456789 or ISO 8601.",
        ) from error
    if not -_INT64_MAX <= time_ns <= _INT64_MAX:
        raise UsageError(f"{text!r} is beyond any time that a recording can hold.")
    return time_ns


def parse_iso_ns(text: str) -> int:
    """Nanoseconds since 1970 of an ISO 8601 time, exact to the nanosecond; UTC where no zone is named.

    Digits beyond the ninth of a second are cut.

    Raises:
        ValueError: not such a time.
    """
    fraction_ns = 0
    match = _ISO_FRACTION.fullmatch(text)
    if match:
        fraction_ns = int(match["fraction"][:9].ljust(9, "0"))
        text = match["whole"] + (match["rest"] or "")
    elif "." in text or "," in text:
        raise ValueError("only the seconds of a time may have a fraction")
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(seconds=1) * NS_PER_S + fraction_ns


def format_elapsed(elapsed_ns: int) -> str:
    """``HH:MM:SS.mmm``, cut (not rounded) to the millisecond; a minus sign before times before the start."""
    sign, elapsed_ns = ("-", -elapsed_ns) if elapsed_ns < 0 else ("", elapsed_ns)
    milliseconds = elapsed_ns // 1_000_000
    seconds, milliseconds = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours:02d}:{minutes:02d}:{seconds:02d}.{milliseconds:03d}"


def exact_seconds(offset_ns: int) -> str:
    """``-12.345678901``: seconds to the nanosecond, without passing through a float."""
    sign, offset_ns = ("-", -offset_ns) if offset_ns < 0 else ("", offset_ns)
    return f"{sign}{offset_ns // NS_PER_S}.{offset_ns % NS_PER_S:09d}"


def format_utc(timestamp_ns: int) -> str:
    """``YYYY-MM-DD HH:MM:SS.mmm`` in UTC, rounded down; empty outside the years 1 to 9999."""
    seconds, rest_ns = divmod(timestamp_ns, NS_PER_S)
    try:
        moment = _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return ""
    return f"{moment.year:04d}-{moment:%m-%d %H:%M:%S}.{rest_ns // 1_000_000:03d}"


def format_duration(duration_ns: int) -> str:
    """A length for a person: ``8.4 ms``, ``1.920 s``, ``00:01:05.510`` from a minute on."""
    if abs(duration_ns) < NS_PER_S:
        return f"{duration_ns / 1e6:.1f} ms"
    if abs(duration_ns) < 60 * NS_PER_S:
        return f"{duration_ns / 1e9:.3f} s"
    return format_elapsed(duration_ns)
