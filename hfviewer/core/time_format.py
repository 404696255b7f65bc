"""How the times of one recording read: elapsed, UTC, local time or raw nanoseconds, the same everywhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum

from hfviewer.core.time_text import NS_PER_S
from hfviewer.core.window import TimeWindow

EPOCH_FROM_NS = 946_684_800_000_000_000  # 2000-01-01: earlier stamps count from somewhere else than 1970
EPOCH_UNTIL_NS = 4_102_444_800_000_000_000  # 2100-01-01
CLOCK_FROM_NS = 600 * NS_PER_S  # recordings longer than this read h:mm:ss
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_S = 86_400


class TimeMode(StrEnum):
    """What times are counted from."""

    ELAPSED = "elapsed"
    UTC = "utc"
    LOCAL = "local"
    NS = "ns"


def is_epoch(time_ns: int) -> bool:
    """True where a time can be one of this century, counted from 1970."""
    return EPOCH_FROM_NS <= time_ns < EPOCH_UNTIL_NS


def elapsed_text(elapsed_ns: int, *, decimals: int, clock: bool) -> str:
    """``52.706`` or ``1:02:03.5``, rounded down; a true minus sign before the start."""
    unit_ns = 10 ** (9 - decimals)
    units = abs(elapsed_ns) // unit_ns if elapsed_ns >= 0 else -(elapsed_ns // unit_ns)
    seconds, fraction = divmod(units, 10**decimals)
    sign = "−" if elapsed_ns < 0 and units else ""
    tail = f".{fraction:0{decimals}d}" if decimals else ""
    if not clock:
        return f"{sign}{seconds}{tail}"
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}:{minutes:02d}:{seconds:02d}{tail}"


@dataclass(frozen=True, slots=True)
class TimeFormat:
    """How the times of one recording read.

    Args:
        mode: asked for; a recording that does not count from 1970 has no time of day and reads as elapsed.
        span: of the recording.
        zone_s: seconds by which local time was ahead of UTC at its start.
    """

    mode: TimeMode
    span: TimeWindow
    zone_s: int = 0

    @classmethod
    def of(cls, mode: TimeMode, span: TimeWindow, zone: tzinfo | None = None) -> TimeFormat:
        """The format for a recording of that span.

        Args:
            mode: what times are counted from.
            span: of the recording.
            zone: of local time; None: this computer's.
        """
        return cls(mode, span, _zone_s(span.start_ns, zone) if is_epoch(span.start_ns) else 0)

    @classmethod
    def elapsed(cls, span: TimeWindow) -> TimeFormat:
        """Time since the start."""
        return cls(TimeMode.ELAPSED, span)

    @property
    def reads_as(self) -> TimeMode:
        """The mode in force."""
        has_day = self.mode not in (TimeMode.UTC, TimeMode.LOCAL) or is_epoch(self.span.start_ns)
        return self.mode if has_day else TimeMode.ELAPSED

    @property
    def clock(self) -> bool:
        """True where times read h:mm:ss, False where they are a plain number."""
        match self.reads_as:
            case TimeMode.ELAPSED:
                return self.span.duration_ns > CLOCK_FROM_NS
            case TimeMode.NS:
                return False
            case _:
                return True

    @property
    def origin_ns(self) -> int:
        """A time that reads as a round one; so does every whole second from there."""
        match self.reads_as:
            case TimeMode.ELAPSED:
                return self.span.start_ns
            case TimeMode.LOCAL:
                return -self.zone_s * NS_PER_S
            case _:
                return 0

    def text(self, time_ns: int, decimals: int = 3) -> str:
        """``52.706``, ``0:12:03.500``, ``14:32:10.250`` or ``1700000000123456789``.

        Args:
            time_ns: recording clock.
            decimals: of the second, 0 to 9; the rest is cut off.
        """
        match self.reads_as:
            case TimeMode.NS:
                return str(time_ns)
            case TimeMode.ELAPSED:
                return elapsed_text(time_ns - self.span.start_ns, decimals=decimals, clock=self.clock)
            case _:
                return self._of_day(time_ns, decimals)

    def with_unit(self, time_ns: int, decimals: int = 3) -> str:
        """The same with ``s`` behind plain seconds."""
        plain = self.reads_as is TimeMode.ELAPSED and not self.clock
        return self.text(time_ns, decimals) + (" s" if plain else "")

    def date(self, time_ns: int) -> str:
        """Date and time of day with its zone; empty where the recording does not count from 1970.

        UTC, unless local time was asked for.
        """
        if not is_epoch(time_ns):
            return ""
        local = self.reads_as is TimeMode.LOCAL
        shown = replace(self, mode=TimeMode.LOCAL if local else TimeMode.UTC)
        moment = _EPOCH + timedelta(seconds=time_ns // NS_PER_S + (self.zone_s if local else 0))
        zone = _zone_text(self.zone_s) if local else "UTC"
        return f"{moment:%Y-%m-%d} {shown._of_day(time_ns, 3)} {zone}"

    def _of_day(self, time_ns: int, decimals: int) -> str:
        shift_s = self.zone_s if self.reads_as is TimeMode.LOCAL else 0
        units = time_ns // 10 ** (9 - decimals)
        seconds, fraction = divmod(units, 10**decimals)
        minutes, second = divmod((seconds + shift_s) % _DAY_S, 60)
        tail = f".{fraction:0{decimals}d}" if decimals else ""
        return f"{minutes // 60:02d}:{minutes % 60:02d}:{second:02d}{tail}"


def _zone_s(time_ns: int, zone: tzinfo | None) -> int:
    try:
        offset = (_EPOCH + timedelta(seconds=time_ns // NS_PER_S)).astimezone(zone).utcoffset()
    except (OSError, OverflowError, ValueError):
        return 0  # a computer without a zone
    return 0 if offset is None else int(offset.total_seconds())


def _zone_text(zone_s: int) -> str:
    sign = "−" if zone_s < 0 else "+"
    return f"{sign}{abs(zone_s) // 3600:02d}:{abs(zone_s) // 60 % 60:02d}"
