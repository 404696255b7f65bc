"""A progress bar on stderr for long work; silent where stderr is no terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal


@contextmanager
def progress_bar(
    title: str, unit: Literal["bytes", "frames"] = "bytes"
) -> Iterator[Callable[[int, int], None]]:
    """Show a bar while the block runs.

    Args:
        title: what is being done.
        unit: what is counted.

    Yields:
        A function to call with how much is done and how much there is in all.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    count = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), count, TimeRemainingColumn())
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
