"""IMU, poses and every other stream of numbers."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QWidget

from hfviewer.core.errors import HfviewerError
from hfviewer.core.stream import Channel, StreamDescription
from hfviewer.core.time_text import NS_PER_S
from hfviewer.core.window import TimeWindow
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.drawing import one_line
from hfviewer.panels.signal_body import SignalBody
from hfviewer.panels.signal_data import (
    ChannelGroup,
    SignalChannel,
    decimals_for,
    grouped_channels,
    value_range,
    value_text,
)
from hfviewer.panels.signal_menu import channel_actions
from hfviewer.panels.signal_plot import SignalPlot
from hfviewer.panels.signal_prepare import PreparedSignal, prepare_channel, prepare_signal
from hfviewer.panels.signal_tiles import Series
from hfviewer.panels.signal_title import LegendEntry, SignalTitle
from hfviewer.panels.signal_view import SignalView
from hfviewer.panels.theme import Theme, Tokens
from hfviewer.playback.result import FrameResult
from hfviewer.playback.samples import SamplesPreparer
from hfviewer.quality.gaps import Gaps

MOST_PLOTS = 4
_MOST_CURVES = 12  # in one plot; more than anyone can tell apart


class SignalsPanel(StreamPanel):
    """One plot per unit, all over the same span of time.

    Samples come in bulk through `set_samples`; single frames of the stream are not needed.
    """

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._sample_ns = np.empty(0, np.int64)
        self._values = np.empty((0, len(description.channels)))
        self._channels: tuple[Channel, ...] = description.channels
        self._all_groups: list[ChannelGroup] = []
        self._groups: list[ChannelGroup] = []  # that have a plot
        self._plotted: dict[int, SignalChannel] = {}
        self._off: set[int] = set()
        self._gaps = Gaps.none()
        self._share = 0.0
        self._trouble = ""
        self._view = SignalView.around(description.period_ns)
        self._body_widget = SignalBody(theme, self)
        self._body_widget.view_moved.connect(self._on_view_moved)
        self._body_widget.hovered.connect(self._on_hovered)
        self._body_widget.fit_wanted.connect(self.reset_view)
        self._body_widget.resized.connect(self._redraw)
        self._body_widget.channel_toggled.connect(self.toggle_channel)
        theme.changed.connect(self._show_series)
        self._arrange()
        self._set_body(self._body_widget)

    @property
    def plots(self) -> list[SignalPlot]:
        return self._body_widget.plots

    @property
    def titles(self) -> list[SignalTitle]:
        return self._body_widget.titles

    @property
    def note(self) -> str:
        """The line in the corner: how much is loaded, or what cannot be read."""
        return self._body_widget.note

    @property
    def view(self) -> SignalView:
        return self._view

    @property
    def gaps(self) -> Gaps:
        """Where samples are missing among those at hand."""
        return self._gaps

    def samples_preparer(self) -> SamplesPreparer:
        """What the thread that reads the samples may do ahead with them."""
        return partial(prepare_signal, frame_stamps_ns=self._timestamps_ns, sequence=self._sequence)

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
        self._sample_ns, self._values = timestamps_ns[:count], values[:count]
        if not isinstance(prepared, PreparedSignal):
            prepared = prepare_signal(
                self._sample_ns,
                self._values,
                frame_stamps_ns=self._timestamps_ns,
                sequence=self._sequence,
                most=0,
            )
        self._gaps, self._plotted = prepared.gaps, dict(prepared.channels)
        if values.shape[1] != len(self._channels):
            named = self._description.channels
            self._channels = tuple(
                named[i] if i < len(named) else Channel(f"{i}") for i in range(values.shape[1])
            )
        self._arrange()
        self._playhead_moved(self._position_ns or 0)
        self._refresh()

    def set_progress(self, share: float) -> None:
        """Say how much of the stream the samples at hand are, 0 … 1."""
        self._share = share
        self._playhead_moved(self._position_ns or 0)
        self._say_state()
        self._refresh()

    def set_trouble(self, error: HfviewerError | None) -> None:
        """Say why the rest of the samples is missing."""
        self._trouble = "" if error is None else f"{error.problem} {error.remedy}".strip()
        self._say_state()

    def show_result(self, result: FrameResult) -> None:
        """Single frames are not drawn: the samples say it all."""

    def toggle_channel(self, column: int) -> None:
        """Switch one channel's curve on or off."""
        self._off ^= {column}
        self._arrange()
        self._redraw()

    def show_only(self, columns: Collection[int]) -> None:
        """Switch on the curves of these channels, and those of all others off."""
        self._off = set(range(len(self._channels))).difference(columns)
        self._arrange()
        self._redraw()

    def show_whole(self) -> None:
        """All of the stream, not following the playhead."""
        if self._description.span is not None:
            self._view = SignalView.whole(self._description.span)
        elif len(self._timestamps_ns):
            first_ns, last_ns = int(self._timestamps_ns[0]), int(self._timestamps_ns[-1])
            self._view = SignalView.whole(TimeWindow(first_ns, last_ns + 1))
        self._redraw()

    def set_view(self, view: SignalView) -> None:
        """Show another span of time."""
        self._view = view
        self._redraw()

    def reset_view(self) -> None:
        self.set_view(SignalView.around(self._description.period_ns))

    def context_actions(self) -> list[QAction]:
        follow = self._action(self.tr("Around the playhead"), checked=self._view.follows)
        follow.triggered.connect(self.reset_view)
        whole = self._action(self.tr("Whole stream"))
        whole.triggered.connect(self.show_whole)
        channels = channel_actions(
            self._channels,
            self._all_groups,
            self._off,
            make=lambda text, checked: self._action(text, checked=checked),
            parent=self,
            toggle=self.toggle_channel,
            show_only=self.show_only,
        )
        return [follow, whole, *channels]

    # -- inside ----------------------------------------------------------------------------------------------

    def _playhead_moved(self, position_ns: int) -> None:
        # Where all of it was read and nothing came, nothing is what there is to show.
        covered = self._share >= 1.0 or (len(self._sample_ns) > 0 and position_ns <= int(self._sample_ns[-1]))
        self._shown = self._wanted if covered else None
        self._redraw()

    def _arrange(self) -> None:
        """Plots for the groups that have a channel switched on, at most `MOST_PLOTS`."""
        self._all_groups = grouped_channels(self._channels)
        groups = self._all_groups
        if len(groups) > MOST_PLOTS:
            # As long as there is room, one that is off keeps its legend, to be switched on by a click.
            groups = [group for group in groups if not self._off.issuperset(group.columns)] or groups
        groups = groups[:MOST_PLOTS]
        if groups != self._groups:
            self._groups = groups
            self._body_widget.set_titles([group.title for group in groups])
        self._show_series()

    def _columns(self, group: ChannelGroup) -> list[int]:
        limit = self._values.shape[1]
        return [c for c in group.columns if c not in self._off and c < limit][:_MOST_CURVES]

    def _channel(self, column: int) -> SignalChannel:
        if column not in self._plotted:
            self._plotted[column] = prepare_channel(self._sample_ns, self._values, column)
        return self._plotted[column]

    def _show_series(self) -> None:
        """Give every plot its curves and its legend."""
        for group, title, plot in zip(self._groups, self.titles, self.plots, strict=True):
            drawn = self._columns(group)
            names = short_names([one_line(self._channels[column].name) for column in group.columns])
            entries, series = [], []
            for place, column in enumerate(group.columns):
                colour = channel_colour(self._channels[column].name, place, self._theme.tokens)
                if column in drawn and len(self._sample_ns):
                    series.append(Series(self._channel(column), colour))
                if place < _MOST_CURVES:
                    entries.append(LegendEntry(column, names[place], colour, column not in self._off))
            title.show_entries(entries, more=len(group.columns) - len(entries))
            plot.show_series(series, self._gaps, self._sample_ns)
            plot.set_y_range(*value_range([line.channel.sample() for line in series]))
        self._say_values()
        self._say_state()

    def _redraw(self) -> None:
        playhead_ns = self._position_ns or 0
        window = self._view.window(playhead_ns)
        relative = self._view.follows
        origin_ns = playhead_ns if relative else self._recording_start_ns
        for plot in self.plots:
            plot.show_window(window, playhead_ns, origin_ns=origin_ns, relative=relative)
        self._say_values()

    def _say_values(self) -> None:
        playhead_ns = self._position_ns or 0
        for title, plot in zip(self.titles, self.plots, strict=True):
            decimals = decimals_for(*plot.y_range)
            title.show_values(
                [
                    value_text(self._value_at(entry.column, playhead_ns) if entry.shown else None, decimals)
                    for entry in title.entries
                ]
            )

    def _value_at(self, column: int, time_ns: int) -> float | None:
        """A channel's last value at or before a time."""
        if len(self._sample_ns) == 0 or column >= self._values.shape[1]:
            return None
        return self._channel(column).value_at(time_ns)

    def _say_state(self) -> None:
        if self._trouble:
            self._body_widget.set_note(self._trouble)
        elif self._share < 1.0:
            self._body_widget.set_note(f"loading {int(self._share * 100)} %")
        elif len(self._sample_ns) == 0:
            self._body_widget.set_note("no samples" if len(self._timestamps_ns) else "")
        else:
            self._body_widget.set_note(self._hidden_text())

    def _hidden_text(self) -> str:
        """How much of what is switched on has no room; empty where all has."""
        parts = []
        if len(self._groups) < len(self._all_groups):
            parts.append(f"{len(self._groups)} of {len(self._all_groups)} units shown")
        wanted = sum(len(set(group.columns) - self._off) for group in self._groups)
        drawn = sum(len(self._columns(group)) for group in self._groups)
        if drawn < wanted:
            parts.append(f"{drawn} of {wanted} channels drawn")
        return " · ".join(parts)

    def _on_view_moved(self, zoom: float, at_share: float, pan_share: float) -> None:
        playhead_ns = self._position_ns or 0
        view = self._view.panned(pan_share, playhead_ns) if pan_share else self._view
        self.set_view(view.zoomed(zoom, at_share, playhead_ns) if zoom != 1.0 else view)

    def _on_hovered(self, share: object) -> None:
        if not isinstance(share, float) or len(self._sample_ns) == 0:
            self.read_out_changed.emit("")
            return
        playhead_ns = self._position_ns or 0
        window = self._view.window(playhead_ns)
        time_ns = window.start_ns + round(window.duration_ns * share)
        parts = [f"{(time_ns - self._recording_start_ns) / NS_PER_S:.6f} s"]
        for group in self._groups:
            for column in self._columns(group):
                there = self._channel(column).value_at(time_ns)
                parts.append(f"{one_line(self._channels[column].name)} {value_text(there, 4).strip()}")
        difference_ns = time_ns - playhead_ns
        parts.append(f"Δ {difference_ns / 1e6:+.3f} ms")
        self.read_out_changed.emit("   ".join(parts))


def channel_colour(name: str, place: int, tokens: Tokens) -> QColor:
    """Colour of a channel: its axis, where the name ends in x, y or z, else by its place in the plot."""
    last = name[-1:].lower()
    parts = name.lower().replace("-", "_").split("_")
    if last in ("x", "y", "z") and (len(name) <= 2 or parts[-1] == last):
        return tokens.axis["xyz".index(last)]
    palette = (*tokens.axis, *tokens.series)
    return palette[place % len(palette)]


def short_names(names: list[str]) -> list[str]:
    """Names without the words they all begin with: ``acc_x, acc_y`` become ``x, y``."""
    split = [name.split("_") for name in names]
    common = 0
    while len(names) > 1 and all(
        len(s) > common + 1 and s[: common + 1] == split[0][: common + 1] for s in split
    ):
        common += 1
    return ["_".join(words[common:]) for words in split]
