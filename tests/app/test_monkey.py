"""Whatever is pressed, clicked, dragged and opened in whatever order, the window goes on working."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hfviewer.app.main_window import MainWindow
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from tests.app.monkey import Monkey, obeys
from tests.recordings import write_small
from tests.special_recording import write_special

MakeWindow = Callable[[], MainWindow]
SOAK_S = float(os.environ.get("HFVIEWER_SOAK_S", "600"))
# A window that closes waits for its threads; whoever still decodes then has a second and a half left.
PATIENCE_S = 5.0


def write_hollow(path: Path) -> Path:
    """Streams without frames, of one frame, of frames without bytes, and names that are none."""
    channels = (Channel("v"),)
    with HyperframeWriter(path) as writer:
        for name, kind, encoding in (
            ("empty", StreamKind.IMAGE, "jpeg"),
            ("hollow", StreamKind.IMAGE, "jpeg"),
            ("no points", StreamKind.POINTS, "f32"),
            ("<b>../../\n抓取", StreamKind.SIGNAL, "f64"),
            ("text", StreamKind.TEXT, "json"),
        ):
            fields = ("x", "y", "z") if kind is StreamKind.POINTS else ()
            writer.add_stream(
                StreamDescription(name=name, kind=kind, encoding=encoding, fields=fields, channels=channels)
            )
        for index in range(20):
            at_ns = index * 50_000_000
            writer.append("hollow", at_ns, b"")
            writer.append("no points", at_ns, b"")
            writer.append("<b>../../\n抓取", at_ns, b"\0" * 8)
        writer.append("text", 7, b'{"a":' * 1000)
    return path


@pytest.fixture
def monkey(
    make_window: MakeWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[int], tuple[MainWindow, Monkey]]:
    """A window and its tormentor, in a folder of their own."""
    paths = [
        write_small(tmp_path / "a.hfr"),
        write_small(tmp_path / "b.hfr", frames=3),
        write_special(tmp_path / "special.hfr", frames=8),
        write_hollow(tmp_path / "hollow.hfr"),
        tmp_path / "nothing there.hfr",
    ]
    monkeypatch.chdir(tmp_path)
    # It waits for the hand to let go, in a loop that no test can reach into.
    monkeypatch.setattr(QDrag, "exec", lambda *_: None)

    def make(seed: int) -> tuple[MainWindow, Monkey]:
        window = make_window()
        return window, Monkey(window, paths, seed)

    return make


def check(window: MainWindow, monkey: Monkey) -> None:
    late = monkey.settle()
    assert not late, monkey.done[-8:]
    recording, span = window.workspace.recording, window.workspace.playhead.span
    known = set() if recording is None else set(recording.streams)
    assert {panel.stream_name for panel in window.area.panels} <= known
    if recording is not None and span.stop_ns - span.start_ns > 100_000_000:
        assert obeys(window), f"{QApplication.focusWidget()} after {monkey.done[-8:]}"


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # menus grab, offscreen cannot
@pytest.mark.parametrize("seed", [1, 2])
def test_a_monkey_breaks_nothing(monkey: Callable[[int], tuple[MainWindow, Monkey]], seed: int) -> None:
    before = set(threading.enumerate())
    window, hand = monkey(seed)
    hand.open_first()
    for _ in range(4):
        hand.run(50)
        check(window, hand)
    hand.dismiss()
    window.close()
    stop_at = time.monotonic() + PATIENCE_S
    while (left := set(threading.enumerate()) - before) and time.monotonic() < stop_at:
        time.sleep(0.02)
    assert not left


@pytest.mark.soak
@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_monkey_with_time_breaks_nothing_either(
    monkey: Callable[[int], tuple[MainWindow, Monkey]], qtbot: QtBot
) -> None:
    seed = random.randrange(10**6)
    print("seed", seed)  # noqa: T201 - to do the same again
    window, hand = monkey(seed)
    stop_at = time.monotonic() + SOAK_S
    while time.monotonic() < stop_at:
        hand.run(100, until=stop_at)
        check(window, hand)
    print(len(hand.done), "deeds")  # noqa: T201 - the figure is the point
    begin = time.monotonic()
    window.close()
    assert time.monotonic() - begin < 2.0
