"""A finding: one thing that is wrong with a recording, with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How bad a finding is; the order of declaration is the order of display."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One fact that a person must see. Keys as in the command line's JSON.

    Args:
        code: short stable name, e.g. ``truncated`` (design.md section 8).
        severity: how bad it is.
        message: one sentence for a person.
        stream: the stream it is about, or None for the whole recording.
        start_ns: first nanosecond concerned (recording clock), if known.
        end_ns: last nanosecond concerned, if known.
        first_frame: index of the first frame concerned, if known.
        last_frame: index of the last frame concerned, if known.
        evidence: what it was concluded from.
    """

    code: str
    severity: Severity
    message: str
    stream: str | None = None
    start_ns: int | None = None
    end_ns: int | None = None
    first_frame: int | None = None
    last_frame: int | None = None
    evidence: str = ""

    def document(self) -> dict[str, Any]:
        """As JSON, with the command line's keys."""
        return {
            "code": self.code,
            "severity": str(self.severity),
            "stream": self.stream,
            "start_ns": self.start_ns,
            "end_ns": self.end_ns,
            "first_frame": self.first_frame,
            "last_frame": self.last_frame,
            "message": self.message,
            "evidence": self.evidence,
        }
