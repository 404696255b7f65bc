"""Statistics and spectra of a signal panel's visible span, worked out in the background."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QColor

from hfviewer.core.signal_maths import SpanStatistics, Spectrum, even_stretch, spectrum, statistics
from hfviewer.core.stream import Channel
from hfviewer.core.time_text import NS_PER_S
from hfviewer.core.window import TimeWindow
from hfviewer.panels.drawing import one_line
from hfviewer.panels.signal_data import SignalChannel, plain_unit
from hfviewer.panels.signal_spectrum import SpectrumLine
from hfviewer.panels.signal_table import STATISTICS_HEADS, TableRow, figure_text, statistics_cells

MOST_SPECTRUM_SAMPLES = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class DrawnChannel:
    """A channel with a curve.

    Args:
        number: of the channel.
        channel: name and unit.
        colour: of its curve.
        plotted: its samples.
    """

    number: int
    channel: Channel
    colour: QColor
    plotted: SignalChannel


@dataclass(frozen=True, slots=True, eq=False)
class SpanFigures:
    """What was worked out for a span.

    Args:
        window: the span.
        statistics: by channel.
        spectra: by channel; empty where none were asked for.
        note: what a person must know of the spectra beside their method.
    """

    window: TimeWindow
    statistics: dict[int, SpanStatistics]
    spectra: dict[int, Spectrum]
    note: str = ""


def work_out(
    drawn: Sequence[DrawnChannel], window: TimeWindow, *, with_statistics: bool, with_spectra: bool
) -> SpanFigures:
    """Figures of what is visible, on any thread."""
    figures: dict[int, SpanStatistics] = {}
    spectra: dict[int, Spectrum] = {}
    note = ""
    last = None  # the stretch of the stamps before: as a rule all channels have the same
    for one in drawn:
        inside = one.plotted.within(window)
        stamps, values = one.plotted.timestamps_ns[inside], one.plotted.values[inside]
        if with_statistics:
            figures[one.number] = statistics(stamps, values)
        if with_spectra:
            if len(stamps) > MOST_SPECTRUM_SAMPLES:
                stamps, values = stamps[:MOST_SPECTRUM_SAMPLES], values[:MOST_SPECTRUM_SAMPLES]
                note = f"of its first {MOST_SPECTRUM_SAMPLES / 1e6:.1f} M samples"
            same = last is not None and last[0] is one.plotted.timestamps_ns
            stretch = last[1] if last is not None and same else even_stretch(stamps)
            last = (one.plotted.timestamps_ns, stretch)
            spectra[one.number] = spectrum(stamps, values, stretch)
    return SpanFigures(window, figures, spectra, note)


def spectrum_lines(
    drawn: Sequence[DrawnChannel], figures: SpanFigures
) -> tuple[tuple[SpectrumLine, ...], str]:
    """Lines of the spectra that were worked out, and how they were made."""
    lines = tuple(
        SpectrumLine(one_line(one.channel.name), one_line(one.channel.unit), one.colour, found)
        for one in drawn
        if (found := figures.spectra.get(one.number)) is not None
    )
    methods = list(dict.fromkeys(line.spectrum.method for line in lines))
    said = methods[0] if methods else ""
    if len(methods) > 1:
        said += " (others differ)"
    return lines, " · ".join(part for part in (said, figures.note) if part)


def table_title(window: TimeWindow, drawn: Sequence[DrawnChannel], figures: SpanFigures | None) -> str:
    """What the figures of the table are of."""
    parts = [f"Visible span {window.duration_ns / NS_PER_S:.6g} s"]
    if drawn and figures is not None and (found := figures.statistics.get(drawn[0].number)) is not None:
        inside = drawn[0].plotted.within(figures.window)
        parts.append(f"{inside.stop - inside.start:,} samples".replace(",", "\u202f"))
        if found.rate_hz is not None:
            parts.append(f"{found.rate_hz:.6g} Hz")
    return " · ".join(parts)


def table_rows(
    drawn: Sequence[DrawnChannel],
    cursors: Sequence[tuple[str, int]],
    figures: SpanFigures | None,
    *,
    with_statistics: bool,
) -> tuple[tuple[str, ...], tuple[TableRow, ...]]:
    """Headings and rows: values at the cursors, their difference, statistics."""
    heads = [letter for letter, _ in cursors]
    if len(cursors) == 2:
        heads.append("B − A")
    if with_statistics:
        heads += STATISTICS_HEADS
    rows = []
    for one in drawn:
        values = [one.plotted.value_at(at_ns) for _, at_ns in cursors]
        cells = [figure_text(value) for value in values]
        if len(values) == 2:
            a, b = values
            cells.append(figure_text(None if a is None or b is None else b - a))
        if with_statistics:
            cells += statistics_cells(None if figures is None else figures.statistics.get(one.number))
        unit = one_line(plain_unit(one.channel.unit))
        rows.append(TableRow(one_line(one.channel.name), unit, one.colour, tuple(cells)))
    return tuple(heads), tuple(rows)
