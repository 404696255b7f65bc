"""Several panels of one stream: the player loads each frame once, and prepares it for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hfviewer.core.frame import Frame
from hfviewer.playback.player import FrameView, Player
from hfviewer.playback.result import FrameResult, Preparer


@dataclass(frozen=True, slots=True, eq=False)
class SharedPrepared:
    """What was prepared for each panel, by the panel's `id`."""

    parts: Mapping[int, object]


class _SharedView:
    """Looks to the player like one panel: as large as the largest, and as well prepared as all of them."""

    def __init__(self) -> None:
        self.views: list[FrameView] = []

    def view_size(self) -> tuple[int, int]:
        sizes = [view.view_size() for view in self.views]
        return (
            max((width for width, _ in sizes), default=1),
            max((height for _, height in sizes), default=1),
        )

    def preparer(self) -> Preparer | None:
        parts = {id(view): preparer for view in self.views if (preparer := view.preparer()) is not None}
        if not parts:
            return None

        def prepare(frame: Frame) -> SharedPrepared:
            return SharedPrepared({key: preparer(frame) for key, preparer in parts.items()})

        return prepare


class StreamViews:
    """Which panels look at which stream now.

    Args:
        player: shown and hidden streams are told to it.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._shared: dict[str, _SharedView] = {}

    def add(self, stream: str, view: FrameView) -> None:
        """A panel became visible: it gets the stream's frames from now on, and the one of now at once."""
        shared = self._shared.setdefault(stream, _SharedView())
        if view in shared.views:
            return
        if shared.views:
            # Asks anew: what was prepared for the others is not for this one.
            self._player.hide_stream(stream)
        shared.views.append(view)
        self._player.show_stream(stream, shared)

    def remove(self, stream: str, view: FrameView) -> None:
        """A panel is hidden: it costs nothing from here on."""
        shared = self._shared.get(stream)
        if shared is None or view not in shared.views:
            return
        shared.views.remove(view)
        if not shared.views:
            del self._shared[stream]
            self._player.hide_stream(stream)

    def clear(self) -> None:
        """All panels are gone."""
        for stream in self._shared:
            self._player.hide_stream(stream)
        self._shared.clear()

    @staticmethod
    def part(result: FrameResult, view: FrameView) -> FrameResult:
        """The result as one panel wants it: with what was prepared for that panel."""
        prepared = result.prepared
        if isinstance(prepared, SharedPrepared):
            return replace(result, prepared=prepared.parts.get(id(view)))
        return result
