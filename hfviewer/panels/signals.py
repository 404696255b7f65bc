"""IMU, poses and every other stream of numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton, QWidget

from hfviewer.core.errors import FrameError, HfviewerError
from hfviewer.core.stream import Channel, StreamDescription
from hfviewer.core.window import TimeWindow
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.saving import Saver, Write, file_name
from hfviewer.panels.signal_added import AddedChannels
from hfviewer.panels.signal_board import FigureBoard
from hfviewer.panels.signal_body import SignalBody
from hfviewer.panels.signal_channels import ChannelSet, MadeOf
from hfviewer.panels.signal_cursors import Cursors
from hfviewer.panels.signal_data import ChannelGroup, SignalChannel
from hfviewer.panels.signal_filling import Filling
from hfviewer.panels.signal_menu import signal_actions
from hfviewer.panels.signal_out import csv_writer, span_text, values_text
from hfviewer.panels.signal_plot import SignalPlot
from hfviewer.panels.signal_prepare import PreparedSignal, prepare_signal
from hfviewer.panels.signal_ranges import ValueRange, zoomed
from hfviewer.panels.signal_span import FOLLOW, WHOLE, ShownSpan
from hfviewer.panels.signal_spectrum import SpectrumPlot
from hfviewer.panels.signal_stack import PlotStack
from hfviewer.panels.signal_state import restore, state_of
from hfviewer.panels.signal_table import SignalTable
from hfviewer.panels.signal_title import SignalTitle
from hfviewer.panels.signal_view import SignalView
from hfviewer.panels.theme import Theme, ui_font
from hfviewer.playback.result import FrameResult
from hfviewer.playback.samples import SamplesPreparer
from hfviewer.quality.gaps import Gaps


class SignalsPanel(StreamPanel):
    """One plot per unit, or per channel, all over the same span of time.

    Samples come in bulk through `set_samples`; single frames of the stream are not needed.
    """

    samples_changed = Signal()  # channels lent to other panels are others now

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._channels = ChannelSet(description.channels)
        self._filling = Filling()
        self._span = ShownSpan(description.period_ns, self._whole())
        self._added = AddedChannels(self._channels, self)
        self._added.changed.connect(self._on_added_changed)
        self._saver = Saver(self)
        self._saver.failed.connect(self.failed)
        self._saver.saved.connect(self.told)
        self._body_widget = SignalBody(theme, self)
        self._stack = PlotStack(self._body_widget, self._channels, theme)
        self._connect_body(self._body_widget)
        self._board = FigureBoard(
            self._body_widget.table,
            self._body_widget.spectrum,
            drawn=self._stack.drawn,
            window=lambda: self.shown_window,
            origin_ns=recording_start_ns,
            parent=self,
        )
        self._buttons = [
            self._button("Σ", "Statistics of the visible span", self.toggle_statistics),
            self._button("∿", "Spectrum of the visible span", self.toggle_spectrum),
        ]
        # Not at once: what is resized now would be gone before it is done.
        self._fit_soon = QTimer(self)
        self._fit_soon.setSingleShot(True)
        self._fit_soon.setInterval(0)
        self._fit_soon.timeout.connect(self._arrange)
        theme.changed.connect(self._show_series)
        self._arrange()
        self._set_body(self._body_widget)

    # -- what is shown ---------------------------------------------------------------------------------------

    @property
    def plots(self) -> list[SignalPlot]:
        return self._body_widget.plots

    @property
    def titles(self) -> list[SignalTitle]:
        return self._body_widget.titles

    @property
    def table(self) -> SignalTable:
        """Figures at the cursors and of the visible span."""
        return self._body_widget.table

    @property
    def spectrum(self) -> SpectrumPlot:
        return self._body_widget.spectrum

    @property
    def note(self) -> str:
        """The line in the corner: how much is loaded, or what cannot be read."""
        return self._body_widget.note

    @property
    def view(self) -> SignalView:
        return self._span.view

    @property
    def view_kind(self) -> str:
        """What the span is tied to, see `ShownSpan`."""
        return self._span.kind

    @property
    def shown_window(self) -> TimeWindow:
        """The span that is visible."""
        return self._span.view.window(self._position_ns or 0)

    @property
    def gaps(self) -> Gaps:
        """Where samples are missing among those at hand."""
        return self._channels.gaps

    @property
    def channels(self) -> ChannelSet:
        return self._channels

    @property
    def units(self) -> list[ChannelGroup]:
        """All channels by unit."""
        return self._stack.units

    @property
    def off(self) -> set[int]:
        """Numbers of the channels that are switched off."""
        return self._stack.off

    @property
    def cursors(self) -> Cursors:
        return self._board.cursors

    @property
    def is_apart(self) -> bool:
        """True where every channel has a plot and an axis of its own."""
        return self._stack.apart

    @property
    def value_range(self) -> ValueRange:
        return self._stack.value_range

    @property
    def has_statistics(self) -> bool:
        return self._board.has_statistics

    @property
    def has_spectrum(self) -> bool:
        return self._board.has_spectrum

    def context_actions(self) -> list[QAction]:
        return signal_actions(self)

    def view_state(self) -> dict[str, object]:
        return state_of(self)

    def restore_view_state(self, state: dict[str, object]) -> None:
        restore(self, state)

    # -- samples ---------------------------------------------------------------------------------------------

    def samples_preparer(self) -> SamplesPreparer:
        """What the thread that reads the samples may do ahead with them."""
        return partial(
            prepare_signal,
            frame_stamps_ns=self._timestamps_ns,
            sequence=self._sequence,
            finder=self._gaps_watched.finder,
        )

    def set_samples(
        self,
        timestamps_ns: NDArray[np.int64],
        values: NDArray[np.float64],
        prepared: object = None,
    ) -> None:
        """Take all samples read so far.

        Args:
            timestamps_ns: int64[n], non-decreasing, recording clock.
            values: float64 n×C.
            prepared: what `samples_preparer` made of just these; None: that is done here.
        """
        count = min(len(timestamps_ns), len(values))
        if values.ndim != 2:
            return
        timestamps_ns, values = timestamps_ns[:count], values[:count]
        if not isinstance(prepared, PreparedSignal):
            prepared = prepare_signal(
                timestamps_ns,
                values,
                frame_stamps_ns=self._timestamps_ns,
                sequence=self._sequence,
                most=0,
                finder=self._gaps_watched.finder,
            )
        self._channels.take(timestamps_ns, values, prepared)
        self._added.make_anew()
        self._arrange()
        self._playhead_moved(self._position_ns or 0)
        self._refresh()
        self.samples_changed.emit()

    def set_progress(self, share: float) -> None:
        """Say how much of the stream the samples at hand are, 0 … 1."""
        self._filling.share = share
        self._playhead_moved(self._position_ns or 0)
        self._say_state()
        self._refresh()

    def set_trouble(self, error: HfviewerError | None) -> None:
        """Say why the rest of the samples is missing."""
        self._filling.fail(error)
        self._say_state()

    def show_result(self, result: FrameResult) -> None:
        """Single frames are not drawn: the samples say it all."""

    # -- channels --------------------------------------------------------------------------------------------

    def toggle_channel(self, number: int) -> None:
        """Switch one channel's curve on or off."""
        self._stack.off ^= {number}
        self._arrange()
        self._redraw()

    def show_only(self, numbers: Collection[int]) -> None:
        """Switch on the curves of these channels, and those of all others off."""
        self._stack.off = set(self._channels.all).difference(numbers)
        self._arrange()
        self._redraw()

    def set_apart(self, apart: bool) -> None:
        """Give every channel a plot and an axis of its own, or those of one unit a common one."""
        self._stack.apart = apart
        self._arrange()
        self._redraw()

    def add_channel(self, made: MadeOf) -> int | None:
        """Plot something made of the stream's own channels; gives its number, None where there is no room."""
        number = self._added.make(made)
        if number is None:
            problem = "There is no room for one more channel made of this signal."
            self.failed.emit(FrameError(problem, remedy="Remove one of those that were added."))
            return None
        self._arrange()
        self._redraw()
        return number

    def borrow_channel(self, lender: SignalsPanel, number: int) -> int | None:
        """Plot a channel of another panel; gives its number here."""
        theirs = lender.channels.all.get(number)
        if lender is self or theirs is None:
            return None
        named = Channel(f"{lender.stream_name}: {theirs.name}", theirs.unit)
        added = self._added.borrow(lender, number, named, lender.samples_changed)
        self._arrange()
        self._redraw()
        return added

    def remove_channel(self, number: int) -> None:
        """Plot a channel that was added no longer."""
        self._added.remove(number)
        self._stack.off.discard(number)
        self._arrange()
        self._redraw()

    def lent(self, number: int) -> tuple[SignalChannel, Gaps] | None:
        """A channel, for another panel; None where there is none, or not yet."""
        plotted = self._channels.plotted(number)
        if plotted is None:
            return None
        own = self._channels.gaps_of(number)
        return plotted, self._channels.gaps if own is None else own

    # -- span and values -------------------------------------------------------------------------------------

    def show_whole(self) -> None:
        """All of the stream, not following the playhead."""
        self.set_view_kind(WHOLE)

    def set_view(self, view: SignalView) -> None:
        """Show another span of time, tied to nothing but perhaps the playhead."""
        self._span.set_view(view)
        self._redraw()

    def set_view_kind(self, kind: str) -> None:
        """Tie the span to something, see `ShownSpan`."""
        self._span.tie(kind)
        self._redraw()

    def set_timeline_span(self, span: TimeWindow | None) -> None:
        """The timeline shows this."""
        if self._span.set_timeline(span):
            self._redraw()

    def reset_view(self) -> None:
        self.set_view_kind(FOLLOW)

    def set_value_range(self, value_range: ValueRange) -> None:
        """Say where the ends of the value axes come from."""
        self._stack.value_range = value_range
        self._stack.fit_values(self.shown_window)
        self._redraw()

    # -- figures ---------------------------------------------------------------------------------------------

    def toggle_statistics(self) -> None:
        """Show figures of the visible span, or not."""
        self._board.set_statistics(not self._board.has_statistics)
        self._buttons[0].setChecked(self._board.has_statistics)

    def toggle_spectrum(self) -> None:
        """Show the spectrum of the visible span, or not."""
        self._board.set_spectrum(not self._board.has_spectrum)
        self._buttons[1].setChecked(self._board.has_spectrum)

    def put_cursor(self, letter: str, at_ns: int | None = None) -> None:
        """Move cursor A or B to a time; None: to the playhead."""
        self.cursors.put(letter, self._position_ns if at_ns is None else at_ns)
        self._redraw()

    def clear_cursors(self) -> None:
        self.cursors.clear()
        self._redraw()

    def ask_csv(self) -> None:
        """Let a person say where the visible span is to be written."""
        suggested = file_name(
            self.stream_name, f"{span_text(self.shown_window, self._recording_start_ns)}.csv"
        )
        self._saver.ask("Save samples", suggested, "Tables", self.csv_writer())

    def csv_writer(self) -> Write:
        """What writes the samples that are visible now, of the channels that are on; for any thread."""
        own = [one for one in self._stack.drawn() if not self._channels.is_foreign(one.number)]
        return csv_writer(own, self.shown_window, self._recording_start_ns)

    # -- inside ----------------------------------------------------------------------------------------------

    def _connect_body(self, body: SignalBody) -> None:
        body.view_moved.connect(self._on_view_moved)
        body.values_zoomed.connect(self._on_values_zoomed)
        body.hovered.connect(self._on_hovered)
        body.cursor_wanted.connect(self._on_cursor_wanted)
        body.cursor_dragged.connect(lambda letter, share: self.put_cursor(letter, self._time_at(share)))
        body.fit_wanted.connect(self.reset_view)
        body.resized.connect(self._on_resized)
        body.pressed.connect(lambda: self.focus_requested.emit(self.stream_name))
        body.channel_toggled.connect(self.toggle_channel)
        body.channel_dropped.connect(self._on_channel_dropped)
        body.spectrum.hovered.connect(self.read_out_changed)

    def _button(self, sign: str, hint: str, do: Callable[[], None]) -> QToolButton:
        button = QToolButton(self)
        button.setText(sign)
        button.setFont(ui_font(14, 600))
        button.setStyleSheet("padding: 0px")
        button.setToolTip(hint)
        button.setAccessibleName(hint)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setCheckable(True)
        button.clicked.connect(lambda _=False: do())
        self.header.add_button(button)
        return button

    def _playhead_moved(self, position_ns: int) -> None:
        reached = self._filling.reaches(position_ns, self._channels.sample_ns)
        self._shown = self._wanted if reached else None
        self._redraw()

    def _whole(self) -> TimeWindow | None:
        """All of the stream."""
        if self._description.span is not None or not len(self._timestamps_ns):
            return self._description.span
        return TimeWindow(int(self._timestamps_ns[0]), int(self._timestamps_ns[-1]) + 1)

    def _arrange(self) -> None:
        """The channels, or which of them are on, are others now."""
        self._stack.arrange()
        self._show_series()

    def _show_series(self) -> None:
        self._stack.show_series()
        self._stack.fit_values(self.shown_window)
        self._stack.say_values(self._position_ns or 0)
        self._say_state()
        self._board.forget()

    def _redraw(self) -> None:
        playhead_ns, window = self._position_ns or 0, self.shown_window
        relative = self._span.view.follows
        origin_ns = playhead_ns if relative else self._recording_start_ns
        if self._stack.value_range is ValueRange.VISIBLE:
            self._stack.fit_values(window)
        for plot in self.plots:
            plot.show_window(window, playhead_ns, origin_ns=origin_ns, relative=relative)
            plot.show_cursors(self.cursors.shown)
        self._body_widget.set_cursor_shares(
            [(letter, (at_ns - window.start_ns) / window.duration_ns) for letter, at_ns in self.cursors.shown]
        )
        self._stack.say_values(self._position_ns or 0)
        self._board.update()

    def _say_state(self) -> None:
        samples = len(self._channels.sample_ns)
        note = self._filling.note(samples=samples, frames=len(self._timestamps_ns))
        self._body_widget.set_note(note or (self._stack.hidden_text() if samples else ""))

    def _time_at(self, share: float) -> int:
        window = self.shown_window
        return window.start_ns + round(window.duration_ns * share)

    def _on_resized(self) -> None:
        if self._plate is not None:
            self._plate.setGeometry(0, 0, self._body_widget.width(), self._body_widget.plots_bottom)
        if self._stack.is_cramped:
            self._fit_soon.start()
        self._redraw()

    def _on_view_moved(self, zoom: float, at_share: float, pan_share: float) -> None:
        self._span.move(zoom, at_share, pan_share, self._position_ns or 0)
        self._redraw()

    def _on_values_zoomed(self, number: int, factor: float, at_share: float) -> None:
        self._stack.value_range = ValueRange.LOCKED
        plot = self.plots[number]
        plot.set_y_range(*zoomed(plot.y_range, factor, at_share))
        self._stack.say_values(self._position_ns or 0)

    def _on_cursor_wanted(self, share: float) -> None:
        self.cursors.place(self._time_at(share))
        self._redraw()

    def _on_channel_dropped(self, source: object, number: int) -> None:
        lender = source.parent() if isinstance(source, SignalBody) else None
        if isinstance(lender, SignalsPanel):
            self.borrow_channel(lender, number)

    def _on_added_changed(self) -> None:
        self._show_series()
        self.samples_changed.emit()

    def _on_hovered(self, share: object) -> None:
        if not isinstance(share, float) or len(self._channels.sample_ns) == 0:
            self.read_out_changed.emit("")
            return
        time_ns, playhead_ns = self._time_at(share), self._position_ns or 0
        self.read_out_changed.emit(
            values_text(self._stack.drawn(), time_ns, playhead_ns, self._recording_start_ns)
        )
