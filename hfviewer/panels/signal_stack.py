"""The plots of a signal panel: which channels have one, in which colours, over which values."""

from __future__ import annotations

from PySide6.QtGui import QColor

from hfviewer.core.window import TimeWindow
from hfviewer.panels.drawing import one_line
from hfviewer.panels.signal_body import SignalBody
from hfviewer.panels.signal_channels import FIRST_ADDED, ChannelSet
from hfviewer.panels.signal_data import ChannelGroup, decimals_for, grouped_channels, value_text
from hfviewer.panels.signal_figures import DrawnChannel
from hfviewer.panels.signal_names import channel_colour, short_names
from hfviewer.panels.signal_ranges import ValueRange, visible_range, whole_range
from hfviewer.panels.signal_tiles import Series
from hfviewer.panels.signal_title import LegendEntry
from hfviewer.panels.theme import Theme

MOST_PLOTS = 4
MOST_PLOTS_APART = 8
_LEAST_PLOT_PX = 52  # with its title; as many plots as are this high have room
_MOST_CURVES = 12  # in one plot; more than anyone can tell apart


class PlotStack:
    """Gives the plots of a body their curves and legends.

    Args:
        body: that holds the plots.
        channels: that can be drawn.
        theme: colours.
    """

    def __init__(self, body: SignalBody, channels: ChannelSet, theme: Theme) -> None:
        self._body, self._channels, self._theme = body, channels, theme
        self.off: set[int] = set()  # numbers of the channels that are switched off
        self.apart = False  # every channel has a plot and an axis of its own
        self.value_range = ValueRange.WHOLE
        self.units: list[ChannelGroup] = []  # all channels by unit
        self._groups: list[ChannelGroup] = []  # that have a plot
        self._wanted = 0  # groups that would have one if there were room

    @property
    def is_cramped(self) -> bool:
        """True where another number of plots would suit the height better: then arrange anew."""
        most = MOST_PLOTS_APART if self.apart else MOST_PLOTS
        wanted = min(most, self._wanted, self._body.room_for_plots(_LEAST_PLOT_PX))
        return wanted != len(self._groups)

    def arrange(self) -> None:
        """Plots for the groups that have a channel switched on, as many as there is room for."""
        channels = self._channels.all
        self.units = grouped_channels(channels)
        groups = grouped_channels(channels, apart=True) if self.apart else self.units
        most = min(MOST_PLOTS_APART if self.apart else MOST_PLOTS, self._body.room_for_plots(_LEAST_PLOT_PX))
        self._wanted = len(groups)
        if len(groups) > most:
            # As long as there is room, one that is off keeps its legend, to be switched on by a click.
            groups = [group for group in groups if not self.off.issuperset(group.columns)] or groups
        groups = groups[:most]
        if groups != self._groups:
            self._groups = groups
            self._body.set_titles([group.title for group in groups])

    def _columns(self, group: ChannelGroup) -> list[int]:
        limit = self._channels.values.shape[1]
        on = [n for n in group.columns if n not in self.off and (n < limit or n >= FIRST_ADDED)]
        return on[:_MOST_CURVES]

    def drawn(self) -> list[DrawnChannel]:
        """The channels that have a curve."""
        channels, found = self._channels.all, []
        for group in self._groups:
            colours = self._colours(group)
            for number in self._columns(group):
                plotted = self._channels.plotted(number)
                if plotted is not None and len(plotted.timestamps_ns):
                    found.append(DrawnChannel(number, channels[number], colours[number], plotted))
        return found

    def _colours(self, group: ChannelGroup) -> dict[int, QColor]:
        channels, tokens = self._channels.all, self._theme.tokens
        # What was added gets none of the colours that stand for an axis, and keeps its own in every plot.
        return {
            number: channel_colour(channels[number].name, place, tokens)
            if number < FIRST_ADDED
            else tokens.series[(number - FIRST_ADDED) % len(tokens.series)]
            for place, number in enumerate(group.columns)
        }

    def show_series(self) -> None:
        """Give every plot its curves and its legend."""
        channels = self._channels.all
        for group, title, plot in zip(self._groups, self._body.titles, self._body.plots, strict=True):
            drawn, colours = self._columns(group), self._colours(group)
            names = short_names([one_line(channels[number].name) for number in group.columns])
            entries, series = [], []
            for place, number in enumerate(group.columns):
                plotted = self._channels.plotted(number) if number in drawn else None
                if plotted is not None and len(plotted.timestamps_ns):
                    foreign = self._channels.is_foreign(number)
                    gaps = self._channels.gaps_of(number)
                    series.append(Series(plotted, colours[number], gaps, foreign))
                if place < _MOST_CURVES:
                    entries.append(LegendEntry(number, names[place], colours[number], number not in self.off))
            title.show_entries(entries, more=len(group.columns) - len(entries))
            plot.show_series(series, self._channels.gaps, self._channels.sample_ns)

    def fit_values(self, window: TimeWindow) -> None:
        """Bring the ends of the value axes in line with what they are to show."""
        if self.value_range is ValueRange.LOCKED:
            return
        for plot in self._body.plots:
            channels = [line.channel for line in plot.series]
            if self.value_range is ValueRange.VISIBLE:
                plot.set_y_range(*visible_range(channels, window, plot.y_range))
            else:
                plot.set_y_range(*whole_range(channels))

    def say_values(self, playhead_ns: int) -> None:
        """Write each channel's value at the playhead behind its name."""
        for title, plot in zip(self._body.titles, self._body.plots, strict=True):
            decimals = decimals_for(*plot.y_range)
            title.show_values(
                [
                    value_text(self._value_at(entry.column, playhead_ns) if entry.shown else None, decimals)
                    for entry in title.entries
                ]
            )

    def _value_at(self, number: int, time_ns: int) -> float | None:
        """A channel's last value at or before a time."""
        plotted = self._channels.plotted(number)
        return None if plotted is None else plotted.value_at(time_ns)

    def hidden_text(self) -> str:
        """How much of what is switched on has no room; empty where all has."""
        parts = []
        if len(self._groups) < self._wanted:
            what = "channels" if self.apart else "units"
            parts.append(f"{len(self._groups)} of {self._wanted} {what} shown")
        wanted = sum(len(set(group.columns) - self.off) for group in self._groups)
        drawn = sum(len(self._columns(group)) for group in self._groups)
        if drawn < wanted:
            parts.append(f"{drawn} of {wanted} channels drawn")
        return " · ".join(parts)
