"""How a signal panel is looked at, as plain values for a layout that is saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hfviewer.panels.signal_channels import Made, MadeOf
from hfviewer.panels.signal_ranges import ValueRange
from hfviewer.panels.signal_span import FOLLOW, TIMELINE, WHOLE
from hfviewer.panels.signal_view import SignalView

if TYPE_CHECKING:
    from hfviewer.panels.signals import SignalsPanel

_MOST = 1000  # names and channels taken from a saved layout
_LONGEST_NS = 2**62


def state_of(panel: SignalsPanel) -> dict[str, object]:
    """Channels go by name: another recording of this kind may have them in another order."""
    own, added = panel.channels.own, panel.channels.added
    state: dict[str, object] = {
        "off": [own[number].name for number in sorted(panel.off) if number < len(own)],
        "made": [
            [entry.made.what.value, [own[c].name for c in entry.made.columns], entry.made.width_ns]
            for entry in added.values()
            if entry.made is not None
        ],
        "apart": panel.is_apart,
        "values": panel.value_range.value,
        "statistics": panel.has_statistics,
        "spectrum": panel.has_spectrum,
        "span": panel.view_kind,
    }
    if panel.view_kind == FOLLOW:
        state["span_ns"] = panel.view.span_ns
    return state


def restore(panel: SignalsPanel, state: dict[str, object]) -> None:
    """Look at it as a saved layout says, as far as that makes sense for the channels there are."""
    columns = {channel.name: column for column, channel in enumerate(panel.channels.own)}
    off = state.get("off")
    names = [name for name in off[:_MOST] if isinstance(name, str)] if isinstance(off, list) else []
    made = state.get("made")
    known = {entry.made for entry in panel.channels.added.values()}
    for one in made[:_MOST] if isinstance(made, list) else []:
        wanted = _made_of(one, columns)
        if wanted is not None and wanted not in known:
            panel.add_channel(wanted)
    hidden = {columns[name] for name in names if name in columns}
    if hidden:
        panel.show_only(set(panel.channels.all) - hidden)
    panel.set_apart(state.get("apart") is True)
    found = [value_range for value_range in ValueRange if value_range.value == state.get("values")]
    # Locked values are those of the recording that they were locked in.
    if found and found[0] is not ValueRange.LOCKED:
        panel.set_value_range(found[0])
    if (state.get("statistics") is True) != panel.has_statistics:
        panel.toggle_statistics()
    if (state.get("spectrum") is True) != panel.has_spectrum:
        panel.toggle_spectrum()
    match state.get("span"), state.get("span_ns"):
        case "follow", int(span_ns) if 0 < span_ns < _LONGEST_NS:
            panel.set_view(SignalView(start_ns=0, span_ns=span_ns))
        case (("whole" | "own"), _):
            panel.set_view_kind(WHOLE)
        case "timeline", _:
            panel.set_view_kind(TIMELINE)


def _made_of(saved: object, columns: dict[str, int]) -> MadeOf | None:
    match saved:
        case [str(what), [*names], int(width_ns)] if what in list(Made) and 0 <= width_ns < _LONGEST_NS:
            found = tuple(columns[name] for name in names if isinstance(name, str) and name in columns)
            wanted = len(names) == len(found) and 0 < len(found) <= 3
            return MadeOf(Made(what), found, width_ns) if wanted else None
    return None
