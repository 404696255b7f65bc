"""Run tasks on several processes; one that takes its process down costs only itself."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from hfviewer.core.errors import CancelledError

T = TypeVar("T")
R = TypeVar("R")
Progress = Callable[[int, int], None]
Cancelled = Callable[[], bool]

_AHEAD = 4  # tasks handed to each process before it has asked for them
_POLL_S = 0.1


def on_threads(function: Callable[[T], R], items: Iterable[T], threads: int | None) -> list[R]:
    """Results in order, worked out on threads where NumPy does the work; None: one for each processor."""
    tasks = list(items)
    count = min(len(tasks), threads or os.cpu_count() or 1)
    if count <= 1:
        return [function(task) for task in tasks]
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(function, tasks))


def stopped() -> CancelledError:
    """That the user asked to stop."""
    return CancelledError("The check was stopped.")


def run_in_processes(
    function: Callable[[T], R],
    tasks: Sequence[T],
    count: int,
    *,
    crashed: Callable[[T], R],
    cancelled: Cancelled | None = None,
) -> Iterator[tuple[int, R]]:
    """Results as they come, with the index of their task.

    Args:
        function: of a module, so that another process finds it; must not raise.
        tasks: fit to be pickled, like the results.
        count: of processes.
        crashed: result of a task that kills its process.
        cancelled: asked ten times a second.

    Raises:
        CancelledError: it was asked to stop.
    """
    # Spawned: a forked child of a process with threads may hang.
    context = multiprocessing.get_context("spawn")
    left = list(range(len(tasks)))[::-1]
    running: dict[Future[R], int] = {}
    suspects: list[int] = []
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_ignore_interrupts)
    is_done = False
    try:
        while left or running:
            while left and len(running) < count * _AHEAD:
                index = left[-1]
                running[pool.submit(function, tasks[index])] = index
                left.pop()
            finished, _ = wait(running, timeout=_POLL_S, return_when=FIRST_COMPLETED)
            if cancelled is not None and cancelled():
                raise stopped()
            for future in finished:
                # Still among the running while its result is looked at: it may be the one that crashed.
                result = future.result()
                yield running.pop(future), result
        is_done = True
    except BrokenProcessPool:
        suspects, is_done = sorted(running.values()), True
    finally:
        if not is_done:
            _end(pool)
        pool.shutdown(wait=is_done, cancel_futures=True)
    if not suspects:
        return
    for index in suspects:
        with ProcessPoolExecutor(1, mp_context=context, initializer=_ignore_interrupts) as alone:
            try:
                result = alone.submit(function, tasks[index]).result()
            except BrokenProcessPool:
                result = crashed(tasks[index])
        yield index, result
    rest = left[::-1]
    for place, result in run_in_processes(
        function, [tasks[i] for i in rest], count, crashed=crashed, cancelled=cancelled
    ):
        yield rest[place], result


def _ignore_interrupts() -> None:
    """Ctrl+C reaches every process of a terminal; only the one that started the others answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end(pool: ProcessPoolExecutor) -> None:
    """Stop its processes where they stand: they only read."""
    for process in list((pool._processes or {}).values()):
        process.terminate()
