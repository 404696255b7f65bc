"""One session of the application, from the first window to the last."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading

from PySide6.QtCore import QTimer

from hfviewer.app.application import apply_theme, make_application
from hfviewer.app.main_window import MainWindow
from hfviewer.app.settings import SettingsStore
from hfviewer.core.collection import EpisodeCollection
from hfviewer.panels.theme import Theme


def run_application(
    path: str | None,
    *,
    at: str | None = None,
    revision: int | None = None,
    episode: int | None = None,
    collection: EpisodeCollection | None = None,
) -> int:
    """Show the window and run until it is closed.

    Args:
        path: recording to open; None: none.
        at: where to put the playhead, as on the command line.
        revision: an earlier state of it.
        episode: number of the one to open, in a folder of many.
        collection: what lies at ``path``, where it was listed already.

    Returns:
        The exit code.
    """
    application = make_application()
    settings = SettingsStore()
    theme = Theme(dark=settings.values.theme == "dark")
    apply_theme(application, theme)
    theme.changed.connect(lambda: apply_theme(application, theme))
    window = MainWindow(theme, settings)
    window.show()
    if path is not None and collection is not None:
        QTimer.singleShot(0, lambda: window.show_collection(path, collection, number=episode, at=at))
    elif path is not None:
        # After the first paint: the window is on screen before anything is read.
        QTimer.singleShot(0, lambda: window.open_path(path, at=at, revision=revision, episode=episode))
    # Ctrl+C in the terminal closes the window; Python's handler only runs when the loop comes round.
    signal.signal(signal.SIGINT, lambda *_: window.close())
    heartbeat = QTimer()
    heartbeat.start(250)
    code = application.exec()
    atexit.register(end_over_decoders, code)
    return code


def end_over_decoders(code: int) -> None:
    """End the process at once where a decoder is still deep in a frame that nobody waits for any more.

    Everything is on the disk by now. The interpreter would cut the decoder's thread off, and libraries in C++
    take that for a crash.
    """
    if any(thread.name.startswith("frame-loader") for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code)
