"""Channels that were added to a signal panel: worked out in the background, or lent by another panel."""

from __future__ import annotations

import weakref

from PySide6.QtCore import QObject, Signal

from hfviewer.core.stream import Channel
from hfviewer.panels.latest_work import LatestWork
from hfviewer.panels.signal_channels import Added, ChannelSet, HasChannels, MadeOf
from hfviewer.panels.signal_data import SignalChannel

MOST_ADDED_VALUES = 32_000_000  # of all channels that were made: 350 MB with what draws them


class AddedChannels(QObject):
    """Adds channels to a set, and keeps them up to date with the samples.

    Args:
        channels: that they are added to.
        parent: as in Qt.
    """

    changed = Signal()  # one of them is ready to be drawn, or another now

    def __init__(self, channels: ChannelSet, parent: QObject) -> None:
        super().__init__(parent)
        self._channels = channels
        self._work = LatestWork(self)
        self._work.finished.connect(self._on_worked_out)

    def make(self, made: MadeOf) -> int | None:
        """Add something made of the stream's own channels; gives its number, None where there is no room."""
        count = sum(entry.made is not None for entry in self._channels.added.values()) + 1
        if count * len(self._channels.sample_ns) > MOST_ADDED_VALUES:
            return None
        number = self._channels.add(Added(made.named(self._channels.own), made=made))
        self.make_anew()
        return number

    def make_anew(self) -> None:
        """Have channels that are made of others worked out with the samples of now."""
        for number, work in self._channels.works():
            self._work.ask(str(number), work)

    def borrow(self, lender: HasChannels, number: int, named: Channel, changed: object) -> int | None:
        """Add a channel of another panel; gives its number here.

        Args:
            lender: that panel.
            number: of the channel there.
            named: name and unit.
            changed: the lender's signal that says when its channels are others.
        """
        lent = lender.lent(number)
        if lent is None:
            return None
        changed.connect(self._on_lender_changed)  # type: ignore[attr-defined]
        return self._channels.add(
            Added(named, lender=weakref.ref(lender), number=number, plotted=lent[0], gaps=lent[1])
        )

    def remove(self, number: int) -> None:
        """Take one away again."""
        self._work.forget(str(number))
        self._channels.remove(number)

    def _on_worked_out(self, kind: str, result: object) -> None:
        entry = self._channels.added.get(int(kind))
        if entry is not None and isinstance(result, SignalChannel):
            entry.plotted = result
            self.changed.emit()

    def _on_lender_changed(self) -> None:
        if self._channels.borrow():
            self.changed.emit()
