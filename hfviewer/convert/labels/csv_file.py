"""Labels as a table: nanoseconds, seconds and frame index of both edges."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

from hfviewer.convert.labels.base import LabelContext, LabelFile, text_of
from hfviewer.convert.times import ns_from_decimal
from hfviewer.core.annotation import Annotation, AnnotationSet
from hfviewer.core.annotation_json import annotation_from_json
from hfviewer.core.errors import ConversionError
from hfviewer.core.time_text import exact_seconds

COLUMNS = (
    "id",
    "track",
    "label",
    "start_ns",
    "end_ns",
    "start_s",
    "end_s",
    "stream",
    "first_frame",
    "last_frame",
    "attributes",
    "note",
    "author",
    "status",
    "created_ns",
    "modified_ns",
)
_WHOLE = ("start_ns", "end_ns", "first_frame", "last_frame", "created_ns", "modified_ns")
_MOST_FIELD_CHARACTERS = 1 << 22


class CsvLabels:
    """One row per label; exact to the nanosecond."""

    name = "csv"
    suffixes: tuple[str, ...] = (".csv",)

    def encode(self, annotations: AnnotationSet, context: LabelContext) -> tuple[bytes, list[str]]:
        out = io.StringIO(newline="")
        extra = any(a.extra for a in annotations)
        columns = (*COLUMNS, "extra") if extra else COLUMNS
        writer = csv.writer(out)
        writer.writerow(columns)
        for a in annotations.in_order():
            row: dict[str, Any] = {
                "start_s": exact_seconds(a.start_ns - context.start_ns),
                "end_s": exact_seconds(a.end_ns - context.start_ns),
                "attributes": json.dumps(dict(a.attributes), ensure_ascii=False) if a.attributes else "",
                "extra": json.dumps(dict(a.extra), ensure_ascii=False) if a.extra else "",
            }
            cells = (row[name] if name in row else getattr(a, name) for name in columns)
            writer.writerow("" if cell is None else cell for cell in cells)
        schema = annotations.schema
        styled = any(label.color or label.hotkey or label.attributes for label in schema.labels)
        told = ["Not carried: colours, keys and questions of the labels."] if styled else []
        if any(track.kind != "interval" or not track.overlap for track in schema.tracks):
            told.append("Not carried: kind and overlap of the tracks.")
        return out.getvalue().encode(), told

    def decode(self, data: bytes, context: LabelContext) -> LabelFile:
        text = text_of(data, "a table of labels")
        csv.field_size_limit(_MOST_FIELD_CHARACTERS)
        try:
            rows = list(csv.reader(io.StringIO(text, newline="")))
        except csv.Error as error:
            raise ConversionError(f"This is not a table of labels: {error}.") from error
        header = [name.strip() for name in rows[0]] if rows else []
        if "label" not in header or not {"start_ns", "start_s"} & set(header):
            raise ConversionError(
                "This is not a table of labels: it lacks a column label, start_ns or start_s."
            )
        found: list[Annotation] = []
        problems: list[str] = []
        for number, cells in enumerate(rows[1:], 2):
            if not any(cells):
                continue
            try:
                found.append(_annotation(dict(zip(header, cells, strict=False)), context))
            except (ValueError, RecursionError) as error:
                problems.append(f"Row {number} is left out: {error}.")
        return LabelFile(
            annotations=found,
            problems=problems,
            carried=frozenset(header) & frozenset((*COLUMNS, "extra")) | {"label", "start_ns", "end_ns"},
        )


def _annotation(row: dict[str, str], context: LabelContext) -> Annotation:
    value: dict[str, Any] = {k: v for k, v in row.items() if k in COLUMNS and k not in ("start_s", "end_s")}
    for edge in ("start", "end"):
        if not value.get(f"{edge}_ns") and row.get(f"{edge}_s"):
            value[f"{edge}_ns"] = str(context.start_ns + ns_from_decimal(row[f"{edge}_s"]))
    if not value.get("end_ns"):
        value["end_ns"] = value.get("start_ns", "")
    for key in _WHOLE:
        text = value.pop(key, "").strip()
        if text:
            value[key] = int(text)
    for key in ("attributes", "extra"):
        text = row.get(key, "").strip()
        parsed = json.loads(text) if text else {}
        if not isinstance(parsed, dict):
            raise ValueError(f"{key} is not a JSON object")
        if key == "attributes":
            value[key] = parsed
        else:
            value = {**parsed, **value}
    value.setdefault("id", "")
    given = value["id"]
    value["track"] = value.get("track") or context.track
    value["status"] = value.get("status") or "draft"
    annotation = annotation_from_json({**value, "id": given or "new"})
    return annotation if given else replace(annotation, id="")
