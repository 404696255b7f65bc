"""What tells one panel from another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PanelKey:
    """One panel of a stream.

    Args:
        stream: name.
        view: another way to look at it than its kind's own (``cloud``: depth as points); else empty.
        number: counts the panels of one stream and view, from 1.
    """

    stream: str
    view: str = ""
    number: int = 1

    @property
    def title(self) -> str:
        """What a tab says."""
        view = " (points)" if self.view == "cloud" else f" ({self.view})" if self.view else ""
        number = f" · {self.number}" if self.number > 1 else ""
        return f"{self.stream}{view}{number}"

    @property
    def object_name(self) -> str:
        """Of its dock, stable from run to run, so that a layout can be restored."""
        view = f"@{self.view}" if self.view else ""
        number = f"#{self.number}" if self.number > 1 else ""
        return f"panel/{self.stream}{view}{number}"
