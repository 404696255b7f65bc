"""What the keys of the group Timeline do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hfviewer.app.settings import SettingsStore
from hfviewer.core.text import counted
from hfviewer.core.time_format import TimeMode
from hfviewer.panels.timeline.lane_menu import step_height

if TYPE_CHECKING:
    from hfviewer.app.main_window import MainWindow

_ZOOM_STEP = 1.5


class TimelineCommands:
    """One method for each action of `bindings` that changes what the timeline shows, or goes to a gap.

    Args:
        window: whose timeline it is.
        settings: remember how lanes were arranged, how times read and whether they snap.
    """

    def __init__(self, window: MainWindow, settings: SettingsStore) -> None:
        self._window, self._timeline, self._workspace = window, window.timeline, window.workspace
        self._settings, lanes = settings, window.timeline.canvas.arrangement
        lanes.remember(settings.lanes.orders)
        lanes.rearranged.connect(settings.lanes.remember)
        window.workspace.time_display.set_mode(TimeMode(settings.values.time_mode))
        window.workspace.set_snapping(settings.values.snapping)
        window.workspace.time_display.changed.connect(self._on_setting_changed)
        window.workspace.snapping_changed.connect(self._on_setting_changed)

    def zoom_in(self) -> None:
        self._timeline.zoom(_ZOOM_STEP)

    def zoom_out(self) -> None:
        self._timeline.zoom(1 / _ZOOM_STEP)

    def fit_timeline(self) -> None:
        self._timeline.fit()

    def page_forward(self) -> None:
        self._timeline.turn_page(1)

    def page_back(self) -> None:
        self._timeline.turn_page(-1)

    def toggle_snap(self) -> None:
        self._workspace.set_snapping(not self._workspace.snapping)

    def next_time_mode(self) -> None:
        self._workspace.time_display.next_mode()

    def next_gap(self) -> None:
        self.go_to_gap(1)

    def previous_gap(self) -> None:
        self.go_to_gap(-1)

    def go_to_gap(self, direction: int) -> None:
        """The playhead on the last frame before the nearest gap, and the gap framed."""
        if self._workspace.recording is None:
            return
        found = self._timeline.gap_beyond(direction)
        if found is None:
            where = "after" if direction > 0 else "before"
            self._window.status.set_message(f"no gap {where} the playhead in the lanes shown")
            return
        lane, gap = found.lane, found.gap
        self._workspace.focus(lane.name)
        self._workspace.playhead.jump_to(gap.start_ns, remember=True)
        self._timeline.frame(gap.start_ns, gap.end_ns, lane.name)
        frames = counted(gap.lost, "frame")
        count = len(lane.marks.gaps)
        self._window.status.set_message(f"gap {found.number} of {count} in {lane.name}: {frames} lost")

    def move_lane_up(self) -> None:
        self._timeline.canvas.arrangement.move_by(self._workspace.focused, -1)

    def move_lane_down(self) -> None:
        self._timeline.canvas.arrangement.move_by(self._workspace.focused, 1)

    def hide_lane(self) -> None:
        if self._workspace.focused is not None:
            self._timeline.canvas.arrangement.set_hidden(self._workspace.focused, True)

    def show_all_lanes(self) -> None:
        self._timeline.canvas.arrangement.show_all()

    def group_lanes(self) -> None:
        lanes = self._timeline.canvas.arrangement
        lanes.set_by_kind(not lanes.order.by_kind)

    def higher_lanes(self) -> None:
        step_height(self._timeline.canvas, 1)

    def lower_lanes(self) -> None:
        step_height(self._timeline.canvas, -1)

    def _on_setting_changed(self, _new: object) -> None:
        values, workspace = self._settings.values, self._workspace
        found = (workspace.time_display.mode.value, workspace.snapping)
        if found != (values.time_mode, values.snapping):
            values.time_mode, values.snapping = workspace.time_display.mode.value, workspace.snapping
            self._settings.save()
