from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import pytest
from pytestqt.qtbot import QtBot

from hfviewer.core.frame import Frame, ImageFrame
from hfviewer.playback.survey import (
    SURVEYED_FRAMES,
    Survey,
    Surveyor,
    SurveyResult,
    surveyed_indices,
)
from tests.playback.fakes import FakeStream, every

TABLE = every(100_000_000, 40)


@pytest.fixture
def surveyor(qapp: object) -> Iterator[Surveyor]:
    made = Surveyor()
    yield made
    made.close()


def value_of(frame: Frame) -> int:
    assert isinstance(frame, ImageFrame)
    return int(frame.pixels.flat[0])


def test_frames_are_spread_over_the_stream() -> None:
    assert surveyed_indices(0) == []
    assert surveyed_indices(3) == [0, 1, 2]
    many = surveyed_indices(1_000_000)
    assert len(many) == SURVEYED_FRAMES
    assert 0 < many[0] < many[-1] < 1_000_000
    assert surveyed_indices(SURVEYED_FRAMES) == list(range(SURVEYED_FRAMES))


def test_what_frames_say_together_is_told_once(qtbot: QtBot, surveyor: Surveyor) -> None:
    stream = FakeStream("cam", TABLE)
    stream.broken.add(surveyed_indices(40)[3])
    with qtbot.waitSignal(surveyor.surveyed, timeout=5_000) as waited:
        surveyor.request("cam", stream, Survey(value_of, sorted))
    result = waited.args[0]
    assert isinstance(result, SurveyResult)
    expected = surveyed_indices(40)
    del expected[3]
    assert result.value == expected
    assert result.stream == "cam"


def test_a_stream_of_broken_frames_says_nothing(qtbot: QtBot, surveyor: Surveyor) -> None:
    stream = FakeStream("cam", TABLE)
    stream.broken.update(range(40))
    with qtbot.waitSignal(surveyor.surveyed, timeout=5_000) as waited:
        surveyor.request("cam", stream, Survey(value_of, sorted))
    assert waited.args[0].value is None


def test_what_was_asked_of_the_last_recording_is_forgotten(qtbot: QtBot, surveyor: Surveyor) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def wait(frame: Frame) -> int:
        begun.set()
        go_on.wait(5)
        return value_of(frame)

    def nothing(values: Sequence[int]) -> object:
        return list(values)

    heard: list[SurveyResult] = []
    surveyor.surveyed.connect(heard.append)
    stream = FakeStream("cam", TABLE)
    surveyor.request("cam", stream, Survey(wait, nothing))
    assert begun.wait(5)
    surveyor.new_epoch(7)
    go_on.set()
    with qtbot.waitSignal(surveyor.surveyed, timeout=5_000):
        surveyor.request("next", stream, Survey(value_of, nothing))
    assert [(result.epoch, result.stream) for result in heard] == [(7, "next")]


def test_nothing_is_begun_once_it_is_closed(surveyor: Surveyor) -> None:
    surveyor.close()
    stream = FakeStream("cam", TABLE)
    surveyor.request("cam", stream, Survey(value_of, sorted))
    assert stream.read_indices == []
