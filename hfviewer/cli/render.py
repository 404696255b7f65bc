"""``hfviewer render``: a picture of the window."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from hfviewer.cli.common import add_json, add_reading, print_json
from hfviewer.core.errors import UsageError

HELP = "A picture of the application's window at one instant; works with no display."

LEAST_SIZE = (800, 560)  # of the main window
MOST_SIZE = (7680, 4320)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_reading(parser)
    add_json(parser)
    parser.add_argument("--at", required=True, metavar="T", help="12.5, +3s, #340, ns:…, ISO 8601")
    parser.add_argument("--out", required=True, metavar="FILE.png")
    parser.add_argument(
        "--size", default="1920x1080", metavar="WxH", help="of the window (default 1920x1080)"
    )
    parser.add_argument("--theme", choices=["dark", "light"], default="dark")


def run(args: argparse.Namespace) -> int:
    size = _size(args.size)
    out = Path(args.out)
    if out.suffix.lower() not in (".png", ".jpg", ".jpeg", ".bmp"):
        raise UsageError("The picture's name must end in .png.", path=out)
    from hfviewer.app.render import render_window
    from hfviewer.app.waiting import TIMEOUT_S

    rendered = render_window(
        args.path,
        at=args.at,
        out=out,
        size=size,
        dark=args.theme == "dark",
        revision=args.revision,
        episode=args.episode,
    )
    if args.json:
        print_json(
            {
                "output": str(out),
                "playhead_ns": rendered.position_ns,
                "panels": list(rendered.panels),
                "missing": list(rendered.missing),
                "unreadable": list(rendered.unreadable),
            }
        )
    if rendered.missing:
        _complain(f"without their frame after {TIMEOUT_S:.0f} s: {', '.join(rendered.missing)}")
    if rendered.unreadable:
        _complain(f"the frame at that time cannot be read: {', '.join(rendered.unreadable)}")
    if not rendered.panels:
        _complain("the recording has no stream that a panel could show")
    return int(bool(rendered.missing or rendered.unreadable or not rendered.panels))


def _complain(text: str) -> None:
    sys.stderr.write(f"hfviewer: {text}\n")


def _size(text: str) -> tuple[int, int]:
    """Width and height of ``1920x1080``.

    Raises:
        UsageError: not a size that the window can have.
    """
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if not all(low <= value <= high for low, value, high in zip(LEAST_SIZE, size, MOST_SIZE, strict=True)):
        limits = "x".join(map(str, LEAST_SIZE)), "x".join(map(str, MOST_SIZE))
        raise UsageError(
            f"{text!r} is not a size that the window can have.",
            remedy=f"Write it as 1920x1080; from {limits[0]} to {limits[1]}.",
        )
    return size
