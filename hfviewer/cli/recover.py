"""``hfviewer recover``: make a recording from a damaged or unfinished file."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from hfviewer.cli.common import add_json, print_json, print_line
from hfviewer.cli.progress import progress_bar
from hfviewer.readers.hyperframe.recover import RecoverReport, recover

HELP = "Make a new recording of what a damaged or unfinished file still holds; that file is not changed."

_METHODS = {
    "journal": "from the recorder's journal",
    "footer": "from an index in the file",
    "scan": "by looking for payloads; their timestamps are lost",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("damaged", metavar="DAMAGED", help="the damaged file, or a .hfr.tmp with its journal")
    parser.add_argument("output", metavar="OUT.hfr", help="the new file; must not exist")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    with progress_bar("Recovering") as update:
        report = recover(args.damaged, args.output, progress=update)
    if args.json:
        print_json(
            {
                "output": report.output,
                "output_ok": report.output_ok,
                "method": report.method,
                "streams": [asdict(stream) for stream in report.streams],
                "frames_missing": report.frames_missing,
            }
        )
    else:
        _print_text(report)
    return int(not report.is_complete)


def _print_text(report: RecoverReport) -> None:
    print_line(f"{report.output}: recovered {_METHODS[report.method]}.")
    for stream in report.streams:
        lost = "an unknown number" if stream.frames_lost is None else str(stream.frames_lost)
        share = stream.share_of_time_lost
        of_time = f" ({share:.2%} of its time)" if share else ""
        print_line(f"  {stream.name}: {stream.frames_recovered} frames recovered, {lost} lost{of_time}")
    if report.frames_missing is None:
        print_line("How much is missing cannot be known.")
    elif report.frames_missing:
        print_line(f"Frames missing in all: {report.frames_missing}.")
    if not report.output_ok:
        print_line("The new file did not pass its own check: do not rely on it.")
