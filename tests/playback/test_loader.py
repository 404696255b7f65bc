from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from hfviewer.core.errors import FrameError, HfviewerError, UsageError
from hfviewer.core.frame import Frame, ImageFrame, TextFrame
from hfviewer.core.window import TimeWindow
from hfviewer.playback.board import FrameRequest, RequestBoard
from hfviewer.playback.cache import FrameCache
from hfviewer.playback.loader import FrameLoader, suffices
from hfviewer.playback.result import FrameResult, Preparer
from tests.playback.fakes import FakeRecording, FakeStream, every

FULL = (64, 48)
MakeLoader = Callable[..., FrameLoader]


class ReducingStream(FakeStream):
    """Gives pictures as small as the caller allows, as a JPEG decoder does."""

    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        super().read(index)
        return picture(max_size or FULL, full=None if max_size is None else FULL)


class BuggyStream(FakeStream):
    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        super().read(index)
        raise ZeroDivisionError("in a decoder")


def picture(size: tuple[int, int], full: tuple[int, int] | None) -> ImageFrame:
    pixels = np.zeros((size[1], size[0]), np.uint8)
    return ImageFrame(stream="cam", index=0, timestamp_ns=0, sequence=0, pixels=pixels, full_size=full)


@pytest.fixture
def board() -> RequestBoard:
    return RequestBoard()


@pytest.fixture
def cache() -> FrameCache:
    return FrameCache(1 << 20)


@pytest.fixture
def make_loader(qapp: object, board: RequestBoard, cache: FrameCache) -> Iterator[MakeLoader]:
    """Loaders with so many threads; with none, `load` is called by hand."""
    made: list[FrameLoader] = []

    def make(threads: int = 0) -> FrameLoader:
        made.append(FrameLoader(board, cache, threads=threads))
        return made[-1]

    yield make
    for loader in made:
        loader.close()


@pytest.fixture
def stream() -> FakeStream:
    return FakeStream("cam", every(10, 100))


def wish(
    board: RequestBoard,
    stream: FakeStream,
    index: int,
    *,
    max_size: tuple[int, int] | None = None,
    prepare: Preparer | None = None,
) -> FrameRequest:
    return board.post(stream, stream.description.name, index, max_size=max_size, prepare=prepare)


def collect(loader: FrameLoader) -> list[FrameResult]:
    """Results in the order of loading; the slot runs on the loader's own thread."""
    results: list[FrameResult] = []
    loader.loaded.connect(results.append)
    return results


def test_a_result_names_the_wish_it_answers(
    board: RequestBoard, make_loader: MakeLoader, stream: FakeStream
) -> None:
    request = wish(board, stream, 7)
    result = make_loader().load(request)
    assert (result.generation, result.epoch) == (request.generation, request.epoch)
    assert (result.stream, result.index, result.error) == ("cam", 7, None)
    assert isinstance(result.frame, ImageFrame)
    assert result.frame.pixels[0, 0] == 7
    assert result.decode_ns > 0


def test_a_frame_asked_for_again_comes_from_the_cache(
    board: RequestBoard, cache: FrameCache, make_loader: MakeLoader, stream: FakeStream
) -> None:
    loader = make_loader()
    first = loader.load(wish(board, stream, 7))
    second = loader.load(wish(board, stream, 7))
    assert stream.read_indices == [7]
    assert second.frame is first.frame
    assert second.decode_ns == 0
    assert (cache.statistics().hits, cache.statistics().misses) == (1, 1)


def test_a_broken_frame_is_read_once_and_its_error_comes_from_the_cache(
    board: RequestBoard, make_loader: MakeLoader, stream: FakeStream
) -> None:
    stream.broken = {7}
    loader = make_loader()
    results = [loader.load(wish(board, stream, 7)) for _ in range(2)]
    assert stream.read_indices == [7]
    assert [result.frame for result in results] == [None, None]
    assert [str(result.error) for result in results] == ["Frame 7 is broken."] * 2


def test_a_bug_in_a_decoder_is_an_error_that_names_the_frame(
    board: RequestBoard, make_loader: MakeLoader
) -> None:
    stream = BuggyStream("cam", every(10, 100))
    result = make_loader().load(wish(board, stream, 7))
    assert isinstance(result.error, FrameError)
    assert result.frame is None
    assert result.error.problem == "Frame 7 of 'cam' cannot be decoded (ZeroDivisionError: in a decoder)."


def test_a_bug_in_a_decoder_does_not_end_the_thread(
    qtbot: QtBot, board: RequestBoard, make_loader: MakeLoader, stream: FakeStream
) -> None:
    results = collect(make_loader(threads=1))
    wish(board, BuggyStream("other", every(10, 100)), 3)
    wish(board, stream, 4)
    qtbot.waitUntil(lambda: len(results) == 2, timeout=5_000)
    assert [(result.index, result.error is None) for result in results] == [(3, False), (4, True)]


def test_a_reduced_picture_serves_while_no_more_of_it_is_wanted(
    board: RequestBoard, make_loader: MakeLoader
) -> None:
    stream = ReducingStream("cam", every(10, 100))
    loader = make_loader()
    sizes: list[tuple[int, ...]] = []
    for max_size in ((32, 24), (16, 12), (32, 24), (40, 24), None, (64, 48)):
        frame = loader.load(wish(board, stream, 0, max_size=max_size)).frame
        assert isinstance(frame, ImageFrame)
        sizes.append(frame.pixels.shape[::-1])
    assert sizes == [(32, 24), (32, 24), (32, 24), (40, 24), FULL, FULL]
    assert len(stream.read_indices) == 3  # 32×24, 40×24, and in full


