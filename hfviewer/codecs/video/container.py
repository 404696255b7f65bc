"""Which container a video file is, by its first bytes; no decoder is loaded for that."""

from __future__ import annotations

_MP4_FIRST = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot")


def sniff_container(head: bytes) -> str | None:
    """``mp4``, ``matroska`` (webm too) or ``avi`` by a file's first bytes, or None."""
    if head[:4] == b"\x1a\x45\xdf\xa3":
        return "matroska"
    if head[:4] == b"RIFF" and head[8:12] == b"AVI ":
        return "avi"
    if head[4:8] == b"ftyp" or (head[4:8] in _MP4_FIRST and head[:1] == b"\0"):
        return "mp4"
    return None
