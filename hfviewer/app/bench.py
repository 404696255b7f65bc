"""How the real window does on a recording: from a jump to the last panel painted, and while scrubbing."""

from __future__ import annotations

import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer

from hfviewer.app.application import apply_theme, make_application
from hfviewer.app.bench_reading import Spread
from hfviewer.app.main_window import MainWindow
from hfviewer.app.settings import SettingsStore
from hfviewer.app.waiting import missing_panels, open_and_wait, wait_until
from hfviewer.panels.theme import Theme
from hfviewer.playback.stalls import StallMeter

_SEED = 20261130
_SEEKS = 25
_SCRUB_S = 3.0
_MOVES_PER_S = 60


@dataclass(frozen=True, slots=True)
class WindowBench:
    """What was measured with a window.

    Args:
        first_paint_ms: from making the window until it was painted, empty.
        seek_to_painted_ms: from a jump until every visible panel shows its frame.
        stall_p99_ms: how much later than due the event loop came round while scrubbing.
        stall_max_ms: the worst of that.
        painted: frames that arrived for display while scrubbing.
        requested: frames that were asked for.
    """

    first_paint_ms: float
    seek_to_painted_ms: Spread
    stall_p99_ms: float
    stall_max_ms: float
    painted: int
    requested: int


def bench_window(path: str) -> WindowBench:
    """Measure the real window, offscreen at 1920×1080.

    Raises:
        HfviewerError: the recording cannot be opened.
    """
    application = make_application(offscreen=True)
    theme = Theme()
    apply_theme(application, theme)
    with tempfile.TemporaryDirectory(prefix="hfviewer-") as folder:
        start = time.perf_counter()
        window = MainWindow(theme, SettingsStore(Path(folder)))
        window.annotations.carry_on = False  # measuring changes nothing
        try:
            window.resize(1920, 1080)
            window.show()
            application.processEvents()
            first_paint_ms = (time.perf_counter() - start) * 1e3
            open_and_wait(window, path, at=None)
            wait_until(lambda: not missing_panels(window), timeout_s=30.0)
            chooser = random.Random(_SEED)
            seeks = Spread.of([_seek_ms(window, chooser) for _ in range(_SEEKS)])
            before = window.player.statistics()
            late_ms = _scrub(window)
            after = window.player.statistics()
            return WindowBench(
                first_paint_ms=first_paint_ms,
                seek_to_painted_ms=seeks,
                stall_p99_ms=Spread.of(late_ms).p99,
                stall_max_ms=max(late_ms, default=0.0),
                painted=after.shown - before.shown,
                requested=after.requested - before.requested,
            )
        finally:
            window.close()
            window.deleteLater()


def _seek_ms(window: MainWindow, chooser: random.Random) -> float:
    span = window.workspace.playhead.span
    start = time.perf_counter()
    window.workspace.playhead.jump_to(chooser.randrange(span.start_ns, span.stop_ns))
    wait_until(lambda: not missing_panels(window), timeout_s=10.0, poll_ms=1)
    for panel in window.area.visible_panels:
        panel.repaint()
    return (time.perf_counter() - start) * 1e3


def _scrub(window: MainWindow) -> list[float]:
    """Sweep the recording there and back, 60 moves a second; how late the event loop was."""
    playhead, span = window.workspace.playhead, window.workspace.playhead.span
    meter, loop, moves = StallMeter(), QEventLoop(), QTimer()
    total = round(_SCRUB_S * _MOVES_PER_S)
    done = 0

    def move() -> None:
        nonlocal done
        done += 1
        share = abs(2 * done - total)  # from the end to the start and back
        playhead.jump_to(span.start_ns + span.duration_ns * share // total)
        if done >= total:
            loop.quit()

    moves.setTimerType(Qt.TimerType.PreciseTimer)
    moves.setInterval(1000 // _MOVES_PER_S)
    moves.timeout.connect(move)
    meter.start()
    moves.start()
    loop.exec()
    moves.stop()
    meter.stop()
    wait_until(lambda: not missing_panels(window), timeout_s=10.0)
    return meter.late_ms
