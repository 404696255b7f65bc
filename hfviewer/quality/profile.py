"""What a recording is held against: thresholds, and streams and rates that are demanded. Read from TOML.

[limits]                      # every key may be left out; these are the defaults
late_start_ms = 100           # a stream that begins later than the first one, and by more than 2.5 periods
early_end_ms = 100
rate_tolerance_percent = 5    # measured against declared rate
drift_ppm = 100
most_gaps = 20                # findings of their own per stream; the rest share one

[sync]
reference = "camera/front"    # default: the first camera, else the first regular stream
max_ms = 10                   # default: none is demanded

[[expect]]                    # as often as needed
stream = "camera/front"
rate_hz = 30
tolerance_percent = 2         # default: rate_tolerance_percent
frames = 600                  # at least

[severity]                    # of findings, by code: "error", "warning", "info" or "off"
late_start = "off"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from hfviewer.core.errors import UsageError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.finding_codes import CODES

_OFF = "off"
_MAX_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Thresholds. See the module's text for what each means."""

    late_start_ms: float = 100.0
    early_end_ms: float = 100.0
    rate_tolerance_percent: float = 5.0
    drift_ppm: float = 100.0
    most_gaps: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """A stream that must be there.

    Args:
        stream: its name.
        rate_hz: None: any.
        tolerance_percent: of the rate; None: the profile's.
        frames: at least so many; None: any number.
    """

    stream: str
    rate_hz: float | None = None
    tolerance_percent: float | None = None
    frames: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """All that `hfviewer check --profile` can say.

    Args:
        limits: thresholds.
        reference: stream that the others are compared with in time; None: chosen.
        max_sync_ms: farthest that a frame may lie from its partner; None: not demanded.
        expect: streams that must be there.
        severities: by code; None: findings of that code are left out.
    """

    limits: Limits = field(default_factory=Limits)
    reference: str | None = None
    max_sync_ms: float | None = None
    expect: tuple[Expectation, ...] = ()
    severities: Mapping[str, Severity | None] = field(default_factory=dict)

    def applied_to(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings with the severities that the profile gives them; less those that it turns off."""
        kept = []
        for finding in findings:
            severity = self.severities.get(finding.code, finding.severity)
            if severity is not None:
                kept.append(finding if severity is finding.severity else replace(finding, severity=severity))
        return kept


def read_profile(path: str | Path) -> Profile:
    """Read a profile.

    Raises:
        UsageError: it cannot be read, or says something that makes no sense; the message names the place.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise UsageError("The profile is larger than 1 MiB.", path=path)
        document = tomllib.loads(data.decode())
    except OSError as error:
        raise UsageError(f"The profile cannot be read ({error.strerror}).", path=path) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"The profile is no TOML ({error}).", path=path) from error
    try:
        return parse_profile(document)
    except UsageError as error:
        error.path = str(path)
        raise


def parse_profile(document: Mapping[str, Any]) -> Profile:
    """A profile from its parsed TOML.

    Raises:
        UsageError: an unknown key, or a value that makes no sense.
    """
    _only(document, ("limits", "sync", "expect", "severity"), "")
    limits = _table(document, "limits")
    _only(limits, [f.name for f in fields(Limits)], "limits.")
    sync = _table(document, "sync")
    _only(sync, ("reference", "max_ms"), "sync.")
    wanted = document.get("expect", [])
    if not isinstance(wanted, list) or not all(isinstance(entry, dict) for entry in wanted):
        raise UsageError("Each stream that is expected is a table [[expect]] of its own.")
    reference = sync.get("reference")
    if reference is not None and not isinstance(reference, str):
        raise UsageError("sync.reference must be the name of a stream.")
    return Profile(
        limits=Limits(
            late_start_ms=_number(limits, "late_start_ms", 100.0, "limits."),
            early_end_ms=_number(limits, "early_end_ms", 100.0, "limits."),
            rate_tolerance_percent=_number(limits, "rate_tolerance_percent", 5.0, "limits."),
            drift_ppm=_number(limits, "drift_ppm", 100.0, "limits."),
            most_gaps=int(_number(limits, "most_gaps", 20, "limits.")),
        ),
        reference=reference,
        max_sync_ms=_number(sync, "max_ms", None, "sync."),
        expect=tuple(_expectation(entry) for entry in wanted),
        severities=_severities(_table(document, "severity")),
    )


def _expectation(entry: Mapping[str, Any]) -> Expectation:
    _only(entry, [f.name for f in fields(Expectation)], "expect.")
    name = entry.get("stream")
    if not isinstance(name, str) or not name:
        raise UsageError("A table [[expect]] must name its stream.", remedy='Add stream = "…".')
    frames = _number(entry, "frames", None, "expect.")
    return Expectation(
        stream=name,
        rate_hz=_number(entry, "rate_hz", None, "expect."),
        tolerance_percent=_number(entry, "tolerance_percent", None, "expect."),
        frames=None if frames is None else int(frames),
    )


def _severities(table: Mapping[str, Any]) -> Mapping[str, Severity | None]:
    found: dict[str, Severity | None] = {}
    for code, value in table.items():
        if code not in CODES:
            raise UsageError(f"There is no code {code!r} (severity).", remedy=f"Codes: {', '.join(CODES)}.")
        if value != _OFF and value not in list(Severity):
            raise UsageError(
                f"severity.{code} is {value!r}.", remedy="It must be error, warning, info or off."
            )
        found[code] = None if value == _OFF else Severity(value)
    return found


def _only(table: Mapping[str, Any], known: Iterable[str], place: str) -> None:
    for key in table:
        if key not in known:
            raise UsageError(f"{place}{key} is unknown.", remedy=f"Known: {', '.join(known)}.")


def _table(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = document.get(name, {})
    if not isinstance(table, dict):
        raise UsageError(f"{name} must be a table.", remedy=f"Write [{name}] on a line of its own.")
    return table


def _number(table: Mapping[str, Any], key: str, default: Any, place: str) -> Any:
    value = table.get(key, default)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e15:
        raise UsageError(f"{place}{key} must be a number that is not negative, not {value!r}.")
    return value
