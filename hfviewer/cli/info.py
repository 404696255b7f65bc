"""``hfviewer info``: what a recording holds."""

from __future__ import annotations

import argparse
from typing import Any

from hfviewer.cli.common import add_json, add_reading, exit_code, print_json, print_line, print_table
from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import HfviewerError
from hfviewer.core.finding import Finding
from hfviewer.core.recording import Recording
from hfviewer.core.size_text import size_text
from hfviewer.core.stream import StreamDescription
from hfviewer.core.text import counted
from hfviewer.core.time_text import format_duration, format_utc
from hfviewer.readers.annotation_store import StoredAnnotations, unusable
from hfviewer.readers.annotations import annotation_store

_MEASURES = ("mean", "std", "min", "max")
HELP = "What a recording holds: its streams, their rates, and what was wrong when it was opened."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_reading(parser)
    parser.add_argument(
        "--statistics", action="store_true", help="of every signal: count, mean, deviation, least and most"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from hfviewer.readers.registry import open_path, open_recording

    if args.episode is not None:
        opened: Recording | EpisodeCollection = open_recording(args.path, args.revision, episode=args.episode)
    else:
        opened = open_path(args.path, args.revision)
    if isinstance(opened, EpisodeCollection):
        with opened:
            return _run_collection(opened, args)
    with opened as recording:
        findings = [*recording.description.findings, *recording.check_index()]
        try:
            stored = annotation_store(recording, revision=args.revision).load()
        except HfviewerError as error:
            # Labels beside it that cannot be read are no reason not to tell what the recording holds.
            stored = StoredAnnotations(annotations=AnnotationSet(), version=0, findings=[unusable(error)])
        findings += stored.findings
        document = info_json(recording, args.path, findings)
        if args.statistics:
            _add_statistics(recording, document)
        tracks = len(stored.annotations.track_names)
        document["annotations"] = {"tracks": tracks, "count": len(stored.annotations)}
        if args.json:
            print_json(document)
        else:
            _print_text(recording, findings)
            _print_statistics(document)
        return exit_code(findings)


def info_json(recording: Recording, path: str, findings: list[Finding]) -> dict[str, Any]:
    """The document of cli.md."""
    description = recording.description
    span = description.span
    return {
        "path": path,
        "format": description.format,
        "kind": "recording",
        "title": description.title,
        "start_ns": None if span is None else span.start_ns,
        "end_ns": None if span is None else span.stop_ns - 1,
        "duration_s": 0.0 if span is None else (span.stop_ns - 1 - span.start_ns) / 1e9,
        "window_ns": description.window_ns,
        "window_count": len(recording.windows),
        "finalized": description.finalized,
        "revision": description.revision,
        "streams": [_stream_json(stream.description) for stream in recording.streams.values()],
        "annotations": {"tracks": description.annotation_tracks, "count": description.annotation_count},
        "findings": [finding.document() for finding in findings],
    }


def collection_json(collection: EpisodeCollection, path: str) -> dict[str, Any]:
    """The document of cli.md for a folder of many."""
    return {
        "path": path,
        "kind": "collection",
        "task": collection.task,
        "episode_count": len(collection.episodes),
        "episodes": [
            {
                "number": row.number,
                "id": row.id,
                "key": row.key,
                "name": row.name,
                "task": row.task,
                "chunk": row.chunk,
                "frame_count": row.frame_count,
                "duration_s": row.duration_s,
                "start_ns": row.start_ns,
                "streams": list(row.streams),
                "ok": row.ok,
                "problem": row.problem,
            }
            for row in collection.episodes
        ],
        "findings": [finding.document() for finding in collection.findings],
    }


def _run_collection(collection: EpisodeCollection, args: argparse.Namespace) -> int:
    findings = list(collection.findings)
    if args.json:
        print_json(collection_json(collection, args.path))
    else:
        _print_collection(collection, findings)
    return 1 if any(not row.ok for row in collection.episodes) else exit_code(findings)


def _print_collection(collection: EpisodeCollection, findings: list[Finding]) -> None:
    print_line(collection.path)
    print_line(f"{collection.task}: {counted(len(collection.episodes), 'episode')}")
    print_line()
    rows = [("number", "name", "frames", "length", "streams", "")]
    for row in collection.episodes:
        length = "–" if row.duration_s is None else format_duration(round(row.duration_s * 1e9))
        frames = "–" if row.frame_count is None else str(row.frame_count)
        rows.append((str(row.number), row.name, frames, length, str(len(row.streams) or "–"), row.problem))
    print_table(rows, right=range(2, 5))
    for finding in findings:
        print_line(f"{finding.severity}: {finding.message}")


def _add_statistics(recording: Recording, document: dict[str, Any]) -> None:
    """Of each channel of each signal; the deviation is that of the population, as recorders state it."""
    import numpy as np

    for part in document["streams"]:
        stream = recording.streams[part["name"]]
        if not stream.description.kind.is_dense:
            continue
        _, values = stream.samples(-(2**63), 2**63 - 1)
        part["statistics"] = {"count": len(values)}
        if len(values):
            for name in _MEASURES:
                found = getattr(np, name)(values, axis=0)
                part["statistics"][name] = [float(v) if np.isfinite(v) else None for v in found]


def _print_statistics(document: dict[str, Any]) -> None:
    rows: list[tuple[str, ...]] = [("channel", "count", *_MEASURES)]
    for part in document["streams"]:
        found = part.get("statistics", {})
        for k, channel in enumerate(part["channels"] if _MEASURES[0] in found else ()):
            unit = f" [{channel['unit']}]" if channel["unit"] else ""
            values = (found[name][k] for name in _MEASURES)
            numbers = ("–" if value is None else f"{value:.6g}" for value in values)
            rows.append((f"{part['name']} {channel['name']}{unit}", str(found["count"]), *numbers))
    if len(rows) > 1:
        print_line()
        print_table(rows, right=range(1, 6))


def _stream_json(d: StreamDescription) -> dict[str, Any]:
    return {
        "name": d.name,
        "kind": str(d.kind),
        "encoding": d.encoding,
        "compression": d.compression,
        "frame_count": d.frame_count,
        "first_ns": None if d.span is None else d.span.start_ns,
        "last_ns": None if d.span is None else d.span.stop_ns - 1,
        "rate_hz": d.rate_hz,
        "period_ns": d.period_ns,
        "bytes": d.stored_bytes,
        "clock": None if d.clock is None else str(d.clock),
        "guessed": d.guessed,
        "frame": d.frame,
        "depth_unit_mm": d.depth_unit_mm,
        "fields": list(d.fields),
        "channels": [{"name": channel.name, "unit": channel.unit} for channel in d.channels],
        "role": d.role,
        "note": d.note,
        "extra": dict(d.extra),
    }


def _print_text(recording: Recording, findings: list[Finding]) -> None:
    d = recording.description
    revision = "" if d.revision is None else f" · revision {d.revision}"
    print_line(f"{d.path}")
    print_line(f"{d.format}{revision}{f' · {d.title}' if d.title else ''}")
    if d.span is None:
        print_line("no frames")
    else:
        length = format_duration(d.span.stop_ns - 1 - d.span.start_ns)
        utc = format_utc(d.span.start_ns)
        print_line(f"{length} from {d.span.start_ns} ns ({utc} if that is UTC)")
        print_line(f"{counted(len(recording.windows), 'window')} of {format_duration(d.window_ns)}")
    print_line()
    rows = [("stream", "kind", "encoding", "frames", "rate, Hz", "size", "clock")]
    for stream in recording.streams.values():
        s = stream.description
        encoding = s.encoding if s.compression == "none" else f"{s.encoding} + {s.compression}"
        rate = "–" if s.rate_hz is None else f"{s.rate_hz:.2f}"
        kind = f"{s.kind} (guessed)" if s.guessed else str(s.kind)
        rows.append(
            (s.name, kind, encoding, str(s.frame_count), rate, size_text(s.stored_bytes), str(s.clock or "–"))
        )
    print_table(rows, right=range(3, 6))
    for finding in findings:
        print_line(f"{finding.severity}: {finding.message}")
