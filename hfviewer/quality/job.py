"""Where a recording lies, so that another process can open it, and which there are at a path."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache

from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import UsageError
from hfviewer.core.recording import Recording
from hfviewer.readers.registry import not_a_folder, open_path


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One recording to check.

    Args:
        path: as named by the user, or of the folder that it lies in.
        key: of the episode in that folder; None: the path is the recording.
        number: of the episode; None as above.
        revision: an earlier state; None: the newest.
    """

    path: str
    key: str | None = None
    number: int | None = None
    revision: int | None = None

    @property
    def name(self) -> str:
        """Where it lies: the file, or the folder of an episode that is none of its own."""
        if self.key is None:
            return self.path
        inside = os.path.join(self.path, self.key)
        return inside if os.path.isfile(inside) else self._task

    @property
    def title(self) -> str:
        """For a person: the file, or the task and the episode's number."""
        return self.name if self.episode is None else f"{self.name}, episode {self.episode}"

    @property
    def episode(self) -> int | None:
        """What goes with :attr:`name` to open it again; a file needs none."""
        alone = self.key is None or os.path.isfile(os.path.join(self.path, self.key))
        return None if alone else self.number

    @property
    def _task(self) -> str:
        """The folder of an episode's task: the key begins with its name where there are several."""
        task, slash, _ = (self.key or "").rpartition("/")
        return os.path.join(self.path, task) if slash else self.path


def jobs_in(path: str, *, revision: int | None = None, episode: int | None = None) -> tuple[list[Job], bool]:
    """What there is to check at a path, and whether it is a folder of many.

    Raises:
        HfviewerError: it cannot be opened, or has no such episode.
    """
    opened = open_path(path, revision)
    with opened:
        if isinstance(opened, Recording):
            if episode is not None:
                raise not_a_folder(path)
            return [Job(path=path, revision=revision)], False
        rows = opened.episodes
        if episode is None:
            return [Job(path=path, key=row.key, number=row.number) for row in rows], True
        opened.open(episode).close()  # says which there are, where this is none
        (row,) = [row for row in rows if row.number == episode]
        return [Job(path=path, key=row.key, number=row.number)], False


def open_job(job: Job) -> Recording:
    """Open it.

    Raises:
        HfviewerError: it cannot be opened.
    """
    if job.key is not None:
        return _collection(job.path).open_key(job.key)
    opened = open_path(job.path, job.revision)
    if isinstance(opened, Recording):
        return opened
    opened.close()
    raise UsageError("This is a folder of many by now.", remedy="Check it again.", path=job.path)


@lru_cache(maxsize=4)
def _collection(path: str) -> EpisodeCollection:
    """A folder, listed once in each process."""
    opened = open_path(path)
    if isinstance(opened, Recording):
        opened.close()
        raise UsageError("This is no folder of many any more.", remedy="Check it again.", path=path)
    return opened
