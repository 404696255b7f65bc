"""The panel that says why there is no panel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QWidget

from hfviewer.core.frame import Frame
from hfviewer.core.stream import StreamDescription
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.plate import Plate
from hfviewer.panels.plate_content import PlateContent
from hfviewer.panels.theme import Theme


class TroublePanel(StreamPanel):
    """Stands in for a panel that could not be made, with the reason on its plate."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        *,
        reason: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self.reason = reason
        self._body_widget = _PlateBody(theme, reason, self)
        self._set_body(self._body_widget, with_plate=False)

    def _draw(self, frame: Frame) -> None:
        """Nothing can be drawn here; the plate stays."""


class _PlateBody(QWidget):
    def __init__(self, theme: Theme, reason: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._plate = Plate(theme, self)
        self._plate.show_content(
            PlateContent("This panel cannot be shown", footer=reason, severity="error", hatched=True)
        )

    def resizeEvent(self, event: object) -> None:
        self._plate.setGeometry(self.rect())
