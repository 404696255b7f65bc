"""``hfviewer convert``: a folder of sensor files into a hyperframe file."""

from __future__ import annotations

import argparse
import sys
from decimal import Decimal, InvalidOperation
from typing import Any

from hfviewer.cli.common import add_episode, add_json, print_json, print_line
from hfviewer.cli.progress import progress_bar
from hfviewer.cli.stopping import stop_requests
from hfviewer.codecs.compression import COMPRESSIONS
from hfviewer.convert.run import ConvertReport, convert
from hfviewer.core.text import printable

HELP = (
    "A folder of sensor files (KITTI, EuRoC, RGB-D, comma2k19, IMU and GPS tables), an episode or a video"
    " into a hyperframe file."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SRC", help="the folder or recording to convert; it is only read")
    parser.add_argument("target", metavar="DST.hfr", help="the recording to write; must not exist")
    parser.add_argument(
        "--window-ms",
        type=window_ns_from_text,
        dest="window_ns",
        metavar="MS",
        help="length of a hyperframe window; default: 1 to 2 periods of the slowest regular stream, of an"
        " episode or a video that with which it opens",
    )
    parser.add_argument(
        "--compression",
        choices=COMPRESSIONS,
        default="none",
        help="of clouds and numbers; pictures stay the bytes they are (default: none)",
    )
    add_episode(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    with stop_requests() as stopped, progress_bar("Converting", "frames") as progress:
        report = convert(
            args.source,
            args.target,
            episode=args.episode,
            window_ns=args.window_ns,
            compression=args.compression,
            progress=progress,
            cancelled=stopped,
        )
    for problem in report.problems:
        sys.stderr.write(f"hfviewer: {printable(problem.line())}\n")
    if args.json:
        print_json(report_json(report))
    else:
        _print_summary(report)
    return 1 if report.problems else 0


def window_ns_from_text(text: str) -> int:
    """Nanoseconds of a number of milliseconds, exactly."""
    try:
        window_ns = Decimal(text) * 1_000_000
        if not window_ns.is_finite() or not 1_000_000 <= window_ns < 10**15:
            raise ValueError
    except (InvalidOperation, ValueError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a length in milliseconds") from None
    return int(window_ns)


def report_json(report: ConvertReport) -> dict[str, Any]:
    """The document of cli.md."""
    return {
        "output": str(report.output),
        "layout": report.layout,
        "window_ns": report.window_ns,
        "streams": [{"name": name, "frame_count": count} for name, count in report.frame_counts.items()],
        "problems": [
            {"stream": p.stream or None, "message": p.message, "count": p.count, "names": list(p.names)}
            for p in report.problems
        ],
        "notes": list(report.notes),
    }


def _print_summary(report: ConvertReport) -> None:
    total = sum(report.frame_counts.values())
    print_line(f"{report.output}: {total} frames, windows of {report.window_ns / 1e6:g} ms")
    width = max(map(len, report.frame_counts))
    for name, count in report.frame_counts.items():
        print_line(f"  {name:<{width}}  {count:>8}")
    for note in report.notes:
        print_line(f"  {printable(note)}")
