from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from hfviewer.core.errors import FrameError
from hfviewer.core.stream import Channel, StreamKind
from hfviewer.panels.signal_names import channel_colour, short_names
from hfviewer.panels.signal_view import SignalView
from hfviewer.panels.signals import SignalsPanel
from hfviewer.panels.standing import Standing
from hfviewer.panels.theme import DARK, LIGHT, Theme
from tests.panels.making import PERIOD_NS, START_NS, describe, entries, failure, show, table

LOST = (50, 51, 52)
STAMPS = table(400, lost=LOST)
CHANNELS = tuple(
    Channel(f"{what}_{axis}", unit) for what, unit in (("acc", "m/s²"), ("gyro", "rad/s")) for axis in "xyz"
)


def wave(count: int) -> NDArray[np.float64]:
    return np.sin(np.arange(count)[:, None] / 7 + np.arange(6))


@pytest.fixture
def panel(qtbot: QtBot) -> SignalsPanel:
    made = SignalsPanel(describe(StreamKind.IMU, STAMPS, channels=CHANNELS), STAMPS, START_NS, Theme())
    show(qtbot, made, 500, 400)
    made.set_playhead(int(STAMPS[100]))
    made.set_samples(STAMPS, wave(len(STAMPS)))
    made.set_progress(1.0)
    return made


def test_there_is_one_plot_per_unit(panel: SignalsPanel) -> None:
    assert len(panel.plots) == 2
    assert [len(plot.series) for plot in panel.plots] == [3, 3]


@pytest.fixture
def many(qtbot: QtBot) -> SignalsPanel:
    """Sixteen channels of eight units."""
    channels = tuple(Channel(f"c{i}", f"u{i // 2}") for i in range(16))
    made = SignalsPanel(describe(StreamKind.SIGNAL, STAMPS, channels=channels), STAMPS, START_NS, Theme())
    show(qtbot, made, 500, 500)
    made.set_samples(STAMPS, np.zeros((len(STAMPS), 16)))
    made.set_progress(1.0)
    return made


def submenu(actions: list[QAction], title: str) -> list[QAction]:
    """Entries below one of a menu."""
    found = next(action for action in actions if action.text() == title).menu()
    assert isinstance(found, QMenu)
    return found.actions()


def titles(panel: SignalsPanel) -> list[str]:
    return [title.title for title in panel.titles]


def test_more_than_four_units_do_not_squeeze_the_plots_and_are_told(many: SignalsPanel) -> None:
    assert titles(many) == ["u0", "u1", "u2", "u3"]
    assert many.note == "4 of 8 units shown"


def test_a_unit_that_is_switched_off_makes_room_for_the_next(many: SignalsPanel) -> None:
    for column in (0, 1, 4, 5):
        many.toggle_channel(column)
    assert titles(many) == ["u1", "u3", "u4", "u5"]
    many.toggle_channel(5)
    assert titles(many) == ["u1", "u2", "u3", "u4"]
    many.show_only([14, 15])
    assert titles(many) == ["u7"]
    assert [entry.name for entry in many.titles[0].entries] == ["c14", "c15"]
    many.show_only([])
    assert len(many.plots) == 4


def test_the_menu_has_every_channel_below_its_unit_where_there_are_many(many: SignalsPanel) -> None:
    channels = submenu(many.context_actions(), "Channels")
    units = {action.text(): action.menu() for action in channels if action.menu() is not None}
    assert list(units) == [f"u{i}" for i in range(8)]
    last = units["u7"]
    assert isinstance(last, QMenu)
    assert [action.text() for action in last.actions()] == ["Only these", "c14, u7", "c15, u7"]
    last.actions()[0].trigger()
    assert titles(many) == ["u7"]
    channels = submenu(many.context_actions(), "Channels")
    everything = next(action for action in channels if action.text() == "All channels")
    everything.trigger()
    assert titles(many) == ["u0", "u1", "u2", "u3"]


@pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)
def test_the_menu_takes_its_submenus_away_with_it(qtbot: QtBot, many: SignalsPanel) -> None:
    many.header.menu_requested.emit()
    menus = many.findChildren(QMenu)
    assert len(menus) > 8
    next(menu for menu in menus if menu.isVisible()).close()
    qtbot.waitUntil(lambda: many.findChild(QMenu) is None, timeout=2000)
    assert many.findChild(QAction) is None


