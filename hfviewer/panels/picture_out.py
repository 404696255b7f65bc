"""Pictures of panels, out of the application: as seen, as stored, depth with all of its bits.

What a picture is of goes with it: stream, frame and timestamp lie in the file as text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QAction, QGuiApplication, QImage

from hfviewer.core.errors import FrameError
from hfviewer.core.frame import DepthFrame, Frame
from hfviewer.panels.menus import MenuMaker
from hfviewer.panels.saving import Saver, file_name

if TYPE_CHECKING:
    from hfviewer.panels.base import StreamPanel

Make = Callable[[], QImage | None]


class PictureOut:
    """What the menu of a panel offers to do with its picture.

    Args:
        panel: whose pictures they are.
    """

    def __init__(self, panel: StreamPanel) -> None:
        self._panel = panel
        self._saver = Saver(panel)
        self._saver.failed.connect(panel.failed)
        self._saver.saved.connect(panel.told)

    def actions(self) -> list[QAction]:
        """Entries for a submenu."""
        panel, tr, make = self._panel, self._panel.tr, MenuMaker(self._panel)
        frame = panel.shown_frame
        entries = [
            make.entry(tr("Copy as it is seen"), self.copy),
            make.entry(tr("Save as it is seen…"), partial(self.ask, "seen", panel.picture_seen)),
        ]
        if frame is None:
            return entries
        native = panel.picture_native
        entries.append(make.entry(tr("Save at its own resolution…"), partial(self.ask, "full", native)))
        if isinstance(frame, DepthFrame):
            for what, text in (
                ("mm", tr("Save depth as 16-bit PNG, millimetres…")),
                ("codes", tr("Save depth as 16-bit PNG, stored codes…")),
            ):
                entries.append(make.entry(text, partial(self.ask, what, partial(deep, frame, what))))
        return entries

    def copy(self) -> None:
        """Put the panel's picture on the clipboard."""
        clipboard = QGuiApplication.clipboard()
        picture = self._panel.picture_seen()
        if picture is not None and clipboard is not None:
            clipboard.setImage(picture)

    def ask(self, what: str, make: Make) -> None:
        """Let a person say where a picture is to be written. It is made now: what is seen may change."""
        picture, frame = make(), self._panel.shown_frame
        if picture is None:
            self._panel.failed.emit(FrameError("There is no picture on screen."))
            return
        number = [] if frame is None else [f"{frame.index:06d}"]
        suggested = file_name(self._panel.stream_name, *number, f"{what}.png")
        described = with_text(picture, self._panel.stream_name, frame)
        self._saver.ask("Save picture", suggested, "Pictures", partial(write_png, described))


def deep(frame: DepthFrame, what: str) -> QImage:
    """Depth as 16-bit grey: ``mm`` for millimetres, 0 where nothing was measured; else the stored codes."""
    values: NDArray[np.uint16] = frame.millimetres if what == "mm" else frame.stored
    values = np.ascontiguousarray(values, np.uint16)
    height, width = values.shape
    picture = QImage(values.data, width, height, width * 2, QImage.Format.Format_Grayscale16).copy()
    picture.setText("values", "millimetres" if what == "mm" else "stored codes")
    return picture


def with_text(picture: QImage, stream: str, frame: Frame | None) -> QImage:
    """The picture with what it is of, as text that goes into its file."""
    described = picture.copy()
    described.setText("stream", stream)
    if frame is not None:
        described.setText("frame", str(frame.index))
        described.setText("sequence", str(frame.sequence))
        described.setText("timestamp_ns", str(frame.timestamp_ns))
    described.setText("software", "hfviewer")
    return described


def write_png(picture: QImage, path: Path) -> str:
    """Write a picture; says how large it is.

    Raises:
        OSError: it cannot be written.
    """
    if not picture.save(str(path), "PNG"):  # type: ignore[call-overload]
        raise OSError("no room, or no right to write there")
    return f"{picture.width()}×{picture.height()}"
