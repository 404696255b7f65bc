from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from hfviewer.core.finding import Severity
from hfviewer.model.health import HealthStore
from hfviewer.panels.episode_table import (
    Column,
    Condition,
    EpisodeFilter,
    EpisodeTable,
    length_text,
    start_text,
)
from hfviewer.quality.health import Health
from tests.collections_in_memory import episode


@pytest.fixture
def table(qtbot: QtBot) -> EpisodeTable:
    made = EpisodeTable(HealthStore())
    made.set_rows([episode(n) for n in (1, 2, 10)])
    return made


def shown(listed: EpisodeFilter) -> list[str]:
    return [listed.key_at(number) for number in range(listed.rowCount())]


@pytest.mark.parametrize(
    ("duration_s", "text"),
    [(None, "–"), (71.24, "71.2 s"), (723.4, "12:03"), (7384.0, "2:03:04"), (-1.0, "–"), (1e12, "–")],
)
def test_lengths_are_short_and_never_a_wrong_number(duration_s: float | None, text: str) -> None:
    assert length_text(duration_s) == text


def test_a_start_that_no_calendar_has_is_left_out() -> None:
    assert start_text(2**80) == start_text(None) == ""
    assert start_text(1_700_000_000_000_000_000).startswith("2023-11-1")


def test_names_are_sorted_by_the_numbers_in_them(table: EpisodeTable) -> None:
    table.set_rows([episode(n, name=f"take {n}") for n in (10, 9, 100)])
    listed = EpisodeFilter(table)
    listed.sort(Column.NAME)
    assert shown(listed) == ["9", "10", "100"]
    listed.sort(Column.LENGTH, Qt.SortOrder.DescendingOrder)
    assert shown(listed) == ["100", "10", "9"]
    listed.sort(-1)
    assert shown(listed) == ["10", "9", "100"]


def test_the_worst_come_last_by_health_and_unchecked_ones_first(table: EpisodeTable) -> None:
    table.set_rows([episode(1), episode(2, ok=False, problem="It is cut short."), episode(3), episode(4)])
    table.health.put("3", Health(severity=Severity.ERROR, findings=1))
    table.health.put("1", Health(severity=Severity.WARNING, findings=7))
    listed = EpisodeFilter(table)
    listed.sort(Column.HEALTH)
    assert shown(listed) == ["4", "1", "3", "2"]


def test_every_word_of_the_filter_must_occur(table: EpisodeTable) -> None:
    table.set_rows([episode(1), episode(12, streams=("深度",)), episode(2, ok=False, problem="No moov box.")])
    listed = EpisodeFilter(table)
    listed.set_text("深")
    assert shown(listed) == ["12"]
    listed.set_text("EPISODE moov")
    assert shown(listed) == ["2"]
    listed.set_text("")
    listed.set_condition(Condition.PROBLEMS)
    assert shown(listed) == ["2"]


def test_what_is_found_later_passes_the_filter_later(table: EpisodeTable) -> None:
    listed = EpisodeFilter(table)
    listed.set_condition(Condition.FINDINGS)
    assert shown(listed) == []
    table.health.put("2", Health(severity=Severity.INFO, findings=1))
    assert shown(listed) == ["2"]
    table.health.clear()
    assert shown(listed) == []


def test_more_facts_about_the_same_rows_reset_nothing(qtbot: QtBot, table: EpisodeTable) -> None:
    resets: list[bool] = []
    table.modelReset.connect(lambda: resets.append(True))
    table.set_rows([episode(1), episode(2, labelled=True), episode(10)])
    assert resets == []
    assert table.index(1, Column.LABELS).data() == "labelled"
    table.set_rows([episode(1)])
    assert resets == [True]


def test_the_tooltip_tells_what_is_known(table: EpisodeTable) -> None:
    table.set_rows([episode(3, ok=False, problem="Its video has no moov box.", labelled=True)])
    table.health.put("3", Health(severity=Severity.ERROR, findings=2, frames_lost=27, lost_share=0.031))
    text = str(table.index(0, 0).data(Qt.ItemDataRole.ToolTipRole))
    for part in ("Number 3 of bench", "no moov box", "Labelled", "27 frames lost", "3.1%", "cam, imu"):
        assert part in text
    assert table.index(0, Column.LOST).data() == "27 · 3.1%"