def test_a_menu_of_a_stream_with_thousands_of_channels_is_bounded(qtbot: QtBot) -> None:
    channels = tuple(Channel(f"c{i}", "V") for i in range(5000))
    panel = SignalsPanel(describe(StreamKind.SIGNAL, STAMPS, channels=channels), STAMPS, START_NS, Theme())
    show(qtbot, panel)
    panel.set_samples(STAMPS, np.zeros((len(STAMPS), 5000)))
    panel.set_progress(1.0)
    assert panel.note == "12 of 5000 channels drawn"
    actions = submenu(panel.context_actions(), "Channels")
    assert actions[-1].text() == "4000 more channels"
    below = actions[-2].menu()
    assert isinstance(below, QMenu)
    assert len(below.actions()) == 1001


def test_the_legend_gives_each_channels_value_at_the_playhead(panel: SignalsPanel) -> None:
    title = panel.titles[0]
    assert title.entries[1].name == "y"
    text = title.values[1]
    assert float(text.replace("−", "-")) == pytest.approx(wave(400)[100, 1], abs=1e-3)
    panel.grab()
    before = title.grab().toImage()
    panel.set_playhead(int(STAMPS[100]) + PERIOD_NS)
    moved = title.values[1]
    assert float(moved.replace("−", "-")) == pytest.approx(wave(400)[101, 1], abs=1e-3)
    assert len(moved) == len(text)
    assert title.grab().toImage() != before


def test_the_view_follows_the_playhead_until_the_whole_is_asked_for(panel: SignalsPanel) -> None:
    plot, playhead_ns = panel.plots[0], int(STAMPS[100])
    assert plot.shown_window.start_ns < playhead_ns < plot.shown_window.stop_ns
    panel.show_whole()
    assert not panel.view.follows
    assert plot.shown_window.start_ns <= STAMPS[0]
    assert plot.shown_window.stop_ns > STAMPS[-1]
    plot.grab()
    painted, window = plot.tiles_painted, plot.shown_window
    panel.set_playhead(int(STAMPS[200]))
    plot.grab()
    assert (plot.tiles_painted, plot.shown_window) == (painted, window)
    panel.reset_view()
    assert panel.view.follows


def test_the_playhead_line_stands_at_its_time(panel: SignalsPanel) -> None:
    plot = panel.plots[0]
    panel.show_whole()
    window = panel.view.window(0)
    for index in (120, 240):
        panel.set_playhead(int(STAMPS[index]))
        picture = plot.grab().toImage()
        rect = plot.plot_rect()
        row = rect.top() + 1
        brightness = [picture.pixelColor(x, row).value() for x in range(rect.left(), rect.right())]
        expected = (int(STAMPS[index]) - window.start_ns) / window.duration_ns * rect.width()
        assert max(brightness) > 180
        assert abs(brightness.index(max(brightness)) - expected) <= 1.5


def test_the_line_is_broken_and_the_gap_counted_where_samples_are_missing(panel: SignalsPanel) -> None:
    panel.show_whole()
    assert panel.gaps.lost.tolist() == [3]
    for plot in panel.plots:
        for series in plot.series:
            _, values, _ = series.channel.curve(plot.shown_window, 2000, START_NS, panel.gaps)
            assert np.count_nonzero(np.isnan(values)) == 1


def test_a_gap_is_hatched_in_the_colour_of_a_warning(panel: SignalsPanel) -> None:
    panel.set_playhead(int(STAMPS[60]))
    plot = panel.plots[0]
    rect, window = plot.plot_rect(), panel.view.window(int(STAMPS[60]))
    picture = plot.grab().toImage()

    def warm(time_ns: int) -> int:
        x = round(rect.left() + (time_ns - window.start_ns) / window.duration_ns * rect.width())
        colours = [picture.pixelColor(x, y) for y in range(rect.top() + 30, rect.bottom())]
        return sum(c.red() > c.blue() + 60 and c.green() > c.blue() + 30 for c in colours)

    assert warm(int(STAMPS[49]) + 2 * PERIOD_NS) > 10
    assert warm(int(STAMPS[55])) < 3


def test_a_gap_never_becomes_too_narrow_to_be_seen(qtbot: QtBot) -> None:
    stamps = table(100_000, lost=(40_000,))
    panel = SignalsPanel(
        describe(StreamKind.SIGNAL, stamps, channels=CHANNELS[:1]), stamps, START_NS, Theme()
    )
    show(qtbot, panel, 500, 300)
    panel.set_playhead(START_NS)
    panel.set_samples(stamps, np.zeros((len(stamps), 1)))
    panel.show_whole()
    plot = panel.plots[0]
    picture, rect = plot.grab().toImage(), plot.plot_rect()
    middle = rect.left() + rect.width() * 0.4
    warm = [
        x
        for x in range(round(middle) - 20, round(middle) + 20)
        if any(
            picture.pixelColor(x, y).red() > picture.pixelColor(x, y).blue() + 60
            for y in range(rect.top() + 30, rect.bottom())
        )
    ]
    assert len(warm) >= 3


@pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)
def test_a_channel_can_be_switched_off_in_the_legend(qtbot: QtBot, panel: SignalsPanel) -> None:
    panel.grab()
    title = panel.titles[0]
    QTest.mouseClick(title, Qt.MouseButton.LeftButton, pos=QPoint(title.width() - 30, 12))
    assert len(panel.plots[0].series) == 2
    assert [entry.shown for entry in title.entries] == [True, True, False]
    QTest.mouseClick(title, Qt.MouseButton.LeftButton, pos=QPoint(title.width() - 30, 12))
    assert len(panel.plots[0].series) == 3
    QTest.mouseClick(title, Qt.MouseButton.RightButton, pos=QPoint(title.width() - 30, 12))
    assert len(panel.plots[0].series) == 3  # that opens the menu


def test_the_wheel_zooms_about_the_pointer(panel: SignalsPanel) -> None:
    plot = panel.plots[0]
    body = plot.parentWidget()
    assert body is not None
    rect = plot.plot_rect()
    share = 0.25
    place = QPointF(plot.x() + rect.left() + rect.width() * share, plot.y() + 20)
    playhead_ns = int(STAMPS[100])
    before = panel.view.window(playhead_ns)
    event = QWheelEvent(
        place,
        body.mapToGlobal(place),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(body, event)
    after = panel.view.window(playhead_ns)
    assert after.duration_ns == pytest.approx(before.duration_ns * 0.8)
    assert after.start_ns + share * after.duration_ns == pytest.approx(
        before.start_ns + share * before.duration_ns, abs=before.duration_ns / 100
    )


def test_it_is_current_as_far_as_samples_are_loaded(qtbot: QtBot) -> None:
    panel = SignalsPanel(describe(StreamKind.IMU, STAMPS, channels=CHANNELS), STAMPS, START_NS, Theme())
    show(qtbot, panel)
    panel.set_playhead(int(STAMPS[200]))
    assert not panel.is_current
    panel.set_samples(STAMPS[:150], wave(150))
    panel.set_progress(0.4)
    assert not panel.is_current
    assert panel.standing is Standing.LOADING
    assert "loading 40 %" in panel.note
    panel.set_playhead(int(STAMPS[100]))
    assert panel.is_current
    panel.set_samples(STAMPS, wave(len(STAMPS)))
    panel.set_progress(1.0)
    panel.set_playhead(int(STAMPS[200]))
    assert panel.is_current
    assert panel.note == ""
    assert panel.header.content.number == "201"


def test_a_stream_of_which_no_sample_can_be_had_is_not_loading_for_ever(qtbot: QtBot) -> None:
    panel = SignalsPanel(describe(StreamKind.IMU, STAMPS, channels=CHANNELS), STAMPS, START_NS, Theme())
    show(qtbot, panel)
    panel.set_playhead(int(STAMPS[200]))
    panel.set_samples(np.empty(0, np.int64), np.empty((0, 6)))
    panel.set_progress(1.0)
    assert panel.is_current
    assert panel.note == "no samples"
    panel.set_playhead(int(STAMPS[20]))
    assert panel.is_current
    assert not panel.grab().isNull()


def test_switching_the_theme_changes_the_colours_of_curves_and_legend(qtbot: QtBot) -> None:
    theme = Theme()
    panel = SignalsPanel(describe(StreamKind.IMU, STAMPS, channels=CHANNELS), STAMPS, START_NS, theme)
    show(qtbot, panel, 500, 400)
    panel.set_playhead(int(STAMPS[100]))
    panel.set_samples(STAMPS, wave(len(STAMPS)))
    panel.set_progress(1.0)
    for dark, tokens in ((True, DARK), (False, LIGHT)):
        theme.set_dark(dark)
        assert [series.colour for series in panel.plots[0].series] == list(tokens.axis)
        assert [entry.colour for entry in panel.titles[0].entries] == list(tokens.axis)
        picture = panel.plots[0].grab().toImage()
        seen = {picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())}
        assert {colour.rgb() for colour in tokens.axis} <= seen


