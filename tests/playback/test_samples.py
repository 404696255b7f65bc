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


def test_a_signal_that_would_not_fit_comes_in_part_and_says_so(qtbot: QtBot, qapp: object) -> None:
    results: list[SamplesResult] = []
    whole = SamplesLoader(budget_bytes=1 << 30)
    small = SamplesLoader(budget_bytes=30_000_000)
    try:
        for loader in (whole, small):
            loader.loaded.connect(results.append)
            loader.request("signal", Signal(every(1000, 3_000_000)))
            qtbot.waitUntil(lambda: bool(results) and results[-1].share == 1.0, timeout=20_000)
            last = results[-1]
            if loader is whole:
                assert (len(last.values), last.error) == (3_000_000, None)
                assert whole.used_bytes > last.values.nbytes + last.timestamps_ns.nbytes
            else:
                assert last.values[:, 0].tolist() == list(range(1_000_000))
                assert last.error is not None
                assert "first 1\u202f000\u202f000 samples" in last.error.problem
                assert small.used_bytes <= 30_000_000
            results.clear()
    finally:
        whole.close()
        small.close()


def test_the_second_plot_of_a_signal_shares_the_samples_of_the_first(
    qtbot: QtBot, loader: SamplesLoader
) -> None:
    results: list[SamplesResult] = []
    loader.loaded.connect(results.append)
    stream = Signal(every(1000, 500))
    loader.request("signal", stream)
    qtbot.waitUntil(lambda: len(results) == 1, timeout=5_000)
    stream.problem = ValueError("it was read again")
    loader.request("signal", stream)
    qtbot.waitUntil(lambda: len(results) == 2, timeout=5_000)
    assert results[1].values is results[0].values
    loader.new_epoch(1)
    assert loader.used_bytes == 0


def test_every_channel_lies_in_one_piece(qtbot: QtBot, loader: SamplesLoader) -> None:
    results: list[SamplesResult] = []
    loader.loaded.connect(results.append)
    loader.request("signal", Signal(every(1000, 2_500_000)))
    qtbot.waitUntil(lambda: bool(results) and results[-1].share == 1.0, timeout=20_000)
    assert results[-1].values.flags.f_contiguous
    assert results[-1].values[::500_000, 0].tolist() == [0, 500_000, 1_000_000, 1_500_000, 2_000_000]
