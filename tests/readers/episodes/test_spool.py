from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from hfviewer.core.errors import FrameError
from hfviewer.readers.episodes.spool import RowSpool
from hfviewer.readers.episodes.table import EpisodeTable
from tests.readers.episodes.tasks import Task, lists

ROWS, LENGTH = 40, 500
NAME = "observation.big"


@pytest.fixture
def table(tmp_path: Path) -> EpisodeTable:
    task = Task(tmp_path / "t")
    rng = np.random.default_rng(0)
    rows = [rng.integers(-9, 9, LENGTH if row % 4 else 0).astype(np.int16) for row in range(ROWS)]
    task.add(1, frames=ROWS, columns={NAME: lists(rows, pa.int16())})
    return EpisodeTable(task.path("data"), 1)


def expected(table: EpisodeTable) -> list[list[int]]:
    found: list[list[int]] = table.column(NAME).to_pylist()
    return found


def test_any_row_comes_back_in_any_order(table: EpisodeTable) -> None:
    spool, known = RowSpool(table, NAME, LENGTH), expected(table)
    for row in (39, 1, 22, 3, 2, 38):
        assert spool.row(row).tolist() == known[row]


def test_nothing_is_read_twice_while_it_fits(table: EpisodeTable) -> None:
    spool = RowSpool(table, NAME, LENGTH)
    spool.row(39)
    assert spool.rows_read == ROWS
    for row in (1, 2, 3, 37):
        spool.row(row)
    assert spool.rows_read == ROWS
    assert 0 < spool.used_bytes < ROWS * LENGTH * 2


def test_the_budget_holds_and_what_was_let_go_is_read_again(table: EpisodeTable) -> None:
    spool, known = RowSpool(table, NAME, LENGTH, budget_bytes=3000), expected(table)
    for row in (39, 1, 21, 39, 2):
        assert spool.row(row).tolist() == known[row]
        assert spool.used_bytes <= 3000
    assert spool.rows_read > ROWS


def test_an_empty_row_has_no_sample_and_a_closed_spool_forgets(table: EpisodeTable) -> None:
    spool = RowSpool(table, NAME, LENGTH)
    with pytest.raises(FrameError, match="no new sample"):
        spool.row(4)
    assert spool.filled_rows().tolist() == [row for row in range(ROWS) if row % 4]
    spool.close()
    assert spool.used_bytes == 0
