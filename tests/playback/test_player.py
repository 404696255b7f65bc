from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from hfviewer.core.errors import FrameError
from hfviewer.model.workspace import Workspace
from hfviewer.playback.player import Player
from hfviewer.playback.result import FrameResult
from tests.playback.fakes import FakeRecording, FakeStream, every

PERIOD = 33_000_000


@pytest.fixture
def workspace(qapp: object) -> Workspace:
    return Workspace()


@pytest.fixture
def player(workspace: Workspace) -> Iterator[Player]:
    made = Player(workspace, cache_bytes=1 << 20)
    yield made
    made.close()


def collect(player: Player) -> list[FrameResult]:
    results: list[FrameResult] = []
    player.frame_ready.connect(results.append)
    return results


def test_scrubbing_skips_to_the_last_frame_asked_for(
    qtbot: QtBot, workspace: Workspace, player: Player
) -> None:
    stream = FakeStream("cam", every(PERIOD, 100))
    stream.gate.clear()
    workspace.set_recording(FakeRecording(stream))
    shown = collect(player)
    player.show_stream("cam")
    assert stream.started.wait(5)
    # One thread stands at the gate; the other can take one more, the rest replace one another on the board.
    for index in (10, 20, 30, 40, 50):
        workspace.playhead.jump_to(int(stream.timestamps_ns[index]))
    stream.gate.set()
    qtbot.waitUntil(lambda: bool(shown) and shown[-1].index == 50, timeout=5_000)
    assert player.statistics().superseded >= 3
    generations = [result.generation for result in shown]
    assert len(set(generations)) == len(generations)


def test_a_hidden_stream_asks_for_nothing(qtbot: QtBot, workspace: Workspace, player: Player) -> None:
    seen, hidden = FakeStream("seen", every(PERIOD, 50)), FakeStream("hidden", every(PERIOD, 50))
    workspace.set_recording(FakeRecording(seen, hidden))
    shown = collect(player)
    player.show_stream("seen")
    player.show_stream("hidden")
    player.hide_stream("hidden")
    workspace.playhead.jump_to(int(seen.timestamps_ns[30]))
    qtbot.waitUntil(lambda: any(r.index == 30 for r in shown), timeout=5_000)
    assert 30 not in hidden.read_indices


def test_nothing_of_the_old_recording_shows_after_opening_another(
    qtbot: QtBot, workspace: Workspace, player: Player
) -> None:
    old = FakeStream("cam", every(PERIOD, 50))
    old.gate.clear()
    workspace.set_recording(FakeRecording(old))
    shown = collect(player)
    player.show_stream("cam")
    assert old.started.wait(5)
    bar = player.generation
    new = FakeStream("cam", every(PERIOD, 50, start_ns=5))
    workspace.set_recording(FakeRecording(new))
    player.show_stream("cam")
    old.gate.set()
    qtbot.waitUntil(lambda: bool(shown), timeout=5_000)
    assert all(result.generation > bar for result in shown)
    assert all(r.frame is not None and r.frame.timestamp_ns < 10**12 for r in shown)


def test_a_broken_frame_is_a_result_too_and_is_read_once(
    qtbot: QtBot, workspace: Workspace, player: Player
) -> None:
    stream = FakeStream("cam", every(PERIOD, 50))
    stream.broken = {20}
    workspace.set_recording(FakeRecording(stream))
    shown = collect(player)
    player.show_stream("cam")
    for _ in range(3):
        workspace.playhead.jump_to(int(stream.timestamps_ns[20]))
        qtbot.waitUntil(lambda: bool(shown) and shown[-1].index == 20, timeout=5_000)
        workspace.playhead.jump_to(int(stream.timestamps_ns[0]))
        qtbot.waitUntil(lambda: bool(shown) and shown[-1].index == 0, timeout=5_000)
    errors = [r.error for r in shown if r.index == 20]
    assert errors
    assert all(isinstance(error, FrameError) for error in errors)
    assert stream.read_indices.count(20) == 1


