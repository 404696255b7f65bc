from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from hfviewer.core.errors import CancelledError
from hfviewer.quality.pool import on_threads, run_in_processes

DEADLY = 3


def work(number: int) -> int:
    if number == DEADLY:
        os._exit(1)
    return number * number


def crashed(number: int) -> int:
    return -number


def slow(folder: str) -> int:
    Path(folder, str(os.getpid())).touch()
    time.sleep(60)
    return 0


def test_a_task_that_kills_its_process_costs_only_itself() -> None:
    found = dict(run_in_processes(work, list(range(12)), 2, crashed=crashed))
    assert found == {n: -DEADLY if n == DEADLY else n * n for n in range(12)}


def test_stopping_waits_for_no_task(tmp_path: Path) -> None:
    tasks = [str(tmp_path)] * 4
    results = run_in_processes(slow, tasks, 2, crashed=lambda _: 0, cancelled=lambda: any(tmp_path.iterdir()))
    with pytest.raises(CancelledError):
        list(results)
    pids = [int(path.name) for path in tmp_path.iterdir()]
    assert pids
    for pid in pids:
        _wait_until_gone(pid)


def test_threads_give_results_in_order() -> None:
    assert on_threads(lambda n: n * n, range(20), 4) == [n * n for n in range(20)]
    assert on_threads(lambda n: n, [], None) == []


def _wait_until_gone(pid: int) -> None:
    for _ in range(200):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return
        except (ProcessLookupError, FileNotFoundError):
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} is still there")
