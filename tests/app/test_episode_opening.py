from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from hfviewer.app.episode_opening import EpisodeOpened, EpisodeOpener
from hfviewer.core.errors import DamagedRecordingError
from tests.app.test_opening import Watched
from tests.collections_in_memory import ListedCollection, episode


@pytest.fixture
def opener(qapp: object) -> Iterator[EpisodeOpener]:
    made = EpisodeOpener()
    yield made
    made.close(timeout_s=10)


@pytest.fixture
def results(opener: EpisodeOpener) -> list[EpisodeOpened]:
    told: list[EpisodeOpened] = []
    opener.opened.connect(told.append)
    return told


def collection(*numbers: int) -> ListedCollection:
    return ListedCollection([episode(n) for n in numbers], {str(n): Watched() for n in numbers})


def recording(listed: ListedCollection, key: str) -> Watched:
    found = listed.recordings[key]
    assert isinstance(found, Watched)
    return found


def test_the_first_that_opens_is_shown_and_the_others_have_a_reason(
    qtbot: QtBot, opener: EpisodeOpener, results: list[EpisodeOpened]
) -> None:
    listed = collection(1, 2, 3)
    listed.recordings["1"] = DamagedRecordingError("It is cut short.")
    listed.recordings["2"] = ZeroDivisionError("a bug")
    opener.open(listed, ["1", "2", "3"])
    qtbot.waitUntil(lambda: len(results) == 1)
    assert (results[0].key, results[0].recording) == ("3", listed.recordings["3"])
    assert [key for key, _ in results[0].failed] == ["1", "2"]
    assert "ZeroDivisionError" in results[0].failed[1][1].problem


def test_where_none_opens_the_last_reason_is_told(
    qtbot: QtBot, opener: EpisodeOpener, results: list[EpisodeOpened]
) -> None:
    listed = ListedCollection([episode(1), episode(2)])
    opener.open(listed, ["1", "2"])
    qtbot.waitUntil(lambda: len(results) == 1)
    assert (results[0].key, results[0].recording) == ("2", None)
    assert results[0].error is not None


def test_the_newest_wish_wins_and_what_comes_late_is_closed(
    qtbot: QtBot, opener: EpisodeOpener, results: list[EpisodeOpened]
) -> None:
    listed = collection(1, 2)
    listed.gates["1"] = threading.Event()
    opener.open(listed, ["1"])
    opener.open(listed, ["2"])
    qtbot.waitUntil(lambda: len(results) == 1)
    listed.gates["1"].set()
    qtbot.waitUntil(lambda: recording(listed, "1").closed)
    assert [result.key for result in results] == ["2"]


def test_what_was_opened_ahead_is_not_opened_again(
    qtbot: QtBot, opener: EpisodeOpener, results: list[EpisodeOpened]
) -> None:
    listed = collection(1, 2)
    opener.open_ahead(listed, "2")
    qtbot.waitUntil(lambda: opener.ready_key == "2")
    opener.open(listed, ["2"])
    qtbot.waitUntil(lambda: len(results) == 1)
    assert results[0].recording is listed.recordings["2"]
    assert listed.opened == ["2"]
    assert not recording(listed, "2").closed


def test_a_wish_takes_over_what_is_being_opened_ahead(
    qtbot: QtBot, opener: EpisodeOpener, results: list[EpisodeOpened]
) -> None:
    listed = collection(1, 2)
    listed.gates["2"] = threading.Event()
    opener.open_ahead(listed, "2")
    opener.open(listed, ["2"])
    assert opener.busy
    listed.gates["2"].set()
    qtbot.waitUntil(lambda: len(results) == 1)
    assert results[0].recording is listed.recordings["2"]
    assert listed.opened == ["2"]
    assert not opener.busy


def test_another_wish_lets_go_of_what_was_opened_ahead(
    qtbot: QtBot, opener: EpisodeOpener, results: list[EpisodeOpened]
) -> None:
    listed = collection(1, 2, 3)
    opener.open_ahead(listed, "2")
    qtbot.waitUntil(lambda: opener.ready_key == "2")
    opener.open_ahead(listed, "3")
    qtbot.waitUntil(lambda: recording(listed, "2").closed)
    qtbot.waitUntil(lambda: opener.ready_key == "3")
    opener.forget()
    qtbot.waitUntil(lambda: recording(listed, "3").closed)
    assert opener.ready_key is None
    assert results == []


def test_forgetting_while_it_is_opened_ahead_closes_it_when_it_comes(
    qtbot: QtBot, opener: EpisodeOpener
) -> None:
    listed = collection(1)
    listed.gates["1"] = threading.Event()
    opener.open_ahead(listed, "1")
    opener.forget()
    listed.gates["1"].set()
    qtbot.waitUntil(lambda: recording(listed, "1").closed)
    assert opener.ready_key is None
