"""Run the event loop until something is true: for pictures and benchmarks, where nobody sits in front."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEventLoop, Qt, QTimer

from hfviewer.app.main_window import MainWindow
from hfviewer.core.errors import HfviewerError

TIMEOUT_S = 30.0  # a picture of 16 000 × 16 000 pixels takes a busy machine some of that


def open_and_wait(
    window: MainWindow,
    path: str,
    *,
    at: str | None,
    revision: int | None = None,
    episode: int | None = None,
    timeout_s: float = TIMEOUT_S,
) -> None:
    """Open a recording and run the event loop until it is there.

    Raises:
        HfviewerError: it cannot be opened, or ``at`` is not a time.
    """
    failures: list[HfviewerError] = []
    window.failed.connect(failures.append)
    window.open_path(path, at=at, revision=revision, episode=episode)
    wait_until(
        lambda: bool(failures) or window.workspace.recording is not None, timeout_s=max(60.0, timeout_s)
    )
    window.failed.disconnect(failures.append)
    if failures:
        raise failures[0]


def missing_panels(window: MainWindow) -> list[str]:
    """Names of the streams whose visible panels do not show the frame under the playhead."""
    return [panel.stream_name for panel in window.area.visible_panels if not panel.is_current]


def wait_until(done: Callable[[], bool], *, timeout_s: float, poll_ms: int = 10) -> bool:
    """Run the event loop until something is true; False where it is not within the time."""
    stop_at = time.monotonic() + timeout_s
    loop = QEventLoop()
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(poll_ms)
    timer.timeout.connect(lambda: loop.quit() if done() or time.monotonic() > stop_at else None)
    timer.start()
    if not done():
        loop.exec()
    timer.stop()
    return done()
