from __future__ import annotations

import numpy as np
import pytest

from hfviewer.core.depth import DepthScale
from hfviewer.core.frame import (
    DepthFrame,
    ImageFrame,
    PointFrame,
    RawFrame,
    SampleFrame,
    TextFrame,
    freeze,
)
from hfviewer.core.stream import Channel


def make_depth(stored: list[list[int]], scale: DepthScale) -> DepthFrame:
    return DepthFrame(
        stream="depth", index=0, timestamp_ns=1, sequence=0, stored=np.array(stored, np.uint16), scale=scale
    )


def test_freeze_marks_the_same_array_read_only() -> None:
    array = np.zeros(3)
    assert freeze(array) is array
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


def test_a_depth_frame_gives_millimetres_and_keeps_the_stored_codes() -> None:
    frame = make_depth([[0, 1, 5000], [9, 65535, 40_000]], DepthScale(unit_mm=2.0, invalid_codes=(0, 9)))
    assert frame.millimetres.tolist() == [[0, 2, 10_000], [0, 65535, 65535]]
    assert frame.valid.tolist() == [[False, True, True], [False, True, True]]
    assert frame.stored.tolist() == [[0, 1, 5000], [9, 65535, 40_000]]
    assert frame.millimetres.dtype == np.uint16
    assert not frame.millimetres.flags.writeable


def test_millimetres_are_worked_out_once() -> None:
    frame = make_depth([[1, 2]], DepthScale())
    assert frame.millimetres is frame.millimetres


def test_a_log12_depth_frame_is_valid_only_where_its_codes_are() -> None:
    frame = make_depth([[0, 1, 4095, 4096]], DepthScale(log12=True))
    assert frame.millimetres.tolist() == [[0, 100, 5000, 0]]
    assert frame.valid.tolist() == [[False, True, True, False]]


def test_the_memory_of_a_frame_covers_all_its_arrays() -> None:
    pixels = np.zeros((10, 20, 3), np.uint8)
    image = ImageFrame(stream="a", index=0, timestamp_ns=0, sequence=0, pixels=pixels)
    samples = SampleFrame(
        stream="a",
        index=0,
        timestamp_ns=0,
        sequence=0,
        timestamps_ns=np.zeros(5, np.int64),
        values=np.zeros((5, 2)),
        channels=(Channel("x"), Channel("y")),
    )
    assert image.memory_bytes - 600 == samples.memory_bytes - (40 + 80) > 0


def test_the_memory_of_a_depth_frame_counts_its_millimetres_before_they_are_asked_for() -> None:
    frame = make_depth([[1, 2, 3, 4]], DepthScale())
    before = frame.memory_bytes
    assert frame.millimetres.nbytes == 8
    assert frame.memory_bytes == before >= 8 + 8


def test_clouds_texts_and_raw_bytes_count_what_they_hold() -> None:
    def cloud(count: int) -> PointFrame:
        xyz = np.zeros((count, 3), np.float32)
        fields = {"intensity": np.zeros(count, np.float32)}
        return PointFrame(stream="a", index=0, timestamp_ns=0, sequence=0, xyz=xyz, fields=fields)

    def text(length: int) -> TextFrame:
        return TextFrame(stream="a", index=0, timestamp_ns=0, sequence=0, value=None, text="x" * length)

    def raw(length: int) -> RawFrame:
        return RawFrame(stream="a", index=0, timestamp_ns=0, sequence=0, payload=bytes(length))

    assert cloud(100).memory_bytes - cloud(0).memory_bytes == 1600
    assert text(1000).memory_bytes - text(0).memory_bytes >= 1000
    assert raw(1000).memory_bytes - raw(0).memory_bytes == 1000
