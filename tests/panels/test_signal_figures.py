from __future__ import annotations

import csv
import json
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hfviewer.core.stream import Channel, StreamKind
from hfviewer.core.window import TimeWindow
from hfviewer.panels import signal_added
from hfviewer.panels.saving import Saver
from hfviewer.panels.signal_body import MIME, SignalBody
from hfviewer.panels.signal_channels import Made, MadeOf, common_name, derived_unit, integrated_unit
from hfviewer.panels.signal_menu import vectors
from hfviewer.panels.signal_ranges import ValueRange
from hfviewer.panels.signal_table import figure_text
from hfviewer.panels.signals import SignalsPanel
from hfviewer.panels.theme import Theme
from tests.panels.making import START_NS, describe, move_pointer, show, table

STAMPS = table(400)
CHANNELS = tuple(
    Channel(f"{what}_{axis}", unit) for what, unit in (("acc", "m/s²"), ("gyro", "rad/s")) for axis in "xyz"
)


def wave(count: int) -> NDArray[np.float64]:
    return np.sin(np.arange(count)[:, None] / 7 + np.arange(6))


def make(qtbot: QtBot, values: NDArray[np.float64], stamps: NDArray[np.int64] = STAMPS) -> SignalsPanel:
    channels = CHANNELS[: values.shape[1]]
    made = SignalsPanel(describe(StreamKind.IMU, stamps, channels=channels), stamps, START_NS, Theme())
    show(qtbot, made, 900, 700)
    made.set_playhead(int(stamps[100]) if len(stamps) > 100 else START_NS)
    made.set_samples(stamps, values)
    made.set_progress(1.0)
    return made


@pytest.fixture
def panel(qtbot: QtBot) -> SignalsPanel:
    return make(qtbot, wave(len(STAMPS)))


def rows(panel: SignalsPanel) -> dict[str, tuple[str, ...]]:
    return {row.name: row.cells for row in panel.table.rows}


def known(panel: SignalsPanel) -> bool:
    return bool(panel.table.rows) and all("…" not in row.cells for row in panel.table.rows)


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_figures_of_the_visible_span_follow_the_view(qtbot: QtBot, panel: SignalsPanel) -> None:
    panel.toggle_statistics()
    before = panel.table.grab().toImage()
    assert panel.table.heads == ("mean", "std", "min", "max", "rms")
    qtbot.waitUntil(lambda: known(panel), timeout=5000)
    inside = (panel.shown_window.start_ns <= STAMPS) & (panel.shown_window.stop_ns > STAMPS)
    seen = wave(400)[inside, 1]
    cells = [number(text) for text in rows(panel)["acc_y"]]
    expected = [seen.mean(), seen.std(), seen.min(), seen.max(), np.sqrt((seen**2).mean())]
    assert cells == pytest.approx(expected, abs=2e-5)
    assert f"{inside.sum()} samples · 25 Hz" in panel.table.title
    assert panel.table.grab().toImage() != before
    panel.show_whole()
    whole = wave(400)[:, 1].mean()
    qtbot.waitUntil(
        lambda: known(panel) and number(rows(panel)["acc_y"][0]) == pytest.approx(whole, abs=2e-5),
        timeout=5000,
    )
    panel.toggle_statistics()
    assert panel.table.isHidden()


def test_two_cursors_give_values_and_differences(panel: SignalsPanel) -> None:
    panel.show_whole()
    panel.put_cursor("A", int(STAMPS[50]))
    panel.put_cursor("B", int(STAMPS[75]) + 5)
    assert panel.table.heads == ("A", "B", "B − A")
    a, b, apart = (number(text) for text in rows(panel)["gyro_z"])
    values = wave(400)[:, 5]
    assert (a, b) == pytest.approx((values[50], values[75]), abs=2e-6)
    assert apart == pytest.approx(values[75] - values[50], abs=2e-6)
    assert "Δt +1.000000 s" in panel.table.title
    panel.clear_cursors()
    assert panel.table.isHidden()


def place_in(panel: SignalsPanel, share: float) -> QPoint:
    body = panel.findChild(SignalBody)
    assert isinstance(body, SignalBody)
    rect = body.plots[0].plot_rect()
    return QPoint(round(body.plots[0].x() + rect.left() + share * rect.width()), body.plots[0].y() + 20)


