"""``hfviewer frame``: one decoded frame into a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from hfviewer.cli.common import add_json, add_reading, index_on_screen, open_for, print_json, time_on
from hfviewer.core.errors import UsageError

HELP = "Decode one frame into a file; prints what it was as JSON."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_reading(parser)
    add_json(parser)
    parser.add_argument("--stream", required=True, metavar="NAME")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--index", type=int, metavar="N", help="frame number, from 0")
    which.add_argument(
        "--at", metavar="T", help="the frame on screen at this time: 12.5, +3s, #340, ns:…, ISO 8601"
    )
    parser.add_argument("--out", required=True, metavar="FILE", help=".npy, .png, .jpg, .bin or .json")
    parser.add_argument("--stored", action="store_true", help="depth: the untouched codes, not millimetres")


def run(args: argparse.Namespace) -> int:
    from hfviewer.convert.frame_file import write_frame

    out = Path(args.out)
    with open_for(args) as recording:
        if out.exists() and out.samefile(args.path):
            raise UsageError("The output would replace the recording itself.", path=out)
        stream = recording.stream(args.stream)
        index = args.index
        if index is None:
            index = index_on_screen(stream, time_on(recording, args.at, stream), args.path)
        frame, written = write_frame(stream, index, out, stored=args.stored)
        print_json(
            {
                "stream": frame.stream,
                "index": frame.index,
                "timestamp_ns": frame.timestamp_ns,
                "sequence": frame.sequence,
                "kind": str(stream.description.kind),
                "shape": list(written.shape),
                "dtype": written.dtype,
                "fields": list(written.fields),
            }
        )
    return 0
