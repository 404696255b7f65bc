"""What leaves a signal panel: samples as CSV, and the values under the pointer as a line of text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hfviewer.convert.signal_csv import write_signal_csv
from hfviewer.core.errors import FrameError
from hfviewer.core.time_text import NS_PER_S
from hfviewer.core.window import TimeWindow
from hfviewer.panels.drawing import one_line
from hfviewer.panels.saving import Write
from hfviewer.panels.signal_data import value_text
from hfviewer.panels.signal_figures import DrawnChannel


def csv_writer(drawn: Sequence[DrawnChannel], window: TimeWindow, start_ns: int) -> Write:
    """What writes the samples of some channels in a window, on any thread.

    Args:
        drawn: channels; those whose samples are not at the times of the first one's are left out.
        window: of time.
        start_ns: what seconds count from.
    """

    def write(path: Path) -> str:
        if not drawn:
            raise FrameError("No channel of this stream is switched on.")
        stamps = drawn[0].plotted.timestamps_ns
        same = [one for one in drawn if one.plotted.timestamps_ns is stamps]
        inside = drawn[0].plotted.within(window)
        columns = [(one.channel, one.plotted.values[inside]) for one in same]
        write_signal_csv(path, stamps[inside], columns, start_ns=start_ns)
        return f"{len(stamps[inside])} samples of {len(columns)} channels"

    return write


def span_text(window: TimeWindow, start_ns: int) -> str:
    """A window for the name of a file: ``12.000-14.500s``."""
    first_s = (window.start_ns - start_ns) / NS_PER_S
    return f"{first_s:.3f}-{first_s + window.duration_ns / NS_PER_S:.3f}s"


def values_text(drawn: Sequence[DrawnChannel], time_ns: int, playhead_ns: int, start_ns: int) -> str:
    """The time under the pointer, the value of every channel there, and how far it is from the playhead."""
    parts = [f"{(time_ns - start_ns) / NS_PER_S:.6f} s"]
    for one in drawn:
        there = one.plotted.value_at(time_ns)
        parts.append(f"{one_line(one.channel.name)} {value_text(there, 4).strip()}")
    parts.append(f"Δ {(time_ns - playhead_ns) / 1e6:+.3f} ms")
    return "   ".join(parts)
