"""What can be done with labels that are there: nudge, split, merge, copy, go from one to the next."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hfviewer.core import edits, timing
from hfviewer.core.annotation import Annotation, Status, new_id
from hfviewer.core.edits import Edge
from hfviewer.model.annotations import Annotations
from hfviewer.model.label_edges import LabelEdges
from hfviewer.model.tagging import Tagger
from hfviewer.model.workspace import Workspace

_AROUND_NS = 1_000_000_000  # of an instant, so much on either side is played
_NEXT_STATUS: dict[str, Status] = {
    "draft": Status.DONE,
    "done": Status.REVIEWED,
    "reviewed": Status.REJECTED,
}


class LabelActions:
    """Edits of the selected labels, else of the one under the playhead on the present track.

    Args:
        annotations: to edit.
        workspace: the playhead.
        tagger: the present track, and how new labels are made.
    """

    def __init__(self, annotations: Annotations, workspace: Workspace, tagger: Tagger) -> None:
        self._annotations, self._workspace, self._tagger = annotations, workspace, tagger
        self._edges = LabelEdges(workspace)
        self._copied: tuple[Annotation, ...] = ()

    def here(self) -> Annotation | None:
        """The selected label, else the one under the playhead on the present track."""
        selected = self._annotations.selected
        if selected:
            return selected[0]
        position_ns = self._workspace.playhead.position_ns
        on_track = self._annotations.state.on_track(self._tagger.track)
        found = [a for a in on_track if a.start_ns <= position_ns <= a.end_ns]
        return min(found, key=lambda a: a.end_ns - a.start_ns) if found else None

    def nudge(self, frames: int, *, start: bool = True, end: bool = True) -> None:
        """Move the edges of the selected labels by frames of their own anchor."""
        here = self.here()
        edges: dict[str, tuple[Edge, Edge]] = {}
        for annotation in self._annotations.selected or (() if here is None else (here,)):
            table = self._edges.table_of(annotation)
            if table is None:
                continue
            first = self._edges.frame_of(annotation.first_frame, annotation.start_ns, table)
            last = self._edges.frame_of(annotation.last_frame, annotation.end_ns, table)
            from_edge = self._edges.edge_of(first + frames * start, table)
            to_edge = self._edges.edge_of(last + frames * end, table)
            if from_edge.at_ns <= to_edge.at_ns:
                edges[annotation.id] = from_edge, to_edge
        # One edit for all: one step to undo, and thousands of labels move at once.
        if not edges:
            return
        moved = self._annotations.do(lambda state: edits.retime_all(state, edges, now_ns=time.time_ns()))
        if moved is not None:
            from_edge, to_edge = next(reversed(edges.values()))
            self._workspace.playhead.jump_to(to_edge.at_ns if end and not start else from_edge.at_ns)

    def split(self) -> None:
        """Cut the label under the playhead in two: the frame on screen begins the right part."""
        annotation = self.here()
        table = None if annotation is None else self._edges.table_of(annotation)
        if annotation is None or table is None:
            self._annotations.refused.emit("no label at the playhead to split")
            return
        index = timing.index_at(table, self._workspace.playhead.position_ns) or 0
        left, right = self._edges.edge_of(index - 1, table), self._edges.edge_of(index, table)
        fresh = new_id()
        self._annotations.do(
            lambda state: edits.split(state, annotation.id, left, right, fresh, now_ns=time.time_ns())
        )

    def merge(self) -> None:
        """Make one of the selected labels; of a single one, it and the next of its name."""
        ids = [a.id for a in self._annotations.selected]
        if len(ids) < 2:
            first = self.here()
            if first is None:
                self._annotations.refused.emit("select labels to merge")
                return
            later = [
                a
                for a in self._annotations.state.on_track(first.track)
                if a.label == first.label and a.order > first.order
            ]
            ids = [first.id, *(a.id for a in later[:1])]
        self._annotations.do(lambda state: edits.merge(state, ids, now_ns=time.time_ns()))

    def label_gap(self) -> None:
        """Label what lies between the labels before and after the playhead, as the one used last."""
        anchor = self._edges.anchor()
        if anchor is None:
            return
        position_ns, table = self._workspace.playhead.position_ns, anchor[1]
        on_track = self._annotations.state.on_track(self._tagger.track)
        if any(a.start_ns <= position_ns <= a.end_ns for a in on_track):
            self._annotations.refused.emit("there is no gap at the playhead")
            return
        before_ns = max((a.end_ns for a in on_track if a.end_ns < position_ns), default=None)
        after_ns = min((a.start_ns for a in on_track if a.start_ns > position_ns), default=None)
        first = 0 if before_ns is None else int(table.searchsorted(before_ns, "right"))
        stop = len(table) if after_ns is None else int(table.searchsorted(after_ns, "left"))
        if first < stop:
            label = self._tagger.last_label or self._tagger.label_of("1")
            self._tagger.add(
                label,
                self._edges.edge_of(first, table),
                self._edges.edge_of(stop - 1, table),
                self._tagger.track,
            )

    def remove(self) -> None:
        """Remove what is selected, else what is under the playhead."""
        ids = [a.id for a in self._annotations.selected] or [a.id for a in [self.here()] if a is not None]
        if ids and self._annotations.do(lambda state: edits.remove(state, ids)) is not None:
            self._annotations.select(())

    def next_status(self) -> None:
        """Draft, done, reviewed, rejected, and round again."""
        found = self._annotations.selected or tuple(a for a in [self.here()] if a is not None)
        if not found:
            return
        status = _NEXT_STATUS.get(found[0].status, Status.DRAFT)
        ids = [a.id for a in found]
        self._annotations.do(
            lambda state: edits.change_attributes(state, ids, now_ns=time.time_ns(), status=str(status))
        )
        self._tagger.told.emit(f"{found[0].label}: {status}")

    def set_note(self, note: str) -> None:
        """Write the note of what is selected, else of what is under the playhead."""
        annotation = self.here()
        if annotation is not None and note != annotation.note:
            self._annotations.do(
                lambda state: edits.change_attributes(
                    state, [annotation.id], now_ns=time.time_ns(), note=note
                )
            )

    def set_attributes(self, values: Mapping[str, Any]) -> None:
        """Set answers on what is selected; None takes one away."""
        annotation = self.here()
        if annotation is not None:
            ids, now_ns = [annotation.id], time.time_ns()
            self._annotations.do(
                lambda state: edits.change_attributes(state, ids, now_ns=now_ns, attributes=values)
            )

    # -- going about -----------------------------------------------------------------------------------------

    def cycle(self, step: int) -> Annotation | None:
        """Select the next label of the track, or the one before, and go to its start."""
        return self._go_to_one(self._annotations.state.on_track(self._tagger.track), step)

    def next_unreviewed(self) -> Annotation | None:
        """Select the next label, on any track, that nobody has reviewed or rejected."""
        waiting = [
            a
            for a in self._annotations.state.in_order()
            if a.status not in (Status.REVIEWED, Status.REJECTED)
        ]
        found = self._go_to_one(waiting, 1)
        if found is not None:
            self._tagger.set_track(found.track)
        else:
            self._tagger.told.emit("everything is reviewed")
        return found

    def go_to(self, annotation: Annotation) -> None:
        """Select a label and show its first frame."""
        self._annotations.select([annotation.id])
        self._workspace.playhead.set_playing(False)
        self._workspace.playhead.jump_to(annotation.start_ns, remember=True)

    def play_selection(self) -> None:
        """Play what is selected, round and round; an instant with a second on either side."""
        found = self._annotations.selected or tuple(a for a in [self.here()] if a is not None)
        if not found:
            return
        playhead = self._workspace.playhead
        start_ns, end_ns = min(a.start_ns for a in found), max(a.end_ns for a in found)
        if start_ns == end_ns:
            start_ns, end_ns = (playhead.span.clamp(start_ns + by) for by in (-_AROUND_NS, _AROUND_NS))
        playhead.set_range(start_ns, end_ns)
        playhead.set_loop(True)
        playhead.jump_to(start_ns)
        playhead.set_playing(True)

    # -- copies ----------------------------------------------------------------------------------------------

    def copy(self) -> None:
        """Keep what is selected for pasting, into another recording, too."""
        self._copied = tuple(sorted(self._annotations.selected, key=lambda a: a.order))
        if self._copied:
            self._tagger.told.emit(
                "1 label copied" if len(self._copied) == 1 else f"{len(self._copied)} labels copied"
            )

    def paste(self) -> None:
        """Put the copies where the playhead is, edges on frames of the anchor."""
        if not self._copied:
            self._annotations.refused.emit("nothing was copied")
            return
        shift_ns = self._workspace.playhead.position_ns - self._copied[0].start_ns
        fresh = []
        for a in self._copied:
            start, end = (self._edges.edge_at(at_ns + shift_ns) for at_ns in (a.start_ns, a.end_ns))
            made = self._tagger.made(a.label, start, end, a.track)
            fresh.append(replace(made, note=a.note, attributes=a.attributes))
        if self._annotations.do(lambda state: self._tagger.adding(state, fresh)) is not None:
            self._annotations.select([a.id for a in fresh])

    def _go_to_one(self, among: Sequence[Annotation], step: int) -> Annotation | None:
        if not among:
            return None
        selected = {a.id for a in self._annotations.selected}
        at = next((i for i, a in enumerate(among) if a.id in selected), None)
        if at is None:
            position_ns = self._workspace.playhead.position_ns
            later = next((i for i, a in enumerate(among) if a.start_ns >= position_ns), len(among))
            at = later - 1 if step > 0 else later
        found = among[(at + step) % len(among)]
        self.go_to(found)
        return found
