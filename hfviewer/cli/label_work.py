"""What each action of ``hfviewer labels`` does."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs

from hfviewer.cli.common import exit_code, open_for, print_json, print_line, print_table, time_on
from hfviewer.convert.labels.base import LabelContext, context_of, default_anchor
from hfviewer.convert.labels.per_frame import encode_per_frame
from hfviewer.convert.labels.registry import (
    Import,
    format_of,
    plan_import,
    read_label_file,
    write_label_file,
)
from hfviewer.core import edits
from hfviewer.core.agreement import agree
from hfviewer.core.annotation import Annotation, AnnotationSet, Status, new_id
from hfviewer.core.annotation_json import annotation_to_json, label_to_json, track_to_json
from hfviewer.core.errors import UsageError
from hfviewer.core.recording import Recording, Stream
from hfviewer.core.text import counted, printable
from hfviewer.core.time_text import FrameNumber, format_elapsed, parse_time
from hfviewer.model.label_disk import ChangedLabels, change_labels, known_labels
from hfviewer.readers.annotation_store import StoredAnnotations

_SHORTEST_PREFIX = 4


def list_labels(args: argparse.Namespace) -> int:
    with open_for(args) as recording:
        stored = _known(recording, args)
        start_ns = _start_ns(recording)
    _warn(args.path, [finding.message for finding in stored.findings])
    state = stored.annotations
    if args.json:
        document = document_of(state)
        print_json(document)
    else:
        _print_labels(state, start_ns)
    return exit_code(list(stored.findings))


def document_of(state: AnnotationSet) -> dict[str, Any]:
    """The document of cli.md; what the schema does not know is marked."""
    known = {label.name for label in state.schema.labels}
    return {
        "tracks": [
            track_to_json(track) | {"count": len(state.on_track(track.name))} for track in state.schema.tracks
        ]
        + [
            {"name": name, "count": len(state.on_track(name)), "unknown": True}
            for name in state.track_names
            if state.schema.track(name) is None
        ],
        "labels": [label_to_json(label) for label in state.schema.labels],
        "unknown_labels": sorted(state.unknown_labels),
        "annotations": [
            annotation_to_json(a) | ({} if a.label in known else {"unknown_label": True})
            for a in state.in_order()
        ],
    }


def add_label(args: argparse.Namespace) -> int:
    with open_for(args) as recording:
        stream = recording.stream(args.stream) if args.stream else _anchor(recording)
        start = _edge(recording, args.start, stream)
        end = start if args.end is None else _edge(recording, args.end, stream)
        _check_inside(recording, start.at_ns, end.at_ns)
        annotation = _new_annotation(args, stream, start, end)
        changed = _change(recording, args, lambda state: edits.add(state, [annotation]).apply(state))
    if args.json:
        print_json(annotation_to_json(annotation) | _where(changed))
    else:
        print_line(f"Added {annotation.id}, {_saved(changed)}")
    return 0


def _new_annotation(
    args: argparse.Namespace, stream: Stream | None, start: edits.Edge, end: edits.Edge
) -> Annotation:
    now_ns = time.time_ns()
    return Annotation(
        id=new_id(),
        track=_text(args.track),
        label=_text(args.label),
        start_ns=start.at_ns,
        end_ns=end.at_ns,
        stream="" if stream is None else stream.description.name,
        first_frame=start.frame,
        last_frame=end.frame,
        attributes=_attributes(args.attribute),
        note=_text(args.note),
        author=_text(args.author),
        created_ns=now_ns,
        modified_ns=now_ns,
        status=_status(args.status),
    )


def remove_labels(args: argparse.Namespace) -> int:
    removed: list[str] = []

    def edit(state: AnnotationSet) -> AnnotationSet:
        removed[:] = dict.fromkeys(_full_id(state, given, args.path) for given in args.ids)
        return edits.remove(state, removed).apply(state)

    with open_for(args) as recording:
        changed = _change(recording, args, edit)
    if args.json:
        print_json({"removed": removed} | _where(changed))
    else:
        print_line(f"Removed {counted(len(removed), 'label')}, {_saved(changed)}")
    return 0


def import_labels(args: argparse.Namespace) -> int:
    plan = Import(edit=None, added=0, updated=0, unchanged=0)
    now_ns = time.time_ns()

    def edit(state: AnnotationSet) -> AnnotationSet:
        nonlocal plan
        plan = plan_import(state, file, context, now_ns=now_ns)
        return state if plan.edit is None else plan.edit.apply(state)

    with open_for(args) as recording:
        context = _context(recording, args, track=args.track, author=args.author)
        file = read_label_file(args.file, args.format, context)
        changed = _change(recording, args, edit)
    outside = sum(a.start_ns >= context.stop_ns or a.end_ns < context.start_ns for a in file.annotations)
    problems = list(file.problems)
    if outside:
        problems.append(f"{counted(outside, 'label')} outside the recording: made for another one?")
    _warn(str(args.file), problems)
    counts = {"added": plan.added, "updated": plan.updated, "unchanged": plan.unchanged}
    if args.json:
        print_json(counts | {"problems": problems} | _where(changed))
    else:
        numbers = ", ".join(f"{count} {name}" for name, count in counts.items())
        print_line(f"{numbers}; {_saved(changed)}")
    return int(bool(problems))


def export_labels(args: argparse.Namespace) -> int:
    with open_for(args) as recording:
        stored = _known(recording, args)
        context = _context(recording, args)
        per_frame = None if args.per_frame is None else recording.stream(args.per_frame)
        state = stored.annotations
        told: list[str] = []
        if per_frame is not None:
            name = "per_frame"
            stamps_ns = per_frame.timestamps_ns
            data = encode_per_frame(state, per_frame.description.name, stamps_ns, context.start_ns)
        else:
            known = format_of(args.file, args.format)
            name = known.name
            data, told = known.encode(state, context)
    write_label_file(args.file, data)
    _warn(args.path, [finding.message for finding in stored.findings])
    if args.json:
        document = {"file": str(args.file), "format": name, "count": len(state), "not_carried": told}
        print_json(document)
    else:
        print_line(f"{args.file}: {counted(len(state), 'label')} as {name}.")
        for sentence in told:
            print_line(sentence)
    return exit_code(list(stored.findings))


def agree_labels(args: argparse.Namespace) -> int:
    with open_for(args) as recording:
        stored = _known(recording, args)
        span = recording.description.span
    everything = [a for a in stored.annotations.in_order() if args.track in (None, a.track)]
    groups = [[a for a in everything if a.author == author] for author in args.authors]
    for author, group in zip(args.authors, groups, strict=True):
        if not group:
            known = ", ".join(repr(name) for name in stored.annotations.authors) or "nobody"
            raise UsageError(
                f"There are no labels by {author!r}.", remedy=f"There are some by {known}.", path=args.path
            )
    result = agree(groups[0], groups[1], span)
    errors_ms = {"median": result.boundary_error_ms(50), "p95": result.boundary_error_ms(95)}
    if args.json:
        print_json(
            {
                "kappa": result.kappa,
                "boundary_error_ms": errors_ms,
                "only_a": len(result.only_a),
                "only_b": len(result.only_b),
                "matched": len(result.pairs),
                "only_a_ids": list(result.only_a),
                "only_b_ids": list(result.only_b),
            }
        )
        return 0
    a, b = args.authors
    print_line(f"Cohen's kappa over time: {'–' if result.kappa is None else f'{result.kappa:.3f}'}")
    if result.pairs:
        print_line(f"boundary error: median {errors_ms['median']:.1f} ms, p95 {errors_ms['p95']:.1f} ms")
    print_line(
        f"{len(result.pairs)} by both, {len(result.only_a)} only by {a}, {len(result.only_b)} only by {b}"
    )
    return 0


def _print_labels(state: AnnotationSet, start_ns: int) -> None:
    rows = [("from the start", "length, s", "track", "label", "author", "status", "id")]
    for a in state.in_order():
        mark = " (unknown)" if a.label in state.unknown_labels else ""
        length = "–" if a.is_instant else f"{(a.end_ns - a.start_ns) / 1e9:.3f}"
        elapsed = format_elapsed(a.start_ns - start_ns)
        rows.append((elapsed, length, a.track, a.label + mark, a.author, a.status, a.id))
    print_table(rows)
    print_line(f"{counted(len(state), 'label')} on {counted(len(state.track_names), 'track')}")


def _anchor(recording: Recording) -> Stream | None:
    name = default_anchor(recording)
    return recording.streams[name] if name else None


def _edge(recording: Recording, text: str, stream: Stream | None) -> edits.Edge:
    at_ns = time_on(recording, text, stream)
    if stream is None or not len(stream):
        return edits.Edge(at_ns)
    # A frame that is named is that frame, even where several bear one stamp.
    asked = parse_time(text, start_ns=0)
    if isinstance(asked, FrameNumber):
        return edits.Edge(at_ns, asked.index)
    table = stream.timestamps_ns
    return edits.Edge(at_ns, max(0, int(table.searchsorted(at_ns, side="right")) - 1))


def _check_inside(recording: Recording, start_ns: int, end_ns: int) -> None:
    span, path = recording.description.span, recording.description.path
    if end_ns < start_ns:
        raise UsageError("The label would end before it starts.", path=path)
    if span is not None and not (end_ns >= span.start_ns and start_ns < span.stop_ns):
        length = (span.stop_ns - 1 - span.start_ns) / 1e9
        raise UsageError(
            "The label would lie outside the recording.", remedy=f"It lasts {length:.3f} s.", path=path
        )


def _start_ns(recording: Recording) -> int:
    span = recording.description.span
    return 0 if span is None else span.start_ns


def _context(
    recording: Recording, args: argparse.Namespace, *, track: str = "labels", author: str = ""
) -> LabelContext:
    stream = getattr(args, "stream", None)
    episode = 0 if args.episode is None else args.episode - 1
    return context_of(recording, anchor=stream, track=track, author=author, episode=episode)


def _full_id(state: AnnotationSet, given: str, path: str) -> str:
    if given in state:
        return given
    found = [i for i in state.by_id if len(given) >= _SHORTEST_PREFIX and i.startswith(given)]
    if len(found) == 1:
        return found[0]
    problem = (
        f"{len(found)} labels have an id that begins with {given!r}."
        if found
        else f"There is no label {given!r}."
    )
    raise UsageError(problem, remedy="`hfviewer labels list` shows them.", path=path)


def _attributes(pairs: list[str]) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not separator or not key:
            raise UsageError(f"{pair!r} is not KEY=VALUE.")
        try:
            attributes[_text(key)] = json.loads(value)
        except (ValueError, RecursionError):
            attributes[_text(key)] = _text(value)
    return attributes


def _known(recording: Recording, args: argparse.Namespace) -> StoredAnnotations:
    """All labels, those of a journal included, which is told."""
    known = known_labels(recording, state_folder(), folder=args.folder, revision=args.revision)
    if known.waiting:
        edited = counted(known.waiting, "edit")
        whose = "by a session that was killed" if known.holder is None else f"by {known.holder.text()}"
        _warn(args.path, [f"{edited} {whose} included, not saved yet."])
    return known.stored


def _change(
    recording: Recording, args: argparse.Namespace, edit: Callable[[AnnotationSet], AnnotationSet]
) -> ChangedLabels:
    """Change the labels on the disk; whatever else comes of it is told."""
    changed = change_labels(recording, state_folder(), edit, folder=args.folder)
    _warn(args.path, [finding.message for finding in changed.stored.findings])
    if changed.taken_up:
        _warn(args.path, [f"{counted(changed.taken_up, 'edit')} by a session that was killed saved, too."])
    return changed


def state_folder() -> Path:
    """Where the application keeps journals of recordings that cannot be written."""
    return Path(platformdirs.user_state_dir("hfviewer"))


def _status(text: str) -> str:
    if text not in tuple(Status):
        raise UsageError(f"A label is {', '.join(Status)}, not {text!r}.")
    return text


def _text(argument: str) -> str:
    """An argument as text that every file can hold, whatever bytes the shell gave."""
    return os.fsencode(argument).decode("utf-8", "replace")


def _where(changed: ChangedLabels) -> dict[str, Any]:
    store = changed.store
    return {"revision": changed.stored.version, "saved_in": store.path, "place": str(store.kind)}


def _saved(changed: ChangedLabels) -> str:
    return f"revision {changed.stored.version} of {changed.store.path}"


def _warn(path: str, sentences: list[str]) -> None:
    for sentence in sentences:
        sys.stderr.write(f"hfviewer: {printable(f'{path}: {sentence}')}\n")
