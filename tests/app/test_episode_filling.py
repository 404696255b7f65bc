from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from hfviewer.app.episode_filling import EpisodeFiller, Filled
from hfviewer.core.collection import EpisodeRow
from tests.app.test_opening import Watched
from tests.collections_in_memory import ListedCollection, episode


def unknown(number: int) -> EpisodeRow:
    return episode(number, duration_s=None, frame_count=None, streams=())


@pytest.fixture
def filler(qapp: object) -> Iterator[EpisodeFiller]:
    made = EpisodeFiller()
    yield made
    made.close(timeout_s=10)


@pytest.fixture
def news(filler: EpisodeFiller) -> list[Filled]:
    told: list[Filled] = []
    filler.filled.connect(told.append)
    return told


def told_rows(news: list[Filled]) -> dict[str, EpisodeRow]:
    return {row.key: row for filled in news for _, row in filled.rows}


def test_only_rows_that_leave_something_open_are_looked_into(
    qtbot: QtBot, filler: EpisodeFiller, news: list[Filled]
) -> None:
    watched = Watched()
    rows = [episode(1), unknown(2), unknown(3), episode(4, ok=False)]
    listed = ListedCollection(rows, {"2": watched})
    filler.start(listed)
    qtbot.waitUntil(lambda: len(told_rows(news)) == 2)
    assert listed.opened == ["2", "3"]
    assert watched.closed
    found = told_rows(news)
    assert found["2"].streams == ("cam",)
    assert found["2"].duration_s is not None
    assert (found["3"].ok, found["3"].problem) == (False, "Its video has no moov box.")
    assert (news[-1].done, news[-1].whole) == (2, 2)


def test_a_row_is_looked_into_again_only_once_it_changes(
    qtbot: QtBot, filler: EpisodeFiller, news: list[Filled]
) -> None:
    listed = ListedCollection([unknown(1)], {"1": Watched(), "2": Watched()})
    filler.start(listed)
    qtbot.waitUntil(lambda: len(news) == 1)
    with qtbot.waitSignal(filler.listed) as told:
        listed.next_rows = [unknown(1), unknown(2)]
        filler.refresh(listed)
    first, second = told.args[0]
    assert first.streams == ("cam",)
    assert second == unknown(2)
    filler.start(listed)
    qtbot.waitUntil(lambda: len(news) == 2)
    assert listed.opened == ["1", "2"]


def test_nothing_is_said_where_nothing_changed(qtbot: QtBot, filler: EpisodeFiller) -> None:
    listed = ListedCollection([episode(1)])
    with qtbot.assertNotEmitted(filler.listed, wait=50):
        filler.refresh(listed)


def test_news_of_an_earlier_collection_are_dropped(
    qtbot: QtBot, filler: EpisodeFiller, news: list[Filled]
) -> None:
    first = ListedCollection([unknown(1)], {"1": Watched()})
    first.gates["1"] = threading.Event()
    filler.start(first)
    qtbot.waitUntil(lambda: first.opened == ["1"])
    filler.cancel()
    first.gates["1"].set()
    second = ListedCollection([unknown(2)], {"2": Watched()})
    filler.start(second)
    qtbot.waitUntil(lambda: len(news) == 1)
    assert list(told_rows(news)) == ["2"]
