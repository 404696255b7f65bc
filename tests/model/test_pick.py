from __future__ import annotations

import numpy as np
import pytest

from hfviewer.core.geometry import Calibration, Transform
from hfviewer.core.projection import Ray
from hfviewer.model.pick import Pick, PickBoard

SHIFT = np.array([[1.0, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
CALIBRATION = Calibration(transforms=(Transform("base", "cam", SHIFT),))
RAY = Ray((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))


def at(stream: str = "left", **more: object) -> Pick:
    return Pick(stream=stream, timestamp_ns=7, text="12, 3", frame="cam", **more)  # type: ignore[arg-type]


@pytest.fixture
def board(qapp: object) -> PickBoard:
    return PickBoard()


def test_a_pick_is_told_once_and_taken_back_by_its_own_stream_only(board: PickBoard) -> None:
    heard: list[object] = []
    board.changed.connect(heard.append)
    board.point_at(at())
    board.point_at(at())
    board.leave("depth")
    assert heard == [at()]
    board.leave("left")
    assert heard == [at(), None]
    assert board.read_out == ""


def test_panels_add_what_they_see_to_one_read_out(board: PickBoard) -> None:
    read: list[str] = []
    board.say("depth", "nothing is pointed at")
    board.read_out_changed.connect(read.append)
    board.point_at(at())
    board.say("depth", "2.000 m")
    board.say("left", "the pick's own stream has said it already")
    board.say("depth", "2.001 m")
    assert read == ["12, 3", "12, 3   |   2.000 m", "12, 3   |   2.001 m"]
    board.say("depth", "")
    assert board.read_out == "12, 3"
    board.point_at(at(pixel=(1, 1)))
    board.say("depth", "2 m")
    board.point_at(at(pixel=(2, 1)))
    assert board.read_out == "12, 3"


def test_a_pick_is_seen_from_another_frame_or_not_at_all(board: PickBoard) -> None:
    seen = at(point_m=(1.0, 2.0, 3.0), ray=RAY).seen_from(CALIBRATION, "base")
    assert seen is not None
    assert seen.point_m == (6.0, 2.0, 3.0)
    assert seen.ray == Ray((5.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert at().seen_from(CALIBRATION, "elsewhere") is None
    assert at(point_m=(np.inf, 0.0, 0.0)).seen_from(CALIBRATION, "base").point_m is None  # type: ignore[union-attr]


def test_who_finds_the_end_of_a_line_of_sight_gives_it_to_all(board: PickBoard) -> None:
    pick = at(ray=RAY)
    board.point_at(pick)
    board.resolve(at(pixel=(9, 9)), (6.0, 0.0, 3.0), "base", CALIBRATION)
    assert board.pick == pick
    board.resolve(pick, (6.0, 0.0, 3.0), "base", CALIBRATION)
    assert board.pick is not None
    assert board.pick.point_m == (1.0, 0.0, 3.0)
    board.resolve(board.pick, (0.0, 0.0, 0.0), "base", CALIBRATION)
    assert board.pick.point_m == (1.0, 0.0, 3.0)


def test_what_a_listener_finds_out_reaches_everybody_last(board: PickBoard) -> None:
    heard: list[object] = []

    def find(pick: Pick | None) -> None:
        if pick is not None:
            board.resolve(pick, (6.0, 0.0, 3.0), "base", CALIBRATION)

    board.changed.connect(find)
    board.changed.connect(heard.append)
    board.point_at(at(ray=RAY))
    assert [pick.point_m for pick in heard if isinstance(pick, Pick)] == [None, (1.0, 0.0, 3.0)]
