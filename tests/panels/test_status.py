from __future__ import annotations

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from hfviewer.model.workspace import Workspace
from hfviewer.panels.status import BAR_PX, StatusBar
from hfviewer.panels.theme import Theme
from tests.panels.fakes import FakeRecording, FakeStream, regular_ns

GIB = 2**30


@pytest.fixture
def workspace(qapp: object) -> Workspace:
    return Workspace()


@pytest.fixture
def bar(qtbot: QtBot, workspace: Workspace) -> StatusBar:
    bar = StatusBar(workspace, Theme())
    qtbot.addWidget(bar)
    bar.resize(1280, BAR_PX)
    workspace.set_recording(FakeRecording(FakeStream("cam", regular_ns(10, 10_000_000))))
    return bar


def differing_columns(one: QImage, other: QImage) -> list[int]:
    return [
        x
        for x in range(one.width())
        if any(one.pixel(x, y) != other.pixel(x, y) for y in range(one.height()))
    ]


def picture(bar: StatusBar) -> QImage:
    return bar.grab().toImage()


def test_what_is_not_known_is_a_dash(bar: StatusBar) -> None:
    bar.set_statistics(None, None, None, 0, 0)
    assert bar.texts() == ("–", "–", "–", "0.0 / 0.0 GiB")
    picture(bar)


def test_the_numbers_are_rounded_for_reading(bar: StatusBar) -> None:
    bar.set_statistics(14.4, 29.97, 4.2, int(1.2 * GIB), 4 * GIB)
    assert bar.texts() == ("14", "30", "4", "1.2 / 4.0 GiB")


def test_no_number_moves_its_neighbours(bar: StatusBar) -> None:
    bar.set_statistics(1, 1, 1, 0, 4 * GIB)
    one = picture(bar)
    bar.set_statistics(120, 1, 1, 0, 4 * GIB)
    columns = differing_columns(one, picture(bar))
    assert 0 < columns[-1] - columns[0] < 30


def test_the_meter_grows_with_the_cache(bar: StatusBar) -> None:
    bar.set_statistics(None, None, None, 0, 4 * GIB)
    empty = picture(bar)
    bar.set_statistics(None, None, None, 0, 4 * GIB)
    assert picture(bar) == empty
    bar.set_statistics(None, None, None, 4 * GIB, 4 * GIB)
    full = picture(bar)
    bar.set_statistics(None, None, None, 9 * GIB, 4 * GIB)
    assert differing_columns(full, picture(bar))[-1] < differing_columns(empty, full)[-1]


def test_playing_focus_and_message_are_told(bar: StatusBar, workspace: Workspace) -> None:
    paused = picture(bar)
    workspace.playhead.set_playing(True)
    playing = picture(bar)
    assert differing_columns(paused, playing)
    workspace.focus(None)
    unfocused = picture(bar)
    assert differing_columns(playing, unfocused)
    bar.set_message("reading ahead · window 527 of 656")
    assert differing_columns(unfocused, picture(bar))
    assert bar.toolTip() == "reading ahead · window 527 of 656"


def test_unsaved_edits_show_a_warning_sign(bar: StatusBar) -> None:
    saved = picture(bar)
    bar.set_saved(False, "2 edits in the journal")
    warning = Theme().tokens.warning.rgb()
    found = picture(bar)
    colours = {found.pixel(x, y) for x in range(30) for y in range(BAR_PX)}
    assert saved != found
    assert warning in colours


@pytest.mark.parametrize("width", [1, 200, 700])
def test_fields_without_room_are_left_out(bar: StatusBar, width: int) -> None:
    bar.resize(width, BAR_PX)
    bar.set_message("a message " * 40)
    assert picture(bar).width() == width


def test_closing_the_recording_clears_what_was_said_about_it(bar: StatusBar, workspace: Workspace) -> None:
    bar.set_message("reading")
    workspace.set_recording(None)
    assert bar.toolTip() == ""
    picture(bar)
