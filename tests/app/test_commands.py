from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from hfviewer.app.bindings import BINDINGS
from hfviewer.app.commands import PlaybackCommands
from hfviewer.model.playhead import MAX_SPEED, MIN_SPEED
from hfviewer.model.workspace import Workspace
from hfviewer.playback.player import Player
from tests.playback.fakes import FakeRecording, FakeStream, every

SECOND_NS = 1_000_000_000
START_NS = 1_700_000_000_000_000_000
PERIOD_NS = 100_000_000
COUNT = 301  # 30 s
OURS = [b.action for b in BINDINGS if b.group in ("Playback", "Go") and b.action != "go_to"]


@pytest.fixture
def workspace(qapp: object) -> Workspace:
    return Workspace()


@pytest.fixture
def player(workspace: Workspace) -> Iterator[Player]:
    made = Player(workspace, cache_bytes=1 << 20)
    yield made
    workspace.playhead.set_playing(False)
    made.close()


@pytest.fixture
def nothing_open(workspace: Workspace, player: Player) -> PlaybackCommands:
    return PlaybackCommands(workspace, player)


@pytest.fixture
def commands(workspace: Workspace, player: Player) -> PlaybackCommands:
    """For a recording of 30 s whose playhead stands in the middle."""
    workspace.set_recording(
        FakeRecording(
            FakeStream("cam", every(PERIOD_NS, COUNT)),
            FakeStream("slow", every(7 * PERIOD_NS, 40, start_ns=START_NS)),
            FakeStream("empty", np.empty(0, np.int64)),
        )
    )
    workspace.playhead.move_to(START_NS + 15 * SECOND_NS)
    return PlaybackCommands(workspace, player)


def offset_ns(workspace: Workspace) -> int:
    """Where the playhead is, from the start."""
    return workspace.playhead.position_ns - START_NS


def do(commands: PlaybackCommands, action: str) -> None:
    method: Callable[[], None] = getattr(commands, action)
    method()


@pytest.mark.parametrize("action", OURS)
def test_every_key_does_something_sensible_while_nothing_is_open(
    workspace: Workspace, nothing_open: PlaybackCommands, action: str
) -> None:
    do(nothing_open, action)
    assert not workspace.playhead.playing
    assert workspace.playhead.position_ns == 0
    assert workspace.focused is None


@pytest.mark.parametrize(
    ("action", "moved_ns"),
    [
        ("next_frame", PERIOD_NS),
        ("previous_frame", -PERIOD_NS),
        ("forward_second", SECOND_NS),
        ("back_second", -SECOND_NS),
        ("forward_ten", 10 * SECOND_NS),
        ("back_ten", -10 * SECOND_NS),
        ("go_to_start", -15 * SECOND_NS),
        ("go_to_end", 15 * SECOND_NS),
    ],
)
def test_moves_go_as_far_as_they_say(
    workspace: Workspace, commands: PlaybackCommands, action: str, moved_ns: int
) -> None:
    do(commands, action)
    assert offset_ns(workspace) == 15 * SECOND_NS + moved_ns


@pytest.mark.parametrize(
    ("action", "end_ns"), [("forward_ten", 30 * SECOND_NS), ("back_ten", 0), ("next_frame", 30 * SECOND_NS)]
)
def test_no_move_leaves_the_recording(
    workspace: Workspace, commands: PlaybackCommands, action: str, end_ns: int
) -> None:
    for _ in range(COUNT):
        do(commands, action)
    assert offset_ns(workspace) == end_ns


def test_windows_are_those_of_the_recording(workspace: Workspace, commands: PlaybackCommands) -> None:
    recording = workspace.recording
    assert recording is not None
    here = recording.windows.index_at(workspace.playhead.position_ns)
    assert here is not None
    for action, window in (
        ("next_window", here + 1),
        ("next_window", here + 2),
        ("previous_window", here + 1),
    ):
        do(commands, action)
        assert workspace.playhead.position_ns == recording.windows[window].start_ns


