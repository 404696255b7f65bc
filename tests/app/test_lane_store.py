from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from hfviewer.app.lane_store import MOST_KEPT, LaneStore
from hfviewer.app.settings import SettingsStore
from hfviewer.core.time_format import TimeMode
from hfviewer.panels.timeline.order import LaneOrder
from tests.app.test_main_window import MakeWindow, open_in
from tests.recordings import write_small


def store(path: Path) -> LaneStore:
    def submit(work: Callable[[], None]) -> None:
        work()

    return LaneStore(path, submit)


def test_arrangements_are_there_the_next_time_and_the_oldest_go(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "lanes.json"
    first = store(path)
    order = LaneOrder(("b", "a", "音"), frozenset({"a"}), by_kind=True)
    first.remember(order)
    assert store(path).orders == [order]
    for number in range(MOST_KEPT):
        first.remember(LaneOrder((f"s{number}", "x"), frozenset({"x"})))
    assert len(store(path).orders) == MOST_KEPT
    assert order not in store(path).orders


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[" * 100_000,
        b"\xff",
        b'[{"names": ["a", "a"]}]',
        b'[{"names": ["a"], "hidden": ["a"]}]',
        b'[{"names": ["a"], "hidden": ["b"]}]',
        b'[{"names": 5}]',
    ],
)
def test_what_makes_no_sense_is_as_if_it_had_not_been_saved(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "lanes.json").write_bytes(content)
    kept = store(tmp_path / "lanes.json")
    assert kept.orders == []
    kept.remember(LaneOrder(("a", "b")))
    assert store(tmp_path / "lanes.json").orders == [LaneOrder(("a", "b"))]


def test_lanes_times_and_snapping_are_as_they_were_left(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    path = write_small(tmp_path / "small.hfr")
    window = make_window()
    open_in(qtbot, window, path)
    lanes = window.timeline.canvas.arrangement
    lanes.move("imu", 0)
    lanes.set_hidden("depth", True)
    window.workspace.time_display.set_mode(TimeMode.UTC)
    window.workspace.set_snapping(False)
    shown = [lane.name for lane in lanes.shown]
    window.close()
    again = make_window()
    open_in(qtbot, again, path)
    assert [lane.name for lane in again.timeline.canvas.lanes] == shown
    assert again.timeline.canvas.arrangement.hidden == ["depth"]
    assert again.workspace.time_display.mode is TimeMode.UTC
    assert not again.workspace.snapping


def test_a_mode_that_no_one_knows_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"time_mode": "martian"}')
    assert SettingsStore(tmp_path).values.time_mode == "elapsed"
