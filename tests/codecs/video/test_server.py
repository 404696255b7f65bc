from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hfviewer.codecs.video.budget import GopBudget
from hfviewer.codecs.video.server import MOST_DECODERS, FrameServer
from hfviewer.core.errors import FrameError
from tests.codecs.video.reading import number_in, server_of, track_of, wrong
from tests.codecs.video.test_decoder import CountingSource
from tests.video_clips import (
    EDITS,
    RECIPES,
    Clip,
    patched,
    shared_clip,
    shown_numbers,
    write_clip,
    x264,
    x265,
)

CLIPS = [(name, 0) for name in (*RECIPES, *EDITS)] + [("picture_and_depth.mkv", 1)]
MIB = 1 << 20


def check_exactness(path: Path, track: int, *, seeks: int, steps: int, budget: GopBudget) -> None:
    """Random reads, steps back from the end, steps forward from the middle: no frame may be another."""
    truth = shown_numbers(path, track_of(path, track).number)
    server = server_of(path, track, budget=budget)
    count = track_of(path, track).table.frame_count
    assert count == len(truth)
    assert None not in truth
    rng = random.Random(f"{path.name} {track}")
    frames = [rng.randrange(count) for _ in range(seeks)]
    frames += range(count - 1, max(-1, count - 1 - steps), -1)
    frames += range(max(0, count // 2 - steps // 2), min(count, count // 2 + steps))
    assert wrong(server, frames, truth) == []
    server.close()


@pytest.mark.parametrize(("name", "track"), CLIPS)
def test_every_frame_is_the_one_that_was_asked_for(name: str, track: int) -> None:
    check_exactness(shared_clip(name), track, seeks=80, steps=40, budget=GopBudget(0))


@pytest.mark.parametrize(("name", "track"), CLIPS)
def test_every_frame_is_the_one_that_was_asked_for_also_from_a_small_window(name: str, track: int) -> None:
    check_exactness(shared_clip(name), track, seeks=80, steps=60, budget=GopBudget(MIB // 2))


@pytest.mark.soak
@pytest.mark.parametrize(("name", "track"), CLIPS)
@pytest.mark.parametrize("budget_bytes", [0, MIB // 2, 256 * MIB])
def test_a_thousand_reads_and_two_hundred_steps_each_way(name: str, track: int, budget_bytes: int) -> None:
    path = shared_clip(name)
    check_exactness(path, track, seeks=1000, steps=200, budget=GopBudget(budget_bytes))


@pytest.mark.soak
@pytest.mark.parametrize("budget_bytes", [0, 64 * MIB])
@pytest.mark.parametrize("kind", ["gop250", "open_gop"])
def test_a_thousand_reads_of_a_larger_and_longer_clip(tmp_path: Path, kind: str, budget_bytes: int) -> None:
    size = (640, 480)
    recipes = {
        "gop250": x264(250, frames=600, size=size, noise=8),
        "open_gop": x265("keyint=48:open-gop=1:bframes=4:b-pyramid=1", frames=600, size=size, noise=8),
    }
    path = write_clip(tmp_path / "large.mp4", recipes[kind])
    check_exactness(path, 0, seeks=1000, steps=200, budget=GopBudget(budget_bytes))


def test_many_threads_get_the_frames_that_they_ask_for() -> None:
    path = shared_clip("b_frames.mp4")
    server = server_of(path, budget=GopBudget(MIB // 2))
    rng = random.Random(11)
    near = [max(0, min(119, 60 + i + rng.randrange(-3, 4))) for i in range(-60, 60)]
    frames = [*near, *(rng.randrange(120) for _ in range(80)), *reversed(near)]
    with ThreadPoolExecutor(6) as threads:
        got = list(threads.map(lambda frame: number_in(server, frame), frames))
    server.close()
    assert got == frames


class CountingServer:
    """A server whose sources are counted."""

    def __init__(self, path: Path, budget: GopBudget) -> None:
        self.sources: list[CountingSource] = []
        track = track_of(path)
        self.server = FrameServer(
            lambda: self.sources.append(CountingSource(path)) or self.sources[-1],  # type: ignore[func-returns-value]
            track.table,
            is_reference=track.is_reference,
            open_chain=track.open_chain,
            budget=budget,
        )

    @property
    def packets(self) -> int:
        return sum(source.packets for source in self.sources)


@pytest.fixture
def counting() -> Iterator[CountingServer]:
    counting = CountingServer(shared_clip("long_gop.mp4"), GopBudget(256 * MIB))
    yield counting
    counting.server.close()


def test_stepping_back_decodes_the_way_there_once(counting: CountingServer) -> None:
    for frame in range(200, 100, -1):
        assert number_in(counting.server, frame) == frame
    # To frame 200, again to 199, and at most one more time in the background for those before.
    assert counting.packets <= 3 * 215


def test_threads_that_want_the_next_frames_share_one_decoder(counting: CountingServer) -> None:
    number_in(counting.server, 0)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda f: number_in(counting.server, f), range(1, 100))) == list(
            range(1, 100)
        )
    # Threads that overtake each other can look like somebody who steps back: one more pass in the background.
    assert counting.packets <= 120 + 100


def test_there_are_never_more_decoders_than_allowed(counting: CountingServer) -> None:
    start = threading.Barrier(8)

    def read(frame: int) -> int | None:
        start.wait(timeout=10)
        return number_in(counting.server, frame)

    frames = [5, 45, 85, 125, 165, 205, 245, 255]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(read, frames)) == frames
    assert len(counting.sources) <= MOST_DECODERS


def test_a_broken_frame_is_decoded_once_and_then_known(tmp_path: Path) -> None:
    path = write_clip(
        tmp_path / "cut.mp4", x264(8, frames=24, b_frames=0, container={"movflags": "faststart"})
    )
    path.write_bytes(path.read_bytes()[:-300])
    counting = CountingServer(path, GopBudget(0))
    messages = set()
    for _ in range(3):
        with pytest.raises(FrameError) as caught:
            counting.server.picture(23)
        messages.add(caught.value.problem)
    assert len(messages) == 1
    assert number_in(counting.server, 0) == 0
    counting.server.close()


def test_a_key_frame_that_cannot_be_decoded_is_tried_once_for_all_its_frames(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "broken.mp4", x264(24, frames=96))
    table = track_of(path).table
    at, size = int(table.positions[table.keys[2]]), int(table.sizes[table.keys[2]])

    def zero(data: bytearray) -> None:
        data[at + 4 : at + size] = bytes(size - 4)

    patched(path, zero)
    counting = CountingServer(path, GopBudget(0))
    with pytest.raises(FrameError, match="builds on frame 48"):
        counting.server.picture(60)
    packets = counting.packets
    for frame in (55, 71, 63, 57, 60):
        with pytest.raises(FrameError, match="builds on frame 48"):
            counting.server.picture(frame)
    assert counting.packets == packets
    assert [number_in(counting.server, frame) for frame in (47, 72, 95, 0)] == [47, 72, 95, 0]
    counting.server.close()


def test_closing_ends_reading_and_leaves_no_thread_behind(counting: CountingServer) -> None:
    for frame in (200, 199, 198, 197):
        counting.server.picture(frame)
    counting.server.close()
    counting.server.close()
    assert not [t for t in threading.enumerate() if t.name == "video-fetcher"]
    with pytest.raises(FrameError, match="closed"):
        counting.server.picture(0)


def test_closing_interrupts_a_thread_that_waits_for_a_far_frame() -> None:
    path = shared_clip("long_gop.mp4")
    counting = CountingServer(path, GopBudget(0))
    inside, go = threading.Event(), threading.Event()
    original = CountingSource.packets_from

    class Gated(CountingSource):
        def packets_from(self, number: int):  # type: ignore[no-untyped-def]
            inside.set()
            go.wait(timeout=10)
            return original(self, number)

    track = track_of(path)
    server = FrameServer(lambda: Gated(path), track.table, budget=GopBudget(0))
    with ThreadPoolExecutor(1) as threads:
        result = threads.submit(server.picture, 249)
        assert inside.wait(timeout=10)
        server.close()
        go.set()
        with pytest.raises(FrameError, match="closed"):
            result.result(timeout=10)
    counting.server.close()


def test_a_file_that_went_away_is_a_frame_error(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "gone.mp4", Clip(codec="mjpeg", pixel_format="yuvj420p", frames=3))
    server = server_of(path)
    path.unlink()
    with pytest.raises(FrameError, match="cannot be opened"):
        server.picture(0)
    server.close()
