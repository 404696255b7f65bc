"""Edges of labels: which frame of which stream they are set on, so that they stay on it for ever."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.annotation import Annotation
from hfviewer.core.edits import Edge
from hfviewer.core.stream import StreamKind
from hfviewer.model.workspace import Workspace


class LabelEdges:
    """Sets edges on frames of the focused stream.

    Args:
        workspace: what is open, and which stream is in focus.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def anchor(self) -> tuple[str, NDArray[np.int64]] | None:
        """The stream whose frames edges are set on, and its table: the focused one, else the first of all.

        Streams without frames are passed over.
        """
        recording, focused = self._workspace.recording, self._workspace.focused
        if recording is None:
            return None
        streams = {
            n: s
            for n, s in recording.streams.items()
            if s.description.kind is not StreamKind.ANNOTATION and len(s)
        }
        if focused in streams:
            return focused, streams[focused].timestamps_ns
        first = next(iter(streams), None)
        return None if first is None else (first, streams[first].timestamps_ns)

    def edge_at(self, at_ns: int) -> Edge:
        """The frame of the anchor that is on screen at a time; its first before that."""
        anchor = self.anchor()
        if anchor is None:
            return Edge(at_ns)
        index = timing.index_at(anchor[1], at_ns) or 0
        return Edge(int(anchor[1][index]), index)

    def here(self, at_ns: int) -> Edge:
        """A time as it is, with the frame of the anchor on screen then."""
        anchor = self.anchor()
        return Edge(at_ns) if anchor is None else self.on(anchor[0], at_ns)

    def on(self, stream: str, at_ns: int) -> Edge:
        """The same with the frame of another stream; without one where there is none."""
        recording = self._workspace.recording
        found = None if recording is None else recording.streams.get(stream)
        if found is None or not len(found):
            return Edge(at_ns)
        return Edge(at_ns, timing.index_at(found.timestamps_ns, at_ns) or 0)

    def edge_of(self, index: int, table: NDArray[np.int64]) -> Edge:
        """A frame by its index, kept inside the table."""
        index = max(0, min(index, len(table) - 1))
        return Edge(int(table[index]), index)

    def shifted(self, annotation: Annotation, start_ns: int) -> tuple[Edge, Edge]:
        """The edges of a label that is moved as a whole: on frames, as many of them as before."""
        table = self.table_of(annotation)
        if table is None:
            return Edge(start_ns), Edge(start_ns + annotation.end_ns - annotation.start_ns)
        first = self.frame_of(annotation.first_frame, annotation.start_ns, table)
        last = self.frame_of(annotation.last_frame, annotation.end_ns, table)
        to = timing.index_nearest(table, start_ns) or 0
        to = min(to, len(table) - 1 - (last - first))
        return self.edge_of(to, table), self.edge_of(to + last - first, table)

    def table_of(self, annotation: Annotation) -> NDArray[np.int64] | None:
        """The frames that a label's edges were set on, else those of the anchor."""
        recording = self._workspace.recording
        if recording is None:
            return None
        stream = recording.streams.get(annotation.stream)
        if stream is not None and len(stream):
            return stream.timestamps_ns
        anchor = self.anchor()
        return None if anchor is None else anchor[1]

    def frame_of(self, frame: int | None, at_ns: int, table: NDArray[np.int64]) -> int:
        """The frame of an edge: the one that was stored where it is still there, else the one on screen."""
        if frame is not None and frame < len(table) and int(table[frame]) == at_ns:
            return frame
        return timing.index_at(table, at_ns) or 0
