"""Work for a panel on a thread of its own, where only the newest wish of each kind counts."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

_log = logging.getLogger(__name__)


class LatestWork(QObject):
    """Does one thing after the other; what waits gives way to newer work of the same kind.

    The thread lives while there is something to do.

    Args:
        parent: results are handed over on its thread.
    """

    finished = Signal(str, object)  # kind, result
    _handed_over = Signal(str, object, int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._waiting: dict[str, tuple[int, Callable[[], object]]] = {}
        self._newest: dict[str, int] = {}
        self._thread: threading.Thread | None = None
        self._handed_over.connect(self._on_handed_over, Qt.ConnectionType.QueuedConnection)

    def ask(self, kind: str, work: Callable[[], object]) -> None:
        """Have something worked out; returns at once. An earlier wish of this kind is forgotten.

        Args:
            kind: comes back with the result.
            work: must not touch any widget.
        """
        with self._lock:
            ticket = self._newest.get(kind, 0) + 1
            self._newest[kind] = ticket
            self._waiting[kind] = (ticket, work)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="panel-work", daemon=True)
                self._thread.start()

    def forget(self, kind: str) -> None:
        """Nobody waits for this kind of result any more."""
        with self._lock:
            self._newest[kind] = self._newest.get(kind, 0) + 1
            self._waiting.pop(kind, None)

    def is_busy(self) -> bool:
        """True while there is work, or a result that was not handed over yet."""
        return self._thread is not None

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                kind = next(iter(self._waiting))
                ticket, work = self._waiting.pop(kind)
            try:
                result = work()
            except Exception:  # noqa: BLE001 - one calculation that fails must not end all others
                _log.exception("working out %s", kind)
                continue
            with contextlib.suppress(RuntimeError):  # the panel was closed meanwhile
                self._handed_over.emit(kind, result, ticket)

    def _on_handed_over(self, kind: str, result: object, ticket: int) -> None:
        if ticket == self._newest.get(kind):
            self.finished.emit(kind, result)
