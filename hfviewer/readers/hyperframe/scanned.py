"""Streams made of payloads that were found without an index: by type, and pictures by size."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from hfviewer.codecs.points import DEFAULT_FIELDS
from hfviewer.core.stream import Clock, StreamDescription, StreamKind
from hfviewer.readers.hyperframe.layout import MAX_STREAM_ID
from hfviewer.readers.hyperframe.metadata import unique_name
from hfviewer.readers.hyperframe.scan import Signature

STEP_NS = 10_000_000
_NOTE = (
    "Found without an index: the true timestamps are lost. Frames stand in the order of their place in the"
    " file, 10 ms from one found payload to the next."
)


@dataclass(frozen=True, slots=True)
class ScannedStream:
    """A stream of found payloads.

    Args:
        stream_id: in the new file.
        description: of it.
    """

    stream_id: int
    description: StreamDescription


def assign_streams(
    signatures: Sequence[Signature],
    described: Mapping[int, StreamDescription],
    taken_ids: Collection[int],
) -> dict[Signature, ScannedStream]:
    """A stream for every kind of payload that was found.

    Args:
        signatures: each once.
        described: what the metadata describes, if any is left. Where only one of these can be meant, what it
            says is taken over, but for its name: the old name stays with frames whose timestamps are known.
        taken_ids: streams that have such frames.
    """
    streams: dict[Signature, ScannedStream] = {}
    names = {description.name for description in described.values()}
    used = {*described, *taken_ids}
    free = (i for i in range(MAX_STREAM_ID + 1) if i not in used)
    candidates = {i: d for i, d in described.items() if i not in taken_ids}
    for signature in signatures:
        fitting = [i for i, d in candidates.items() if _fits(signature, d)]
        rivals = [s for s in signatures if fitting and _fits(s, candidates[fitting[0]])]
        if len(fitting) == 1 and len(rivals) == 1:
            description = candidates[fitting[0]]
            label = description.name
        else:
            label = signature.label
            description = _describe(signature)
        name = unique_name(f"recovered/{label}", names)
        names.add(name)
        note = f"{description.note} {_NOTE}".strip()
        streams[signature] = ScannedStream(
            next(free),
            replace(description, name=name, clock=Clock.NOMINAL, declared_rate_hz=None, note=note),
        )
    return streams


def _fits(signature: Signature, description: StreamDescription) -> bool:
    if signature.compression != description.compression:
        return False
    if signature.width:
        sizes = (description.width, description.height)
        same_size = sizes == (None, None) or sizes == (signature.width, signature.height)
        encodings = ("png", "png16") if signature.encoding == "png16" else (signature.encoding,)
        return same_size and description.encoding in encodings
    return description.encoding not in ("jpeg", "png", "png16") and (
        signature.kind in (description.kind, StreamKind.UNKNOWN) or signature.compression != "none"
    )


def _describe(signature: Signature) -> StreamDescription:
    return StreamDescription(
        name="",
        kind=signature.kind if signature.kind is not StreamKind.IMU else StreamKind.UNKNOWN,
        encoding=signature.encoding if signature.kind is not StreamKind.IMU else "bytes",
        compression=signature.compression,
        fields=DEFAULT_FIELDS if signature.kind is StreamKind.POINTS else (),
    )
