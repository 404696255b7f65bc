"""Descriptions, tables and frames for the panels' tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from hfviewer.core import timing
from hfviewer.core.depth import DepthScale
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import DepthFrame, Frame, ImageFrame, PointFrame, SampleFrame, TextFrame
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.playback.result import FrameResult

START_NS = 1_700_000_000_000_000_000
PERIOD_NS = 40_000_000
NAME = "sensor"


def table(count: int, *, lost: tuple[int, ...] = ()) -> NDArray[np.int64]:
    """Timestamps at 25 Hz from `START_NS`, without those of the lost frames."""
    stamps = START_NS + np.arange(count, dtype=np.int64) * PERIOD_NS
    return np.delete(stamps, list(lost))


def describe(kind: StreamKind, timestamps_ns: NDArray[np.int64], **more: Any) -> StreamDescription:
    return StreamDescription(
        name=NAME,
        kind=kind,
        encoding="any",
        frame_count=len(timestamps_ns),
        period_ns=timing.period_ns(timestamps_ns),
        rate_hz=timing.rate_hz(timestamps_ns),
        **more,
    )


def image(pixels: NDArray[Any], *, index: int = 0, **more: Any) -> ImageFrame:
    return ImageFrame(stream=NAME, index=index, timestamp_ns=0, sequence=index, pixels=pixels, **more)


def depth(stored: NDArray[np.uint16], *, index: int = 0, scale: DepthScale | None = None) -> DepthFrame:
    return DepthFrame(
        stream=NAME, index=index, timestamp_ns=0, sequence=index, stored=stored, scale=scale or DepthScale()
    )


def points(xyz: NDArray[np.float32], *, index: int = 0, **fields: NDArray[np.float32]) -> PointFrame:
    return PointFrame(stream=NAME, index=index, timestamp_ns=0, sequence=index, xyz=xyz, fields=fields)


def samples(row: NDArray[Any], *, index: int = 0) -> SampleFrame:
    """One sample, all of its values in one row."""
    values = np.asarray(row, np.float64).reshape(1, -1)
    return SampleFrame(
        stream=NAME,
        index=index,
        timestamp_ns=0,
        sequence=index,
        timestamps_ns=np.zeros(1, np.int64),
        values=values,
        channels=tuple(Channel(f"{i}") for i in range(values.shape[1])),
    )


def text(value: Any, stored: str, *, index: int = 0) -> TextFrame:
    return TextFrame(stream=NAME, index=index, timestamp_ns=0, sequence=index, value=value, text=stored)


def result(frame: Frame, *, generation: int = 1) -> FrameResult:
    return FrameResult(epoch=0, generation=generation, stream=NAME, index=frame.index, frame=frame)


def failure(index: int, *, generation: int = 1, problem: str = "It is cut short.") -> FrameResult:
    return FrameResult(
        epoch=0, generation=generation, stream=NAME, index=index, frame=None, error=FrameError(problem)
    )


def show(qtbot: QtBot, widget: QWidget, width: int = 480, height: int = 320) -> None:
    """Give a widget its size and let it be laid out and painted."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    widget.grab()


def colour_at(widget: QWidget, x: int, y: int) -> tuple[int, int, int]:
    """Red, green, blue of one pixel as painted."""
    colour = widget.grab().toImage().pixelColor(x, y)
    return colour.red(), colour.green(), colour.blue()


def move_pointer(widget: QWidget, place: QPoint, *, held: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    """Move the pointer over a widget; `QTest` says nothing where another test left it in the same place."""
    where, screen = QPointF(place), QPointF(widget.mapToGlobal(place))
    none, plain = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(widget, QMouseEvent(QEvent.Type.MouseMove, where, screen, none, held, plain))


def entries(actions: list[QAction]) -> list[QAction]:
    """All entries of a menu and its submenus that do something."""
    found = []
    for action in actions:
        below = action.menu()
        if isinstance(below, QMenu):
            found += entries(below.actions())
        else:
            found.append(action)
    return found
