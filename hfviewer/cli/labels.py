"""``hfviewer labels``: list, add, remove, import, export and compare labels."""

from __future__ import annotations

import argparse
from pathlib import Path

from hfviewer.cli.common import add_episode, add_json, add_revision
from hfviewer.convert.labels.registry import label_format_names

HELP = "Labels of a recording: list them, add and remove them, bring them in and out, compare two people's."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = _action(actions, "list", "all labels of a recording")
    add_revision(listing)
    _add_folder(listing)

    add = _action(actions, "add", "add one label; it is on the disk when this returns")
    add.add_argument("--track", required=True, metavar="T", help="its track; made where there is none")
    add.add_argument("--label", required=True, metavar="L", help="name of the label")
    add.add_argument("--start", required=True, metavar="T", help="first instant: 12.5, +3s, #340, ns:…")
    add.add_argument("--end", metavar="T", help="last instant; without it the label marks an instant")
    add.add_argument("--stream", metavar="NAME", help="whose frames it is set on; else a camera")
    add.add_argument("--note", default="", metavar="N", help="for people")
    add.add_argument("--author", default="", metavar="A", help="who says so")
    add.add_argument("--status", default="draft", metavar="S", help="draft, done, reviewed or rejected")
    add.add_argument(
        "--attribute", action="append", default=[], metavar="KEY=VALUE", help="may be given several times"
    )
    _add_folder(add)

    remove = _action(actions, "remove", "remove labels by id; it is on the disk when this returns")
    remove.add_argument("ids", nargs="+", metavar="ID", help="an id, or how one begins")
    _add_folder(remove)

    bring = _action(actions, "import", "bring in a file of labels; it is on the disk when this returns")
    bring.add_argument("file", type=Path, metavar="FILE", help="a file of labels")
    bring.add_argument("--from", dest="format", choices=label_format_names(), help="else by FILE's name")
    bring.add_argument("--track", default="labels", metavar="T", help="for formats that know no tracks")
    bring.add_argument("--author", default="", metavar="A", help="for formats that know no authors")
    bring.add_argument("--stream", metavar="NAME", help="the stream whose frames they are set on")
    _add_folder(bring)

    out = _action(actions, "export", "write a file of labels; says what the format cannot carry")
    out.add_argument("file", type=Path, metavar="FILE", help="to write; replaced where it exists")
    out.add_argument("--to", dest="format", choices=label_format_names(), help="else by FILE's name")
    out.add_argument(
        "--per-frame",
        metavar="STREAM",
        help="a table with the labels of each frame of a stream",
    )
    add_revision(out)
    _add_folder(out)

    agree = _action(actions, "agree", "how far two people agree: Cohen's kappa over time, boundary errors")
    agree.add_argument("--authors", nargs=2, required=True, metavar=("A", "B"), help="the two people")
    agree.add_argument("--track", metavar="T", help="only this track")
    add_revision(agree)
    _add_folder(agree)

    progress = _action(actions, "progress", "how far a folder of recordings is labelled, what is next")
    progress.add_argument("--author", default="", metavar="A", help="next: without labels by this person")


def run(args: argparse.Namespace) -> int:
    from hfviewer.cli import label_progress, label_work

    work = {
        "list": label_work.list_labels,
        "add": label_work.add_label,
        "remove": label_work.remove_labels,
        "import": label_work.import_labels,
        "export": label_work.export_labels,
        "agree": label_work.agree_labels,
        "progress": label_progress.show_progress,
    }
    return work[args.action](args)


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, help_text: str
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=help_text, description=help_text, allow_abbrev=False)
    parser.add_argument("path", metavar="PATH", help="a recording")
    add_episode(parser)
    add_json(parser)
    parser.set_defaults(revision=None)
    return parser


def _add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="where labels go whose recording cannot be written"
    )
