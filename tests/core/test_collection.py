from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pytest

from hfviewer.core.collection import EpisodeCollection, EpisodeRow
from hfviewer.core.errors import UsageError
from hfviewer.core.recording import Recording


class _Shelf(EpisodeCollection):
    def __init__(self, *rows: EpisodeRow) -> None:
        self._rows = rows
        self.opened: list[str] = []

    path = "shelf"
    task = "shelf"

    @property
    def episodes(self) -> Sequence[EpisodeRow]:
        return self._rows

    def refresh(self) -> bool:
        return False

    def open_key(self, key: str) -> Recording:
        self.opened.append(key)
        return cast("Recording", None)


def _row(key: str, number: int, task: str = "") -> EpisodeRow:
    return EpisodeRow(key=key, number=number, id=key, name=key, task=task)


def test_a_number_opens_its_item() -> None:
    with _Shelf(_row("a/1", 1), _row("a/7", 7)) as shelf:
        shelf.open(7)
    assert shelf.opened == ["a/7"]


def test_a_number_that_is_not_there_says_which_are() -> None:
    with pytest.raises(UsageError, match="no episode 3") as caught:
        _Shelf(_row("a", 1), _row("b", 7)).open(3)
    assert "1 to 7" in str(caught.value)
    with pytest.raises(UsageError, match="It has none"):
        _Shelf().open(1)


def test_a_number_of_two_tasks_opens_neither() -> None:
    shelf = _Shelf(_row("a/1", 1, "a"), _row("b/1", 1, "b"))
    with pytest.raises(UsageError, match="a, b"):
        shelf.open(1)
    assert shelf.opened == []
