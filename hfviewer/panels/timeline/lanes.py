"""The lanes of the open recording: looked through in the background, arranged by the user."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from hfviewer.core.recording import Recording
from hfviewer.panels.timeline.lane import Lane, lanes_of, look_through
from hfviewer.panels.timeline.order import LaneOrder
from hfviewer.quality.gap import Gaps

_MOST_REMEMBERED = 64


class Lanes(QObject):
    """A lane for every stream, and which of them are shown in which order.

    An arrangement is kept for every set of streams, so that the next episode of a task shows as the last one.
    Streams without a frame have no lane until one asks for it, whatever the arrangement.
    """

    arranged = Signal()  # other lanes are shown, or in another order
    rearranged = Signal(object)  # LaneOrder: by the user
    marks_found = Signal()  # a lane was looked through, and something is wrong with it

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lanes: dict[str, Lane] = {}
        self._order = LaneOrder(())
        self._asked_for: set[str] = set()  # streams without a frame whose lane is wanted all the same
        self._shown: list[Lane] = []
        self._remembered: dict[frozenset[str], LaneOrder] = {}
        self._scanned: list[str] = []
        self._scan: Iterator[tuple[int, Lane] | None] = iter(())
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._scan_on)

    @property
    def all(self) -> Sequence[Lane]:
        """Every stream's lane, in the recording's order."""
        return list(self._lanes.values())

    @property
    def shown(self) -> Sequence[Lane]:
        """From top to bottom."""
        return self._shown

    @property
    def order(self) -> LaneOrder:
        return self._order

    @property
    def hidden(self) -> list[str]:
        """Names of the streams without a lane, in their order."""
        shown = {lane.name for lane in self._shown}
        return [name for name in self._order.names if name not in shown]

    @property
    def hides_only_empty(self) -> bool:
        """True where no stream without a lane has a frame."""
        return not any(len(self._lanes[name].timestamps_ns) for name in self.hidden)

    def lane(self, name: str | None) -> Lane | None:
        """The lane of a stream, shown or not."""
        return None if name is None else self._lanes.get(name)

    def row_of(self, name: str | None) -> int | None:
        """Where a stream's lane stands among those shown."""
        return next((row for row, lane in enumerate(self._shown) if lane.name == name), None)

    def remember(self, orders: Iterable[LaneOrder]) -> None:
        """Arrangements of earlier sessions."""
        for order in orders:
            self._remembered.setdefault(frozenset(order.names), order)

    def set_recording(self, recording: Recording | None) -> None:
        """Show the streams of another recording."""
        lanes = [] if recording is None else lanes_of(recording)
        self._lanes = {lane.name: lane for lane in lanes}
        names = tuple(self._lanes)
        remembered = self._remembered.get(frozenset(names))
        self._order = LaneOrder(names) if remembered is None else remembered
        span = None if recording is None else recording.description.span
        self._scanned = list(names)
        self._scan = iter(()) if recording is None or span is None else look_through(lanes, recording, span)
        self._timer.start(0)
        self._show()

    def finish(self) -> None:
        """Look for gaps at once instead of between events; for pictures that must be complete."""
        while self._timer.isActive():
            self._scan_on()

    @property
    def finished(self) -> bool:
        """True once every lane was looked through."""
        return not self._timer.isActive()

    def set_gaps(self, gaps: Mapping[str, Gaps]) -> None:
        """Other gaps than the stamps alone tell: frames were decoded, and say which are none."""
        self.finish()
        for name, found in gaps.items():
            lane = self._lanes.get(name)
            if lane is not None and len(lane.marks.gaps) != len(found):
                self._replace(replace(lane, marks=replace(lane.marks, gaps=found)))
                self.marks_found.emit()

    def move(self, name: str, to: int) -> None:
        """Put a lane at another place among those that are shown, counted without it."""
        self._arrange(self._order.moved(name, to, [lane.name for lane in self._shown]))

    def move_by(self, name: str | None, count: int) -> None:
        """Move a lane down by so many, or up."""
        row = self.row_of(name)
        if row is not None and name is not None:
            self.move(name, max(0, row + count))

    def set_hidden(self, name: str, hidden: bool) -> None:
        """Hide or show a stream's lane; one always stays."""
        if name in self._lanes:
            (self._asked_for.discard if hidden else self._asked_for.add)(name)
            self._arrange(self._order.with_hidden(name, hidden))

    def show_only(self, name: str) -> None:
        """Hide all lanes but one."""
        self._asked_for.add(name)
        self._arrange(self._order.only(name))

    def show_all(self) -> None:
        self._asked_for.update(self._lanes)
        self._arrange(replace(self._order, hidden=frozenset()))

    def set_by_kind(self, by_kind: bool) -> None:
        """Keep streams of one kind together, or go back to the order they were in."""
        self._arrange(replace(self._order, by_kind=by_kind))

    def reset(self) -> None:
        """As before anything was arranged: every lane with a frame, in the recording's own order."""
        self._asked_for.difference_update(self._lanes)
        self._arrange(LaneOrder(tuple(self._lanes)))

    def _arrange(self, order: LaneOrder) -> None:
        if order == self._order:
            self._show_if_other()
            return
        self._order = order
        self._remembered[frozenset(order.names)] = order
        while len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.pop(next(iter(self._remembered)))
        self._show()
        self.rearranged.emit(order)

    def _show(self) -> None:
        self._shown = self._wanted()
        self.arranged.emit()

    def _show_if_other(self) -> None:
        """The arrangement is the same; streams without a frame may be wanted, or no longer."""
        if self._wanted() != self._shown:
            self._show()

    def _wanted(self) -> list[Lane]:
        """The lanes to show; where no stream has a frame, all that the arrangement shows."""
        kinds = {name: lane.kind for name, lane in self._lanes.items()}
        arranged = [self._lanes[name] for name in self._order.shown(kinds)]
        return [
            lane for lane in arranged if len(lane.timestamps_ns) or lane.name in self._asked_for
        ] or arranged

    def _replace(self, lane: Lane) -> None:
        self._lanes[lane.name] = lane
        row = self.row_of(lane.name)
        if row is not None:
            self._shown[row] = lane

    def _scan_on(self) -> None:
        try:
            found = next(self._scan)
        except StopIteration:
            self._timer.stop()
            return
        if found is None:
            return
        name, lane = self._scanned[found[0]], found[1]
        before = self._lanes[name]
        self._replace(lane)
        if lane.marks.is_empty != before.marks.is_empty:
            self.marks_found.emit()
