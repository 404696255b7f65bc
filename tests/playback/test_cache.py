from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.errors import FrameError
from hfviewer.core.frame import ImageFrame
from hfviewer.playback.cache import FrameCache


def frame(index: int, size: int) -> ImageFrame:
    return ImageFrame(
        stream="cam", index=index, timestamp_ns=index, sequence=index, pixels=np.zeros((1, size), np.uint8)
    )


def test_the_least_recently_used_frame_goes_first() -> None:
    cache = FrameCache(3 * (1000 + 256))
    for index in range(3):
        cache.put((0, "cam", index), frame(index, 1000))
    assert cache.get((0, "cam", 0)) is not None
    cache.put((0, "cam", 3), frame(3, 1000))
    assert (0, "cam", 1) not in cache
    assert (0, "cam", 0) in cache


def test_a_frame_larger_than_the_budget_is_not_kept_and_evicts_nothing() -> None:
    cache = FrameCache(2000)
    cache.put((0, "cam", 0), frame(0, 1000))
    cache.put((0, "cam", 1), frame(1, 5000))
    assert (0, "cam", 0) in cache
    assert (0, "cam", 1) not in cache


def test_errors_are_remembered() -> None:
    cache = FrameCache(10_000)
    cache.put((0, "cam", 0), FrameError("broken"))
    assert isinstance(cache.get((0, "cam", 0)), FrameError)


def test_what_others_keep_counts_against_the_same_budget() -> None:
    outside = 0
    cache = FrameCache(4 * (1000 + 256), outside_bytes=lambda: outside)
    for index in range(4):
        cache.put((0, "cam", index), frame(index, 1000))
    outside = 2 * (1000 + 256)
    cache.put((0, "cam", 4), frame(4, 1000))
    assert [i for i in range(5) if (0, "cam", i) in cache] == [3, 4]
    assert cache.statistics().used_bytes == 4 * (1000 + 256)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3000)), max_size=60), st.integers(0, 8000))
def test_the_budget_holds_and_the_books_balance(puts: list[tuple[int, int]], budget: int) -> None:
    cache = FrameCache(budget)
    sizes: dict[int, int] = {}
    for index, size in puts:
        cache.put((0, "cam", index), frame(index, size))
        sizes[index] = size + 256
        statistics = cache.statistics()
        assert statistics.used_bytes <= budget
        kept = [i for i in sizes if (0, "cam", i) in cache]
        assert statistics.used_bytes == sum(sizes[i] for i in kept)
    cache.clear()
    assert cache.statistics().used_bytes == 0
