"""Which lanes are shown, and in which order. Pure: names in, names out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hfviewer.core.stream import StreamKind


@dataclass(frozen=True, slots=True)
class LaneOrder:
    """The lanes of a recording as the user arranged them.

    Args:
        names: of all streams, from top to bottom.
        hidden: those without a lane.
        by_kind: True keeps streams of one kind together, kinds in the order of their first stream.
    """

    names: tuple[str, ...]
    hidden: frozenset[str] = frozenset()
    by_kind: bool = False

    def shown(self, kinds: Mapping[str, StreamKind]) -> list[str]:
        """Names of the lanes, from top to bottom.

        Args:
            kinds: of all streams.
        """
        names = [name for name in self.names if name not in self.hidden]
        if not self.by_kind:
            return names
        order = list(dict.fromkeys(kinds[name] for name in self.names))
        return sorted(names, key=lambda name: order.index(kinds[name]))

    def moved(self, name: str, to: int, shown: Sequence[str]) -> LaneOrder:
        """A lane at another place among those that are shown; hidden ones stay beside their neighbours.

        Where lanes are grouped by kind, what is seen becomes the order, and grouping ends.

        Args:
            name: of a shown lane.
            to: its place once it has been taken out.
            shown: as of `shown`.
        """
        rest = [other for other in shown if other != name]
        to = max(0, min(to, len(rest)))
        if len(rest) == len(shown) or [*rest[:to], name, *rest[to:]] == list(shown):
            return self
        wanted = iter([*rest[:to], name, *rest[to:]])
        seen = set(shown)
        names = tuple(next(wanted) if other in seen else other for other in self.names)
        return replace(self, names=names, by_kind=False)

    def with_hidden(self, name: str, hidden: bool) -> LaneOrder:
        """A lane hidden or shown; the last one that is shown stays."""
        found = self.hidden | {name} if hidden else self.hidden - {name}
        return self if len(found) >= len(self.names) else replace(self, hidden=frozenset(found))

    def only(self, name: str) -> LaneOrder:
        """All lanes hidden but one."""
        return replace(self, hidden=frozenset(self.names) - {name}) if name in self.names else self
