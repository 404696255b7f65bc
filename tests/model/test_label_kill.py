"""Whatever moment a labeler's process dies at, also in a commit: at most the edit under way is missing."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hfviewer.readers.hyperframe.verify import verify
from tests.model.label_driver import digest, keeper_of
from tests.recordings import write_small

_MOST_REVISIONS = 25


def _kill_often(fresh: Path, times: int) -> None:
    path = fresh.with_name(f"killed{fresh.suffix}")
    journal = fresh.with_name(f"{path.name}.labels.journal")
    is_hyperframe = fresh.suffix == ".hfr"
    if is_hyperframe:
        shutil.copy(fresh, path)
    rng = random.Random(times)
    steps = revisions = replayed = 0
    with subprocess.Popen(
        [sys.executable, "-m", "tests.model.label_driver"], stdin=-1, stdout=-1, text=True
    ) as nursery:
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        for number in range(times):
            nursery.stdin.write(f"{path} {journal} {number} {rng.randrange(6)} {rng.randrange(60_000)}\n")
            nursery.stdin.flush()
            told: dict[str, Any] = json.loads(nursery.stdout.readline())
            if is_hyperframe:
                report = verify(path)
                assert report.ok, report.bad
            keeper = keeper_of(path, journal)
            opened = keeper.open()
            assert list(opened.findings) == []
            history = opened.history
            found = digest(history.state)
            assert found in (told["acknowledged"], told["under_way"]), (number, told)
            steps += told["steps"] - 1
            replayed += opened.replayed
            _check_undo(history)
            assert digest(history.state) == found
            if rng.random() < 0.5:
                assert digest(keeper.commit(history.state).state) == found
            keeper.close()
            revisions = max(revisions, keeper.stored.version)
            if is_hyperframe and keeper.stored.version > _MOST_REVISIONS:
                shutil.copy(fresh, path)
                journal.unlink(missing_ok=True)
        nursery.stdin.close()
    assert steps > times, "the labelers hardly got to label anything"
    assert revisions > 1
    assert replayed > 0


def _check_undo(history: Any) -> None:
    """All that can be undone can be undone, and done again."""
    undone, done_again = history.depth
    for _ in range(undone):
        history.undo()
    for _ in range(undone):
        history.redo()
    assert history.depth == (undone, done_again)


def test_a_labeler_killed_at_any_moment_loses_at_most_the_edit_under_way(tmp_path: Path) -> None:
    _kill_often(write_small(tmp_path / "fresh.hfr"), 50)


def test_nor_does_one_who_labels_an_episode(tmp_path: Path) -> None:
    _kill_often(tmp_path / "fresh.parquet", 20)


@pytest.mark.soak
@pytest.mark.parametrize("times", range(98, 103))
def test_hundreds_of_killed_labelers_lose_nothing(tmp_path: Path, times: int) -> None:
    _kill_often(write_small(tmp_path / "fresh.hfr"), times)
