"""Status streams: what a device said of itself, and when that changed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QWidget

from hfviewer.core.frame import Frame
from hfviewer.core.stream import StreamDescription
from hfviewer.core.time_format import TimeFormat
from hfviewer.core.window import TimeWindow
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.menus import MenuMaker
from hfviewer.panels.once import Once
from hfviewer.panels.state_canvas import StateCanvas
from hfviewer.panels.state_history import History, history_of, read_history, text_of
from hfviewer.panels.theme import Theme
from hfviewer.playback.result import Preparer
from hfviewer.playback.source import FrameSource


class StatePanel(StreamPanel):
    """The state at the playhead, all of them side by side in time, and the list of changes to jump to."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._history: Once[History] = Once()
        self._shown_history: History | None = None
        self._span_ns: TimeWindow | None = None  # of the whole recording
        self._canvas = StateCanvas(theme, self._time_text, self)
        self._canvas.state_chosen.connect(self._on_chosen)
        self._canvas.hovered.connect(lambda _: self.read_out_changed.emit(self._read_out()))
        self._set_body(self._canvas)

    @property
    def canvas(self) -> StateCanvas:
        return self._canvas

    @property
    def history(self) -> History | None:
        """All states, once a frame was prepared; until then those that were shown."""
        return self._history.known or self._shown_history

    def set_source(self, source: FrameSource | None) -> None:
        super().set_source(source)
        spans = [] if source is None else [s.description.span for s in source.streams.values()]
        known = [span for span in spans if span is not None]
        if known:
            start_ns = min(self._recording_start_ns, *(span.start_ns for span in known))
            stop_ns = max(span.stop_ns for span in known)
            self._span_ns = TimeWindow(start_ns, max(stop_ns, start_ns + 1))

    def set_times(self, times: TimeFormat) -> None:
        super().set_times(times)
        self._canvas.update()

    def preparer(self) -> Preparer | None:
        history, source, name = self._history, self._source, self.stream_name
        if source is None or history.tried:
            return None
        return lambda _frame: history.get(lambda: read_history(source, name))

    def context_actions(self) -> list[QAction]:
        menu = MenuMaker(self)
        return [
            menu.entry("Copy all changes", self.copy_all, enabled=self.history is not None),
        ]

    def copy_all(self) -> None:
        """Time and text of every change, a line each."""
        history = self.history
        states = () if history is None else history.states
        lines = [f"{self._time_text(state.start_ns)}\t{state.text}" for state in states]
        QGuiApplication.clipboard().setText("\n".join(lines))

    # -- inside ----------------------------------------------------------------------------------------------

    def _draw(self, frame: Frame) -> None:
        if self._history.known is None:
            stamp_ns = int(self._timestamps_ns[frame.index])
            self._shown_history = history_of([(text_of(frame), stamp_ns, frame.index)], complete=False)
        self._show()

    def _clear(self) -> None:
        if self._history.known is None:
            self._shown_history = None
        self._show()

    def _show(self) -> None:
        span = self._span_ns
        if span is None and len(self._timestamps_ns):
            span = TimeWindow(self._recording_start_ns, int(self._timestamps_ns[-1]) + 1)
        self._canvas.show_history(self.history, span or TimeWindow(0, 1))

    def _playhead_moved(self, position_ns: int) -> None:
        self._canvas.set_position(position_ns)

    def _on_chosen(self, number: int) -> None:
        history = self.history
        if history is not None and number < len(history.states):
            self.jump_requested.emit(history.states[number].start_ns)

    def _read_out(self) -> str:
        history, number = self.history, self._canvas.under
        if history is None or number is None or number >= len(history.states):
            return ""
        state = history.states[number]
        return f"{self._time_text(state.start_ns)}   {state.text}"
