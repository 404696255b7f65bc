"""Audacity's label tracks: ``start TAB end TAB text``, in seconds from the start with six decimals."""

from __future__ import annotations

from hfviewer.convert.labels.base import (
    LabelContext,
    LabelFile,
    lost,
    not_whole,
    rounded,
    text_of,
)
from hfviewer.convert.times import ns_from_decimal
from hfviewer.core.annotation import Annotation, AnnotationSet
from hfviewer.core.errors import ConversionError

_UNIT_NS = 1000
_BETWEEN = ": "


class AudacityLabels:
    """Text and two times; the track is told by ``track: label`` unless all are on that of nameless ones."""

    name = "audacity"
    suffixes: tuple[str, ...] = (".txt",)

    def encode(self, annotations: AnnotationSet, context: LabelContext) -> tuple[bytes, list[str]]:
        # Without a name they would come back on another track, beside those that are there.
        named = any(a.track != context.track or _BETWEEN in a.label for a in annotations)
        lines: list[str] = []
        for a in annotations.in_order():
            times = "\t".join(_seconds(t - context.start_ns) for t in (a.start_ns, a.end_ns))
            text = f"{a.track}{_BETWEEN}{a.label}" if named else a.label
            lines.append(f"{times}\t{' '.join(text.split())}\n")
        fine = {"times finer than a microsecond": not_whole(_UNIT_NS, context.start_ns)}
        told = lost(
            annotations, "notes", "attributes", "authors", "status", "frame numbers", "ids", others=fine
        )
        return "".join(lines).encode(), told

    def decode(self, data: bytes, context: LabelContext) -> LabelFile:
        found: list[Annotation] = []
        problems: list[str] = []
        for number, line in enumerate(text_of(data, "a file of Audacity labels").splitlines(), 1):
            if not line.strip() or line.startswith("\\"):  # the second line of a spectral selection
                continue
            parts = line.split("\t")
            try:
                start_ns, end_ns = (context.start_ns + ns_from_decimal(part) for part in parts[:2])
            except ValueError as error:
                problems.append(f"Line {number} is left out: {error}.")
                continue
            text = " ".join(parts[2:]).strip() or "label"
            track, between, label = text.partition(_BETWEEN)
            if not between or not track.strip() or not label.strip():
                track, label = context.track, text
            found.append(
                Annotation(
                    id="",
                    track=track,
                    label=label,
                    start_ns=min(start_ns, end_ns),
                    end_ns=max(start_ns, end_ns),
                    author=context.author,
                )
            )
        if not found and problems:
            raise ConversionError("This is not a file of Audacity labels.", remedy=problems[0])
        return LabelFile(
            annotations=found,
            problems=problems,
            carried=frozenset({"track", "label", "start_ns", "end_ns"}),
            precision_ns=_UNIT_NS,
        )


def _seconds(offset_ns: int) -> str:
    microseconds = rounded(offset_ns, _UNIT_NS)
    sign = "-" if microseconds < 0 else ""
    return f"{sign}{abs(microseconds) // 1_000_000}.{abs(microseconds) % 1_000_000:06d}"
