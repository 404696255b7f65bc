"""How the lanes of recordings were arranged, kept from session to session; the file is never trusted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from hfviewer.app.kept_file import KeptFile
from hfviewer.panels.timeline.order import LaneOrder

MOST_KEPT = 100
_MOST_NAMES = 1000
_MOST_BYTES = 4 << 20


class SavedLanes(msgspec.Struct):
    """One arrangement."""

    names: list[str]
    hidden: list[str] = []
    by_kind: bool = False

    def order(self) -> LaneOrder | None:
        """As the timeline takes it; None where it makes no sense."""
        names, hidden = set(self.names), frozenset(self.hidden)
        whole = len(names) == len(self.names) <= _MOST_NAMES and hidden < names
        return LaneOrder(tuple(self.names), hidden, self.by_kind) if whole else None


class LaneStore:
    """Arrangements and the file they live in.

    Args:
        path: of the file.
        submit: carries out the writing, in the background, one call after the other.
    """

    def __init__(self, path: Path, submit: Callable[[Callable[[], None]], object]) -> None:
        self._file = KeptFile(path, list[SavedLanes], _MOST_BYTES, submit)
        self._kept = self._load()

    @property
    def orders(self) -> list[LaneOrder]:
        """All of them, the newest last."""
        return list(self._kept.values())

    def remember(self, order: LaneOrder) -> None:
        """Recordings with these streams are shown like this from now on."""
        key = frozenset(order.names)
        self._kept.pop(key, None)
        self._kept[key] = order
        while len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._file.save([SavedLanes(list(o.names), sorted(o.hidden), o.by_kind) for o in self._kept.values()])

    def _load(self) -> dict[frozenset[str], LaneOrder]:
        found = self._file.load() or []
        orders = [order for saved in found[-MOST_KEPT:] if (order := saved.order()) is not None]
        return {frozenset(order.names): order for order in orders}
