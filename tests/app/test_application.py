from __future__ import annotations

import logging
import sys

import pytest
from PySide6.QtCore import QMessageLogContext, QtMsgType
from PySide6.QtWidgets import QApplication

from hfviewer.app import application
from hfviewer.app.application import apply_theme, has_display, make_application
from hfviewer.panels.theme import Theme


@pytest.mark.parametrize(
    ("environment", "answer"),
    [
        ({}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, False),
        ({"QT_QPA_PLATFORM": "minimal:enable_fonts"}, False),
        ({"QT_QPA_PLATFORM": "xcb"}, True),
    ],
)
def test_a_display_is_one_that_a_person_can_see(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], answer: bool
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert has_display() is answer


def test_other_systems_always_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert has_display()


def test_there_is_one_application_however_often_it_is_made(qapp: QApplication) -> None:
    assert make_application() is make_application(offscreen=True) is qapp


def test_the_theme_is_in_force_for_every_widget(qapp: QApplication) -> None:
    theme = Theme()
    try:
        apply_theme(qapp, theme)
        dark = (qapp.palette().window().color(), qapp.styleSheet())
        theme.set_dark(not theme.dark)
        apply_theme(qapp, theme)
        assert qapp.palette().window().color() != dark[0]
        assert qapp.styleSheet() != dark[1]
    finally:
        qapp.setStyleSheet("")


@pytest.mark.parametrize(
    ("kind", "text", "level"),
    [
        (QtMsgType.QtWarningMsg, "QPainter::begin: failed", logging.WARNING),
        (QtMsgType.QtCriticalMsg, "out of memory", logging.WARNING),
        (QtMsgType.QtInfoMsg, "a remark", logging.INFO),
        (QtMsgType.QtDebugMsg, "a detail", logging.DEBUG),
        (QtMsgType.QtWarningMsg, "This plugin does not support raise()", None),
    ],
)
def test_what_qt_says_goes_to_the_log_and_what_it_always_says_does_not(
    caplog: pytest.LogCaptureFixture, kind: QtMsgType, text: str, level: int | None
) -> None:
    with caplog.at_level(logging.DEBUG, logger="hfviewer"):
        application._on_qt_message(kind, QMessageLogContext(), text)
    said = [(record.levelno, record.getMessage()) for record in caplog.records]
    assert said == ([] if level is None else [(level, text)])
