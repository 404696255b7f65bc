"""``hfviewer demo``: the demonstration recording."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from hfviewer.cli.common import add_json, print_json, print_line
from hfviewer.cli.open import open_window
from hfviewer.core.text import printable

HELP = "Make the demonstration recording, with its known truth beside it, and open it."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", metavar="DIR", nargs="?", help="where to make it; none: the user's data folder"
    )
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="length (default 20)")
    parser.add_argument("--no-open", action="store_true", help="only make it, and print its path")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    recording = demo_recording(args.folder, seconds=args.seconds)
    if args.json:
        print_json({"output": str(recording), "truth": str(recording.with_name("truth.json"))})
    elif args.no_open:
        print_line(str(recording))
    return 0 if args.no_open else open_window(str(recording))


def demo_recording(folder: str | None, *, seconds: float) -> Path:
    """The demonstration recording, made where it is not there yet."""
    import platformdirs

    from hfviewer.demo.synthetic import make_demo

    base = Path(platformdirs.user_data_dir("hfviewer")) / "demo" if folder is None else Path(folder)
    recording = base / "demo.hfr"
    if recording.exists():
        if folder is not None:
            sys.stderr.write(
                f"hfviewer: {printable(str(recording))}: It is there already and stays as it is.\n"
            )
    else:
        base.mkdir(parents=True, exist_ok=True)
        for left_over in base.glob("demo.hfr.tmp*"):
            left_over.unlink()
        truth = make_demo(recording, seconds=seconds)
        (base / "truth.json").write_text(json.dumps(truth, indent=2) + "\n", encoding="utf-8")
    return recording
