"""``hfviewer history``: the revisions of a recording."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from hfviewer.cli.common import add_json, print_json, print_line
from hfviewer.readers.hyperframe.history import history

HELP = "The revisions that a hyperframe file still holds, newest first; `--revision N` opens one of them."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a hyperframe file")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    revisions = history(args.path)
    if args.json:
        print_json([asdict(revision) for revision in revisions])
        return 0
    print_line(f"{'revision':>8}  {'frames':>10}  {'annotations':>11}  {'footer at byte':>14}")
    for item in revisions:
        numbers = f"{item.revision:>8}  {item.frame_count:>10}  {item.annotation_count:>11}"
        print_line(f"{numbers}  {item.footer_offset:>14}")
    return 0
