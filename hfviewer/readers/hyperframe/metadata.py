"""The metadata of a hyperframe file: JSON in, descriptions and calibration out, and back.

Nothing in it is believed: a part of the wrong type is left out and becomes a finding.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.decode import ENCODINGS
from hfviewer.core.errors import WriteError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.geometry import Calibration, CameraModel, Transform
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.readers.hyperframe.layout import MAX_STREAM_ID

FORMAT = "hyperframe"
ANNOTATION_PREFIX = "annotations/"
TRACK_KEY = "track"


class _ChannelJson(msgspec.Struct):
    name: str
    unit: str = ""


class _StreamJson(msgspec.Struct):
    """The keys of one stream that we understand; all others are kept as ``extra``."""

    name: str
    kind: StreamKind
    encoding: str
    compression: str = "none"
    clock: Clock | None = None
    rate_hz: float | None = None
    frame: str = ""
    width: int | None = None
    height: int | None = None
    pixel_format: str = ""
    depth_unit_mm: float | None = None
    depth_invalid: tuple[int, ...] = (0,)
    fields: tuple[str, ...] = ()
    channels: tuple[_ChannelJson, ...] = ()
    role: str = ""
    note: str = ""


class _CameraJson(msgspec.Struct):
    width: int
    height: int
    K: tuple[float, float, float, float, float, float, float, float, float]
    distortion: tuple[float, ...] = ()
    distortion_model: str = ""
    P: tuple[float, ...] | None = None
    frame: str = ""


class _TransformJson(msgspec.Struct):
    parent: str
    child: str
    matrix: tuple[float, ...]


_KNOWN_KEYS = frozenset(_StreamJson.__struct_fields__) | {"entries"}


def parse_metadata(data: bytes | bytearray) -> tuple[dict[str, Any], list[Finding]]:
    """The metadata as a dictionary; empty, with a finding, where it is not one.

    Args:
        data: UTF-8 JSON, at most `layout.MAX_METADATA_BYTES`.
    """
    try:
        document = _decode(data)
    except (ValueError, RecursionError) as error:
        return {}, [_damaged(f"The metadata is not valid JSON ({error}); streams are shown as guessed.")]
    if not isinstance(document, dict):
        return {}, [_damaged("The metadata is not a JSON object; streams are shown as guessed.")]
    return document, []


def _decode(data: bytes | bytearray) -> object:
    """JSON; where a careless writer put NaN or Infinity, null."""
    try:
        return msgspec.json.decode(data)
    except msgspec.DecodeError:
        return json.loads(data, parse_constant=lambda _name: None, parse_float=_finite)


def _finite(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def encode_metadata(document: Mapping[str, Any]) -> bytes:
    """UTF-8 JSON, keys in the given order.

    Raises:
        WriteError: some value cannot be said in JSON.
    """
    try:
        return msgspec.json.encode(document)
    except (TypeError, ValueError, RecursionError) as error:
        raise WriteError(f"The metadata cannot be written as JSON ({error}).") from error


def stream_descriptions(document: Mapping[str, Any]) -> tuple[dict[int, StreamDescription], list[Finding]]:
    """Descriptions by stream_id, names made unique."""
    findings: list[Finding] = []
    descriptions: dict[int, StreamDescription] = {}
    streams = document.get("streams", {})
    if not isinstance(streams, dict):
        return {}, [_damaged("The metadata's list of streams is damaged; streams are shown as guessed.")]
    names: set[str] = set()
    for key, value in streams.items():
        stream_id = parse_stream_id(key)
        if stream_id is None:
            findings.append(
                _damaged(f"The metadata describes a stream {key!r}, which is not a stream number.")
            )
            continue
        try:
            description = description_from_json(value)
        except (msgspec.ValidationError, ValueError) as error:
            findings.append(
                _damaged(f"The metadata of stream {key} is damaged ({error}); it is shown as guessed.")
            )
            continue
        name = unique_name(description.name or f"stream {key}", names)
        names.add(name)
        descriptions[stream_id] = replace(description, name=name)
    return descriptions, findings


def parse_stream_id(key: str) -> int | None:
    """The stream_id that a key of ``streams`` stands for, or None where it is not a stream number."""
    if key.isascii() and key.isdigit() and len(key) <= 5 and int(key) <= MAX_STREAM_ID:
        return int(key)
    return None


def stream_names(described: Mapping[int, StreamDescription], stream_ids: Iterable[int]) -> dict[int, str]:
    """The name of every stream, those that the metadata does not describe included; ascending by stream_id.

    Args:
        described: by stream_id, names unique.
        stream_ids: those in the index.
    """
    taken = {description.name for description in described.values()}
    names: dict[int, str] = {}
    for stream_id in sorted({*described, *stream_ids}):
        description = described.get(stream_id)
        names[stream_id] = description.name if description else unique_name(f"stream {stream_id}", taken)
        taken.add(names[stream_id])
    return names


def unique_name(name: str, taken: set[str]) -> str:
    """The name, or the name with a free number behind it: of names that were all made here, the first."""
    if name not in taken:
        return name
    # Doubling, then halving: counting up would take forever where a damaged file has 65 536 equal names.
    free = 2
    while f"{name} ({free})" in taken:
        free *= 2
    used = free // 2
    while free - used > 1:
        middle = (free + used) // 2
        used, free = (middle, free) if f"{name} ({middle})" in taken else (used, middle)
    return f"{name} ({free})"


def description_from_json(value: object) -> StreamDescription:
    """One stream's description.

    Raises:
        msgspec.ValidationError: a key is missing or of the wrong type.
    """
    parsed = msgspec.convert(value, _StreamJson)
    raw = value if isinstance(value, dict) else {}
    return StreamDescription(
        name=parsed.name,
        kind=parsed.kind,
        encoding=parsed.encoding,
        compression=parsed.compression,
        clock=parsed.clock,
        declared_rate_hz=parsed.rate_hz,
        frame=parsed.frame,
        width=parsed.width,
        height=parsed.height,
        pixel_format=parsed.pixel_format,
        depth_unit_mm=parsed.depth_unit_mm,
        depth_invalid=parsed.depth_invalid,
        fields=parsed.fields,
        channels=tuple(Channel(channel.name, channel.unit) for channel in parsed.channels),
        role=parsed.role,
        note=parsed.note,
        extra=MappingProxyType({k: v for k, v in raw.items() if k not in _KNOWN_KEYS}),
    )


def description_to_json(description: StreamDescription, entries: tuple[int, int]) -> dict[str, Any]:
    """The metadata of one stream; keys at their defaults are left out, foreign keys are kept.

    Args:
        description: of the stream.
        entries: first entry and number of entries in the index.
    """
    d = description
    value: dict[str, Any] = dict(d.extra)
    value |= {
        "name": d.name,
        "kind": str(d.kind),
        "encoding": d.encoding,
        "compression": d.compression,
    }
    optional: dict[str, Any] = {
        "clock": None if d.clock is None else str(d.clock),
        "rate_hz": d.declared_rate_hz,
        "frame": d.frame or None,
        "width": d.width,
        "height": d.height,
        "pixel_format": d.pixel_format or None,
        "depth_unit_mm": d.depth_unit_mm,
        "depth_invalid": list(d.depth_invalid) if d.depth_invalid != (0,) else None,
        "fields": list(d.fields) or None,
        "channels": [{"name": c.name, "unit": c.unit} for c in d.channels] or None,
        "role": d.role or None,
        "note": d.note or None,
    }
    value |= {key: part for key, part in optional.items() if part is not None}
    value["entries"] = list(entries)
    return value


def track_of(description: StreamDescription) -> str:
    """The track that an annotation stream holds."""
    track = description.extra.get(TRACK_KEY)
    return track if isinstance(track, str) and track else description.name.removeprefix(ANNOTATION_PREFIX)


def check_description(description: StreamDescription) -> str | None:
    """What is wrong with a description that somebody wants to write, or None."""
    d = description
    if not d.name:
        return "A stream needs a name."
    if d.kind is StreamKind.UNKNOWN:
        return None
    if d.encoding not in ENCODINGS[d.kind]:
        return f"A stream of kind {d.kind} is encoded as one of {', '.join(ENCODINGS[d.kind])}."
    if d.encoding in ("raw", "log12") and not (d.width and d.height):
        return "Raw pictures need width and height."
    if d.kind is StreamKind.POINTS and not {"x", "y", "z"} <= set(d.fields):
        return "A point cloud's fields must name x, y and z."
    if d.kind in (StreamKind.IMU, StreamKind.SIGNAL) and not d.channels:
        return "A signal needs its channels."
    if d.kind is StreamKind.MATRIX and not (d.width and d.height and d.channels):
        return "A matrix needs width, height and the channels that are its planes."
    return None


def parse_calibration(document: Mapping[str, Any]) -> tuple[Calibration, list[Finding]]:
    """Cameras by stream name and transforms; what is damaged is left out and told."""
    value = document.get("calibration")
    if value is None:
        return Calibration(), []
    if not isinstance(value, dict):
        return Calibration(), [_damaged("The calibration in the metadata is damaged; it is not used.")]
    findings: list[Finding] = []
    cameras: dict[str, CameraModel] = {}
    for name, part in value.items():
        if name == "transforms" or not isinstance(part, dict) or "K" not in part:
            continue
        try:
            cameras[name] = _camera(msgspec.convert(part, _CameraJson))
        except (msgspec.ValidationError, ValueError) as error:
            findings.append(_damaged(f"The calibration of {name} is damaged ({error}); it is not used."))
    transforms: list[Transform] = []
    parts = value.get("transforms", [])
    for part in parts if isinstance(parts, list) else []:
        try:
            parsed = msgspec.convert(part, _TransformJson)
            transforms.append(Transform(parsed.parent, parsed.child, _matrix(parsed.matrix, (4, 4))))
        except (msgspec.ValidationError, ValueError) as error:
            findings.append(_damaged(f"A transform in the calibration is damaged ({error}); it is not used."))
    return Calibration(MappingProxyType(cameras), tuple(transforms)), findings


def calibration_to_json(calibration: Calibration) -> dict[str, Any]:
    """The ``calibration`` part of the metadata."""
    value: dict[str, Any] = {}
    for name, camera in calibration.cameras.items():
        part: dict[str, Any] = {
            "width": camera.width,
            "height": camera.height,
            "K": camera.k.reshape(-1).tolist(),
            "distortion": list(camera.distortion),
            "distortion_model": camera.distortion_model,
        }
        if camera.projection is not None:
            part["P"] = camera.projection.reshape(-1).tolist()
        if camera.frame:
            part["frame"] = camera.frame
        value[name] = part
    value["transforms"] = [
        {"parent": t.parent, "child": t.child, "matrix": t.matrix.reshape(-1).tolist()}
        for t in calibration.transforms
    ]
    return value


def _camera(parsed: _CameraJson) -> CameraModel:
    if not (0 < parsed.width <= 1 << 20 and 0 < parsed.height <= 1 << 20):
        raise ValueError("impossible picture size")
    return CameraModel(
        width=parsed.width,
        height=parsed.height,
        k=_matrix(parsed.K, (3, 3)),
        distortion=parsed.distortion,
        distortion_model=parsed.distortion_model,
        projection=None if parsed.P is None else _matrix(parsed.P, (3, 4)),
        frame=parsed.frame,
    )


def _matrix(values: Sequence[float], shape: tuple[int, int]) -> NDArray[np.float64]:
    matrix = np.array(values, np.float64)
    if matrix.size != shape[0] * shape[1] or not np.isfinite(matrix).all():
        raise ValueError(f"a matrix needs {shape[0] * shape[1]} finite numbers")
    return matrix.reshape(shape)


def _damaged(message: str) -> Finding:
    return Finding(code="damaged_metadata", severity=Severity.WARNING, message=message)
