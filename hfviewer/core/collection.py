"""A collection: a folder of many recordings, as the browser and the command line see it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from hfviewer.core.errors import UsageError
from hfviewer.core.finding import Finding
from hfviewer.core.recording import Recording


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRow:
    """One recording of a collection, as far as can be told without opening it.

    Args:
        key: unique in the collection and stable while its files are: ``12``, ``task/12`` or a relative
            path.
        number: the episode's global number N in its task (from 1), or its place in the list.
        id: as the format names it.
        name: for a person.
        task: name of the task (folder) that it belongs to; empty where there are no tasks.
        chunk: number of the chunk of files it lies in, where the format has chunks.
        frame_count: rows of the episode; None where only opening it can tell.
        duration_s: as stated by the recorder; None where it is not.
        start_ns: wall time of its start, int64 ns since 1970 UTC; None where unknown.
        streams: names of its streams, as far as the format's listing tells.
        labelled: whether annotations belong to it; None where only opening it can tell.
        ok: False where it is known already that it cannot be opened whole.
        problem: one sentence for a person where not ok.
    """

    key: str
    number: int
    id: str
    name: str
    task: str = ""
    chunk: int | None = None
    frame_count: int | None = None
    duration_s: float | None = None
    start_ns: int | None = None
    streams: tuple[str, ...] = ()
    labelled: bool | None = None
    ok: bool = True
    problem: str = ""


class EpisodeCollection(ABC):
    """A folder whose items open as recordings, one at a time. Listing opens none of them."""

    @property
    @abstractmethod
    def path(self) -> str:
        """As opened."""

    @property
    @abstractmethod
    def task(self) -> str:
        """The task's name; of a folder of several tasks, the folder's."""

    @property
    @abstractmethod
    def episodes(self) -> Sequence[EpisodeRow]:
        """All items in a stable order, as last listed."""

    @property
    def findings(self) -> Sequence[Finding]:
        """What is wrong with the folder as a whole."""
        return ()

    @abstractmethod
    def refresh(self) -> bool:
        """List the folder again; True where something changed. Slow: not for the GUI thread."""

    @abstractmethod
    def open_key(self, key: str) -> Recording:
        """Open one item.

        Raises:
            UsageError: there is no such item.
            HfviewerError: it cannot be opened; one line that says why.
        """

    def open(self, number: int) -> Recording:
        """Open the item with that number.

        Raises:
            UsageError: there is none, or several tasks have one.
            HfviewerError: it cannot be opened; one line that says why.
        """
        return self.open_key(self.row(number).key)

    def row(self, number: int) -> EpisodeRow:
        """The item with that number, not opened.

        Raises:
            UsageError: there is none, or several tasks have one.
        """
        found = [row for row in self.episodes if row.number == number]
        if len(found) == 1:
            return found[0]
        if found:
            tasks = ", ".join(row.task for row in found)
            raise UsageError(
                f"Several tasks have an episode {number}: {tasks}.",
                remedy="Open one of the tasks.",
                path=self.path,
            )
        numbers = [row.number for row in self.episodes]
        known = f"They are numbered {min(numbers)} to {max(numbers)}." if numbers else "It has none."
        raise UsageError(f"There is no episode {number}.", remedy=known, path=self.path)

    def files_of(self, key: str) -> Sequence[Path]:
        """Files that an item is made of: while none of them changes, neither does it. Empty: not known."""
        path = Path(self.path) / key
        return [path] if path.is_file() else []

    def close(self) -> None:
        """Release what listing holds; recordings opened from it stay open. May be called again."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