@pytest.mark.parametrize(
    ("value", "max_size", "answer"),
    [
        (picture((32, 24), full=FULL), (32, 24), True),
        (picture((32, 24), full=FULL), (33, 24), False),
        (picture((32, 24), full=FULL), (32, 25), False),
        (picture((32, 24), full=FULL), None, False),
        (picture((32, 24), full=None), None, True),
        (picture((32, 24), full=None), (4000, 3000), True),
        (FrameError("Broken."), None, True),
        (TextFrame(stream="t", index=0, timestamp_ns=0, sequence=0, value=1, text="1"), (9, 9), True),
    ],
)
def test_what_is_kept_suffices_where_it_has_all_the_pixels_that_are_wanted(
    value: Frame | HfviewerError, max_size: tuple[int, int] | None, answer: bool
) -> None:
    assert suffices(value, max_size) is answer


def test_what_a_panel_has_prepared_comes_with_the_frame_also_from_the_cache(
    board: RequestBoard, make_loader: MakeLoader, stream: FakeStream
) -> None:
    loader = make_loader()
    for _ in range(2):
        result = loader.load(wish(board, stream, 5, prepare=lambda frame: ("made of", frame.index)))
        assert result.prepared == ("made of", 5)


def test_a_preparation_that_fails_costs_only_itself(
    board: RequestBoard, make_loader: MakeLoader, stream: FakeStream, caplog: pytest.LogCaptureFixture
) -> None:
    def prepare(frame: Frame) -> object:
        raise ValueError("in a panel")

    result = make_loader().load(wish(board, stream, 5, prepare=prepare))
    assert (result.prepared, result.error) == (None, None)
    assert isinstance(result.frame, ImageFrame)
    assert "preparing frame 5 of cam" in caplog.text


def test_nothing_is_prepared_of_a_frame_that_cannot_be_read(
    board: RequestBoard, make_loader: MakeLoader, stream: FakeStream
) -> None:
    stream.broken = {5}
    prepared: list[Frame] = []
    make_loader().load(wish(board, stream, 5, prepare=prepared.append))
    assert prepared == []


def test_a_frame_of_the_recording_before_is_neither_prepared_nor_kept(
    board: RequestBoard, cache: FrameCache, make_loader: MakeLoader, stream: FakeStream
) -> None:
    prepared: list[Frame] = []
    request = wish(board, stream, 5, prepare=prepared.append)
    board.new_epoch()
    make_loader().load(request)
    assert prepared == []
    assert (request.epoch, "cam", 5) not in cache


def test_a_read_that_another_recording_overtakes_shows_nothing(
    qtbot: QtBot, board: RequestBoard, cache: FrameCache, make_loader: MakeLoader, stream: FakeStream
) -> None:
    stream.gate.clear()
    results = collect(make_loader(threads=1))
    old = wish(board, stream, 5)
    assert stream.started.wait(5)
    board.new_epoch()
    wish(board, stream, 6)
    stream.gate.set()
    # One thread serves one wish after the other: once the second is there, the first is done with.
    qtbot.waitUntil(lambda: bool(results), timeout=5_000)
    assert [result.index for result in results] == [6]
    assert stream.read_indices == [5, 6]
    assert (old.epoch, "cam", 5) not in cache


def test_frames_read_ahead_are_kept_and_not_shown(
    qtbot: QtBot, board: RequestBoard, cache: FrameCache, make_loader: MakeLoader, stream: FakeStream
) -> None:
    results = collect(make_loader(threads=1))
    board.read_ahead([(stream, "cam", index, None) for index in (1, 2, 3)])
    qtbot.waitUntil(lambda: (board.epoch, "cam", 3) in cache, timeout=5_000)
    board.read_ahead([(stream, "cam", index, None) for index in (3, 4)])
    qtbot.waitUntil(lambda: (board.epoch, "cam", 4) in cache, timeout=5_000)
    wish(board, stream, 2)
    qtbot.waitUntil(lambda: bool(results), timeout=5_000)
    assert stream.read_indices == [1, 2, 3, 4]
    assert [(result.index, result.decode_ns) for result in results] == [(2, 0)]
    # Only what was asked for to be shown counts.
    assert (cache.statistics().hits, cache.statistics().misses) == (1, 0)


def test_a_window_is_announced_to_its_recording(
    qtbot: QtBot, board: RequestBoard, make_loader: MakeLoader, stream: FakeStream
) -> None:
    recording = FakeRecording(stream)
    make_loader(threads=1)
    board.announce(recording, TimeWindow(5, 10))
    qtbot.waitUntil(lambda: recording.announced == [TimeWindow(5, 10)], timeout=5_000)


def loader_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("frame-loader")}


def test_closing_waits_for_the_frame_that_is_being_read(
    qapp: object, board: RequestBoard, cache: FrameCache, stream: FakeStream
) -> None:
    before = loader_threads()
    stream.gate.clear()
    loader = FrameLoader(board, cache, threads=2)
    results = collect(loader)
    wish(board, stream, 5)
    assert stream.started.wait(5)
    loader.close(timeout_s=0.0)  # a stuck read holds nobody up for longer than this
    assert loader_threads() - before
    stream.gate.set()
    loader.close()
    assert loader_threads() == before
    assert stream.read_indices == [5]
    assert results == []


def test_an_error_about_the_wish_itself_is_a_result_too(
    board: RequestBoard, make_loader: MakeLoader, monkeypatch: pytest.MonkeyPatch, stream: FakeStream
) -> None:
    def read(index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        raise UsageError(f"There is no frame {index}.")

    monkeypatch.setattr(stream, "read", read)
    error = make_loader().load(wish(board, stream, 500)).error
    assert isinstance(error, UsageError)
    assert error.problem == "There is no frame 500."
