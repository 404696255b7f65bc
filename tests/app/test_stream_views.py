from __future__ import annotations

import numpy as np

from hfviewer.app.stream_views import SharedPrepared, StreamViews
from hfviewer.core.frame import Frame, ImageFrame
from hfviewer.playback.player import FrameView, Player
from hfviewer.playback.result import FrameResult, Preparer

FRAME = ImageFrame(stream="cam", index=0, timestamp_ns=0, sequence=0, pixels=np.zeros((2, 2), np.uint8))


class Recorder:
    """Takes a player's place and notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.view: FrameView | None = None

    def show_stream(self, name: str, view: FrameView | None = None) -> None:
        self.told.append(f"show {name}")
        self.view = view

    def hide_stream(self, name: str) -> None:
        self.told.append(f"hide {name}")


class View:
    def __init__(self, size: tuple[int, int], word: str = "") -> None:
        self._size, self._word = size, word

    def view_size(self) -> tuple[int, int]:
        return self._size

    def preparer(self) -> Preparer | None:
        return (lambda frame: f"{self._word} {frame.index}") if self._word else None


def made() -> tuple[StreamViews, Recorder]:
    player = Recorder()
    fake: Player = player  # type: ignore[assignment]
    return StreamViews(fake), player


def test_the_player_sees_one_view_as_large_as_the_largest_and_prepares_for_each() -> None:
    views, player = made()
    wide, high, plain = View((900, 10), "wide"), View((20, 700), "high"), View((1, 1))
    for view in (wide, high, plain, wide):
        views.add("cam", view)
    assert player.told == ["show cam", "hide cam", "show cam", "hide cam", "show cam"]
    assert player.view is not None
    assert player.view.view_size() == (900, 700)
    prepare = player.view.preparer()
    assert prepare is not None
    prepared = prepare(FRAME)
    assert isinstance(prepared, SharedPrepared)
    result = FrameResult(generation=1, epoch=0, stream="cam", index=0, frame=FRAME, prepared=prepared)
    assert [views.part(result, view).prepared for view in (wide, high, plain)] == ["wide 0", "high 0", None]


def test_the_last_one_that_goes_hides_the_stream() -> None:
    views, player = made()
    one, two = View((1, 1)), View((2, 2))
    views.add("cam", one)
    views.add("cam", two)
    views.remove("cam", one)
    views.remove("cam", one)
    views.remove("other", one)
    assert "hide cam" not in player.told[3:]
    views.remove("cam", two)
    assert player.told[-1] == "hide cam"
    assert player.view is not None
    assert player.view.preparer() is None
    views.add("depth", one)
    views.clear()
    assert player.told[-1] == "hide depth"


def test_a_result_that_was_prepared_for_nobody_stays_as_it_is() -> None:
    views, _ = made()
    frame: Frame = FRAME
    result = FrameResult(generation=1, epoch=0, stream="cam", index=0, frame=frame, prepared=None)
    assert views.part(result, View((1, 1))) is result
