"""The Qt application: attributes, look, and what must be true before any window exists."""

from __future__ import annotations

import logging
import os
import sys

from PySide6.QtCore import QCoreApplication, QMessageLogContext, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from hfviewer.panels.theme import Theme, qpalette, stylesheet, ui_font

_log = logging.getLogger(__name__)


def has_display() -> bool:
    """Whether windows can be shown to a person here."""
    if os.environ.get("QT_QPA_PLATFORM"):
        return os.environ["QT_QPA_PLATFORM"].split(":")[0] not in ("offscreen", "minimal")
    if sys.platform != "linux":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def make_application(*, offscreen: bool = False) -> QApplication:
    """The one QApplication, made on the first call.

    Args:
        offscreen: draw into memory, also where there is a display.
    """
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    if offscreen:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    qInstallMessageHandler(_on_qt_message)
    # Without it a floated 3-D panel gets another GL context and stays empty.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    # Loader threads must not hold up the GUI thread for the default 5 ms at a time.
    sys.setswitchinterval(0.001)
    QGuiApplication.setApplicationName("hfviewer")
    QGuiApplication.setApplicationDisplayName("hfviewer")
    QGuiApplication.setDesktopFileName("hfviewer")
    application = QApplication(sys.argv[:1])
    application.setStyle("Fusion")
    return application


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """Qt's own messages to the log; what the offscreen platform says of every window it shows is no news."""
    if text.startswith("This plugin does not support"):
        return
    levels = {QtMsgType.QtDebugMsg: logging.DEBUG, QtMsgType.QtInfoMsg: logging.INFO}
    _log.log(levels.get(kind, logging.WARNING), "%s", text)


def apply_theme(application: QApplication, theme: Theme) -> None:
    """Put the theme's tokens in force for every widget."""
    application.setFont(ui_font(13))
    application.setPalette(qpalette(theme.tokens))
    application.setStyleSheet(stylesheet(theme.tokens))