def test_names_and_units_of_two_lines_are_shown_on_one(qtbot: QtBot) -> None:
    channels = (Channel("force\nleft", "N\nm"), Channel("force\nright", "N\nm"))
    panel = SignalsPanel(describe(StreamKind.SIGNAL, STAMPS, channels=channels), STAMPS, START_NS, Theme())
    show(qtbot, panel)
    panel.set_samples(STAMPS, np.zeros((len(STAMPS), 2)))
    assert titles(panel) == ["N m"]
    assert [entry.name for entry in panel.titles[0].entries] == ["force left", "force right"]
    assert "force left, N m" in [a.text() for a in submenu(panel.context_actions(), "Channels")]


def test_stamps_at_the_end_of_int64_are_drawn(qtbot: QtBot) -> None:
    stamps = 2**63 - 1 - 10_000_000 * np.arange(499, -1, -1, dtype=np.int64)
    panel = SignalsPanel(
        describe(StreamKind.SIGNAL, stamps, channels=CHANNELS[:1]), stamps, int(stamps[0]), Theme()
    )
    show(qtbot, panel)
    panel.set_playhead(int(stamps[-1]))
    panel.set_samples(stamps, np.sin(np.arange(500.0))[:, None])
    panel.set_progress(1.0)
    for view in (panel.view, SignalView(start_ns=2**63 - 10**9, span_ns=2 * 10**9, share=None)):
        panel.set_view(view)
        picture = panel.plots[0].grab().toImage()
        colour = panel.plots[0].series[0].colour.rgb()
        columns = [
            any(picture.pixel(x, y) == colour for y in range(picture.height()))
            for x in range(picture.width())
        ]
        assert 100 < sum(columns) < 300  # up to the playhead, or half of the window


def test_samples_that_cannot_be_read_are_explained(panel: SignalsPanel) -> None:
    panel.set_trouble(FrameError("Block 7 is damaged.", remedy="Copy it again."))
    assert panel.note == "Block 7 is damaged. Copy it again."
    panel.set_trouble(None)
    assert panel.note == ""


def test_single_frames_change_nothing(panel: SignalsPanel) -> None:
    panel.show_result(failure(3, generation=99))
    assert panel.is_current
    assert panel.standing is Standing.FRESH


@pytest.mark.parametrize(
    "values",
    [
        np.full((400, 6), np.nan),
        np.full((400, 6), 1e300),
        np.zeros((400, 2)),
        np.zeros((400, 9)),
        np.zeros((0, 0)),
    ],
    ids=["nan", "huge", "fewer columns", "more columns", "none"],
)
def test_samples_of_any_content_and_shape_are_drawn(panel: SignalsPanel, values: NDArray[np.float64]) -> None:
    panel.set_samples(STAMPS[: len(values)], values)
    assert not panel.grab().isNull()
    panel.show_whole()
    assert not panel.grab().isNull()


@pytest.mark.parametrize("size", [(1, 1), (20, 400), (400, 40)])
def test_no_size_is_too_small(panel: SignalsPanel, size: tuple[int, int]) -> None:
    panel.setMinimumSize(0, 0)
    panel.resize(*size)
    assert not panel.grab().isNull()


def test_an_empty_stream_is_no_crash(qtbot: QtBot) -> None:
    nothing = np.empty(0, np.int64)
    panel = SignalsPanel(describe(StreamKind.IMU, nothing), nothing, START_NS, Theme())
    show(qtbot, panel)
    panel.set_playhead(START_NS)
    panel.set_samples(nothing, np.empty((0, 0)))
    panel.set_progress(1.0)
    panel.show_whole()
    assert panel.standing is Standing.EMPTY


def test_every_menu_entry_can_be_used(panel: SignalsPanel) -> None:
    for action in entries(panel.context_actions()):
        if not action.text().endswith("…"):  # these open dialogs
            action.trigger()
        assert not panel.grab().isNull()
    assert len(panel.channels.added) == 6 * 2 + 6 * 4 + 2
    assert panel.has_statistics
    assert panel.has_spectrum
    assert panel.cursors.any
    next(a for a in entries(panel.context_actions()) if a.text() == "Take them away").trigger()
    assert not panel.cursors.any


def test_names_lose_the_words_they_share() -> None:
    assert short_names(["acc_x", "acc_y"]) == ["x", "y"]
    assert short_names(["imu_acc_x", "imu_gyro_x"]) == ["acc_x", "gyro_x"]
    assert short_names(["speed"]) == ["speed"]
    assert short_names(["x", "x"]) == ["x", "x"]
    assert short_names([]) == []


def test_axes_have_their_colours_and_other_channels_the_next_in_line() -> None:
    assert channel_colour("gyro_z", 0, DARK) == DARK.axis[2]
    assert channel_colour("x", 2, DARK) == DARK.axis[0]
    assert channel_colour("index", 3, DARK) == DARK.series[0]
