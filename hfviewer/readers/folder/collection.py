"""A folder of recordings and tasks, as one list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from hfviewer.core.collection import EpisodeCollection, EpisodeRow
from hfviewer.core.errors import HfviewerError, UsageError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.recording import Recording
from hfviewer.readers.folder.walk import Recognise, recordings_in
from hfviewer.readers.listing import ListedCollection

OpenPath = Callable[[Path], Recording | EpisodeCollection]

_UNFINISHED = "Its recording was never finished: see `hfviewer recover`."


class FolderCollection(ListedCollection):
    """Recordings below a folder; a task among them gives its episodes, keyed ``task/12``.

    Args:
        path: of the folder.
        recognise: whether a reader knows a path.
        open_path: opens one, as the registry does.
    """

    def __init__(self, path: Path, recognise: Recognise, open_path: OpenPath) -> None:
        super().__init__(path)
        self._recognise = recognise
        self._open_path = open_path
        self._tasks: dict[str, EpisodeCollection] = {}
        self._findings: tuple[Finding, ...] = ()
        self.refresh()

    @property
    def findings(self) -> Sequence[Finding]:
        return (*self._findings, *(f for task in self._tasks.values() for f in task.findings))

    def refresh(self) -> bool:
        before, known = self._rows, self._tasks
        tasks: dict[str, EpisodeCollection] = {}
        rows: list[EpisodeRow] = []
        findings: list[Finding] = []
        for path in recordings_in(self._path, self._recognise):
            name = path.relative_to(self._path).as_posix()
            try:
                task = self._task_at(path, known.get(name)) if path.is_dir() else None
            except HfviewerError as error:
                findings.append(_cannot_open(name, error))
                continue
            if task is None:
                rows.append(_row(name, len(rows) + 1))
                continue
            tasks[name] = task
            rows += [replace(row, key=f"{name}/{row.key}", task=row.task or name) for row in task.episodes]
        for name, task in known.items():
            if name not in tasks:
                task.close()
        self._tasks, self._rows, self._findings = tasks, tuple(rows), tuple(findings)
        return self._rows != before

    def open_key(self, key: str) -> Recording:
        for name, task in self._tasks.items():
            if key.startswith(f"{name}/"):
                return task.open_key(key.removeprefix(f"{name}/"))
        if not any(row.key == key for row in self._rows):
            raise UsageError(f"There is no {key!r} in it.", path=self._path)
        opened = self._open_path(self._path / key)
        if isinstance(opened, Recording):
            return opened
        opened.close()
        raise UsageError(f"{key!r} is a folder of episodes by now.", remedy="List it again.", path=self._path)

    def files_of(self, key: str) -> Sequence[Path]:
        for name, task in self._tasks.items():
            if key.startswith(f"{name}/"):
                return task.files_of(key.removeprefix(f"{name}/"))
        return super().files_of(key)

    def close(self) -> None:
        for task in self._tasks.values():
            task.close()

    def _task_at(self, path: Path, known: EpisodeCollection | None) -> EpisodeCollection | None:
        """The collection that a folder is, listed anew; None where it is one recording."""
        if known is not None:
            known.refresh()
            return known
        opened = self._open_path(path)
        if isinstance(opened, EpisodeCollection):
            return opened
        opened.close()
        return None


def _row(name: str, number: int) -> EpisodeRow:
    unfinished = name.endswith(".tmp")
    return EpisodeRow(
        key=name,
        number=number,
        id=name,
        name=name,
        ok=not unfinished,
        problem=_UNFINISHED if unfinished else "",
    )


def _cannot_open(name: str, error: HfviewerError) -> Finding:
    message = f"{name}: {error.problem} {error.remedy}".strip()
    return Finding(code="unreadable", severity=Severity.ERROR, message=message, evidence="opening it")
