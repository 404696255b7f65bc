from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hfviewer.core.errors import FrameError
from hfviewer.core.stream import Channel, StreamKind
from hfviewer.panels.signals import SignalsPanel, channel_colour, short_names
from hfviewer.panels.standing import Standing
from hfviewer.panels.theme import DARK, Theme
from tests.panels.making import PERIOD_NS, START_NS, describe, failure, show, table

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
    assert [len(plot.curves) for plot in panel.plots] == [3, 3]


def test_more_than_four_units_do_not_squeeze_the_plots(qtbot: QtBot) -> None:
    channels = tuple(Channel(f"c{i}", f"u{i}") for i in range(9))
    panel = SignalsPanel(describe(StreamKind.SIGNAL, STAMPS, channels=channels), STAMPS, START_NS, Theme())
    show(qtbot, panel)
    panel.set_samples(STAMPS, np.zeros((len(STAMPS), 9)))
    assert len(panel.plots) == 4
    assert len([a for a in panel.context_actions() if a.text().startswith("c")]) == 9


def test_the_legend_gives_each_channels_value_at_the_playhead(panel: SignalsPanel) -> None:
    entry = panel.titles[0].entries[1]
    assert entry.name == "y"
    assert float(entry.text.replace("−", "-")) == pytest.approx(wave(400)[100, 1], abs=1e-3)
    panel.set_playhead(int(STAMPS[100]) + PERIOD_NS)
    moved = panel.titles[0].entries[1]
    assert float(moved.text.replace("−", "-")) == pytest.approx(wave(400)[101, 1], abs=1e-3)
    assert len(moved.text) == len(entry.text)


def test_the_view_follows_the_playhead_until_the_whole_is_asked_for(panel: SignalsPanel) -> None:
    curve = panel.plots[0].curves[0]
    assert curve.x[0] < 0 < curve.x[-1]  # seconds from the playhead
    panel.show_whole()
    assert not panel.view.follows
    whole = panel.plots[0].curves[0]
    assert np.count_nonzero(np.isfinite(whole.y)) == len(STAMPS)
    panel.set_playhead(int(STAMPS[200]))
    assert panel.plots[0].curves[0] is whole  # moving the playhead draws no curve anew
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
    breaks = [np.count_nonzero(np.isnan(curve.y)) for plot in panel.plots for curve in plot.curves]
    assert breaks == [1] * 6


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


def test_a_channel_can_be_switched_off_in_the_legend(qtbot: QtBot, panel: SignalsPanel) -> None:
    panel.grab()
    title = panel.titles[0]
    QTest.mouseClick(title, Qt.MouseButton.LeftButton, pos=QPoint(title.width() - 30, 12))
    assert len(panel.plots[0].curves) == 2
    assert [entry.shown for entry in title.entries] == [True, True, False]
    QTest.mouseClick(title, Qt.MouseButton.LeftButton, pos=QPoint(title.width() - 30, 12))
    assert len(panel.plots[0].curves) == 3


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
    for action in panel.context_actions():
        action.trigger()
        assert not panel.grab().isNull()
    assert [len(plot.curves) for plot in panel.plots] == [0, 0]


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
