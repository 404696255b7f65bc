"""WebVTT: cues over a video, ``<v track>label``, to the millisecond."""

from __future__ import annotations

import re
from html import unescape

from hfviewer.convert.labels.base import (
    NS_PER_MS,
    LabelContext,
    LabelFile,
    lost,
    not_whole,
    rounded,
    text_of,
)
from hfviewer.core.annotation import Annotation, AnnotationSet
from hfviewer.core.errors import ConversionError

_TIME = r"(?:(\d{2,}):)?([0-5]\d):([0-5]\d)[.,](\d{3})"
_TIMING = re.compile(rf"\s*{_TIME}\s+-->\s+{_TIME}(?:\s.*)?", re.ASCII)
_VOICE = re.compile(r"<v(?:\.[^ >]*)?\s+([^>]*)>(.*)", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_INSTANT = "instant "


class WebVttLabels:
    """One cue per label; its identifier is the label's id."""

    name = "vtt"
    suffixes: tuple[str, ...] = (".vtt",)

    def encode(self, annotations: AnnotationSet, context: LabelContext) -> tuple[bytes, list[str]]:
        parts = ["WEBVTT\n"]
        early = 0
        for a in annotations.in_order():
            start_ms, end_ms = (rounded(t - context.start_ns, NS_PER_MS) for t in (a.start_ns, a.end_ns))
            if start_ms < 0:
                early += 1
                continue
            # A cue must last; the identifier says which ones do not.
            prefix = _INSTANT if a.is_instant else ""
            end_ms = max(end_ms, start_ms + 1)
            text = f"<v {_escaped(a.track)}>{_escaped(a.label)}"
            parts.append(f"{prefix}{a.id}\n{_clock(start_ms)} --> {_clock(end_ms)}\n{text}\n")
        fine = {"times finer than a millisecond": not_whole(NS_PER_MS, context.start_ns)}
        told = lost(annotations, "notes", "attributes", "authors", "status", "frame numbers", others=fine)
        if early:
            told.append(f"Left out: {early} before the start of the recording.")
        return "\n".join(parts).encode(), told

    def decode(self, data: bytes, context: LabelContext) -> LabelFile:
        text = text_of(data, "a WebVTT file").replace("\r\n", "\n").replace("\r", "\n")
        if not text.startswith("WEBVTT"):
            raise ConversionError("This is not a WebVTT file: it does not begin with WEBVTT.")
        found: list[Annotation] = []
        problems: list[str] = []
        for block in re.split(r"\n{2,}", text)[1:]:
            lines = block.strip("\n").split("\n")
            at = next((i for i, line in enumerate(lines[:2]) if "-->" in line), None)
            if at is None:
                continue  # a note, a style or a region
            match = _TIMING.fullmatch(lines[at])
            if match is None:
                problems.append(f"A cue is left out: {lines[at]!r} is no timing.")
                continue
            times = match.groups()
            start_ms, end_ms = _milliseconds(times[:4]), _milliseconds(times[4:])
            annotation_id = lines[0].strip() if at == 1 else ""
            if annotation_id.startswith(_INSTANT):
                annotation_id, end_ms = annotation_id.removeprefix(_INSTANT), start_ms
            cue = "\n".join(lines[at + 1 :])
            voice = _VOICE.fullmatch(cue)
            track = _plain(voice[1]) if voice else context.track
            label = _plain(voice[2] if voice else cue)
            if end_ms < start_ms or not label:
                problems.append(
                    f"The cue at {lines[at].strip()} is left out: it has no text or ends before its start."
                )
                continue
            found.append(
                Annotation(
                    id=annotation_id,
                    track=track or context.track,
                    label=label,
                    start_ns=context.start_ns + start_ms * NS_PER_MS,
                    end_ns=context.start_ns + end_ms * NS_PER_MS,
                    author=context.author,
                )
            )
        return LabelFile(
            annotations=found,
            problems=problems,
            carried=frozenset({"id", "track", "label", "start_ns", "end_ns"}),
            precision_ns=NS_PER_MS,
        )


def _escaped(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return " ".join(text.split())


def _plain(text: str) -> str:
    return " ".join(unescape(_TAG.sub("", text)).split())


def _clock(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{rest:03d}"


def _milliseconds(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds, rest = (int(part or 0) for part in parts)
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