def test_frames_are_those_of_the_stream_in_focus(workspace: Workspace, commands: PlaybackCommands) -> None:
    commands.go_to_start()
    workspace.focus("slow")
    commands.next_frame()
    assert offset_ns(workspace) == 7 * PERIOD_NS


def test_jumping_back_returns_from_far_jumps_only(workspace: Workspace, commands: PlaybackCommands) -> None:
    commands.go_to_end()
    commands.back_second()
    commands.previous_frame()
    commands.jump_back()
    assert offset_ns(workspace) == 15 * SECOND_NS
    commands.go_to_start()
    commands.jump_back()
    assert offset_ns(workspace) == 15 * SECOND_NS


def test_play_and_pause_take_turns(workspace: Workspace, commands: PlaybackCommands) -> None:
    for playing in (True, False, True):
        commands.toggle_play()
        assert workspace.playhead.playing is playing


def test_shuttling_doubles_one_way_and_starts_anew_the_other(
    workspace: Workspace, commands: PlaybackCommands
) -> None:
    playhead = workspace.playhead
    speeds = []
    for action in ("play_forward",) * 3 + ("play_reverse",) * 3 + ("play_forward",):
        do(commands, action)
        assert playhead.playing
        speeds.append(playhead.speed)
    assert speeds == [1.0, 2.0, 4.0, -1.0, -2.0, -4.0, 1.0]


def test_shuttling_from_a_pause_starts_at_normal_speed(
    workspace: Workspace, commands: PlaybackCommands
) -> None:
    commands.double_speed()
    commands.play_forward()
    assert workspace.playhead.speed == 1.0


@pytest.mark.parametrize(
    ("action", "speed"),
    [("slower", 0.9), ("faster", 1.1), ("half_speed", 0.5), ("double_speed", 2.0), ("normal_speed", 1.0)],
)
def test_speeds_change_as_they_say_and_keep_the_direction(
    workspace: Workspace, commands: PlaybackCommands, action: str, speed: float
) -> None:
    do(commands, action)
    assert workspace.playhead.speed == pytest.approx(speed)
    workspace.playhead.set_speed(-1.0)
    do(commands, action)
    assert workspace.playhead.speed == pytest.approx(1.0 if action == "normal_speed" else -speed)


def test_speeds_stay_within_their_bounds(workspace: Workspace, commands: PlaybackCommands) -> None:
    for action, bound in (("half_speed", MIN_SPEED), ("double_speed", MAX_SPEED)):
        for _ in range(20):
            do(commands, action)
        assert workspace.playhead.speed == bound


def test_loop_in_and_out_follow_the_playhead(workspace: Workspace, commands: PlaybackCommands) -> None:
    playhead = workspace.playhead
    commands.toggle_loop()
    assert playhead.loop
    commands.toggle_loop()
    assert not playhead.loop
    commands.set_in()
    commands.forward_second()
    commands.set_out()
    assert (playhead.in_ns, playhead.out_ns) == (START_NS + 15 * SECOND_NS, START_NS + 16 * SECOND_NS)
    commands.go_to_start()
    commands.set_out()  # before in: that one is dropped
    assert (playhead.in_ns, playhead.out_ns) == (None, START_NS)
    commands.clear_range()
    assert (playhead.in_ns, playhead.out_ns) == (None, None)


def test_the_focus_goes_round_every_stream_both_ways(
    workspace: Workspace, commands: PlaybackCommands
) -> None:
    seen = [workspace.focused]
    for action in ("focus_next",) * 3 + ("focus_previous",) * 3:
        do(commands, action)
        seen.append(workspace.focused)
    assert seen == ["cam", "slow", "empty", "cam", "empty", "slow", "cam"]


@pytest.mark.parametrize("action", ["focus_next", "focus_previous"])
def test_with_nothing_in_focus_it_begins_with_the_first_stream(
    workspace: Workspace, commands: PlaybackCommands, action: str
) -> None:
    workspace.focus(None)
    do(commands, action)
    assert workspace.focused == "cam"
