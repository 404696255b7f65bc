"""A picture of the real main window at one instant, with or without a display."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from hfviewer.app.application import apply_theme, make_application
from hfviewer.app.main_window import MainWindow
from hfviewer.app.settings import SettingsStore
from hfviewer.core.errors import HfviewerError, WriteError
from hfviewer.panels.standing import Standing
from hfviewer.panels.theme import Theme

TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a picture shows.

    Args:
        missing: streams whose panels did not get their frame in time.
        unreadable: streams whose frame at that time is broken; their panels say so.
        panels: streams that have a panel in the picture.
        position_ns: of the playhead.
    """

    missing: tuple[str, ...]
    unreadable: tuple[str, ...]
    panels: tuple[str, ...]
    position_ns: int


def render_window(
    path: str,
    *,
    at: str,
    out: Path,
    size: tuple[int, int],
    dark: bool = True,
    revision: int | None = None,
    timeout_s: float = TIMEOUT_S,
) -> Rendered:
    """Open a recording in the main window, wait until every panel shows its frame, and save the picture.

    Args:
        path: of the recording.
        at: a time as on the command line.
        out: picture to write; replaced where it exists.
        size: (width, height) of the window in pixels.
        dark: theme.
        revision: an earlier state.
        timeout_s: how long to wait for the panels.

    Raises:
        HfviewerError: the recording cannot be opened, or ``at`` is not a time.
        WriteError: the picture cannot be written.
    """
    application = make_application(offscreen=True)
    theme = Theme(dark=dark)
    apply_theme(application, theme)
    with tempfile.TemporaryDirectory(prefix="hfviewer-") as folder:
        window = MainWindow(theme, SettingsStore(Path(folder)))
        try:
            window.resize(*size)
            window.show()
            open_and_wait(window, path, at=at, revision=revision, timeout_s=timeout_s)
            wait_until(lambda: not missing_panels(window), timeout_s=timeout_s)
            window.timeline.canvas.finish_scan()
            _settle(application)
            missing = missing_panels(window)
            image = QImage(*size, QImage.Format.Format_RGB32)
            window.render(image)
            if not image.save(str(out)):
                raise WriteError(
                    "The picture cannot be written.", remedy="Name a .png in a folder that exists.", path=out
                )
            return Rendered(
                missing=tuple(missing),
                unreadable=tuple(
                    panel.stream_name
                    for panel in window.area.visible_panels
                    if panel.standing is Standing.UNREADABLE
                ),
                panels=tuple(panel.stream_name for panel in window.area.visible_panels),
                position_ns=window.workspace.playhead.position_ns,
            )
        finally:
            window.close()
            window.deleteLater()


def open_and_wait(
    window: MainWindow,
    path: str,
    *,
    at: str | None,
    revision: int | None = None,
    timeout_s: float = TIMEOUT_S,
) -> None:
    """Open a recording and run the event loop until it is there.

    Raises:
        HfviewerError: it cannot be opened, or ``at`` is not a time.
    """
    failures: list[HfviewerError] = []
    window.failed.connect(failures.append)
    window.open_path(path, at=at, revision=revision)
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


def _settle(application: QApplication) -> None:
    """Let what was asked for be laid out and painted."""
    for _ in range(5):
        application.sendPostedEvents()
        application.processEvents()
