"""LeRobot's subtasks: spans of frames of one episode, as ``lerobot_annotations.json`` has them."""

from __future__ import annotations

import json
from typing import Any

from hfviewer.convert.labels.base import LabelContext, LabelFile, lost, text_of
from hfviewer.core.annotation import Annotation, AnnotationSet
from hfviewer.core.errors import ConversionError
from hfviewer.core.json_number import as_number

_S = 1e9


class LeRobotLabels:
    """Subtasks with their first and last frame; several tracks are told apart by the key ``track``."""

    name = "lerobot"
    suffixes: tuple[str, ...] = (".lerobot.json",)

    def encode(self, annotations: AnnotationSet, context: LabelContext) -> tuple[bytes, list[str]]:
        ordered = annotations.in_order()
        names = list(dict.fromkeys(a.label for a in ordered))
        subtasks: list[dict[str, Any]] = []
        for a in ordered:
            stream = a.stream if a.stream in context.tables else context.anchor
            own = stream == a.stream
            first = a.first_frame if own else context.frame_at(stream, a.start_ns)
            last = a.last_frame if own else context.frame_at(stream, a.end_ns)
            subtasks.append(
                {
                    "label": a.label,
                    "subtask_index": names.index(a.label),
                    "start": (a.start_ns - context.start_ns) / _S,
                    "end": (a.end_ns - context.start_ns) / _S,
                    "start_frame": first,
                    "end_frame": last,
                    "stream": stream,
                    "track": a.track,
                }
            )
        document = {
            "version": 1,
            "subtasks": names,
            "episodes": {str(context.episode): {"subtasks": subtasks, "high_levels": []}},
        }
        between = {"times between frames": lambda a: not _on_frames(a, context)}
        told = lost(ordered, "notes", "attributes", "authors", "status", "ids", others=between)
        return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode(), told

    def decode(self, data: bytes, context: LabelContext) -> LabelFile:
        try:
            document = json.loads(text_of(data, "a file of LeRobot subtasks"))
        except (ValueError, RecursionError) as error:
            raise ConversionError(f"This is not a file of LeRobot subtasks: {error}.") from error
        episodes = document.get("episodes") if isinstance(document, dict) else None
        if not isinstance(episodes, dict) or not episodes:
            raise ConversionError('This is not a file of LeRobot subtasks: it has no "episodes".')
        episode = episodes.get(str(context.episode))
        if episode is None and len(episodes) == 1:
            (episode,) = episodes.values()
        parts = episode.get("subtasks") if isinstance(episode, dict) else None
        if not isinstance(parts, list):
            raise ConversionError(f"It has no subtasks of episode {context.episode}.")
        found: list[Annotation] = []
        problems: list[str] = []
        for number, part in enumerate(parts):
            try:
                found.append(_annotation(part, context))
            except ValueError as error:
                problems.append(f"Subtask {number} is left out: {error}.")
        return LabelFile(
            annotations=found,
            problems=problems,
            carried=frozenset(
                {"track", "label", "start_ns", "end_ns", "stream", "first_frame", "last_frame"}
            ),
            precision_ns=_longest_period_ns(context),
        )


def _annotation(part: object, context: LabelContext) -> Annotation:
    if not isinstance(part, dict) or not isinstance(part.get("label"), str) or not part["label"].strip():
        raise ValueError("it has no label")
    stream = part.get("stream")
    if not isinstance(stream, str) or stream not in context.tables:
        stream = context.anchor
    track = part.get("track")
    frames = [part.get("start_frame"), part.get("end_frame")]
    table = context.tables.get(stream)
    if table is not None and all(type(f) is int and 0 <= f < len(table) for f in frames):
        edges = [int(table[frame]) for frame in frames]
    else:
        edges = [context.start_ns + _offset_ns(part.get(key)) for key in ("start", "end")]
        frames = [context.frame_at(stream, edge) for edge in edges]
    if edges[1] < edges[0]:
        raise ValueError("it ends before its start")
    return Annotation(
        id="",
        track=track if isinstance(track, str) and track.strip() else context.track,
        label=part["label"],
        start_ns=edges[0],
        end_ns=edges[1],
        stream=stream,
        first_frame=frames[0],
        last_frame=frames[1],
        author=context.author,
    )


def _offset_ns(value: object) -> int:
    seconds = as_number(value)
    if seconds is None or not 0 <= seconds < 9e9:
        raise ValueError("it has neither frames of this recording nor times")
    return round(seconds * _S)


def _on_frames(a: Annotation, context: LabelContext) -> bool:
    table = context.tables.get(a.stream)
    if table is None or a.first_frame is None or a.last_frame is None:
        return False
    if not (a.first_frame < len(table) and a.last_frame < len(table)):
        return False
    return int(table[a.first_frame]) == a.start_ns and int(table[a.last_frame]) == a.end_ns


def _longest_period_ns(context: LabelContext) -> int:
    table = context.tables.get(context.anchor)
    if table is None or len(table) < 2:
        return 1
    return max(1, int((table[1:] - table[:-1]).max()))
