"""Labels of a part of a recording: the frames they name are counted from the part's first."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from hfviewer.convert.source import PlannedStream
from hfviewer.core.errors import HfviewerError
from hfviewer.core.recording import Recording, Stream
from hfviewer.core.stream import StreamKind
from hfviewer.core.text import counted
from hfviewer.core.window import TimeWindow
from hfviewer.readers.annotations import annotation_store

_FRAMES = ("first_frame", "last_frame")


def counted_anew(planned: Sequence[PlannedStream], streams: Mapping[str, Stream]) -> list[PlannedStream]:
    """The same streams, with labels that name frames as the part counts them.

    Args:
        planned: all streams of the part.
        streams: of the whole recording, by name.
    """
    taken: dict[str, tuple[int, int]] = {}
    for part in planned:
        name = part.description.name
        if len(part) and name in streams:
            first = int(streams[name].timestamps_ns.searchsorted(part.timestamps_ns.min()))
            taken[name] = first, len(part)
    return [_shifted(p, taken) if p.description.kind is StreamKind.ANNOTATION else p for p in planned]


def left_behind(recording: Recording) -> tuple[str, ...]:
    """What a person should know about labels that lie beside the frames, not among them."""
    with suppress(HfviewerError, OSError):
        count = len(annotation_store(recording).load().annotations)
        if count:
            how = "`hfviewer labels export` and `labels import` bring them along."
            return (f"Not taken along: {counted(count, 'label')}; {how}",)
    return ()


def left_out(recording: Recording, window: TimeWindow) -> tuple[str, ...]:
    """What a person should know about labels that concern a part of a recording and are not in the part.

    A label among the frames comes along if it begins inside the part; one that lies beside them never does.

    Args:
        recording: whole.
        window: the part.
    """
    kinds = (stream.description.kind for stream in recording.streams.values())
    among_frames = StreamKind.ANNOTATION in kinds
    with suppress(HfviewerError, OSError):
        concerned = [
            label
            for label in annotation_store(recording).load().annotations
            if label.start_ns < window.stop_ns and label.end_ns >= window.start_ns
        ]
        left = [label for label in concerned if not among_frames or label.start_ns < window.start_ns]
        if left:
            why = "begun before the part" if among_frames else "labels lie beside the frames"
            return (f"{counted(len(left), 'label')} left out ({why}); `hfviewer labels export` has them.",)
    return ()


def _shifted(labels: PlannedStream, taken: Mapping[str, tuple[int, int]]) -> PlannedStream:
    def load(i: int) -> bytes:
        payload = labels.load(i)
        try:
            label = json.loads(payload)
        except (ValueError, RecursionError):
            return payload
        if not isinstance(label, dict) or any(type(label.get(key)) is not int for key in _FRAMES):
            return payload
        name = label.get("stream")
        first, count = taken.get(name, (0, 0)) if isinstance(name, str) else (0, 0)
        for key in _FRAMES:
            label[key] = min(max(label[key] - first, 0), count - 1) if count else None
        return json.dumps(label, ensure_ascii=False).encode()

    return replace(labels, load=load)
