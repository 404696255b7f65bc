"""``hfviewer render``: a picture of the window."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from hfviewer.cli.common import add_json, add_reading, print_json
from hfviewer.core.errors import UsageError

HELP = "A picture of the application's window at one instant; works with no display."


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
    size = re.fullmatch(r"(\d{3,5})x(\d{3,5})", args.size)
    if size is None:
        raise UsageError(f"{args.size!r} is not a size.", remedy="Write it as 1920x1080.")
    if args.episode is not None:
        raise UsageError("This is not a folder of episodes.", remedy="Leave out --episode.", path=args.path)
    out = Path(args.out)
    if out.suffix.lower() not in (".png", ".jpg", ".jpeg", ".bmp"):
        raise UsageError("The picture's name must end in .png.", path=out)
    from hfviewer.app.render import TIMEOUT_S, render_window

    rendered = render_window(
        args.path,
        at=args.at,
        out=out,
        size=(int(size[1]), int(size[2])),
        dark=args.theme == "dark",
        revision=args.revision,
    )
    if args.json:
        print_json(
            {
                "output": str(out),
                "playhead_ns": rendered.position_ns,
                "panels": list(rendered.panels),
                "missing": list(rendered.missing),
            }
        )
    if rendered.missing:
        names = ", ".join(rendered.missing)
        sys.stderr.write(f"hfviewer: without their frame after {TIMEOUT_S:.0f} s: {names}\n")
        return 1
    return 0
