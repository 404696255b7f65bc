"""Annotations and their schema as JSON values, and back. Nothing that is read is believed.

Unknown keys are kept at every level, so that what another program added survives us.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from hfviewer.core.annotation import (
    MAX_TIME_NS,
    Annotation,
    AttributeDefinition,
    Label,
    Schema,
    Track,
    TrackKind,
    problem_of,
)

ANNOTATION_KEYS = frozenset(field.name for field in fields(Annotation)) - {"extra"}
_TEXTS = ("id", "track", "label", "stream", "note", "author", "status")
_TRACK_KEYS = frozenset({"name", "kind", "overlap"})
_LABEL_KEYS = frozenset({"name", "color", "hotkey", "attributes"})
_SCHEMA_KEYS = frozenset({"tracks", "labels"})


def annotation_to_json(annotation: Annotation) -> dict[str, Any]:
    """All of an annotation; keys of other programs come last."""
    a = annotation
    value: dict[str, Any] = {
        "id": a.id,
        "track": a.track,
        "label": a.label,
        "start_ns": a.start_ns,
        "end_ns": a.end_ns,
        "stream": a.stream,
        "first_frame": a.first_frame,
        "last_frame": a.last_frame,
        "attributes": dict(a.attributes),
        "note": a.note,
        "author": a.author,
        "created_ns": a.created_ns,
        "modified_ns": a.modified_ns,
        "status": a.status,
    }
    return value | {k: v for k, v in a.extra.items() if k not in value}


def annotation_from_json(value: object) -> Annotation:
    """One annotation.

    Raises:
        ValueError: it is none; the message says why.
    """
    if not isinstance(value, dict):
        raise ValueError("it is not a JSON object")
    for key in _TEXTS:
        if not isinstance(value.get(key, ""), str):
            raise ValueError(f"{key} is not text")
    attributes = value.get("attributes")
    if attributes is not None and not isinstance(attributes, dict):
        raise ValueError("attributes is not a JSON object")
    annotation = Annotation(
        id=value.get("id", ""),
        track=value.get("track", ""),
        label=value.get("label", ""),
        start_ns=_whole(value, "start_ns"),
        end_ns=_whole(value, "end_ns"),
        stream=value.get("stream", ""),
        first_frame=None if value.get("first_frame") is None else _whole(value, "first_frame"),
        last_frame=None if value.get("last_frame") is None else _whole(value, "last_frame"),
        attributes=dict(attributes or {}),
        note=value.get("note", ""),
        author=value.get("author", ""),
        created_ns=_whole(value, "created_ns", 0),
        modified_ns=_whole(value, "modified_ns", 0),
        status=value.get("status", "draft"),
        extra={k: v for k, v in value.items() if k not in ANNOTATION_KEYS},
    )
    problem = problem_of(annotation)
    if problem is not None:
        raise ValueError(problem.rstrip("."))
    return annotation


def schema_to_json(schema: Schema) -> dict[str, Any]:
    """``{"tracks": […], "labels": […]}``."""
    return {
        "tracks": [track_to_json(track) for track in schema.tracks],
        "labels": [label_to_json(label) for label in schema.labels],
    } | {k: v for k, v in schema.extra.items() if k not in _SCHEMA_KEYS}


def track_to_json(track: Track) -> dict[str, Any]:
    """One track."""
    value: dict[str, Any] = {"name": track.name, "kind": str(track.kind), "overlap": track.overlap}
    return value | {k: v for k, v in track.extra.items() if k not in _TRACK_KEYS}


def label_to_json(label: Label) -> dict[str, Any]:
    """One label."""
    value: dict[str, Any] = {"name": label.name, "color": label.color, "hotkey": label.hotkey}
    value["attributes"] = [
        {"name": a.name, "kind": a.kind} | ({"choices": list(a.choices)} if a.choices else {})
        for a in label.attributes
    ]
    return value | {k: v for k, v in label.extra.items() if k not in _LABEL_KEYS}


def schema_from_json(value: object) -> tuple[Schema, list[str]]:
    """A schema, and a sentence for each part of it that is left out."""
    if value is None:
        return Schema(), []
    if not isinstance(value, dict):
        return Schema(), ["The schema of the labels is not a JSON object; it is not used."]
    problems: list[str] = []
    tracks: dict[str, Track] = {}
    for part in _list(value, "tracks", problems):
        match part:
            case {"name": str(name)} if name.strip() and name not in tracks:
                instant = part.get("kind") == TrackKind.INSTANT
                tracks[name] = Track(
                    name=name,
                    kind=TrackKind.INSTANT if instant else TrackKind.INTERVAL,
                    overlap=part.get("overlap") is not False,
                    extra={k: v for k, v in part.items() if k not in _TRACK_KEYS},
                )
            case _:
                problems.append("A track of the schema has no name, or that of another; it is left out.")
    labels: dict[str, Label] = {}
    for part in _list(value, "labels", problems):
        match part:
            case {"name": str(name)} if name.strip() and name not in labels:
                labels[name] = Label(
                    name=name,
                    color=_color(part.get("color")),
                    hotkey=_hotkey(part.get("hotkey"), labels),
                    attributes=_attributes(part.get("attributes")),
                    extra={k: v for k, v in part.items() if k not in _LABEL_KEYS},
                )
            case _:
                problems.append("A label of the schema has no name, or that of another; it is left out.")
    extra = {k: v for k, v in value.items() if k not in _SCHEMA_KEYS}
    return Schema(tracks=tuple(tracks.values()), labels=tuple(labels.values()), extra=extra), problems


def _list(value: Mapping[str, Any], key: str, problems: list[str]) -> list[Any]:
    parts = value.get(key, [])
    if isinstance(parts, list):
        return parts
    problems.append(f"The {key} of the schema are not a list; they are not used.")
    return []


def _whole(value: Mapping[str, Any], key: str, default: int | None = None) -> int:
    number = value.get(key, default)
    if isinstance(number, bool) or not isinstance(number, int) or abs(number) > MAX_TIME_NS:
        raise ValueError(f"{key} is not a whole number")
    return number


def _color(value: object) -> str:
    if isinstance(value, str) and len(value) == 7 and value[0] == "#":
        try:
            int(value[1:], 16)
        except ValueError:
            return ""
        return value.lower()
    return ""


def _hotkey(value: object, labels: Mapping[str, Label]) -> str:
    taken = {label.hotkey for label in labels.values()}
    good = isinstance(value, str) and len(value) == 1 and value in "123456789" and value not in taken
    return str(value) if good else ""


def _attributes(value: object) -> tuple[AttributeDefinition, ...]:
    found: dict[str, AttributeDefinition] = {}
    for part in value if isinstance(value, list) else []:
        if not isinstance(part, dict) or not isinstance(part.get("name"), str) or not part["name"].strip():
            continue
        kind, choices = part.get("kind"), part.get("choices")
        if not isinstance(choices, list):
            choices = []
        found[part["name"]] = AttributeDefinition(
            name=part["name"],
            kind=kind if kind in ("text", "number", "bool", "choice") else "text",
            choices=tuple(choice for choice in choices if isinstance(choice, str)),
        )
    return tuple(found.values())
