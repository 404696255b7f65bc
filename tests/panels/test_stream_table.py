from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from hfviewer.core.stream import Clock, StreamDescription, StreamKind
from hfviewer.panels.stream_badges import row_badges
from hfviewer.panels.stream_table import StreamTable, rate_text, tooltip
from tests.panels.fakes import FakeRecording, FakeStream, regular_ns


def described(
    *, guessed: bool = False, clock: Clock | None = Clock.HARDWARE, note: str = ""
) -> StreamDescription:
    return StreamDescription(
        name="imu",
        kind=StreamKind.IMU,
        encoding="f64",
        compression="zstd",
        guessed=guessed,
        clock=clock,
        note=note,
        frame_count=9,
    )


@pytest.mark.parametrize(
    ("rate_hz", "text"),
    [(None, "–"), (29.97, "29.97"), (1.0, "1.00"), (99.96, "100.0"), (1000.0, "1000.0"), (48_000.0, "48000")],
)
def test_rates_have_four_figures(rate_hz: float | None, text: str) -> None:
    assert rate_text(rate_hz) == text


def test_a_badge_says_what_not_to_trust() -> None:
    assert row_badges(described()) == ()
    assert row_badges(described(guessed=True, clock=Clock.HOST)) == ("guessed", "host")
    assert row_badges(described(clock=Clock.NOMINAL)) == ("nominal",)


def test_the_tooltip_tells_encoding_compression_clock_and_note() -> None:
    text = tooltip(described(guessed=True, clock=Clock.NOMINAL, note="Rows of imu.csv"))
    for part in ("imu (guessed from the data)", "f64", "zstd", "made from a stated rate", "Rows of imu.csv"):
        assert part in text
    assert "irregularly" in text


def test_rows_are_in_the_recordings_order(qtbot: QtBot) -> None:
    table = StreamTable()
    table.set_recording(FakeRecording(FakeStream("b", regular_ns(12_345, 1_000_000)), FakeStream("a", [])))
    assert [table.index(i).data() for i in range(table.rowCount())] == ["b", "a"]
    assert table.most_digits() == 5
    assert not table.index_of("c").isValid()
    assert table.rowCount(table.index(0)) == 0


def test_a_hidden_stream_is_told_to_screen_readers(qtbot: QtBot) -> None:
    table = StreamTable()
    table.set_recording(FakeRecording(FakeStream("a", [], guessed=True)))
    table.set_shown("a", False)
    assert table.index(0).data(Qt.ItemDataRole.AccessibleTextRole) == "a, guessed, hidden"
