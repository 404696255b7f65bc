from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.stream import StreamKind
from hfviewer.panels.timeline.order import LaneOrder

KINDS = {
    "cam/a": StreamKind.IMAGE,
    "imu": StreamKind.IMU,
    "cam/b": StreamKind.IMAGE,
    "lidar": StreamKind.POINTS,
    "imu/2": StreamKind.IMU,
}
ORDER = LaneOrder(tuple(KINDS))


def test_a_lane_goes_where_it_is_put() -> None:
    shown = ORDER.shown(KINDS)
    assert ORDER.moved("imu", 3, shown).shown(KINDS) == ["cam/a", "cam/b", "lidar", "imu", "imu/2"]
    assert ORDER.moved("imu/2", 0, shown).shown(KINDS)[0] == "imu/2"
    assert ORDER.moved("imu", 1, shown) == ORDER
    assert ORDER.moved("unknown", 1, shown) == ORDER


def test_hidden_lanes_keep_their_place_while_others_move() -> None:
    order = ORDER.with_hidden("cam/b", True)
    moved = order.moved("lidar", 0, order.shown(KINDS))
    assert moved.shown(KINDS) == ["lidar", "cam/a", "imu", "imu/2"]
    assert moved.with_hidden("cam/b", False).names.index("cam/b") == 2


def test_the_last_lane_cannot_be_hidden() -> None:
    order = ORDER.only("imu")
    assert order.shown(KINDS) == ["imu"]
    assert order.with_hidden("imu", True) == order


def test_kinds_stay_together_in_the_order_of_their_first_stream() -> None:
    grouped = LaneOrder(tuple(KINDS), by_kind=True)
    assert grouped.shown(KINDS) == ["cam/a", "cam/b", "imu", "imu/2", "lidar"]


def test_moving_a_grouped_lane_keeps_what_is_seen_and_ends_grouping() -> None:
    grouped = LaneOrder(tuple(KINDS), by_kind=True)
    moved = grouped.moved("lidar", 0, grouped.shown(KINDS))
    assert not moved.by_kind
    assert moved.shown(KINDS) == ["lidar", "cam/a", "cam/b", "imu", "imu/2"]


@given(st.lists(st.tuples(st.sampled_from(list(KINDS)), st.integers(-2, 9)), max_size=12))
def test_no_lane_is_ever_lost(moves: list[tuple[str, int]]) -> None:
    order = ORDER.with_hidden("lidar", True)
    for name, to in moves:
        order = order.moved(name, to, order.shown(KINDS))
    assert sorted(order.names) == sorted(KINDS)
    assert set(order.shown(KINDS)) == set(KINDS) - {"lidar"}
