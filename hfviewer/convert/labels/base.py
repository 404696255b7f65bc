"""What a format of labels is, and what all of them share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.annotation import Annotation, AnnotationSet, Schema
from hfviewer.core.errors import ConversionError
from hfviewer.core.recording import Recording
from hfviewer.core.stream import StreamKind
from hfviewer.core.text import counted

MOST_BYTES = 256 << 20
ALL_FIELDS = frozenset(field.name for field in fields(Annotation))
NS_PER_MS = 1_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelContext:
    """The recording that labels belong to.

    Args:
        name: of its file.
        start_ns: its first instant; times of formats without a clock count from there.
        stop_ns: its end.
        tables: timestamps of every stream, by name.
        anchor: the stream whose frames are meant where a label names none; empty: there is none.
        track: for labels of formats that know no tracks.
        author: for labels of formats that know no authors.
        episode: number from 0, of formats that know episodes.
    """

    name: str
    start_ns: int
    stop_ns: int
    tables: Mapping[str, NDArray[np.int64]]
    anchor: str = ""
    track: str = "labels"
    author: str = ""
    episode: int = 0

    def frame_at(self, stream: str, at_ns: int) -> int | None:
        """Index of the frame of a stream that is on screen at a time; its first before that."""
        table = self.tables.get(stream)
        if table is None or len(table) == 0:
            return None
        return timing.index_at(table, at_ns) or 0

    def anchored(self, annotation: Annotation) -> Annotation:
        """The same with the frames on screen at its edges, where it names none."""
        stream = annotation.stream or self.anchor
        if annotation.first_frame is not None or stream not in self.tables:
            return annotation
        return replace(
            annotation,
            stream=stream,
            first_frame=self.frame_at(stream, annotation.start_ns),
            last_frame=self.frame_at(stream, annotation.end_ns),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelFile:
    """What a file of labels holds.

    Args:
        annotations: ids empty where the file has none.
        schema: where the file carries one.
        problems: a sentence for everything that was left out.
        carried: which fields of an annotation the file can tell.
        precision_ns: how exact its times are.
    """

    annotations: list[Annotation]
    schema: Schema | None = None
    problems: list[str] = field(default_factory=list)
    carried: frozenset[str] = ALL_FIELDS
    precision_ns: int = 1


class LabelFormat(Protocol):
    """One format."""

    name: str
    suffixes: tuple[str, ...]

    def encode(self, annotations: AnnotationSet, context: LabelContext) -> tuple[bytes, list[str]]:
        """A file's content, and a sentence for each thing that it cannot carry."""

    def decode(self, data: bytes, context: LabelContext) -> LabelFile:
        """What a file holds.

        Raises:
            ConversionError: it is no such file.
        """


def context_of(
    recording: Recording,
    *,
    anchor: str | None = None,
    track: str = "labels",
    author: str = "",
    episode: int = 0,
) -> LabelContext:
    """What a format must know of a recording."""
    span = recording.description.span
    return LabelContext(
        name=recording.description.path,
        start_ns=0 if span is None else span.start_ns,
        stop_ns=0 if span is None else span.stop_ns,
        tables={
            name: stream.timestamps_ns
            for name, stream in recording.streams.items()
            if stream.description.kind is not StreamKind.ANNOTATION
        },
        anchor=default_anchor(recording) if anchor is None else recording.stream(anchor).description.name,
        track=track,
        author=author,
        episode=episode,
    )


def default_anchor(recording: Recording) -> str:
    """The stream whose frames labels are set on unless another is named: the first camera, else the first."""
    filled = [
        s.description
        for s in recording.streams.values()
        if len(s) and s.description.kind is not StreamKind.ANNOTATION
    ]
    pictures = [d for d in filled if d.kind is StreamKind.IMAGE]
    return next((d.name for d in (*pictures, *filled)), "")


def text_of(data: bytes, what: str) -> str:
    """UTF-8 text, with or without a mark at its beginning.

    Raises:
        ConversionError: it is not text.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConversionError(f"This is not {what}: it is not UTF-8 text.") from error


_USUAL: dict[str, Callable[[Annotation], bool]] = {
    "notes": lambda a: bool(a.note),
    "attributes": lambda a: bool(a.attributes),
    "authors": lambda a: bool(a.author),
    "status": lambda a: a.status != "draft",
    "frame numbers": lambda a: a.first_frame is not None,
    "ids": lambda a: bool(a.id),
}


def lost(
    annotations: Iterable[Annotation],
    *usual: str,
    others: Mapping[str, Callable[[Annotation], bool]] | None = None,
) -> list[str]:
    """A sentence for each kind of thing that a format leaves out, where there is any.

    Args:
        annotations: all of them.
        usual: keys of the usual things: notes, attributes, authors, status, frame numbers, ids.
        others: further things, and whether an annotation has one.
    """
    everything = list(annotations)
    sentences: list[str] = []
    for name, has in {**(others or {}), **{name: _USUAL[name] for name in usual}}.items():
        count = sum(map(has, everything))
        if count:
            of = counted(count, "label")
            sentences.append(f"Not carried: {name} ({of}).")
    return sentences


def not_whole(unit_ns: int, start_ns: int) -> Callable[[Annotation], bool]:
    """Whether edges lie between two whole units after a start."""
    return lambda a: bool((a.start_ns - start_ns) % unit_ns or (a.end_ns - start_ns) % unit_ns)


def rounded(offset_ns: int, unit_ns: int) -> int:
    """Nanoseconds in whole units, half up."""
    return (2 * offset_ns + unit_ns) // (2 * unit_ns)
