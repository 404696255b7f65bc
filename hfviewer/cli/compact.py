"""``hfviewer compact``: a copy without the remains of earlier revisions."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hfviewer.cli.common import add_json, add_revision, print_json, print_line
from hfviewer.cli.progress import progress_bar
from hfviewer.cli.verify import damage_text
from hfviewer.core.size_text import size_text
from hfviewer.core.text import printable
from hfviewer.readers.hyperframe.compact import compact
from hfviewer.readers.hyperframe.verify import verify

MOST_LINES = 20
HELP = "Copy a hyperframe file without the remains of earlier revisions; the copy is revision 1."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a hyperframe file")
    parser.add_argument("output", metavar="OUT.hfr", help="the new file; must not exist")
    add_revision(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    with progress_bar("Copying") as update:
        after_bytes = compact(args.path, args.output, revision=args.revision, progress=update)
    # A copy is bit for bit, damage included: it must not pass for sound.
    with progress_bar("Checking") as update:
        bad = verify(args.output, progress=update).bad
    for part in bad[:MOST_LINES]:
        sys.stderr.write(f"hfviewer: {args.output}: {printable(damage_text(part))}\n")
    before_bytes = Path(args.path).stat().st_size
    if args.json:
        print_json(
            {
                "output": args.output,
                "bytes_before": before_bytes,
                "bytes_after": after_bytes,
                "bad_frames": len(bad),
            }
        )
    else:
        print_line(f"{args.output}: {size_text(after_bytes)}, before {size_text(before_bytes)}.")
    return int(bool(bad))
