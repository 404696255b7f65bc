"""The labels of one recording as they are edited: the state, and what can be undone and redone. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hfviewer.core.annotation import Annotation, AnnotationSet, Schema, same
from hfviewer.core.annotation_json import (
    annotation_from_json,
    annotation_to_json,
    schema_from_json,
    schema_to_json,
)
from hfviewer.core.annotation_merge import merge
from hfviewer.core.edits import Change, Edit
from hfviewer.core.errors import UsageError

DO, UNDO, REDO = "do", "undo", "redo"


class LabelHistory:
    """A state and its two stacks, both without limit.

    Args:
        state: to begin with.
    """

    def __init__(self, state: AnnotationSet) -> None:
        self._state = state
        self._undo: list[Edit] = []
        self._redo: list[Edit] = []

    @property
    def state(self) -> AnnotationSet:
        return self._state

    @property
    def undo_name(self) -> str:
        """What undoing would undo; empty where there is nothing."""
        return self._undo[-1].name if self._undo else ""

    @property
    def redo_name(self) -> str:
        return self._redo[-1].name if self._redo else ""

    @property
    def depth(self) -> tuple[int, int]:
        """How many edits can be undone and redone."""
        return len(self._undo), len(self._redo)

    def do(self, edit: Edit) -> Edit:
        """Apply an edit.

        Raises:
            UsageError: the state is not one that it was made for; nothing changes.
        """
        self._state = edit.apply(self._state)
        self._undo.append(edit)
        self._redo.clear()
        return edit

    def undo(self) -> Edit:
        """Undo the last edit; returns what was applied.

        Raises:
            UsageError: there is none, or somebody else changed the same label since.
        """
        if not self._undo:
            raise UsageError("There is nothing to undo.")
        inverse = self._undo[-1].inverse()
        self._state = inverse.apply(self._state)
        self._redo.append(self._undo.pop())
        return inverse

    def redo(self) -> Edit:
        """Do again what was undone last; returns what was applied.

        Raises:
            UsageError: there is none, or somebody else changed the same label since.
        """
        if not self._redo:
            raise UsageError("There is nothing to redo.")
        edit = self._redo[-1]
        self._state = edit.apply(self._state)
        self._undo.append(self._redo.pop())
        return edit

    def rebase(self, base: AnnotationSet, theirs: AnnotationSet) -> tuple[str, ...]:
        """Take in what others changed: ``theirs`` came of ``base``, which our state came of, too.

        Returns:
            Ids of labels that both sides had changed; both versions are kept.
        """
        merged = merge(base, self._state, theirs)
        self._state = merged.annotations
        return merged.conflicts

    def restore(self, state: AnnotationSet) -> None:
        """Go on from a state that was read again; what can be undone stays.

        Where that is our own state, nothing changes; else it counts, and edits that it does not fit are
        refused when their turn comes.
        """
        if state != self._state:
            self._state = state

    def replay(self, entries: Iterable[tuple[str, Edit]]) -> int:
        """Carry on from a journal, whatever part of it the state holds already.

        For each label the journal knows every version that it went through. Where the state holds one of
        them, the last one takes its place; where it holds another, somebody else changed it since, and both
        are kept.

        Args:
            entries: what was done (`DO`, `UNDO`, `REDO`) and the edit that was applied, in order.

        Returns:
            How many entries there were.
        """
        versions: dict[str, list[Annotation | None]] = {}
        schemas: list[Schema] = []
        count = 0
        for what, edit in entries:
            count += 1
            self._stack(what, edit)
            for change in edit.changes:
                versions.setdefault(change.id, [change.before]).append(change.after)
            if edit.schema_before is not None and edit.schema_after is not None:
                schemas += [edit.schema_before, edit.schema_after]
        now = self._state
        known = {i: chain for i, chain in versions.items() if any(same(v, now.get(i)) for v in chain)}
        others = {i: chain for i, chain in versions.items() if i not in known}
        is_ours = now.schema in schemas
        state = now.changed({i: chain[-1] for i, chain in known.items()}, schemas[-1] if is_ours else None)
        if others or (schemas and not is_ours):
            first, last = (None, None) if is_ours or not schemas else (schemas[0], schemas[-1])
            before = state.changed({i: chain[0] for i, chain in others.items()}, first)
            mine = state.changed({i: chain[-1] for i, chain in others.items()}, last)
            state = merge(before, mine, state).annotations
        self._state = state
        return count

    def _stack(self, what: str, edit: Edit) -> None:
        match what:
            case "undo":
                if self._undo:
                    self._undo.pop()
                self._redo.append(edit.inverse())
            case "redo":
                if self._redo:
                    self._redo.pop()
                self._undo.append(edit)
            case _:
                self._redo.clear()
                self._undo.append(edit)


def edit_to_json(what: str, edit: Edit) -> dict[str, Any]:
    """An entry of the journal."""
    value: dict[str, Any] = {
        "what": what,
        "name": edit.name,
        "changes": [
            [None if a is None else annotation_to_json(a) for a in (change.before, change.after)]
            for change in edit.changes
        ],
    }
    if edit.schema_before is not None and edit.schema_after is not None:
        value["schema"] = [schema_to_json(edit.schema_before), schema_to_json(edit.schema_after)]
    return value


def edit_from_json(value: Mapping[str, Any]) -> tuple[str, Edit]:
    """The same back.

    Raises:
        ValueError: it is no such entry.
    """
    what, name, parts, schema = (value.get(key) for key in ("what", "name", "changes", "schema"))
    if what not in (DO, UNDO, REDO) or not isinstance(name, str) or not isinstance(parts, list):
        raise ValueError("not an edit")
    changes: list[Change] = []
    for part in parts:
        if not isinstance(part, list) or len(part) != 2:
            raise ValueError("not a change")
        before, after = (None if a is None else annotation_from_json(a) for a in part)
        changes.append(Change(before, after))
    schemas: list[Schema | None] = [None, None]
    if isinstance(schema, list) and len(schema) == 2:
        schemas = [schema_from_json(part)[0] for part in schema]
    return str(what), Edit(
        name=name, changes=tuple(changes), schema_before=schemas[0], schema_after=schemas[1]
    )
