"""``hfviewer bench``: how this machine does on a recording."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from hfviewer.cli.common import add_json, print_json, print_line

HELP = "How this machine does on a recording: reading, decoding, seeking and scrubbing in the real window."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a recording")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from hfviewer.app.bench_reading import bench_reading

    reading = bench_reading(args.path)
    from hfviewer.app.bench import bench_window

    window = bench_window(args.path)
    document: dict[str, Any] = {
        "open_ms": reading.open_ms,
        "index_read_ms": reading.index_read_ms,
        "entries": reading.entries,
        "random_read_us": None if reading.random_read_us is None else asdict(reading.random_read_us),
        "bare_read_us": None if reading.bare_read_us is None else asdict(reading.bare_read_us),
        "window_read_ratio": reading.window_read_ratio,
        "decode_ms": reading.decode_ms,
        "seek_to_painted_ms": asdict(window.seek_to_painted_ms),
        "slowest_decode_ms": max(reading.decode_ms.values(), default=0.0),
        "first_paint_ms": window.first_paint_ms,
        "stall_ms": {"p99": window.stall_p99_ms, "max": window.stall_max_ms},
        "painted": window.painted,
        "requested": window.requested,
    }
    if args.json:
        print_json(document)
    else:
        for key, value in document.items():
            print_line(f"{key:<20} {_text(value)}")
    return 0


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, dict):
        return "  ".join(f"{key} {_text(part)}" for key, part in value.items())
    return "–" if value is None else str(value)
