"""``hfviewer verify``: every checksum and bound."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict

from hfviewer.cli.common import add_episode, add_json, print_json, print_line
from hfviewer.cli.progress import progress_bar
from hfviewer.core.text import counted
from hfviewer.readers.hyperframe.reader import is_hyperframe
from hfviewer.readers.hyperframe.verify import BadPart, VerifyReport, verify

HELP = (
    "Check every checksum and bound of a hyperframe file, all revisions included; of an episode or a video,"
    " that all of it is there."
)

_MOST_LINES = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a hyperframe file, a video, or a task with --episode")
    add_episode(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    with progress_bar("Checking") as update:
        report = _verify(args, update)
    if args.json:
        print_json(
            {
                "path": args.path,
                "ok": report.ok,
                "frames_checked": report.frames_checked,
                "bad": [asdict(bad) for bad in report.bad],
                "unchecked": report.unchecked,
                "revisions": report.revisions,
            }
        )
        return int(not report.ok)
    for bad in report.bad[:_MOST_LINES]:
        print_line(damage_text(bad))
    if len(report.bad) > _MOST_LINES:
        print_line(f"… and {len(report.bad) - _MOST_LINES} more.")
    print_line(
        f"{counted(report.frames_checked, 'frame')}, {counted(report.revisions, 'revision')}:"
        f" {counted(len(report.bad), 'problem')}."
    )
    if report.unchecked:
        print_line(f"{report.unchecked} frames have no checksum; it was only tried whether they can be read.")
    return int(not report.ok)


def damage_text(bad: BadPart) -> str:
    """``imu, frame 3, byte 512: what is wrong``."""
    parts = [] if bad.stream is None else [bad.stream]
    parts += [] if bad.index is None else [f"frame {bad.index}"]
    parts += [] if bad.offset is None else [f"byte {bad.offset}"]
    return f"{', '.join(parts)}: {bad.problem}" if parts else bad.problem


def _verify(args: argparse.Namespace, update: Callable[[int, int], None]) -> VerifyReport:
    if args.episode is None and is_hyperframe(args.path):
        return verify(args.path, progress=update)
    from hfviewer.readers.registry import open_recording
    from hfviewer.readers.verify_recording import verify_recording

    with open_recording(args.path, episode=args.episode) as recording:
        return verify_recording(recording, progress=update)
