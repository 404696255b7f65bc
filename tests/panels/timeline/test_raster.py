from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hfviewer.panels.timeline.density import MarkRuns
from hfviewer.panels.timeline.raster import Ground, LaneColours, draw_lane, tick_strength

COLOURS = LaneColours(
    ticks=(0, 255, 0),
    error=(255, 0, 0),
    error_ground=(60, 0, 0),
    warning=(255, 255, 0),
    warning_ground=(60, 60, 0),
)
GROUND, GREEN, RED, AMBER = 0xFF0A0A0A, 0xFF00FF00, 0xFFFF0000, 0xFFFFFF00


def runs(*spans: tuple[int, int, bool]) -> MarkRuns:
    firsts = np.array([span[0] for span in spans], np.intp)
    stops = np.array([span[1] for span in spans], np.intp)
    ones = np.ones(len(spans), np.int64)
    return MarkRuns(firsts, stops, ones, ones, np.array([span[2] for span in spans], np.bool_))


def drawn(
    strength: NDArray[np.float32],
    *,
    gaps: MarkRuns | None = None,
    doubled: MarkRuns | None = None,
    backwards: MarkRuns | None = None,
    outside: NDArray[np.bool_] | None = None,
) -> NDArray[np.uint32]:
    width = len(strength)
    out = np.zeros((20, width), np.uint32)
    ground = Ground(
        width, colour=(10, 10, 10), grid=np.zeros(width, np.bool_), line=(40, 40, 40), outside=outside
    )
    none = MarkRuns.none()
    draw_lane(
        out,
        strength,
        ground,
        COLOURS,
        pad=3,
        gaps=none if gaps is None else gaps,
        doubled=none if doubled is None else doubled,
        backwards=none if backwards is None else backwards,
        ratio=1,
    )
    return out


def test_frames_far_apart_are_single_ticks_and_wider_ones_farther_apart() -> None:
    counts = np.array([0, 1, 0, 0, 0, 2, 0], np.intp)
    level = np.ones(7, np.float32)
    assert (tick_strength(counts, level, px_per_frame=4, ratio=1) > 0).tolist() == (counts > 0).tolist()
    wide = tick_strength(counts, level, px_per_frame=40, ratio=1)
    assert np.flatnonzero(wide).tolist() == [1, 2, 5, 6]
    dense = tick_strength(counts, level, px_per_frame=0.5, ratio=1)
    assert (dense == dense[0]).all()


def test_a_tick_has_the_lanes_colour_between_empty_margins() -> None:
    out = drawn(np.array([0, 1, 0], np.float32))
    assert out[10].tolist() == [GROUND, GREEN, GROUND]
    assert (out[:3] == GROUND).all()
    assert (out[-3:] == GROUND).all()


def test_a_gap_is_hatched_and_bordered() -> None:
    out = drawn(np.ones(40, np.float32), gaps=runs((5, 25, True)))
    inner = out[3:-3, 5:25]
    assert set(inner.reshape(-1).tolist()) == {RED, 0xFF3C0000}
    assert (inner[:, [0, -1]] == RED).all()
    assert (out[3:-3, :5] == GREEN).all()


def test_a_gap_too_narrow_for_a_hatch_is_solid() -> None:
    out = drawn(np.ones(40, np.float32), gaps=runs((5, 8, False)))
    assert (out[3:-3, 5:8] == AMBER).all()


def test_only_ticks_are_dimmed_outside_the_range() -> None:
    outside = np.ones(40, np.bool_)
    plain, dim = drawn(np.ones(40, np.float32)), drawn(np.ones(40, np.float32), outside=outside)
    assert (dim[10] != plain[10]).all()
    gaps = runs((5, 25, True))
    assert (
        drawn(np.ones(40, np.float32), gaps=gaps, outside=outside)[3:-3, 5:25]
        == drawn(np.ones(40, np.float32), gaps=gaps)[3:-3, 5:25]
    ).all()


def test_a_doubled_stamp_is_two_ticks_and_a_frame_out_of_order_a_strong_one() -> None:
    out = drawn(np.ones(40, np.float32), doubled=runs((5, 8, False)), backwards=runs((20, 23, False)))
    assert out[10, 4:9].tolist() == [GREEN, AMBER, GROUND, AMBER, GREEN]
    assert out[10, 19:23].tolist() == [GREEN, AMBER, AMBER, GREEN]


def test_late_frames_are_hollow_and_keyframes_wear_a_cap() -> None:
    width, height = 60, 20
    late, keys = np.zeros(width, np.bool_), np.zeros(width, np.bool_)
    late[20], keys[40] = True, True
    strength = np.zeros(width, np.float32)
    strength[[20, 40]] = 1
    ground = Ground(width, colour=(0, 0, 0), grid=np.zeros(width, np.bool_), line=(9, 9, 9), outside=None)
    out = np.zeros((height, width), np.uint32)
    none = MarkRuns.none()
    draw_lane(
        out,
        strength,
        ground,
        COLOURS,
        pad=2,
        gaps=none,
        doubled=none,
        backwards=none,
        ratio=1,
        late=late,
        keys=keys,
    )
    tick = 0xFF000000 | COLOURS.ticks[0] << 16 | COLOURS.ticks[1] << 8 | COLOURS.ticks[2]
    assert [out[height // 2, x] == tick for x in range(18, 24)] == [False, True, False, False, True, False]
    assert all(out[2, 19:23] == tick)
    assert [out[height // 2, x] == tick for x in range(38, 44)] == [False, False, True, False, False, False]
    assert [out[2, x] == tick for x in range(38, 44)] == [False, True, True, True, True, False]
