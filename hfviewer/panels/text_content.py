"""Any frame as text: pretty JSON, numbers, or the head of a hex dump. No Qt."""

from __future__ import annotations

import json

import numpy as np

from hfviewer.core.frame import Frame, PoseFrame, RawFrame, SampleFrame, TextFrame

MOST_CHARACTERS = 20_000
_MOST_LINES = 400
_DUMP_BYTES = 1024
_MOST_ROWS = 50


def frame_text(frame: Frame) -> str:
    """What a frame says, for a person; at most `MOST_CHARACTERS` long."""
    match frame:
        case TextFrame():
            return _shortened(_pretty(frame))
        case RawFrame():
            return hex_dump(frame.payload)
        case PoseFrame():
            return _rows(frame.matrix)
        case SampleFrame():
            head = "  ".join(f"{c.name}{f' [{c.unit}]' if c.unit else ''}" for c in frame.channels)
            return _shortened(f"{head}\n{_rows(frame.values)}")
        case _:
            return f"No view for a {type(frame).__name__}."


def _pretty(frame: TextFrame) -> str:
    """The value with one key a line where it is a structure of JSON, else the text as it was stored."""
    if not isinstance(frame.value, dict | list) or len(frame.text) > 10 * MOST_CHARACTERS:
        return frame.text
    try:
        return json.dumps(frame.value, ensure_ascii=False, indent=2)
    except (TypeError, ValueError, RecursionError):
        return frame.text


def _shortened(text: str) -> str:
    lines = text[:MOST_CHARACTERS].splitlines()
    shown = "\n".join(lines[:_MOST_LINES])
    return shown if len(shown) >= len(text.rstrip("\n")) else f"{shown}\n… ({len(text):,} characters in all)"


def hex_dump(payload: bytes) -> str:
    """The first `_DUMP_BYTES` bytes: offset, 16 bytes a line, and what of it is plain text."""
    lines = [f"{len(payload):,} bytes"]
    for offset in range(0, min(len(payload), _DUMP_BYTES), 16):
        row = payload[offset : offset + 16]
        codes = " ".join(f"{byte:02x}" for byte in row).ljust(47)
        plain = "".join(chr(byte) if 32 <= byte < 127 else "·" for byte in row)
        lines.append(f"{offset:06x}  {codes}  {plain}")
    if len(payload) > _DUMP_BYTES:
        lines.append("…")
    return "\n".join(lines)


def _rows(values: np.ndarray) -> str:
    rows = np.atleast_2d(values)
    lines = ["  ".join(f"{v:+12.6g}" for v in row[:_MOST_ROWS].tolist()) for row in rows[:_MOST_ROWS]]
    return "\n".join([*lines, "…"] if len(rows) > _MOST_ROWS else lines)
