"""``hfviewer open``: the application."""

from __future__ import annotations

import argparse

from hfviewer.cli.common import add_episode, add_revision
from hfviewer.core.errors import UsageError

HELP = "Open a recording in the application."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", nargs="?", help="a recording; none: an empty window")
    parser.add_argument("--at", metavar="T", help="where to start: 12.5, +3s, #340, ns:…, ISO 8601")
    add_revision(parser)
    add_episode(parser)


def run(args: argparse.Namespace) -> int:
    if args.path is not None:
        # The reader's one line on the terminal, before a window opens for nothing.
        _check_path(args.path, args.revision, args.episode)
    return open_window(args.path, at=args.at, revision=args.revision, episode=args.episode)


def open_window(
    path: str | None, *, at: str | None = None, revision: int | None = None, episode: int | None = None
) -> int:
    """Run the application until its window is closed; returns the exit code.

    Raises:
        UsageError: there is nowhere to show a window.
    """
    from hfviewer.app.application import has_display

    if not has_display():
        raise UsageError(
            "There is no display here.",
            remedy="`hfviewer render` makes a picture of the window without one.",
            path=path,
        )
    from hfviewer.app.session import run_application

    return run_application(path, at=at, revision=revision, episode=episode)


def _check_path(path: str, revision: int | None, episode: int | None) -> None:
    from hfviewer.readers.registry import open_path, open_recording

    if episode is None:
        open_path(path, revision).close()
    else:
        open_recording(path, revision, episode=episode).close()
