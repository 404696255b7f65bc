from __future__ import annotations

from PySide6.QtCore import QByteArray

from hfviewer.app.carried_layout import CarriedLayout
from hfviewer.app.panel_key import PanelKey


def layout(*names: str) -> CarriedLayout:
    return CarriedLayout(QByteArray(), frozenset(PanelKey(name) for name in names))


def test_a_stream_that_is_missing_for_an_episode_comes_back_with_its_panel() -> None:
    first = layout("cam", "depth").after(None, ["cam", "depth", "imu"])
    assert first.wanted(["cam", "imu"], ["cam", "imu"]) == [PanelKey("cam")]
    second = layout("cam").after(first, ["cam", "imu"])
    assert second.wanted(["cam", "depth", "imu"], ["cam", "depth", "imu"]) == [
        PanelKey("cam"),
        PanelKey("depth"),
    ]


def test_a_panel_that_was_closed_stays_closed_and_a_new_stream_gets_one() -> None:
    carried = layout("cam").after(None, ["cam", "imu"])
    wanted = carried.wanted(["cam", "imu", "glove", "notes"], ["cam", "imu", "glove"])
    assert wanted == [PanelKey("cam"), PanelKey("glove")]


def test_several_panels_of_one_stream_are_carried() -> None:
    keys = frozenset({PanelKey("depth"), PanelKey("depth", "cloud"), PanelKey("depth", number=2)})
    carried = CarriedLayout(QByteArray(), keys).after(None, ["depth"])
    assert set(carried.wanted(["depth"], ["depth"])) == keys
