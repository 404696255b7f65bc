"""Packets that went into a decoder, and which of them will give no picture any more."""

from __future__ import annotations

from dataclasses import dataclass, field

_MOST_HELD_BACK = 18  # packets by which reordering can delay a picture: decoders hold 16


@dataclass(slots=True, eq=False)
class InFlight:
    """What a decoder owes.

    Packets have turns, which count them in the order in which they go in. A picture may build on any that
    went in before it; some of those are shown after it, so that it comes out first. Only when they have come
    as well, and are whole, is it known to be what it should be.
    """

    _owed: dict[int, tuple[int, bool]] = field(default_factory=dict)
    silent: set[int] = field(default_factory=set)
    """Packets that gave no picture, and will not."""

    def clear(self) -> None:
        self._owed.clear()
        self.silent.clear()

    def put(self, packet: int, turn: int, *, is_reference: bool) -> None:
        """A packet went in.

        Args:
            packet: its number.
            turn: higher than that of any before it.
            is_reference: others may build on it.
        """
        self._owed[packet] = (turn, is_reference)

    def came(self, packet: int, turn: int) -> list[int]:
        """A picture came out.

        Returns:
            Packets that gave none, found out by that: others may build on them.
        """
        self._owed.pop(packet, None)
        overdue = [other for other, (put, _) in self._owed.items() if put + _MOST_HELD_BACK < turn]
        return self._write_off(overdue)

    def end(self) -> list[int]:
        """The decoder was emptied; see `came`."""
        return self._write_off(list(self._owed))

    def is_settled(self, turn: int) -> bool:
        """Whether all that a picture of that turn may build on came out."""
        return not any(is_reference and put < turn for put, is_reference in self._owed.values())

    def _write_off(self, packets: list[int]) -> list[int]:
        self.silent.update(packets)
        return [packet for packet in packets if self._owed.pop(packet)[1]]
