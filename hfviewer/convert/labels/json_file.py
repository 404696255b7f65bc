"""The complete format: schema, labels and everything other programs added to them."""

from __future__ import annotations

import json

from hfviewer.convert.labels.base import LabelContext, LabelFile, text_of
from hfviewer.core.annotation import Annotation, AnnotationSet
from hfviewer.core.annotation_json import (
    annotation_from_json,
    annotation_to_json,
    schema_from_json,
    schema_to_json,
)
from hfviewer.core.errors import ConversionError

FORMAT = "hfviewer labels"
_OURS = ("format", "version", "recording", "annotations")


class JsonLabels:
    """``{"tracks": […], "labels": […], "annotations": […]}``."""

    name = "json"
    suffixes: tuple[str, ...] = (".json",)

    def encode(self, annotations: AnnotationSet, context: LabelContext) -> tuple[bytes, list[str]]:
        document = {
            "format": FORMAT,
            "version": 1,
            "recording": {
                "name": context.name.rpartition("/")[2],
                "start_ns": context.start_ns,
                "end_ns": max(context.start_ns, context.stop_ns - 1),
            },
            **schema_to_json(annotations.schema),
            "annotations": [annotation_to_json(a) for a in annotations.in_order()],
        }
        return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode(), []

    def decode(self, data: bytes, context: LabelContext) -> LabelFile:
        try:
            document = json.loads(text_of(data, "a file of labels"))
        except (ValueError, RecursionError) as error:
            raise ConversionError(f"This is not a file of labels: {error}.") from error
        if not isinstance(document, dict) or not (document.keys() & {"annotations", "tracks", "labels"}):
            raise ConversionError(
                'This is not a file of labels: it has no "annotations", "tracks" or "labels".'
            )
        schema, problems = schema_from_json({k: v for k, v in document.items() if k not in _OURS})
        parts = document.get("annotations", [])
        if not isinstance(parts, list):
            raise ConversionError("Its annotations are not a list.")
        found: list[Annotation] = []
        for number, part in enumerate(parts):
            try:
                found.append(annotation_from_json(part))
            except ValueError as error:
                problems.append(f"Annotation {number} is left out: {error}.")
        return LabelFile(annotations=found, schema=schema, problems=problems)
