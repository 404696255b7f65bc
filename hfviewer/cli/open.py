"""``hfviewer open``: the application."""

from __future__ import annotations

import argparse

from hfviewer.cli.common import add_episode, add_revision
from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import UsageError

HELP = "Open a recording in the application."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", nargs="?", help="a recording; none: an empty window")
    parser.add_argument("--at", metavar="T", help="where to start: 12.5, +3s, #340, ns:…, ISO 8601")
    add_revision(parser)
    add_episode(parser)


def run(args: argparse.Namespace) -> int:
    collection = None
    if args.path is not None:
        # The reader's one line on the terminal, before a window opens for nothing.
        collection = _checked(args.path, args.revision, args.episode)
    return open_window(
        args.path, at=args.at, revision=args.revision, episode=args.episode, collection=collection
    )


def open_window(
    path: str | None,
    *,
    at: str | None = None,
    revision: int | None = None,
    episode: int | None = None,
    collection: EpisodeCollection | None = None,
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

    return run_application(path, at=at, revision=revision, episode=episode, collection=collection)


def _checked(path: str, revision: int | None, episode: int | None) -> EpisodeCollection | None:
    """A folder of many, listed: a long one is not listed twice. None for one recording, which opens.

    Raises:
        HfviewerError: nothing there can be opened.
    """
    from hfviewer.readers.registry import not_a_folder, open_path

    opened = open_path(path, revision)
    if isinstance(opened, EpisodeCollection):
        if episode is not None:
            opened.open(episode).close()
        return opened
    opened.close()
    if episode is not None:
        raise not_a_folder(path)
    return None
