from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QDockWidget, QMenu
from pytestqt.qtbot import QtBot

from hfviewer.app.carried_layout import CarriedLayout
from hfviewer.app.layouts import MOST_KINDS, MOST_NAMED, LayoutFile, LayoutStore, SavedLayout, kind_of
from hfviewer.app.main_window import MainWindow
from hfviewer.app.panel_key import PanelKey
from hfviewer.app.waiting import missing_panels
from hfviewer.core.stream import StreamKind
from hfviewer.panels.depth import DepthPanel
from hfviewer.panels.depth_colour import ColourMap
from hfviewer.panels.image import ImagePanel
from hfviewer.panels.orientation import Orientation
from tests.panels.fakes import FakeRecording, FakeStream
from tests.recordings import write_small

MakeWindow = Callable[[], MainWindow]


def recording(*names: str, kind: StreamKind = StreamKind.IMAGE) -> FakeRecording:
    return FakeRecording(*(FakeStream(name, [0], kind=kind) for name in names))


def store(path: Path) -> LayoutStore:
    return LayoutStore(path / "layouts.json", lambda work: work())


def layout(*keys: PanelKey) -> CarriedLayout:
    return CarriedLayout(
        QByteArray(b"\x00\xffstate"), frozenset(keys), looks={k: {"grid": False} for k in keys}
    )


def test_a_kind_is_the_names_and_kinds_of_streams_in_any_order() -> None:
    assert kind_of(recording("a", "b")) == kind_of(recording("b", "a"))
    assert kind_of(recording("a", "b")) != kind_of(recording("a"))
    assert kind_of(recording("a")) != kind_of(recording("a", kind=StreamKind.DEPTH))


def test_a_layout_comes_back_in_the_next_session(tmp_path: Path) -> None:
    key = PanelKey("cam", "", 2)
    store(tmp_path).remember(recording("cam"), layout(key))
    found = store(tmp_path).of_kind(recording("cam"))
    assert found is not None
    assert found.state == QByteArray(b"\x00\xffstate")
    assert found.open == {key}
    assert found.looks == {key: {"grid": False}}
    assert store(tmp_path).of_kind(recording("other")) is None
    again = store(tmp_path)
    again.forget(recording("cam"))
    assert store(tmp_path).of_kind(recording("cam")) is None


def test_names_are_kept_replaced_and_deleted(tmp_path: Path) -> None:
    kept = store(tmp_path)
    assert kept.give_name("  Two cameras\n", recording("cam"), layout(PanelKey("cam")))
    assert kept.give_name("alone", recording("cam"), layout())
    assert not kept.give_name(" \n", recording("cam"), layout())
    assert store(tmp_path).names == ["alone", "Two cameras"]
    kept.delete("alone")
    assert store(tmp_path).names == ["Two cameras"]
    assert kept.named("nothing") is None


def test_neither_kinds_nor_names_grow_for_ever(tmp_path: Path) -> None:
    kept = store(tmp_path)
    for number in range(MOST_KINDS + 5):
        kept.remember(recording(f"cam {number}"), layout())
    assert kept.of_kind(recording("cam 0")) is None
    assert kept.of_kind(recording(f"cam {MOST_KINDS + 4}")) is not None
    assert all(kept.give_name(str(number), recording("cam"), layout()) for number in range(MOST_NAMED))
    assert not kept.give_name("one more", recording("cam"), layout())


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"[]", b'{"kinds": 5}', b'{"kinds": {"a": {"state": 7}}}', b"[" * 200_000],
)
def test_a_damaged_file_means_no_layouts(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "layouts.json").write_bytes(content)
    assert store(tmp_path).names == []


