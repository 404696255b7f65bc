from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core import edits
from hfviewer.core.annotation import AnnotationSet, Schema, Track
from hfviewer.core.edits import Edit
from hfviewer.core.errors import UsageError
from hfviewer.model.label_history import DO, REDO, UNDO, LabelHistory, edit_from_json, edit_to_json
from tests.labels import SCHEMA, label, states
from tests.model.label_driver import NOW_NS, random_edit

A, B = label("a", 1, 2), label("b", 3, 4)


def test_undo_and_redo_go_back_and_forth_through_the_same_states() -> None:
    history = LabelHistory(AnnotationSet(SCHEMA))
    seen = [history.state]
    history.do(edits.add(history.state, [A]))
    seen.append(history.state)
    history.do(edits.relabel(history.state, ["a"], "run", now_ns=NOW_NS))
    seen.append(history.state)
    history.do(edits.remove(history.state, ["a"]))
    seen.append(history.state)
    for state in reversed(seen[:-1]):
        history.undo()
        assert history.state == state
    for state in seen[1:]:
        history.redo()
        assert history.state == state
    with pytest.raises(UsageError, match="nothing to redo"):
        history.redo()


def test_a_new_edit_ends_what_could_be_redone() -> None:
    history = LabelHistory(AnnotationSet(SCHEMA))
    history.do(edits.add(history.state, [A]))
    history.undo()
    history.do(edits.add(history.state, [B]))
    assert history.depth == (1, 0)
    assert history.undo_name == "Add label"


def test_undoing_what_somebody_else_changed_since_is_refused() -> None:
    base = AnnotationSet(SCHEMA)
    history = LabelHistory(base)
    history.do(edits.add(base, [A, B]))
    mine = history.state
    history.rebase(mine, mine.changed({"a": replace(A, note="theirs")}))
    with pytest.raises(UsageError, match="changed elsewhere"):
        history.undo()
    assert history.state.by_id["a"].note == "theirs"
    assert history.depth == (1, 0)


def _random_steps(draw: st.DrawFn, history: LabelHistory) -> list[tuple[str, Edit]]:
    rng = draw(st.randoms(use_true_random=False))
    steps: list[tuple[str, Edit]] = []
    for _ in range(draw(st.integers(1, 12))):
        try:
            match rng.randrange(4):
                case 0:
                    steps.append((UNDO, history.undo()))
                case 1:
                    steps.append((REDO, history.redo()))
                case _:
                    edit = random_edit(rng, history.state)
                    if edit is not None:
                        steps.append((DO, history.do(edit)))
        except UsageError:
            continue
    return steps


@given(states(), st.data())
def test_a_journal_replayed_over_any_part_of_itself_gives_the_last_state_and_both_stacks(
    state: AnnotationSet, data: st.DataObject
) -> None:
    history = LabelHistory(state)
    steps = data.draw(st.composite(_random_steps)(history))
    journal = [edit_from_json(edit_to_json(what, edit)) for what, edit in steps]
    assert journal == steps
    part = LabelHistory(state)
    for _, edit in steps[: data.draw(st.integers(0, len(steps)))]:
        part.do(edit)
    # The commit got that far before the process died; its journal was not cleared.
    again = LabelHistory(part.state)
    assert again.replay(journal) == len(steps)
    assert again.state == history.state
    assert again.depth == history.depth
    while again.depth[0]:
        assert again.undo() == history.undo()
    assert again.state == history.state


def test_what_somebody_else_did_in_between_is_not_overwritten_by_a_journal() -> None:
    base = AnnotationSet(SCHEMA, [A, B])
    journal = [
        (DO, edits.relabel(base, ["a"], "run", now_ns=NOW_NS)),
        (DO, edits.remove(base, ["b"])),
        (DO, edits.change_schema(base, Schema(tracks=(Track(name="mine"),)))),
    ]
    theirs = base.changed(
        {"a": replace(A, note="theirs"), "b": replace(B, note="theirs"), "c": label("c", 5, 6)},
        SCHEMA.with_names(["more"], []),
    )
    history = LabelHistory(theirs)
    history.replay(journal)
    state = history.state
    assert (state.by_id["a"].note, state.by_id["b"].note) == ("theirs", "theirs")
    assert "c" in state
    assert [a.label for a in state if a.extra.get("conflict_of") == "a"] == ["run"]
    assert {track.name for track in state.schema.tracks} == {"more", "mine"}


@pytest.mark.parametrize("value", [{}, {"what": "do"}, {"what": "do", "name": "x", "changes": [[None]]}])
def test_what_is_no_edit_is_refused(value: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not"):
        edit_from_json(value)
