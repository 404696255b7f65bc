"""Which panels are open and where, carried from one episode to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QByteArray

from hfviewer.app.panel_key import PanelKey


@dataclass(frozen=True, slots=True)
class CarriedLayout:
    """A layout by the names of streams; episodes may lack some of them and get them back later.

    Args:
        state: of the docks, as Qt saves it.
        open: panels that are open, those included that the last episodes had no stream for.
        known: streams that the user has seen in the list; a panel of one that is closed stays closed.
        focused: the stream that steps go by.
        maximised: True where its panel had the whole area.
        looks: how each panel was looked at, see `StreamPanel.view_state`.
    """

    state: QByteArray
    open: frozenset[PanelKey] = frozenset()
    known: frozenset[str] = field(default_factory=frozenset)
    focused: str | None = None
    maximised: bool = False
    looks: Mapping[PanelKey, Mapping[str, object]] = field(default_factory=dict)

    def after(self, earlier: CarriedLayout | None, streams: Sequence[str]) -> CarriedLayout:
        """This layout, of an episode with these streams, with what an earlier one says of all others."""
        known = frozenset(streams)
        lacking = (
            frozenset()
            if earlier is None
            else frozenset(key for key in earlier.open if key.stream not in known)
        )
        seen = known if earlier is None else known | earlier.known
        looks = self.looks if earlier is None else {**earlier.looks, **self.looks}
        # An episode of which nothing was shown has no places of its own to tell.
        state = self.state if self.open or earlier is None else earlier.state
        return CarriedLayout(state, self.open | lacking, seen, self.focused, self.maximised, looks)

    def wanted(self, streams: Sequence[str], at_first: Sequence[str]) -> list[PanelKey]:
        """The panels to open in an episode with these streams.

        Args:
            streams: of the episode, in order.
            at_first: those that would be opened if it was the first one.
        """
        new = [PanelKey(name) for name in at_first if name not in self.known]
        carried = sorted(
            (key for key in self.open if key.stream in streams),
            key=lambda key: (streams.index(key.stream), key.view, key.number),
        )
        return [*carried, *new]
