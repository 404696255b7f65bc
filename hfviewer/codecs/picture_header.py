"""Size of a JPEG or PNG picture from its first bytes, before a decoder allocates anything."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from hfviewer.codecs.compression import MAX_FRAME_BYTES, Buffer
from hfviewer.core.errors import FrameError

JPEG_MAGIC = b"\xff\xd8\xff"
PNG_MAGIC = b"\x89PNG\r\n\x1a\n"

_PNG_CHANNELS = {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}
_JPEG_FRAME_MARKERS = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})


@dataclass(frozen=True, slots=True)
class PictureHeader:
    """What a picture says about itself.

    Args:
        encoding: ``jpeg`` or ``png``.
        width: pixels.
        height: pixels.
        channels: 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha.
        bits: per channel.
    """

    encoding: str
    width: int
    height: int
    channels: int
    bits: int

    @property
    def decoded_bytes(self) -> int:
        return self.width * self.height * self.channels * (2 if self.bits > 8 else 1)


def read_picture_header(payload: Buffer) -> PictureHeader:
    """Parse the header.

    Raises:
        FrameError: neither JPEG nor PNG, cut off, or larger than any frame may be once decoded.
    """
    head = bytes(payload[:8])
    if head == PNG_MAGIC:
        header = _read_png(payload)
    elif head[:3] == JPEG_MAGIC:
        header = _read_jpeg(payload)
    else:
        raise FrameError("It is neither a JPEG nor a PNG picture.")
    if header.width < 1 or header.height < 1 or header.decoded_bytes > MAX_FRAME_BYTES:
        raise FrameError(f"It claims an impossible size ({header.width} × {header.height}).")
    return header


def _read_png(payload: Buffer) -> PictureHeader:
    block = bytes(payload[8:33])
    if len(block) < 25 or block[4:8] != b"IHDR":
        raise FrameError("The PNG header is cut off.")
    width, height, bits, colour = struct.unpack(">IIBB", block[8:18])
    return PictureHeader("png", width, height, _PNG_CHANNELS.get(colour, 4), bits)


def _read_jpeg(payload: Buffer) -> PictureHeader:
    at = 2
    size = len(payload)
    while at + 4 <= size:
        if payload[at] != 0xFF:
            break
        marker = payload[at + 1]
        if marker in (0xFF, 0x01) or 0xD0 <= marker <= 0xD8:
            at += 1 if marker == 0xFF else 2
            continue
        length = (payload[at + 2] << 8) | payload[at + 3]
        if marker in _JPEG_FRAME_MARKERS:
            if at + 10 > size:
                break
            bits, height, width, channels = struct.unpack(">BHHB", bytes(payload[at + 4 : at + 10]))
            return PictureHeader("jpeg", width, height, channels, bits)
        if marker in (0xDA, 0xD9) or length < 2:
            break
        at += 2 + length
    raise FrameError("The JPEG header is cut off or broken.")
