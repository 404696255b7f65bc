from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from hfviewer.app.main_window import MainWindow
from hfviewer.app.stream_menu import READINGS, StreamMenu
from hfviewer.app.waiting import missing_panels
from hfviewer.core.stream import StreamKind
from hfviewer.readers.registry import open_recording
from tests.readers.plain import PlainWriter
from tests.recordings import cloud


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    path = tmp_path / "plain.hfr"
    writer = PlainWriter(path)
    for index in range(4):
        writer.append(3, 1_000_000_000 + index * 100_000_000, cloud(index).tobytes())
    writer.finalize()
    return path


def test_the_correction_of_a_guess_is_a_new_revision_and_shows_at_once(
    qtbot: QtBot, make_window: Callable[[], MainWindow], plain: Path
) -> None:
    window = make_window()
    window.open_path(str(plain))
    qtbot.waitUntil(lambda: window.workspace.recording is not None, timeout=10_000)
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=10_000)
    window.workspace.playhead.jump_to(1_200_000_000)
    menu = window.findChild(StreamMenu)
    assert menu is not None
    before = plain.read_bytes()
    reading = next(r for r in READINGS if r.kind is StreamKind.POINTS and len(r.fields) == 4)
    with qtbot.waitSignal(menu.corrected, timeout=10_000):
        menu.correct("stream 3", reading)
    qtbot.waitUntil(
        lambda: (r := window.workspace.recording) is not None and r.description.revision == 2, timeout=10_000
    )
    assert window.workspace.playhead.position_ns == 1_200_000_000
    with open_recording(plain) as recording:
        description = recording.streams["stream 3"].description
        assert not description.guessed
        assert description.fields == ("x", "y", "z", "intensity")
    # Nothing that was recorded has moved: only the header has changed, and the file has grown.
    assert plain.read_bytes()[512 : len(before)] == before[512:]


def test_every_reading_is_one_that_the_format_knows() -> None:
    from hfviewer.codecs.decode import ENCODINGS

    for reading in READINGS:
        assert reading.encoding in ENCODINGS[reading.kind]