def test_shift_and_a_click_set_cursors_and_a_drag_moves_one(panel: SignalsPanel) -> None:
    body = panel.findChild(SignalBody)
    assert isinstance(body, SignalBody)
    panel.show_whole()
    view = panel.view
    for share in (0.2, 0.8):
        QTest.mouseClick(
            body, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, place_in(panel, share)
        )
    window = panel.shown_window
    shares = [(at_ns - window.start_ns) / window.duration_ns for _, at_ns in panel.cursors.shown]
    assert shares == pytest.approx([0.2, 0.8], abs=0.005)
    QTest.mousePress(body, Qt.MouseButton.LeftButton, pos=place_in(panel, 0.8))
    move_pointer(body, place_in(panel, 0.6), held=Qt.MouseButton.LeftButton)
    QTest.mouseRelease(body, Qt.MouseButton.LeftButton, pos=place_in(panel, 0.6))
    assert panel.cursors.b_ns == pytest.approx(window.start_ns + 0.6 * window.duration_ns, abs=1e8)
    assert panel.view == view
    picture = panel.plots[0].grab().toImage()
    panel.clear_cursors()
    assert panel.plots[0].grab().toImage() != picture


def test_the_spectrum_of_the_visible_span_has_its_peak_where_the_signal_swings(
    qtbot: QtBot, panel: SignalsPanel
) -> None:
    panel.toggle_spectrum()
    panel.show_whole()
    qtbot.waitUntil(lambda: len(panel.spectrum.lines) == 6, timeout=5000)
    qtbot.waitUntil(lambda: "Welch" in panel.spectrum.note, timeout=5000)
    peak = panel.spectrum.lines[0].spectrum.peak()
    assert peak is not None
    assert peak[0] == pytest.approx(25 / (7 * 2 * np.pi), abs=0.25)
    assert not panel.spectrum.grab().isNull()
    assert "acc_x" in panel.spectrum.read_out(panel.spectrum.width() / 2)
    panel.toggle_spectrum()
    assert panel.spectrum.isHidden()


def added(panel: SignalsPanel, made: MadeOf) -> int:
    number_of = panel.add_channel(made)
    assert number_of is not None
    return number_of


def test_channels_made_of_others_are_plotted_beside_those_of_their_unit(
    qtbot: QtBot, panel: SignalsPanel
) -> None:
    numbers = [
        added(panel, MadeOf(Made.MAGNITUDE, (0, 1, 2))),
        added(panel, MadeOf(Made.DERIVATIVE, (3,))),
        added(panel, MadeOf(Made.INTEGRAL, (0,))),
        added(panel, MadeOf(Made.MEAN, (0,), 200_000_000)),
    ]
    qtbot.waitUntil(lambda: all(panel.channels.plotted(n) is not None for n in numbers), timeout=5000)
    names = [panel.channels.all[n] for n in numbers]
    assert [(c.name, c.unit) for c in names] == [
        ("|acc|", "m/s²"),
        ("d gyro_x/dt", "rad/s²"),
        ("∫ acc_x", "m/s"),
        ("acc_x ⌀ 0.2 s", "m/s²"),
    ]
    assert [title.title for title in panel.titles] == [
        "Acceleration, m/s²",
        "Angular rate, rad/s",
        "rad/s²",
        "Speed, m/s",
    ]
    assert len(panel.plots[0].series) == 5
    length = panel.channels.plotted(numbers[0])
    assert length is not None
    np.testing.assert_allclose(length.values, np.linalg.norm(wave(400)[:, :3], axis=1))
    panel.remove_channel(numbers[0])
    assert len(panel.plots[0].series) == 4


def test_added_channels_follow_samples_that_come_later(qtbot: QtBot, panel: SignalsPanel) -> None:
    made = added(panel, MadeOf(Made.INTEGRAL, (0,)))
    qtbot.waitUntil(lambda: panel.channels.plotted(made) is not None, timeout=5000)
    longer = table(800)
    panel.set_samples(longer, wave(800))

    def has_all() -> bool:
        plotted = panel.channels.plotted(made)
        return plotted is not None and len(plotted.values) == 800

    qtbot.waitUntil(has_all, timeout=5000)


def test_more_added_channels_than_there_is_room_for_are_refused(
    panel: SignalsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal_added, "MOST_ADDED_VALUES", 1000)
    failures: list[object] = []
    panel.failed.connect(failures.append)
    for _ in range(3):
        panel.add_channel(MadeOf(Made.INTEGRAL, (0,)))
    assert len(panel.channels.added) == 2
    assert len(failures) == 1


def test_a_channel_dropped_from_another_panel_is_plotted_with_its_own_samples(
    qtbot: QtBot, panel: SignalsPanel
) -> None:
    other = make(qtbot, wave(300)[:, :1] * 5, table(300))
    body, source = panel.findChild(SignalBody), other.findChild(SignalBody)
    assert isinstance(body, SignalBody)
    assert isinstance(source, SignalBody)
    panel.borrow_channel(other, 0)
    assert [channel.name for channel in panel.channels.all.values()][-1] == "sensor: acc_x"
    assert len(panel.plots[0].series) == 4
    assert panel.plots[0].series[3].foreign
    other.set_samples(table(350), wave(350)[:, :1])
    assert len(panel.plots[0].series[3].channel.values) == 350
    assert panel.borrow_channel(panel, 0) is None
    assert panel.borrow_channel(other, 77) is None


