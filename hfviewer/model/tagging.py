"""Labelling from the keyboard: what a digit that is held, tapped or pressed over a range comes to."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from hfviewer.core import edits
from hfviewer.core.annotation import Annotation, AnnotationSet, Schema, new_id
from hfviewer.core.edits import Edge, Edit
from hfviewer.model.annotations import Annotations
from hfviewer.model.label_edges import LabelEdges
from hfviewer.model.workspace import Workspace

REACTION_NS = -200_000_000
"""People press a key so much later than they see; the offset puts the start back to where it belongs."""
DEFAULT_TRACK = "labels"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ghost:
    """A label that is being made.

    Args:
        hotkey: that makes it.
        label: its name.
        track: that it will be on.
        start: where it begins.
        held: True while the key is down; False after a tap, until the next one.
    """

    hotkey: str
    label: str
    track: str
    start: Edge
    held: bool


class Tagger(QObject):
    """Turns keys into edits of the labels.

    - While playing, a digit that is held labels from then (less the reaction time) until it is released.
    - With `tap_mode`, or while paused, a digit begins a label and the same digit ends it.
    - While paused, over an in/out range a digit labels that range; with labels selected it relabels them.

    Args:
        annotations: to edit.
        workspace: the playhead, and the stream whose frames edges are set on.
        parent: as in Qt.
    """

    ghosts_changed = Signal()
    track_changed = Signal(str)
    told = Signal(str)  # what was done, in a few words

    def __init__(self, annotations: Annotations, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._annotations, self._workspace = annotations, workspace
        self.reaction_ns = REACTION_NS
        self.tap_mode = False
        self.author = ""
        self._track = ""
        self._last_label = ""
        self._ghosts: dict[str, Ghost] = {}
        self._edges = LabelEdges(workspace)
        self._carried = Schema()
        self._folder: object = None
        workspace.recording_changed.connect(self._on_recording_changed)

    # -- what there is ---------------------------------------------------------------------------------------

    @property
    def ghosts(self) -> Mapping[str, Ghost]:
        """Labels that are being made, by their digit."""
        return self._ghosts

    @property
    def schema(self) -> Schema:
        """Tracks and labels in force: the recording's; where it has none, of the episode before it."""
        state = self._annotations.state
        is_blank = not (state.schema.tracks or state.schema.labels or len(state))
        return self._carried if is_blank else state.schema

    @property
    def track_names(self) -> tuple[str, ...]:
        """All tracks, those of the episode before included where this one has none."""
        return self._annotations.state.track_names or tuple(track.name for track in self.schema.tracks)

    @property
    def track(self) -> str:
        """Where keys put labels."""
        names = self.track_names
        if self._track and (self._track in names or not names):
            return self._track
        return names[0] if names else DEFAULT_TRACK

    def set_track(self, name: str) -> None:
        if name != self._track:
            self._track = name
            self.track_changed.emit(name)

    def step_track(self, step: int) -> None:
        """The next track, or the one before."""
        names = self.track_names
        if names:
            at = names.index(self.track) if self.track in names else 0
            self.set_track(names[(at + step) % len(names)])

    def label_of(self, hotkey: str) -> str:
        """The label of a digit; one that has none yet gets one of its own name."""
        found = next((label for label in self.schema.labels if label.hotkey == hotkey), None)
        return f"label {hotkey}" if found is None else found.name

    # -- digits ----------------------------------------------------------------------------------------------

    def press(self, hotkey: str, *, held: bool = True) -> None:
        """A digit went down.

        Args:
            hotkey: ``1`` to ``9``.
            held: False where no key is down that could come up again: a menu, or a click.
        """
        if self._workspace.recording is None:
            return
        playhead = self._workspace.playhead
        ghost = self._ghosts.pop(hotkey, None)
        if ghost is not None:
            self._finish(ghost)
            return
        if playhead.playing:
            self._begin(hotkey, held=held and not self.tap_mode)
        elif playhead.in_ns is not None and playhead.out_ns is not None:
            start, end = self._edges.edge_at(playhead.in_ns), self._edges.edge_at(playhead.out_ns)
            self.add(self.label_of(hotkey), start, end, self.track)
        elif self._annotations.selected:
            ids = [a.id for a in self._annotations.selected]
            label = self.label_of(hotkey)
            self._annotations.do(lambda state: edits.relabel(state, ids, label, now_ns=time.time_ns()))
        else:
            self._begin(hotkey, held=False)

    def release(self, hotkey: str) -> None:
        """A digit came up."""
        ghost = self._ghosts.get(hotkey)
        if ghost is not None and ghost.held:
            del self._ghosts[hotkey]
            self._finish(ghost)

    def release_all(self) -> None:
        """The window lost the keyboard: what is held ends now."""
        for hotkey in [key for key, ghost in self._ghosts.items() if ghost.held]:
            self.release(hotkey)

    def cancel(self) -> bool:
        """Forget the labels that are being made; False where there are none."""
        if not self._ghosts:
            return False
        self._ghosts.clear()
        self.ghosts_changed.emit()
        self.told.emit("cancelled")
        return True

    def mark(self) -> None:
        """A marker at the playhead, of the label that was used last."""
        edge = self._edges.edge_at(self._workspace.playhead.position_ns)
        self.add(self._last_label or "marker", edge, edge, self.track)

    def finish_all(self) -> bool:
        """End every label that is being made; False where there are none."""
        ghosts = list(self._ghosts.values())
        self._ghosts.clear()
        for ghost in ghosts:
            self._finish(ghost)
        return bool(ghosts)

    @property
    def last_label(self) -> str:
        """The label that was used last; empty before the first."""
        return self._last_label

    # -- inside ----------------------------------------------------------------------------------------------

    def _begin(self, hotkey: str, *, held: bool) -> None:
        playhead = self._workspace.playhead
        at_ns = playhead.position_ns
        if playhead.playing:
            # In the recording's time: at twice the speed a hand is twice as late.
            at_ns += round(self.reaction_ns * playhead.speed)
        label = self.label_of(hotkey)
        ghost = Ghost(
            hotkey=hotkey,
            label=label,
            track=self.track,
            start=self._edges.edge_at(playhead.span.clamp(at_ns)),
            held=held,
        )
        self._ghosts[hotkey] = ghost
        self.ghosts_changed.emit()
        self.told.emit("")

    def _finish(self, ghost: Ghost) -> None:
        end = self._edges.edge_at(self._workspace.playhead.position_ns)
        first, last = sorted((ghost.start, end), key=lambda edge: edge.at_ns)
        self.ghosts_changed.emit()
        self.add(ghost.label, first, last, ghost.track)

    def add(self, label: str, start: Edge, end: Edge, track: str) -> Edit | None:
        """A new label between two edges."""
        made = self.made(label, start, end, track)
        hotkey = next((k for k in "123456789" if self.label_of(k) == label), "")
        edit = self._annotations.do(lambda state: _with_key(self.adding(state, [made]), state, made, hotkey))
        if edit is not None:
            self._last_label = label
        return edit

    def adding(self, state: AnnotationSet, annotations: Sequence[Annotation]) -> Edit:
        """The edit that adds labels; the first of a recording bring the tracks and labels in force along.

        Raises:
            UsageError: as `edits.add`.
        """
        schema = self.schema
        if schema is state.schema:
            return edits.add(state, annotations)
        edit = edits.add(AnnotationSet(schema), annotations)
        return replace(edit, schema_before=state.schema, schema_after=edit.schema_after or schema)

    def made(self, label: str, start: Edge, end: Edge, track: str) -> Annotation:
        """A new label, not added yet."""
        anchor = self._edges.anchor()
        now_ns = time.time_ns()
        return Annotation(
            id=new_id(),
            track=track,
            label=label,
            start_ns=start.at_ns,
            end_ns=end.at_ns,
            stream="" if anchor is None or start.frame is None else anchor[0],
            first_frame=start.frame,
            last_frame=end.frame,
            author=self.author,
            created_ns=now_ns,
            modified_ns=now_ns,
        )

    def _on_recording_changed(self) -> None:
        # The labels are still those of the recording before.
        folder = self._workspace.collection
        self._carried = self.schema if folder is self._folder and folder is not None else Schema()
        self._folder = folder
        self._ghosts.clear()
        self.ghosts_changed.emit()


def _with_key(edit: Edit, state: AnnotationSet, annotation: Annotation, hotkey: str) -> Edit:
    """An edit that adds a label; where that is new to the schema, with the digit that made it."""
    schema = edit.schema_after
    if schema is None or not hotkey or state.schema.label(annotation.label) is not None:
        return edit
    if any(label.hotkey == hotkey and label.name != annotation.label for label in schema.labels):
        return edit
    labels = tuple(
        replace(label, hotkey=hotkey) if label.name == annotation.label else label for label in schema.labels
    )
    return replace(edit, schema_after=replace(schema, labels=labels))
