from __future__ import annotations

import threading
from collections import Counter

from hfviewer.playback.board import FrameRequest, RequestBoard, WindowRequest
from tests.playback.fakes import FakeStream, every

STREAM = FakeStream("cam", every(10, 100))


def test_a_newer_request_replaces_the_one_that_waits() -> None:
    board = RequestBoard()
    board.post(STREAM, "cam", 1)
    board.post(STREAM, "cam", 2)
    last = board.post(STREAM, "cam", 3)
    assert board.take() == last
    assert board.superseded() == board.superseded("cam") == 2


def test_a_stream_that_is_asked_for_again_keeps_its_turn() -> None:
    board = RequestBoard()
    first = board.post(STREAM, "a", 1)
    second = board.post(STREAM, "b", 1)
    newer = board.post(STREAM, "a", 2)
    assert [board.take(), board.take()] == [newer, second]
    assert first.generation < second.generation < newer.generation


def test_no_stream_starves_while_all_are_asked_for_without_end() -> None:
    board = RequestBoard()
    taken: Counter[str] = Counter()
    for index in range(100):
        for name in ("a", "b", "c", "d"):
            board.post(STREAM, name, index)
        request = board.take()
        assert isinstance(request, FrameRequest)
        taken[request.name] += 1
    assert set(taken.values()) == {25}


def test_frames_to_show_go_before_frames_ahead() -> None:
    board = RequestBoard()
    board.read_ahead([(STREAM, "cam", 5, None), (STREAM, "cam", 6, None)])
    wanted = board.post(STREAM, "cam", 4)
    assert board.take() == wanted
    ahead = [board.take(), board.take()]
    found = [request for request in ahead if isinstance(request, FrameRequest) and request.ahead]
    assert [request.index for request in found] == [5, 6]


def test_another_recording_forgets_what_waits_and_makes_older_requests_stale() -> None:
    board = RequestBoard()
    old = board.post(STREAM, "cam", 1)
    board.read_ahead([(STREAM, "cam", 2, None)])
    board.new_epoch()
    new = board.post(STREAM, "cam", 7)
    assert board.is_stale(old)
    assert not board.is_stale(new)
    assert board.take() == new
    assert new.generation > old.generation


def test_withdrawing_forgets_only_that_stream() -> None:
    board = RequestBoard()
    board.post(STREAM, "a", 1)
    kept = board.post(STREAM, "b", 1)
    board.withdraw("a")
    assert board.take() == kept


def test_closing_wakes_a_waiting_worker() -> None:
    board = RequestBoard()
    taken: list[FrameRequest | WindowRequest | None] = []
    worker = threading.Thread(target=lambda: taken.append(board.take()))
    worker.start()
    board.close()
    worker.join(5)
    assert taken == [None]
