"""A name from a file may hold anything; wherever it is written, it is one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.stream import Channel, StreamKind
from hfviewer.model.accepted import AcceptedFindings
from hfviewer.model.workspace import Workspace
from hfviewer.panels.findings.panel import FindingsPanel
from hfviewer.panels.header import PanelHeader
from hfviewer.panels.signals import SignalsPanel
from hfviewer.panels.status import StatusBar
from hfviewer.panels.stream_list import StreamList
from hfviewer.panels.theme import Theme
from hfviewer.panels.timeline.view import TimelineView
from hfviewer.panels.transport_parts import FocusInfo
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns
from tests.panels.making import describe, table


def _workspace(name: str) -> Workspace:
    finding = Finding(
        code="truncated", severity=Severity.INFO, message=f"{name} ends", stream=name, evidence=name
    )
    made = Workspace()
    stamps_ns = regular_ns(10, 10_000_000)
    made.set_recording(FakeRecording(FakeStream(name, stamps_ns), findings=[finding]))
    made.focus(name)
    return made


def _header(name: str) -> QWidget:
    return PanelHeader(
        name=name,
        kind=StreamKind.IMAGE,
        widest_number="10",
        widest_timestamp="0.1 s",
        badges=(),
        theme=Theme(),
    )


def _signals(name: str) -> QWidget:
    stamps = table(20)
    channels = (Channel(name, f"unit {name}"),)
    made = SignalsPanel(describe(StreamKind.SIGNAL, stamps, channels=channels), stamps, START_NS, Theme())
    made.set_samples(stamps, np.zeros((20, 1)))
    return made


@pytest.mark.parametrize(
    "make",
    [
        _header,
        _signals,
        lambda name: StatusBar(_workspace(name), Theme()),
        lambda name: StreamList(_workspace(name), Theme()),
        lambda name: FindingsPanel(_workspace(name), AcceptedFindings(Path("none")), Theme()),
        lambda name: FocusInfo(_workspace(name), Theme()),
        lambda name: TimelineView(_workspace(name), Theme()),
    ],
    ids=["header", "signals", "status", "streams", "findings", "transport", "timeline"],
)
def test_a_line_break_in_a_name_is_painted_as_a_space(qtbot: QtBot, make: Callable[[str], QWidget]) -> None:
    pictures = []
    for name in ("front\nleft", "front left", "frontXleft"):
        widget = make(name)
        qtbot.addWidget(widget)
        widget.resize(700, 300)
        widget.grab()
        pictures.append(widget.grab().toImage())
    assert pictures[0] == pictures[1]
    assert pictures[0] != pictures[2]
