from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot

from hfviewer.core.errors import FrameError
from hfviewer.playback.samples import SamplesLoader, SamplesResult, chunk_windows
from tests.playback.fakes import FakeStream, every


class Signal(FakeStream):
    """One channel whose values are the sample's number."""

    def __init__(self, timestamps_ns: NDArray[np.int64], problem: Exception | None = None) -> None:
        super().__init__("signal", timestamps_ns)
        self.problem = problem

    def samples(self, start_ns: int, stop_ns: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        if self.problem is not None:
            raise self.problem
        table = self.timestamps_ns
        first, stop = (int(table.searchsorted(max(-(2**62), min(2**62, t)))) for t in (start_ns, stop_ns))
        return table[first:stop], np.arange(first, stop, dtype=np.float64)[:, None]


@pytest.fixture
def loader(qapp: object) -> Iterator[SamplesLoader]:
    made = SamplesLoader()
    yield made
    made.close()


@given(st.lists(st.integers(0, 50), max_size=60), st.integers(1, 20))
def test_the_chunks_hold_every_sample_exactly_once(stamps: list[int], frames: int) -> None:
    table = np.array(sorted(stamps), np.int64)
    windows = chunk_windows(table, frames)
    held = [t for start, stop in windows for t in table.tolist() if start <= t < stop]
    assert held == table.tolist()
    assert all(before[1] == after[0] for before, after in pairwise(windows))


def test_a_signal_arrives_whole(qtbot: QtBot, loader: SamplesLoader) -> None:
    results: list[SamplesResult] = []
    loader.loaded.connect(results.append)
    loader.request("signal", Signal(every(1000, 500)))
    qtbot.waitUntil(lambda: bool(results) and results[-1].share == 1.0, timeout=5_000)
    assert results[-1].values[:, 0].tolist() == list(range(500))
    assert results[-1].error is None


@pytest.mark.parametrize("problem", [FrameError("gone"), MemoryError("too large"), ValueError("a bug")])
def test_a_signal_that_cannot_be_read_says_why_and_the_next_one_still_comes(
    qtbot: QtBot, loader: SamplesLoader, problem: Exception
) -> None:
    results: list[SamplesResult] = []
    loader.loaded.connect(results.append)
    loader.request("bad", Signal(every(1000, 5), problem))
    loader.request("good", Signal(every(1000, 5)))
    qtbot.waitUntil(lambda: any(r.stream == "good" and r.share == 1.0 for r in results), timeout=5_000)
    assert any(r.stream == "bad" and r.error is not None for r in results)


def test_an_empty_signal_is_told_of_too(qtbot: QtBot, loader: SamplesLoader) -> None:
    results: list[SamplesResult] = []
    loader.loaded.connect(results.append)
    loader.request("signal", Signal(np.empty(0, np.int64)))
    qtbot.waitUntil(lambda: bool(results), timeout=5_000)
    assert len(results[0].timestamps_ns) == 0
    assert results[0].share == 1.0


def test_the_thread_ends_with_the_loader(qapp: object) -> None:
    loader = SamplesLoader()
    loader.close()
    assert not any(thread.name == "samples-loader" and thread.is_alive() for thread in threading.enumerate())


def test_what_a_plot_would_do_is_done_on_the_reading_thread(qtbot: QtBot, loader: SamplesLoader) -> None:
    results: list[SamplesResult] = []
    threads: list[str] = []

    def prepare(stamps_ns: NDArray[np.int64], values: NDArray[np.float64]) -> object:
        threads.append(threading.current_thread().name)
        return len(stamps_ns), values.shape

    loader.loaded.connect(results.append)
    loader.request("signal", Signal(every(1000, 50)), prepare)
    qtbot.waitUntil(lambda: bool(results), timeout=5_000)
    assert results[-1].prepared == (50, (50, 1))
    assert set(threads) == {"samples-loader"}