def test_steps_go_by_the_focused_streams_own_table(workspace: Workspace, player: Player) -> None:
    uneven = np.array([0, 10, 11, 500, 500, 900], np.int64) + 10**18
    workspace.set_recording(
        FakeRecording(FakeStream("uneven", uneven), FakeStream("other", every(7, 9, start_ns=10**18)))
    )
    assert workspace.focused == "uneven"
    visited = []
    for _ in range(6):
        player.step(1)
        visited.append(workspace.playhead.position_ns - 10**18)
    assert visited == [10, 11, 500, 900, 900, 900]
    back = []
    for _ in range(6):
        player.step(-1)
        back.append(workspace.playhead.position_ns - 10**18)
    assert back == [500, 11, 10, 0, 0, 0]


def test_a_step_back_from_between_two_frames_changes_the_picture(
    workspace: Workspace, player: Player
) -> None:
    stream = FakeStream("cam", every(100, 10, start_ns=0))
    workspace.set_recording(FakeRecording(stream))
    workspace.playhead.jump_to(450)
    player.step(-1)
    assert workspace.playhead.position_ns == 300
    player.step(2)
    assert workspace.playhead.position_ns == 500


def test_many_steps_count_from_the_requested_position(workspace: Workspace, player: Player) -> None:
    stream = FakeStream("cam", every(PERIOD, 200))
    stream.gate.clear()
    workspace.set_recording(FakeRecording(stream))
    player.show_stream("cam")
    for _ in range(60):
        player.step(1)
    assert workspace.playhead.position_ns == int(stream.timestamps_ns[60])
    stream.gate.set()


def test_playing_to_the_end_stops_there(qtbot: QtBot, workspace: Workspace, player: Player) -> None:
    stream = FakeStream("cam", every(PERIOD, 10))
    workspace.set_recording(FakeRecording(stream))
    workspace.playhead.set_speed(64.0)
    with qtbot.waitSignal(workspace.playhead.playing_changed, timeout=5_000, check_params_cb=lambda p: not p):
        workspace.playhead.set_playing(True)
    assert workspace.playhead.position_ns == int(stream.timestamps_ns[-1])


def test_window_steps_land_on_window_starts(workspace: Workspace, player: Player) -> None:
    stream = FakeStream("cam", every(PERIOD, 30, start_ns=0))
    recording = FakeRecording(stream)
    workspace.set_recording(recording)
    player.step_window(1)
    assert workspace.playhead.position_ns == recording.windows[1].start_ns
    player.step_window(-1)
    assert workspace.playhead.position_ns == 0
    player.step_window(1000)
    assert workspace.playhead.position_ns == recording.windows[len(recording.windows) - 1].start_ns


def test_frames_are_read_ahead_while_playing(qtbot: QtBot, workspace: Workspace, player: Player) -> None:
    stream = FakeStream("cam", every(PERIOD, 400))
    workspace.set_recording(FakeRecording(stream))
    player.show_stream("cam")
    workspace.playhead.set_playing(True)

    def is_ahead() -> bool:
        under = (workspace.playhead.position_ns - int(stream.timestamps_ns[0])) // PERIOD
        return max(stream.read_indices, default=0) >= under + 3

    qtbot.waitUntil(is_ahead, timeout=5_000)
    workspace.playhead.set_playing(False)


def test_the_next_window_is_announced_while_playing(
    qtbot: QtBot, workspace: Workspace, player: Player
) -> None:
    recording = FakeRecording(FakeStream("cam", every(PERIOD, 400)))
    workspace.set_recording(recording)
    player.show_stream("cam")
    workspace.playhead.set_playing(True)
    qtbot.waitUntil(lambda: len(recording.announced) >= 2, timeout=5_000)
    workspace.playhead.set_playing(False)
    starts = [window.start_ns for window in recording.announced]
    assert starts == sorted(starts)
    assert starts[0] == recording.windows[1].start_ns


def test_idle_threads_keep_no_closed_recording_alive(
    qtbot: QtBot, workspace: Workspace, player: Player
) -> None:
    stream = FakeStream("cam", every(PERIOD, 50))
    workspace.set_recording(FakeRecording(stream))
    player.show_stream("cam")
    shown = collect(player)
    qtbot.waitUntil(lambda: bool(shown), timeout=5_000)
    alive = weakref.ref(stream)
    del stream
    workspace.set_recording(None)

    def is_gone() -> bool:
        gc.collect()
        return alive() is None

    qtbot.waitUntil(is_gone, timeout=5_000)
