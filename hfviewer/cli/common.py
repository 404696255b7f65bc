"""What the subcommands share: arguments, JSON, opening, times."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Container, Sequence
from typing import Any

from hfviewer.core import timing
from hfviewer.core.errors import UsageError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.recording import Recording, Stream
from hfviewer.core.text import printable
from hfviewer.core.time_text import FrameNumber, parse_time


def add_json(parser: argparse.ArgumentParser) -> None:
    """``--json``: one document on stdout and nothing else there."""
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")


def add_reading(parser: argparse.ArgumentParser) -> None:
    """The recording to read, and which state of it."""
    parser.add_argument("path", metavar="PATH", help="a recording")
    add_revision(parser)
    add_episode(parser)


def add_revision(parser: argparse.ArgumentParser) -> None:
    """``--revision``: an earlier state of a file that keeps them."""
    parser.add_argument("--revision", type=int, metavar="N", help="an earlier state, see `hfviewer history`")


def add_episode(parser: argparse.ArgumentParser) -> None:
    """``--episode``: one of many."""
    parser.add_argument("--episode", type=int, metavar="N", help="in a folder of episodes: which one, from 1")


def open_for(args: argparse.Namespace) -> Recording:
    """Open what `add_reading` names: one recording.

    Raises:
        UsageError: a folder of many, and none was chosen; or the other way round.
        HfviewerError: it cannot be opened.
    """
    from hfviewer.readers.registry import open_recording

    return open_recording(args.path, args.revision, episode=args.episode)


def print_json(value: Any) -> None:
    """One JSON document on stdout."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def print_line(text: str = "") -> None:
    """One line on stdout, whatever the text was made of."""
    sys.stdout.write(printable(text) + "\n")


def print_table(rows: Sequence[Sequence[str]], *, right: Container[int] = ()) -> None:
    """Columns side by side, as wide as their widest cell.

    Args:
        rows: of equally many cells, the header first.
        right: columns of numbers, set to the right.
    """
    from rich.cells import cell_len  # knows signs that are two columns wide

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = []
        for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
            filling = " " * (width - cell_len(cell))
            cells.append(filling + cell if i in right else cell + filling)
        print_line("  ".join(cells).rstrip())


def time_on(recording: Recording, text: str, stream: Stream | None) -> int:
    """A time from the command line, on the recording clock.

    Args:
        recording: whose start ``12.5`` and ``+3s`` count from.
        text: as typed.
        stream: whose frames ``#340`` means; None: the first that has frames.

    Raises:
        UsageError: not a time, or no such frame.
    """
    span = recording.description.span
    time_ns = parse_time(text, start_ns=0 if span is None else span.start_ns)
    if not isinstance(time_ns, FrameNumber):
        return time_ns
    if stream is None:
        stream = next((s for s in recording.streams.values() if len(s)), None)
    if stream is None or not 0 <= time_ns.index < len(stream):
        count = 0 if stream is None else len(stream)
        raise UsageError(
            f"There is no frame {text}; the stream has {count}.", path=recording.description.path
        )
    return int(stream.timestamps_ns[time_ns.index])


def index_on_screen(stream: Stream, time_ns: int, path: str) -> int:
    """Index of the frame that is on screen at a time.

    Raises:
        UsageError: the stream begins later, or has no frames.
    """
    index = timing.index_at(stream.timestamps_ns, time_ns)
    if index is None:
        name = stream.description.name
        if len(stream):
            remedy = f"Its first one is at ns:{int(stream.timestamps_ns[0])}."
            raise UsageError(f"{name!r} has no frame at that time yet.", remedy=remedy, path=path)
        raise UsageError(f"{name!r} has no frames.", path=path)
    return index


def exit_code(findings: list[Finding]) -> int:
    """1 where a finding is worse than a remark."""
    return int(any(finding.severity is not Severity.INFO for finding in findings))
