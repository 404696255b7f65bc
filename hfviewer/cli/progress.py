"""A progress bar on stderr for long work; silent where stderr is no terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar while the block runs.

    Args:
        title: what is being done.

    Yields:
        A function to call with bytes done and bytes in all.
    """
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=None)
        shown = -1

        def update(done: int, total: int) -> None:
            nonlocal shown
            # A million small frames must not mean a million repaints.
            step = done * 1000 // total if total else 0
            if step != shown:
                shown = step
                bar.update(task, completed=done, total=total)

        yield update
