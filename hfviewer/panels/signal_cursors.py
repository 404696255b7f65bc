"""Two cursors in time, to measure between."""

from __future__ import annotations

from dataclasses import dataclass

from hfviewer.core.time_text import NS_PER_S


@dataclass(slots=True)
class Cursors:
    """Times of the cursors A and B, each on the recording clock or nowhere."""

    a_ns: int | None = None
    b_ns: int | None = None

    @property
    def any(self) -> bool:
        return self.a_ns is not None or self.b_ns is not None

    @property
    def shown(self) -> list[tuple[str, int]]:
        """Letter and time of those there are."""
        pairs = (("A", self.a_ns), ("B", self.b_ns))
        return [(letter, at_ns) for letter, at_ns in pairs if at_ns is not None]

    def put(self, letter: str, at_ns: int | None) -> None:
        """Move a cursor there, or take it away."""
        if letter == "A":
            self.a_ns = at_ns
        else:
            self.b_ns = at_ns

    def place(self, at_ns: int) -> str:
        """Put a cursor where somebody points: A, then B, then whichever is nearer. Gives its letter."""
        if self.a_ns is None:
            letter = "A"
        elif self.b_ns is None:
            letter = "B"
        else:
            letter = "A" if abs(at_ns - self.a_ns) <= abs(at_ns - self.b_ns) else "B"
        self.put(letter, at_ns)
        return letter

    def clear(self) -> None:
        self.a_ns = self.b_ns = None

    def text(self, origin_ns: int) -> str:
        """Where they are, how far apart, and how often that fits into a second."""
        parts = [f"{letter} {(at_ns - origin_ns) / NS_PER_S:.6f} s" for letter, at_ns in self.shown]
        if self.a_ns is not None and self.b_ns is not None:
            apart_ns = self.b_ns - self.a_ns
            parts.append(f"Δt {apart_ns / NS_PER_S:+.6f} s")
            if apart_ns:
                parts.append(f"{NS_PER_S / abs(apart_ns):.6g} Hz")
        return "   ".join(parts).replace("-", "−")
