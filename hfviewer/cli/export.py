"""``hfviewer export``: parts of a recording as files that others read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hfviewer.cli.common import add_json, add_reading, open_for, print_json, print_line, time_on
from hfviewer.cli.progress import progress_bar
from hfviewer.cli.stopping import stop_requests
from hfviewer.core.errors import UsageError
from hfviewer.core.recording import Recording, Stream
from hfviewer.core.text import counted, printable
from hfviewer.core.time_text import format_duration
from hfviewer.core.window import TimeWindow

if TYPE_CHECKING:
    from hfviewer.convert.export import Exported

HELP = (
    "Parts of a recording as files that others read: CSV, pictures, a clip, some seconds as a hyperframe"
    " file, or an episode as the recorder's own zip. Nothing is overwritten."
)
_MOST_LINES = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_reading(parser)
    _add_of_a_stream(parser, "--csv", "OUT.csv", "times and values of a stream")
    _add_of_a_stream(parser, "--pictures", "DIR", "a PNG of every frame")
    parser.add_argument("--clip", metavar="OUT.mp4", help="all pictures side by side, by real time")
    parser.add_argument("--slice", metavar="OUT.hfr", help="everything, as a recording of its own")
    parser.add_argument("--episode-zip", metavar="DIR", help="one episode, as its recorder uploads it")
    parser.add_argument("--from", dest="start", metavar="T", help="12.5, +3s, #340, ns:…, ISO 8601")
    parser.add_argument("--to", dest="stop", metavar="T", help="the last instant to take")
    add_json(parser)


def _add_of_a_stream(parser: argparse.ArgumentParser, option: str, target: str, help_text: str) -> None:
    metavar = ("STREAM", target)
    parser.add_argument(
        option,
        nargs=2,
        action="append",
        default=[],
        metavar=metavar,
        help=f"{help_text}; may be given several times",
    )


def run(args: argparse.Namespace) -> int:
    wanted = [args.csv, args.pictures, args.clip, args.slice, args.episode_zip]
    if not any(wanted):
        raise UsageError(
            "Nothing to export was named.",
            remedy="Use --csv, --pictures, --clip, --slice or --episode-zip.",
            path=args.path,
        )
    exported: list[Exported] = []
    if args.episode_zip:
        exported.append(_zip(args))
    if any(wanted[:-1]):
        with open_for(args) as recording:
            exported += [work() for work in _works(recording, args)]
    if args.json:
        print_json({"path": args.path, "exported": [_json(done) for done in exported]})
    else:
        for done in exported:
            _print(done)
    problems = [problem for done in exported for problem in done.problems]
    for problem in problems[:_MOST_LINES]:
        sys.stderr.write(f"hfviewer: {printable(problem)}\n")
    if len(problems) > _MOST_LINES:
        sys.stderr.write(f"hfviewer: and {len(problems) - _MOST_LINES} more.\n")
    return int(bool(problems))


def _works(recording: Recording, args: argparse.Namespace) -> list[Callable[[], Exported]]:
    """What to do, one after the other; wrong names and times are told before anything is written."""
    from hfviewer.convert.export import export_csv, export_pictures, export_slice

    span = recording.description.span
    start_ns = 0 if span is None else span.start_ns
    works: list[Callable[[], Exported]] = []
    for name, out in args.csv:
        stream = recording.stream(name)
        part = _window(recording, args, stream)
        works.append(partial(export_csv, stream, part, Path(out), start_ns=start_ns))
    for name, folder in args.pictures:
        stream = recording.stream(name)
        part = _window(recording, args, stream)
        works.append(partial(_watched, export_pictures, stream, part, Path(folder)))
    whole = _window(recording, args, None)
    if args.clip:
        from hfviewer.convert.clip import export_clip

        works.append(lambda: _watched(export_clip, recording, whole, Path(args.clip)))
    if args.slice:
        works.append(lambda: _watched(export_slice, recording, whole, Path(args.slice)))
    return works


def _watched(export: Callable[..., Exported], *arguments: object) -> Exported:
    with stop_requests() as stopped, progress_bar("Exporting", "frames") as progress:
        return export(*arguments, progress=progress, cancelled=stopped)


def _window(recording: Recording, args: argparse.Namespace, stream: Stream | None) -> TimeWindow:
    """What ``--from`` and ``--to`` name; both ends are taken."""
    span = recording.description.span
    if span is None:
        raise UsageError("The recording has no frames.", path=args.path)
    start_ns = span.start_ns if args.start is None else time_on(recording, args.start, stream)
    stop_ns = span.stop_ns if args.stop is None else time_on(recording, args.stop, stream) + 1
    if args.stop is None and start_ns >= span.stop_ns:
        raise UsageError(
            "--from lies after the end.",
            remedy=f"It lasts {format_duration(span.duration_ns)}.",
            path=args.path,
        )
    if stop_ns <= start_ns:
        raise UsageError("--to lies before --from.", path=args.path)
    return TimeWindow(start_ns, stop_ns)


def _zip(args: argparse.Namespace) -> Exported:
    from hfviewer.convert.episode_zip import export_episode_zip
    from hfviewer.readers.episodes.collection import TaskCollection
    from hfviewer.readers.registry import choice_needed, open_path

    if args.start is not None or args.stop is not None:
        raise UsageError("An episode is packed whole.", remedy="Leave out --from and --to.", path=args.path)
    with open_path(args.path) as task:
        if not isinstance(task, TaskCollection):
            raise UsageError("This is not a task of pooled episodes.", path=args.path)
        if args.episode is None and len(task.episodes) != 1:
            raise choice_needed(task)
        number = task.episodes[0].number if args.episode is None else args.episode
        return export_episode_zip(task, number, Path(args.episode_zip))


def _json(done: Exported) -> dict[str, Any]:
    return {
        "output": str(done.output),
        "streams": done.streams,
        "problems": done.problems,
        **done.more,
    }


def _print(done: Exported) -> None:
    print_line(str(done.output))
    for part in done.streams:
        frames = counted(part["frame_count"], "frame")
        print_line(
            f"  {part['stream']}: {frames}, #{part['first_frame']} at {part['first_ns']} ns"
            f" to #{part['last_frame']} at {part['last_ns']} ns"
        )
    for name in done.more.get("files", ()):
        print_line(f"  {printable(name)}")
