"""Bits of H.264 and HEVC headers, read without believing any of them (ITU-T H.264, 7.2 and 9.1)."""

from __future__ import annotations

_MOST_ZEROS = 31  # before an Exp-Golomb code: values up to 2³² - 2, more than any field may hold


class HeaderError(ValueError):
    """A header ends early, or holds what it may not."""


class BitReader:
    """Reads the bits of one unit's head, emulation prevention already taken out.

    Args:
        data: after `unescaped`.
    """

    def __init__(self, data: bytes) -> None:
        self._value = int.from_bytes(data, "big")
        self._left = 8 * len(data)

    def bits(self, count: int) -> int:
        """The next bits as a number.

        Raises:
            HeaderError: there are not so many.
        """
        if count > self._left:
            raise HeaderError("The header ends early.")
        self._left -= count
        return self._value >> self._left & ((1 << count) - 1)

    def flag(self) -> bool:
        return self.bits(1) == 1

    def skip(self, count: int) -> None:
        """Leave out bits."""
        self.bits(count)

    def unsigned(self, most: int) -> int:
        """An unsigned Exp-Golomb code, ue(v).

        Args:
            most: the largest value that the field may hold.

        Raises:
            HeaderError: it is larger, or the header ends.
        """
        zeros = 0
        while not self.bits(1):
            zeros += 1
            if zeros > _MOST_ZEROS:
                raise HeaderError("The header holds an absurd number.")
        value = (1 << zeros) - 1 + self.bits(zeros)
        if value > most:
            raise HeaderError("The header holds a number beyond its limit.")
        return value

    def signed(self) -> int:
        """A signed Exp-Golomb code, se(v)."""
        code = self.unsigned(2**32)
        return (code + 1) // 2 if code % 2 else -(code // 2)


def unescaped(unit: bytes) -> bytes:
    """A unit's bytes without those that keep start codes from appearing in it (7.4.1)."""
    return unit.replace(b"\0\0\3", b"\0\0")
