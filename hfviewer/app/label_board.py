"""Brings the labels to the timeline and the status bar, and what is done there back into them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from hfviewer.app.label_comparison import Comparison, most_busy
from hfviewer.core import edits
from hfviewer.core.edits import Edge
from hfviewer.core.finding import Finding
from hfviewer.core.text import counted
from hfviewer.model.annotations import Annotations
from hfviewer.model.label_actions import LabelActions
from hfviewer.model.label_condition import LabelCondition, Safety
from hfviewer.model.label_edges import LabelEdges
from hfviewer.model.tagging import Tagger
from hfviewer.panels.drawing import one_line
from hfviewer.panels.timeline.span_paint import GhostSpan
from hfviewer.panels.timeline.track_row import TrackRow
from hfviewer.panels.timeline.tracks import LabelTrack

if TYPE_CHECKING:
    from hfviewer.app.main_window import MainWindow

_SAFE = (Safety.SAVED, Safety.CLOSED, Safety.LOADING, Safety.EARLIER)


class LabelBoard(QObject):
    """The rows of the timeline that hold labels, and the line that says how safe they are.

    Args:
        window: whose timeline and status bar they are.
        annotations: to show.
        tagger: makes new ones.
    """

    menu_wanted = Signal(str)  # of the track of that name

    def __init__(self, window: MainWindow, annotations: Annotations, tagger: Tagger) -> None:
        super().__init__(window)
        self._window, self._annotations, self._tagger = window, annotations, tagger
        self._actions = LabelActions(annotations, window.workspace, tagger)
        self._edges = LabelEdges(window.workspace)
        self._rows: dict[str, LabelTrack] = {}
        self._comparison: Comparison | None = None
        self._loading = False
        annotations.changed.connect(self._on_changed)
        annotations.selection_changed.connect(self._on_selected)
        annotations.condition_changed.connect(self._on_condition)
        annotations.refused.connect(self._say)
        annotations.recovered.connect(self._on_recovered)
        annotations.findings_found.connect(self._on_findings)
        tagger.ghosts_changed.connect(self._on_ghosts)
        tagger.track_changed.connect(self._on_track_changed)
        tagger.track_changed.connect(lambda _name: self._show_track())
        tagger.told.connect(self._say)
        window.workspace.playhead.moved.connect(self._on_moved)
        window.findings.label_wanted.connect(self._label_finding)
        panel = window.label_list
        panel.chosen.connect(self._on_opened)
        panel.digit_pressed.connect(lambda digit: tagger.press(digit, held=False))
        panel.note_entered.connect(self._actions.set_note)
        panel.attributes_entered.connect(self._actions.set_attributes)
        panel.left.connect(window.setFocus)

    @property
    def actions(self) -> LabelActions:
        """What can be done with labels."""
        return self._actions

    @property
    def rows(self) -> Mapping[str, LabelTrack]:
        """Rows of the timeline by the name of their track."""
        return self._rows

    def toggle_comparison(self) -> None:
        """Two people's labels of the present track one above the other, or everybody's together again."""
        if self._comparison is not None:
            self._comparison = None
        else:
            state, track = self._annotations.state, self._tagger.track
            authors = most_busy(state.on_track(track))
            if len(authors) < 2:
                self._say(f"only {len(authors)} author on {track}: there is nobody to compare with")
                return
            self._comparison = Comparison(track, (authors[0], authors[1]), self._window.theme, self)
            for row in self._comparison.rows:
                row.clicked.connect(self._on_clicked)
                row.opened.connect(self._on_opened)
        self._set_rows()
        self._window.docks.fit()
        self._on_changed()
        self._on_selected()

    # -- to the screen ---------------------------------------------------------------------------------------

    def _on_changed(self) -> None:
        state = self._annotations.state
        names = list(self._tagger.track_names)
        if self._annotations.condition.safety is Safety.LOADING:
            names = list(
                self._rows
            )  # from episode to episode nothing jumps: their tracks are mostly the same
        waiting = [g.track for g in self._tagger.ghosts.values() if g.track not in names]
        names += dict.fromkeys(waiting)
        if names != list(self._rows):
            self._make_rows(names)
        if self._comparison is not None:
            span = self._window.workspace.playhead.span
            self._comparison.show(state, span)
        for name, row in self._rows.items():
            row.set_labels(state.on_track(name), self._tagger.schema)
            row.set_locked(not self._annotations.condition.editable)
        self._window.label_list.chips.set_schema(self._tagger.schema)
        self._on_track_changed()
        self._on_selected()
        self._window.timeline.canvas.refresh_tracks()
        for digit in "123456789":
            # The menu says what each digit sets; the actions are made after this.
            action = getattr(self._window, "actions_by_name", {}).get(f"label_{digit}")
            if action is not None:
                action.setText(f"Label {one_line(self._tagger.label_of(digit))}".replace("&", "&&"))

    def _make_rows(self, names: list[str]) -> None:
        kept = len(self._rows)
        before, self._rows = self._rows, {}
        for name in names:
            self._rows[name] = before.pop(name) if name in before else self._make_row(name)
        for row in before.values():
            row.deleteLater()
        if self._comparison is not None and self._comparison.track not in names:
            self._comparison = None
        self._set_rows()
        if len(names) > kept and not self._loading:
            self._window.docks.fit()

    def _set_rows(self) -> None:
        rows: list[TrackRow] = list(self._rows.values())
        if self._comparison is not None:
            at = list(self._rows).index(self._comparison.track)
            rows[at : at + 1] = [*self._comparison.rows, self._comparison.between]
        self._window.timeline.canvas.set_tracks(rows)

    def _make_row(self, name: str) -> LabelTrack:
        row = LabelTrack(name, self._window.theme, self)
        row.clicked.connect(self._on_clicked)
        row.edge_dragged.connect(self._window.workspace.playhead.jump_to)
        row.retimed.connect(self._on_retimed)
        row.drawn.connect(self._on_drawn)
        row.opened.connect(self._on_opened)
        row.name_clicked.connect(self._tagger.set_track)
        row.menu_wanted.connect(self.menu_wanted)
        row.wants_repaint.connect(self._window.timeline.canvas.update)
        return row

    def _on_selected(self) -> None:
        selected = self._annotations.selected
        compared = () if self._comparison is None else self._comparison.rows
        for row in (*self._rows.values(), *compared):
            row.set_selected(selected)
        self._window.timeline.canvas.update()

    def _on_track_changed(self, _name: str = "") -> None:
        self.show_mode()
        for name, row in self._rows.items():
            row.set_active(name == self._tagger.track)
        self._window.timeline.canvas.update()

    def _show_track(self) -> None:
        """Bring the track into sight that keys write to."""
        shown = list(self._window.timeline.canvas.tracks)
        row = self._rows.get(self._tagger.track)
        if row in shown:
            self._window.timeline.canvas.show_track(shown.index(row))

    def show_mode(self) -> None:
        """Say in the list of labels where keys write to, how, and for whom."""
        tagger = self._tagger
        how = "tap to start and end" if tagger.tap_mode else "hold"
        reaction = f"{tagger.reaction_ns // 1_000_000:+d} ms".replace("-", "−")
        by = f" · by {one_line(tagger.author)}" if tagger.author else ""
        self._window.label_list.set_mode(one_line(tagger.track), f"{how} · reaction {reaction}{by}")

    def _on_ghosts(self) -> None:
        if any(ghost.track not in self._rows for ghost in self._tagger.ghosts.values()):
            self._on_changed()
        self._grow_ghosts()

    def _on_moved(self, _position_ns: int) -> None:
        if self._tagger.ghosts:
            self._grow_ghosts()

    def _grow_ghosts(self) -> None:
        end_ns = self._window.workspace.playhead.position_ns
        for name, row in self._rows.items():
            row.set_ghosts(
                tuple(
                    GhostSpan(g.label, g.hotkey, g.start.at_ns, end_ns)
                    for g in self._tagger.ghosts.values()
                    if g.track == name
                )
            )
        held = list(self._tagger.ghosts.values())
        self._window.label_list.chips.set_held(frozenset(self._tagger.ghosts))
        if held:
            words = " · ".join(f"{g.hotkey} {g.label}" for g in held)
            how = "release to end" if held[0].held else f"{held[0].hotkey} again to end"
            self._window.timeline.header.set_message(f"Labelling {words} · {how} · Esc cancels")
        else:
            self._window.timeline.header.set_message("")
        self._window.timeline.canvas.update()

    def _on_condition(self, condition: LabelCondition) -> None:
        if self._loading and condition.safety is not Safety.LOADING:
            schema = self._annotations.state.schema
            # Where nobody labels, the list takes no room; once it is there, it stays in this window.
            if schema.labels or len(self._annotations.state):
                self._window.docks.show_labels(True)
        self._loading = condition.safety is Safety.LOADING
        self._window.status.set_saved(condition.safety in _SAFE, condition.text())
        for row in self._rows.values():
            row.set_locked(not condition.editable)

    def _on_findings(self, findings: list[Finding]) -> None:
        self._window.workspace.add_findings(findings)

    def _on_recovered(self, count: int) -> None:
        edits_text = counted(count, "edit")
        self._say(f"{edits_text} of labels from a session that ended badly were taken up again")

    def _say(self, text: str) -> None:
        self._window.status.set_message(text)

    # -- back from it ----------------------------------------------------------------------------------------

    def _on_clicked(self, annotation_id: str, several: bool) -> None:
        before = [a.id for a in self._annotations.selected] if several else []
        if annotation_id in before:
            self._annotations.select(i for i in before if i != annotation_id)
        else:
            self._annotations.select([*before, annotation_id] if annotation_id else before)
        found = self._annotations.state.get(annotation_id)
        if found is not None:
            self._tagger.set_track(found.track)

    def _on_retimed(self, annotation_id: str, start: Edge, end: Edge) -> None:
        annotation = self._annotations.state.get(annotation_id)
        if annotation is None:
            return
        moved = start.at_ns != annotation.start_ns and end.at_ns != annotation.end_ns
        if moved and self._window.workspace.snapping:
            start, end = self._edges.shifted(annotation, start.at_ns)
        else:
            start, end = (self._edges.on(annotation.stream, edge.at_ns) for edge in (start, end))
        self._annotations.do(
            lambda state: edits.retime(state, annotation_id, start, end, now_ns=time.time_ns())
        )

    def _on_drawn(self, track: str, start: Edge, end: Edge) -> None:
        start, end = (self._edges.here(edge.at_ns) for edge in (start, end))
        self._tagger.add(self._tagger.last_label or self._tagger.label_of("1"), start, end, track)

    def _on_opened(self, annotation_id: str) -> None:
        annotation = self._annotations.state.get(annotation_id)
        if annotation is not None:
            self._actions.go_to(annotation)
            self._window.timeline.show_time(annotation.start_ns)

    def _label_finding(self, finding: Finding) -> None:
        if finding.start_ns is None:
            return
        end_ns = finding.start_ns if finding.end_ns is None else finding.end_ns
        start, end = self._edges.here(finding.start_ns), self._edges.here(end_ns)
        self._tagger.add(finding.code.replace("_", " "), start, end, "findings")
