"""``hfviewer labels progress``: how far a folder of recordings is labelled."""

from __future__ import annotations

import argparse
from typing import Any

from hfviewer.cli.common import print_json, print_line
from hfviewer.cli.label_work import state_folder
from hfviewer.cli.progress import progress_bar
from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import HfviewerError
from hfviewer.core.label_progress import Progress, next_unlabelled, progress_of, total
from hfviewer.core.text import counted
from hfviewer.model.label_disk import known_labels


def show_progress(args: argparse.Namespace) -> int:
    from hfviewer.readers.registry import open_path

    opened = open_path(args.path)
    problems: dict[str, str] = {}
    with opened:
        if isinstance(opened, EpisodeCollection):
            parts = _of_collection(opened, problems)
        else:
            parts = [
                progress_of(opened.description.path, known_labels(opened, state_folder()).stored.annotations)
            ]
    author = args.author or None
    following = next_unlabelled(parts, author=author)
    everything = total(parts)
    if args.json:
        print_json(
            {
                "recordings": [_json(part) for part in parts],
                "total": _json(everything),
                "labelled": sum(part.count > 0 for part in parts),
                "finished": sum(part.finished for part in parts),
                "next": following,
                "problems": problems,
            }
        )
    else:
        _print(parts, everything, following, problems)
    return int(bool(problems))


def _of_collection(collection: EpisodeCollection, problems: dict[str, str]) -> list[Progress]:
    parts: list[Progress] = []
    rows = collection.episodes
    with progress_bar("Reading labels") as update:
        for number, row in enumerate(rows):
            update(number, len(rows))
            try:
                with collection.open_key(row.key) as recording:
                    parts.append(
                        progress_of(row.key, known_labels(recording, state_folder()).stored.annotations)
                    )
            except HfviewerError as error:
                problems[row.key] = error.line()
    return parts


def _json(part: Progress) -> dict[str, Any]:
    return {
        "key": part.key,
        "count": part.count,
        "labels": dict(part.labels),
        "authors": dict(part.authors),
        "statuses": dict(part.statuses),
        "spent_s": {author: spent_ns / 1e9 for author, spent_ns in part.spent_ns.items()},
        "finished": part.finished,
    }


def _print(
    parts: list[Progress], everything: Progress, following: str | None, problems: dict[str, str]
) -> None:
    for part in parts:
        print_line(f"{part.count:>6}  {'finished' if part.finished else '':<8}  {part.key}")
    print_line(f"{counted(everything.count, 'label')} in {counted(len(parts), 'recording')}")
    for name, count in sorted(everything.labels.items()):
        print_line(f"{count:>6}  {name}")
    for author, count in sorted(everything.authors.items()):
        minutes = everything.spent_ns.get(author, 0) / 60e9
        print_line(f"{count:>6}  by {author or 'nobody in particular'}, {minutes:.0f} min at work")
    print_line("Every recording has labels." if following is None else f"Next without labels: {following}")
    for key, problem in problems.items():
        print_line(f"{key}: {problem}")