def test_a_layout_that_makes_no_sense_is_not_taken(tmp_path: Path) -> None:
    bad = {"state": "not base 64!", "panels": []}
    odd = {
        "state": base64.b64encode(b"x").decode(),
        "panels": [
            {"stream": "cam", "view": "../../etc"},
            {"stream": "cam", "number": -4},
            {"stream": "cam", "number": 10**9},
            {"stream": "cam"},
        ],
    }
    (tmp_path / "layouts.json").write_text(json.dumps({"named": {"bad": bad, "odd": odd}}))
    kept = store(tmp_path)
    assert kept.named("bad") is None
    found = kept.named("odd")
    assert found is not None
    assert found.open == {PanelKey("cam")}


def test_a_folder_that_cannot_be_written_costs_only_the_memory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kept = LayoutStore(tmp_path / "file" / "layouts.json", lambda work: work())
    kept.remember(recording("cam"), layout())
    assert kept.of_kind(recording("cam")) is not None


def test_the_file_is_what_its_structs_say(tmp_path: Path) -> None:
    store(tmp_path).give_name("one", recording("cam"), layout(PanelKey("cam", "cloud")))
    parsed = msgspec.json.decode((tmp_path / "layouts.json").read_bytes(), type=LayoutFile)
    assert isinstance(parsed.named["one"], SavedLayout)
    assert parsed.named["one"].panels[0].view == "cloud"


# -- in the window ---------------------------------------------------------------------------------------


def open_small(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    window.open_path(str(path))
    qtbot.waitUntil(
        lambda: (
            window.workspace.recording is not None
            and window.workspace.recording.description.path == str(path)
        ),
        timeout=10_000,
    )
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=10_000)


def panel_of(window: MainWindow, stream: str, kind: type) -> object:
    found = window.area.panel(stream)
    assert isinstance(found, kind)
    return found


def test_another_recording_of_the_same_kind_opens_as_the_last_one_was_left(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    first, second = write_small(tmp_path / "a.hfr", frames=5), write_small(tmp_path / "b.hfr", frames=7)
    window = make_window()
    open_small(qtbot, window, first)
    window.area.close_panel("imu")
    window.area.open_another("cam")
    depth = panel_of(window, "depth", DepthPanel)
    assert isinstance(depth, DepthPanel)
    depth.set_range_mm(500, 1500)
    depth.set_colour_map(ColourMap.CIVIDIS)
    cam = window.area.panel("cam")
    assert isinstance(cam, ImagePanel)
    cam.set_orientation(Orientation(2))
    window.area.toggle_floating("lidar")
    keys = set(window.area.keys(only_open=True))
    window.close()

    later = make_window()
    open_small(qtbot, later, second)
    assert set(later.area.keys(only_open=True)) == keys
    assert not later.area.is_open("imu")
    restored = panel_of(later, "depth", DepthPanel)
    assert isinstance(restored, DepthPanel)
    assert restored.colours is not None
    assert (restored.colours.low_mm, restored.colours.high_mm) == (500, 1500)
    assert restored.colours.colour_map is ColourMap.CIVIDIS
    orientations = {panel.orientation for panel in later.area.panels if isinstance(panel, ImagePanel)}
    assert Orientation(2) in orientations
    dock = later.area.findChild(QDockWidget, "panel/lidar")
    assert dock is not None
    assert dock.isFloating()
    later.actions_by_name["reset_layout"].trigger()
    assert later.area.is_open("imu")
    assert all(key.number == 1 for key in later.area.keys(only_open=True))


def test_a_layout_with_a_name_is_taken_from_the_menu(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    window = make_window()
    open_small(qtbot, window, write_small(tmp_path / "a.hfr", frames=5))
    for stream in ("imu", "lidar", "pose"):
        window.area.close_panel(stream)
    window.layout_menu.keep("few")
    window.actions_by_name["reset_layout"].trigger()
    assert window.area.is_open("imu")
    menu = window.layout_menu
    menu.fill()
    next(action for action in menu.actions() if action.text() == "few").trigger()
    assert not window.area.is_open("imu")
    assert window.area.is_open("cam")
    delete = next(below for action in menu.actions() if isinstance(below := action.menu(), QMenu))
    delete.actions()[0].trigger()
    menu.fill()
    assert "few" not in [action.text() for action in menu.actions()]
