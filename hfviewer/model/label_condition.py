"""How safe the labels are, for the line that always says so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Safety(StrEnum):
    """What the disk has of the labels."""

    CLOSED = "closed"  # no recording
    LOADING = "loading"
    SAVED = "saved"  # everything is in the recording, read back
    JOURNALLING = "journalling"  # the last edit is on its way into the journal
    JOURNALLED = "journalled"  # everything is in the journal; a commit follows
    SAVING = "saving"
    HELD = "held"  # somebody else is labelling it: read-only here
    EARLIER = "earlier"  # an earlier revision is shown: read-only
    UNSAFE = "unsafe"  # the journal cannot be written
    UNREADABLE = "unreadable"  # what lies there cannot be read: nothing is written over it


_READ_ONLY = frozenset({Safety.CLOSED, Safety.LOADING, Safety.HELD, Safety.EARLIER, Safety.UNREADABLE})


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCondition:
    """How safe the labels are.

    Args:
        safety: what the disk has.
        beside: name of the file beside the recording where that is where they go; else empty.
        version: of the recording that holds all of them; 0 where another file does.
        holder: who is labelling it elsewhere.
        problem: what went wrong last; empty where nothing did.
    """

    safety: Safety = Safety.CLOSED
    beside: str = ""
    version: int = 0
    holder: str = ""
    problem: str = ""

    @property
    def editable(self) -> bool:
        return self.safety not in (
            Safety.CLOSED,
            Safety.LOADING,
            Safety.HELD,
            Safety.EARLIER,
            Safety.UNREADABLE,
        )

    def text(self) -> str:
        """For the status bar: a few words."""
        match self.safety:
            case Safety.CLOSED:
                return ""
            case Safety.LOADING:
                return "reading labels"
            case Safety.SAVED:
                if self.beside:
                    return f"labels saved beside, in {self.beside}"
                return f"labels saved · revision {self.version}" if self.version else "labels saved"
            case Safety.JOURNALLING:
                return "labels: writing"
            case Safety.JOURNALLED if self.problem:
                return f"labels journalled, not saved: {self.problem}"
            case Safety.JOURNALLED:
                return "labels journalled, read-only: saving beside" if self.beside else "labels journalled"
            case Safety.SAVING:
                return "labels: saving"
            case Safety.HELD:
                return f"labels read-only: {self.holder} is labelling"
            case Safety.EARLIER:
                return f"labels read-only: as of revision {self.version}"
            case Safety.UNSAFE:
                return f"labels NOT SAFE: {self.problem}"
            case Safety.UNREADABLE:
                return f"labels cannot be read: {self.problem}"