def drop_of(source: object, data: bytes) -> Mock:
    """What Qt tells of something that is dropped from within the application."""
    held = QMimeData()
    held.setData(MIME, data)
    event = Mock()
    event.source.return_value, event.mimeData.return_value = source, held
    return event


def test_a_drop_names_the_channel_and_its_panel(qtbot: QtBot, panel: SignalsPanel) -> None:
    other = make(qtbot, wave(300)[:, :2], table(300))
    body, source = panel.findChild(SignalBody), other.findChild(SignalBody)
    assert isinstance(body, SignalBody)
    drop, own = drop_of(source, b"1"), drop_of(body, b"1")
    body.dropEvent(drop)
    body.dropEvent(own)
    drop.acceptProposedAction.assert_called_once()
    own.acceptProposedAction.assert_not_called()
    assert [c.name for c in panel.channels.all.values()][6:] == ["sensor: acc_y"]


def test_what_is_dropped_must_be_a_channel(panel: SignalsPanel) -> None:
    body = panel.findChild(SignalBody)
    assert isinstance(body, SignalBody)
    data = QMimeData()
    data.setData(MIME, b"not a number")
    event = QDropEvent(
        QPointF(10, 10),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(body, event)
    assert not panel.channels.added


def test_every_channel_can_have_an_axis_of_its_own(panel: SignalsPanel) -> None:
    panel.set_apart(True)
    assert len(panel.plots) == 6
    assert panel.titles[0].title == "acc_x, m/s²"
    ranges = {plot.y_range for plot in panel.plots}
    assert len(ranges) > 1
    panel.set_apart(False)
    assert len(panel.plots) == 2


def test_value_axes_fit_what_is_visible_or_stay_as_they_are(qtbot: QtBot) -> None:
    values = wave(400)
    values[300:] *= 100
    panel = make(qtbot, values)
    whole = panel.plots[0].y_range
    assert whole[1] > 90
    panel.set_value_range(ValueRange.VISIBLE)
    near = panel.plots[0].y_range
    assert 0.9 < near[1] < 1.5
    panel.set_playhead(int(STAMPS[350]))
    assert panel.plots[0].y_range[1] > 90
    panel.set_value_range(ValueRange.LOCKED)
    locked = panel.plots[0].y_range
    panel.set_playhead(int(STAMPS[100]))
    assert panel.plots[0].y_range == locked
    panel.set_value_range(ValueRange.WHOLE)
    assert panel.plots[0].y_range == whole


def test_ctrl_and_the_wheel_zoom_values_and_lock_them(panel: SignalsPanel) -> None:
    body = panel.findChild(SignalBody)
    assert isinstance(body, SignalBody)
    before = [plot.y_range for plot in panel.plots]
    place = QPointF(body.plots[0].geometry().center())
    event = QWheelEvent(
        place,
        body.mapToGlobal(place),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(body, event)
    after = [plot.y_range for plot in panel.plots]
    assert after[0][1] - after[0][0] == pytest.approx(0.8 * (before[0][1] - before[0][0]))
    assert after[1] == before[1]
    assert panel.value_range is ValueRange.LOCKED


def test_the_span_can_be_that_of_the_timeline(panel: SignalsPanel) -> None:
    span = TimeWindow(int(STAMPS[10]), int(STAMPS[90]))
    panel.set_timeline_span(span)
    assert panel.shown_window != span
    panel.set_view_kind("timeline")
    assert panel.shown_window == span
    moved = TimeWindow(int(STAMPS[50]), int(STAMPS[60]))
    panel.set_timeline_span(moved)
    assert panel.shown_window == moved
    panel._on_view_moved(0.5, 0.5, 0.0)
    assert panel.view_kind == "own"
    panel.set_timeline_span(span)
    assert panel.shown_window != span
    panel.set_timeline_span(None)
    panel.reset_view()
    assert panel.view_kind == "follow"


def test_the_visible_span_is_saved_as_it_is(panel: SignalsPanel, tmp_path: Path) -> None:
    panel.toggle_channel(1)
    saver = panel.findChild(Saver)
    assert isinstance(saver, Saver)
    path = tmp_path / "imu.csv"
    saver.start(path, panel.csv_writer()).join()
    with path.open(newline="") as file:
        lines = list(csv.reader(file))
    assert lines[0][:3] == ["timestamp_ns", "seconds", "acc_x [m/s²]"]
    assert "acc_y [m/s²]" not in lines[0]
    inside = (panel.shown_window.start_ns <= STAMPS) & (panel.shown_window.stop_ns > STAMPS)
    assert [int(line[0]) for line in lines[1:]] == STAMPS[inside].tolist()
    np.testing.assert_array_equal([float(line[2]) for line in lines[1:]], wave(400)[inside, 0])


@pytest.mark.parametrize("kind", ["nan channel", "constant", "no samples", "one sample", "huge"])
def test_odd_channels_leave_everything_working(qtbot: QtBot, kind: str) -> None:
    values = wave(400)
    match kind:
        case "nan channel":
            values[:, 0] = np.nan
        case "constant":
            values[:, 0] = 7.25
        case "huge":
            values[:, 0] = 1e300
    count = {"no samples": 0, "one sample": 1}.get(kind, 400)
    panel = make(qtbot, values[:count], STAMPS[:count])
    panel.toggle_statistics()
    panel.toggle_spectrum()
    panel.put_cursor("A")
    panel.put_cursor("B", START_NS)
    for made in (MadeOf(Made.MAGNITUDE, (0, 1, 2)), MadeOf(Made.DERIVATIVE, (0,))):
        panel.add_channel(made)
    for value_range in ValueRange:
        panel.set_value_range(value_range)
    panel.set_apart(True)
    panel.show_whole()
    if count:
        qtbot.waitUntil(lambda: known(panel), timeout=5000)
    assert not panel.grab().isNull()
    if kind == "nan channel":
        assert rows(panel)["acc_x"][3:] == ("–",) * 5


def test_units_of_what_is_made_are_named() -> None:
    assert [derived_unit(unit) for unit in ("m/s^2", "m", "rad/s", "", "V")] == [
        "m/s³",
        "m/s",
        "rad/s²",
        "1/s",
        "V/s",
    ]
    assert [integrated_unit(unit) for unit in ("m/s^2", "m/s", "rad/s", "", "V")] == [
        "m/s",
        "m",
        "rad",
        "s",
        "V·s",
    ]
    assert common_name(["acc_x", "acc_y", "acc_z"]) == "acc"
    assert common_name(["x", "y"]) == "x, y"


def test_vectors_are_found_by_their_names(panel: SignalsPanel) -> None:
    assert vectors(CHANNELS, panel.units) == [
        ("acc (acc_x, acc_y, acc_z)", (0, 1, 2)),
        ("gyro (gyro_x, gyro_y, gyro_z)", (3, 4, 5)),
    ]


def test_figures_fit_their_cells() -> None:
    for value in (0.0, -1.5, 123456.789, -9_999_999, 1e300, -1e-9, float("nan"), None, 99.999999):
        assert len(figure_text(value)) <= 11


def test_a_saved_look_comes_back(qtbot: QtBot, panel: SignalsPanel) -> None:
    panel.add_channel(MadeOf(Made.MAGNITUDE, (0, 1, 2)))
    panel.add_channel(MadeOf(Made.MEAN, (4,), 200_000_000))
    panel.toggle_channel(1)
    panel.set_value_range(ValueRange.VISIBLE)
    panel.toggle_statistics()
    panel._on_view_moved(0.5, 0.5, 0.0)
    state = json.loads(json.dumps(panel.view_state()))
    other = SignalsPanel(describe(StreamKind.IMU, STAMPS, channels=CHANNELS), STAMPS, START_NS, Theme())
    show(qtbot, other, 900, 700)
    other.restore_view_state(state)
    other.set_samples(STAMPS, wave(400))
    assert other.view_state() == state
    assert other.off == {1}
    assert other.view.span_ns == panel.view.span_ns
    other.restore_view_state(state)
    assert len(other.channels.added) == 2


@pytest.mark.parametrize(
    "state",
    [
        {},
        {
            "off": 7,
            "made": [["derivative", ["no such"], 0], ["?", ["acc_x"], 1], 5],
            "values": "?",
            "span": 3,
        },
        {"off": [None, "no such"], "made": "all", "span": "follow", "span_ns": -5, "apart": "yes"},
        {"made": [["moving mean", ["acc_x"], 2**70]], "span": "follow", "span_ns": 2**70},
    ],
)
def test_a_look_that_makes_no_sense_is_left_out(panel: SignalsPanel, state: dict[str, object]) -> None:
    before = panel.view_state()
    panel.restore_view_state(state)
    assert panel.view_state() == before


def test_plots_keep_their_height_in_a_low_panel(qtbot: QtBot, panel: SignalsPanel) -> None:
    panel.set_apart(True)
    panel.toggle_statistics()
    panel.toggle_spectrum()
    panel.resize(600, 420)
    qtbot.waitUntil(lambda: 0 < len(panel.plots) < 6 and panel.plots[0].height() >= 20, timeout=5000)
    assert f"{len(panel.plots)} of 6 channels shown" in panel.note
    assert panel.table.height() < 0.4 * panel.height()
    panel.resize(900, 1400)
    qtbot.waitUntil(lambda: len(panel.plots) == 6, timeout=5000)
    panel.resize(300, 90)
    assert not panel.grab().isNull()
