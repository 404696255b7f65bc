"""``hfviewer open``: the application."""

from __future__ import annotations

import argparse

from hfviewer.core.errors import UsageError

HELP = "Open a recording in the application."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", nargs="?", help="a recording; none: an empty window")
    parser.add_argument("--at", metavar="T", help="where to start: 12.5, +3s, #340, ns:…, ISO 8601")
    parser.add_argument("--revision", type=int, metavar="N", help="an earlier state, see `hfviewer history`")
    parser.add_argument("--episode", type=int, metavar="N", help="in a folder of episodes: which one, from 1")


def run(args: argparse.Namespace) -> int:
    from hfviewer.app.application import has_display

    if args.episode is not None:
        raise UsageError("This is not a folder of episodes.", remedy="Leave out --episode.", path=args.path)
    if args.path is not None:
        # The reader's one line on the terminal, before a window opens for nothing.
        _check_path(args.path, args.revision)
    if not has_display():
        raise UsageError(
            "There is no display here.",
            remedy="`hfviewer render` makes a picture of the window without one.",
        )
    from hfviewer.app.session import run_application

    return run_application(args.path, at=args.at, revision=args.revision)


def _check_path(path: str, revision: int | None) -> None:
    from hfviewer.readers.registry import open_recording

    open_recording(path, revision).close()
