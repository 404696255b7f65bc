from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.readers.episodes.slots import Slots, split_rows

T = 33_333_333


def mixed(
    keys: list[str], lost: dict[str, set[int]], ticks: int = 60
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[str]]:
    """Rows as the recorder's loop writes them: per tick one for every slot that had a frame."""
    following = dict.fromkeys(keys, 0)
    index, stamps, owners = [], [], []
    for tick in range(ticks):
        for key in keys:
            if tick in lost.get(key, set()):
                continue
            index.append(following[key])
            stamps.append(10**12 + tick * T + 1_000_000 * keys.index(key))
            owners.append(key)
            following[key] += 1
    return np.array(index, np.int64), np.array(stamps, np.int64), owners


def split(
    keys: list[str], rows: tuple[NDArray[np.int64], NDArray[np.int64], list[str]], *, stamped: bool = True
) -> Slots:
    index, stamps, owners = rows
    return split_rows(
        index,
        keys,
        frame_counts={key: owners.count(key) for key in keys},
        hardware_ns=stamps // 20_000_000 if stamped else np.zeros_like(stamps),
        wall_ns=stamps,
        imu_counts=None,
    )


def check(slots: Slots, rows: tuple[NDArray[np.int64], NDArray[np.int64], list[str]]) -> None:
    for key, found in slots.rows.items():
        assert [rows[2][row] for row in found] == [key] * rows[2].count(key)


def test_one_row_a_tick_belongs_to_all() -> None:
    slots = split_rows(
        np.arange(5),
        ["a", "b"],
        frame_counts={},
        hardware_ns=np.zeros(5, np.int64),
        wall_ns=np.arange(5),
        imu_counts=None,
    )
    assert slots.shared
    assert slots.rows["a"].tolist() == slots.rows["b"].tolist() == list(range(5))


@pytest.mark.parametrize("stamped", [True, False])
@pytest.mark.parametrize(
    "lost",
    [
        {},
        {"b": {20}},
        {"b": {0, 1, 2}},
        {"a": {30, 31}, "b": {30, 31, 40}},
        {"c": {5}, "b": {5, 6}},
        {"a": {20}},
        {"a": {7}, "c": {8}},
    ],
)
def test_rows_of_several_cameras_are_told_apart(lost: dict[str, set[int]], stamped: bool) -> None:
    rows = mixed(["a", "b", "c"], lost)
    slots = split(["a", "b", "c"], rows, stamped=stamped)
    assert slots.certain
    assert not slots.shared
    check(slots, rows)


def test_rows_of_one_tick_are_known_as_such() -> None:
    slots = split(["a", "b"], mixed(["a", "b"], {"b": {2}}, ticks=4))
    assert slots.ticks.tolist() == [0, 0, 1, 1, 2, 3, 3]


def test_the_imu_tells_the_left_camera() -> None:
    keys = ["stereo_left", "stereo_right"]
    index, _, owners = rows = mixed(keys, {})
    slots = split_rows(
        index,
        ["stereo_right", "stereo_left"],  # as somebody may guess wrong
        frame_counts=dict.fromkeys(keys, 60),
        hardware_ns=np.zeros(len(index), np.int64),
        wall_ns=np.arange(len(index)),
        imu_counts=np.array([7 if owner == "stereo_left" else 0 for owner in owners], np.int64),
    )
    assert slots.certain
    check(slots, rows)


def test_rows_that_fit_no_video_are_shown_and_said_to_be_a_guess() -> None:
    index, stamps, _ = mixed(["a", "b"], {})
    slots = split_rows(
        index,
        ["a", "b"],
        frame_counts={"a": 50, "b": 60},
        hardware_ns=stamps,
        wall_ns=stamps,
        imu_counts=None,
    )
    assert not slots.certain
    assert "guess" in slots.words
    assert sum(map(len, slots.rows.values())) == len(index)


def test_where_nothing_says_when_rows_were_written_a_loss_makes_it_a_guess() -> None:
    index, _, _ = mixed(["a", "b"], {"a": {20}})
    slots = split_rows(
        index,
        ["a", "b"],
        frame_counts={"a": 59, "b": 60},
        hardware_ns=np.zeros(len(index), np.int64),
        wall_ns=np.zeros(len(index), np.int64),
        imu_counts=None,
    )
    assert not slots.certain
    assert {key: len(rows) for key, rows in slots.rows.items()} == {"a": 59, "b": 60}
