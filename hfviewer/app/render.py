"""A picture of the real main window at one instant, with or without a display."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from hfviewer.app.application import apply_theme, make_application
from hfviewer.app.main_window import MainWindow
from hfviewer.app.settings import SettingsStore
from hfviewer.app.waiting import TIMEOUT_S, missing_panels, open_and_wait, wait_until
from hfviewer.core.errors import WriteError
from hfviewer.model.label_condition import Safety
from hfviewer.panels.standing import Standing
from hfviewer.panels.theme import Theme


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
    episode: int | None = None,
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
        episode: number of the one to open, in a folder of many.
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
            window.annotations.carry_on = False  # a picture changes nothing
            window.resize(*size)
            window.show()
            open_and_wait(window, path, at=at, revision=revision, episode=episode, timeout_s=timeout_s)
            wait_until(
                lambda: (
                    window.annotations.condition.safety is not Safety.LOADING
                    and not missing_panels(window)
                    and all(panel.is_settled for panel in window.area.visible_panels)
                ),
                timeout_s=timeout_s,
            )
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


def _settle(application: QApplication) -> None:
    """Let what was asked for be laid out and painted."""
    for _ in range(5):
        application.sendPostedEvents()
        application.processEvents()
