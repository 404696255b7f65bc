from __future__ import annotations

import gc

import av
import pytest

from hfviewer.codecs.video.budget import GopBudget
from hfviewer.codecs.video.gop_cache import GopCache, picture_bytes


@pytest.fixture(scope="module")
def picture() -> av.VideoFrame:
    return av.VideoFrame(64, 32, "gray")


def cache_of(frames: int, picture: av.VideoFrame) -> GopCache:
    return GopCache(GopBudget(frames * picture_bytes(picture)))


def test_a_picture_costs_its_planes(picture: av.VideoFrame) -> None:
    assert picture_bytes(picture) >= 64 * 32
    assert picture_bytes(av.VideoFrame(64, 32, "yuv420p")) > picture_bytes(picture) * 1.2


def test_what_is_kept_comes_back(picture: av.VideoFrame) -> None:
    cache = cache_of(4, picture)
    cache.put(7, picture)
    assert cache.get(7) is picture
    assert cache.get(8) is None
    assert 7 in cache


def test_the_bytes_stay_inside_the_budget(picture: av.VideoFrame) -> None:
    budget = GopBudget(10 * picture_bytes(picture))
    cache = GopCache(budget)
    for frame in range(100):
        cache.look_at(frame, backward=False)
        cache.put(frame, picture)
        assert budget.used_bytes <= budget.limit_bytes
    assert len(cache) == 10
    assert sorted(cache._kept) == list(range(90, 100))


def test_a_picture_larger_than_the_budget_is_not_kept(picture: av.VideoFrame) -> None:
    cache = GopCache(GopBudget(10))
    cache.put(1, picture)
    assert len(cache) == 0


def test_filling_up_to_a_frame_keeps_those_just_before_it(picture: av.VideoFrame) -> None:
    cache = cache_of(5, picture)
    cache.look_at(50, backward=True)
    for frame in range(51):
        cache.put(frame, picture)
    assert sorted(cache._kept) == [46, 47, 48, 49, 50]


def test_going_back_frames_already_passed_go_first(picture: av.VideoFrame) -> None:
    cache = cache_of(6, picture)
    cache.look_at(20, backward=True)
    for frame in range(15, 21):
        cache.put(frame, picture)
    cache.look_at(16, backward=True)
    cache.put(14, picture)
    assert sorted(cache._kept) == [14, 15, 16, 17, 18, 19]


def test_the_largest_window_gives_way_to_another(picture: av.VideoFrame) -> None:
    budget = GopBudget(8 * picture_bytes(picture))
    large, small = GopCache(budget), GopCache(budget)
    for frame in range(8):
        large.put(frame, picture)
    for frame in range(4):
        small.put(frame, picture)
    assert (len(large), len(small)) == (4, 4)
    assert small.room(picture_bytes(picture)) == 4


def test_a_window_that_is_gone_frees_its_share(picture: av.VideoFrame) -> None:
    budget = GopBudget(8 * picture_bytes(picture))
    gone, kept = GopCache(budget), GopCache(budget)
    gone.put(0, picture)
    kept.put(0, picture)
    assert kept.room(picture_bytes(picture)) == 4
    del gone
    gc.collect()
    assert kept.room(picture_bytes(picture)) == 8
    kept.clear()
    assert budget.used_bytes == 0


def test_the_supply_below_a_frame_ends_at_the_first_gap(picture: av.VideoFrame) -> None:
    cache = cache_of(9, picture)
    for frame in (1, 3, 4, 5, 6):
        cache.put(frame, picture)
    assert cache.lowest_below(6) == 3
    assert cache.lowest_below(3) == 3
    assert cache.lowest_below(10) == 10
