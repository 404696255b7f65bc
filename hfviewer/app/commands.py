"""What the keys of the groups Playback and Go do."""

from __future__ import annotations

from hfviewer.model.workspace import Workspace
from hfviewer.playback.player import Player

_SECOND_NS = 1_000_000_000


class PlaybackCommands:
    """One method for each action of `bindings` that moves the playhead or changes how it moves.

    Args:
        workspace: what is open.
        player: steps by the focused stream's own table.
    """

    def __init__(self, workspace: Workspace, player: Player) -> None:
        self._workspace, self._playhead, self._player = workspace, workspace.playhead, player

    def toggle_play(self) -> None:
        if self._workspace.recording is not None:
            self._playhead.set_playing(not self._playhead.playing)

    def next_frame(self) -> None:
        self._player.step(1)

    def previous_frame(self) -> None:
        self._player.step(-1)

    def forward_second(self) -> None:
        self._jump_by(_SECOND_NS)

    def back_second(self) -> None:
        self._jump_by(-_SECOND_NS)

    def forward_ten(self) -> None:
        self._jump_by(10 * _SECOND_NS)

    def back_ten(self) -> None:
        self._jump_by(-10 * _SECOND_NS)

    def go_to_start(self) -> None:
        self._playhead.jump_to(self._playhead.span.start_ns, remember=True)

    def go_to_end(self) -> None:
        self._playhead.jump_to(self._playhead.span.stop_ns - 1, remember=True)

    def play_reverse(self) -> None:
        self._shuttle(-1.0)

    def play_forward(self) -> None:
        self._shuttle(1.0)

    def slower(self) -> None:
        self._playhead.set_speed(self._playhead.speed * 0.9)

    def faster(self) -> None:
        self._playhead.set_speed(self._playhead.speed * 1.1)

    def half_speed(self) -> None:
        self._playhead.set_speed(self._playhead.speed * 0.5)

    def double_speed(self) -> None:
        self._playhead.set_speed(self._playhead.speed * 2.0)

    def normal_speed(self) -> None:
        self._playhead.set_speed(1.0)

    def toggle_loop(self) -> None:
        self._playhead.set_loop(not self._playhead.loop)

    def jump_back(self) -> None:
        self._playhead.jump_back()

    def next_window(self) -> None:
        self._player.step_window(1)

    def previous_window(self) -> None:
        self._player.step_window(-1)

    def focus_next(self) -> None:
        self._focus_by(1)

    def focus_previous(self) -> None:
        self._focus_by(-1)

    def set_in(self) -> None:
        self._playhead.set_range(self._playhead.position_ns, self._playhead.out_ns)

    def set_out(self) -> None:
        self._playhead.set_range(self._playhead.in_ns, self._playhead.position_ns)

    def clear_range(self) -> None:
        self._playhead.set_range(None, None)

    def _jump_by(self, offset_ns: int) -> None:
        self._playhead.jump_to(self._playhead.position_ns + offset_ns)

    def _shuttle(self, direction: float) -> None:
        """Play in a direction; while it plays that way already, double the speed."""
        if self._workspace.recording is None:
            return
        same_way = self._playhead.speed * direction > 0
        if self._playhead.playing and same_way:
            self._playhead.set_speed(self._playhead.speed * 2.0)
        else:
            self._playhead.set_speed(direction)
        self._playhead.set_playing(True)

    def _focus_by(self, count: int) -> None:
        recording = self._workspace.recording
        if recording is None or not recording.streams:
            return
        names = list(recording.streams)
        focused = self._workspace.focused
        here = names.index(focused) if focused in names else -count
        self._workspace.focus(names[(here + count) % len(names)])
