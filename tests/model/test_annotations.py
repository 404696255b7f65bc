from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from hfviewer.core import edits
from hfviewer.core.annotation import Annotation, AnnotationSet
from hfviewer.core.errors import WriteError
from hfviewer.model.annotations import Annotations
from hfviewer.model.journal import Journal
from hfviewer.model.label_condition import Safety
from hfviewer.readers.annotation_store import change
from hfviewer.readers.hyperframe.annotation_store import InFileStore
from hfviewer.readers.registry import open_recording
from tests.labels import label
from tests.model.label_driver import NOW_NS
from tests.recordings import write_small

A, B = label("a" * 32, 0.1, 0.5), label("b" * 32, 0.6, 0.9)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_small(tmp_path / "small.hfr", frames=12)


@pytest.fixture
def model(tmp_path: Path) -> Iterator[Annotations]:
    model = Annotations(tmp_path / "state", pause_ms=0)
    yield model
    model.close()


def show(qtbot: QtBot, model: Annotations, path: Path) -> None:
    with open_recording(path) as recording:
        model.set_recording(recording)
    qtbot.waitUntil(lambda: model.condition.safety is not Safety.LOADING)


def settled(qtbot: QtBot, model: Annotations, safety: Safety) -> None:
    qtbot.waitUntil(lambda: model.condition.safety is safety)


def add(model: Annotations, annotation: Annotation) -> None:
    assert model.do(lambda state: edits.add(state, [annotation])) is not None


def on_disk(path: Path) -> AnnotationSet:
    return InFileStore(path).load().annotations


def test_an_edit_is_shown_then_journalled_then_saved(qtbot: QtBot, model: Annotations, path: Path) -> None:
    said: list[str] = []
    model.condition_changed.connect(lambda condition: said.append(condition.text()))
    show(qtbot, model, path)
    add(model, A)
    assert model.state.by_id == {A.id: A}
    settled(qtbot, model, Safety.JOURNALLED)
    assert len(on_disk(path)) == 0
    model.save()
    settled(qtbot, model, Safety.SAVED)
    assert on_disk(path).by_id == {A.id: A}
    assert said == [
        "reading labels",
        "labels saved · revision 1",
        "labels: writing",
        "labels journalled",
        "labels: saving",
        "labels saved · revision 2",
    ]


def test_a_pause_commits_by_itself(qtbot: QtBot, tmp_path: Path, path: Path) -> None:
    model = Annotations(tmp_path / "state", pause_ms=50)
    show(qtbot, model, path)
    add(model, A)
    settled(qtbot, model, Safety.SAVED)
    assert on_disk(path).by_id == {A.id: A}
    model.close()


def test_undo_and_redo_across_saves_keep_one_id(qtbot: QtBot, model: Annotations, path: Path) -> None:
    show(qtbot, model, path)
    add(model, A)
    for act, expected in (
        (lambda: model.do(lambda s: edits.remove(s, [A.id])), {}),
        (model.undo, {A.id: A}),
        (model.redo, {}),
        (model.undo, {A.id: A}),
    ):
        assert act() is not None
        model.save()
        settled(qtbot, model, Safety.SAVED)
        assert on_disk(path).by_id == expected


def test_undo_after_switching_touches_only_what_is_on_screen(
    qtbot: QtBot, model: Annotations, tmp_path: Path, path: Path
) -> None:
    other = tmp_path / "other.hfr"
    shutil.copy(path, other)
    show(qtbot, model, path)
    for number in range(50):
        add(model, label(f"{number:032d}", number / 100))
    show(qtbot, model, other)
    add(model, B)
    for _ in range(50):
        model.undo()
    assert len(model.state) == 0
    show(qtbot, model, path)
    assert len(model.state) == len(on_disk(path)) == 50
    assert len(on_disk(other)) == 0
    assert model.depth == (50, 0)  # what could be undone before still can
    for _ in range(50):
        assert model.undo() is not None
    model.save()
    settled(qtbot, model, Safety.SAVED)
    assert len(on_disk(path)) == 0


def test_closing_saves(qtbot: QtBot, tmp_path: Path, path: Path) -> None:
    model = Annotations(tmp_path / "state", pause_ms=0)
    show(qtbot, model, path)
    add(model, A)
    model.close()
    assert on_disk(path).by_id == {A.id: A}
    assert [found.name for found in tmp_path.glob("*.journal")] == []


def test_a_second_window_shows_who_is_labelling_and_refuses(qtbot: QtBot, tmp_path: Path, path: Path) -> None:
    first, second = (Annotations(tmp_path / "state", pause_ms=0) for _ in range(2))
    show(qtbot, first, path)
    show(qtbot, second, path)
    add(first, A)
    settled(qtbot, first, Safety.JOURNALLED)
    refused: list[str] = []
    second.refused.connect(refused.append)
    add(second, B)
    settled(qtbot, second, Safety.HELD)
    assert len(second.state) == 0
    assert "labelling it now" in refused[0]
    assert "read-only" in second.condition.text()
    assert second.do(lambda state: edits.add(state, [B])) is None
    first.close()
    show(qtbot, second, path)
    add(second, B)
    second.close()
    assert set(on_disk(path).by_id) == {A.id, B.id}


def test_what_was_committed_elsewhere_comes_in_with_the_next_save(
    qtbot: QtBot, model: Annotations, path: Path
) -> None:
    show(qtbot, model, path)
    add(model, A)
    change(InFileStore(path), lambda state: state.changed({B.id: B}))
    model.save()
    settled(qtbot, model, Safety.SAVED)
    assert model.state.by_id == on_disk(path).by_id == {A.id: A, B.id: B}
    assert model.undo() is not None
    assert model.state.by_id == {B.id: B}


def test_a_journal_that_cannot_be_written_says_so_and_is_tried_again(
    qtbot: QtBot, model: Annotations, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(qtbot, model, path)
    real = Journal.append

    def full(*_: object) -> None:
        raise WriteError("The journal cannot be written (No space left on device).")

    monkeypatch.setattr(Journal, "append", full)
    add(model, A)
    settled(qtbot, model, Safety.UNSAFE)
    assert "NOT SAFE" in model.condition.text()
    assert model.state.by_id == {A.id: A}
    monkeypatch.setattr(Journal, "append", real)
    add(model, B)
    settled(qtbot, model, Safety.JOURNALLED)
    model.close()
    assert set(on_disk(path).by_id) == {A.id, B.id}


def test_a_commit_that_fails_says_so_and_a_later_one_works(
    qtbot: QtBot, model: Annotations, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(qtbot, model, path)
    real = InFileStore.write

    def full(*_: object) -> int:
        raise WriteError("It cannot be written (No space left on device).")

    monkeypatch.setattr(InFileStore, "write", full)
    add(model, A)
    model.save()
    qtbot.waitUntil(lambda: "not saved" in model.condition.text())
    assert "No space left" in model.condition.text()
    monkeypatch.setattr(InFileStore, "write", real)
    model.save()
    settled(qtbot, model, Safety.SAVED)
    assert on_disk(path).by_id == {A.id: A}


def test_a_recording_that_cannot_be_written_is_labelled_beside(
    qtbot: QtBot, model: Annotations, path: Path
) -> None:
    path.chmod(0o444)
    before = path.read_bytes()
    show(qtbot, model, path)
    add(model, A)
    model.save()
    settled(qtbot, model, Safety.SAVED)
    assert model.condition.text() == "labels saved beside, in small.annotations.hfr"
    assert path.read_bytes() == before


def test_labels_that_cannot_be_read_are_not_written_over(
    qtbot: QtBot, model: Annotations, path: Path, tmp_path: Path
) -> None:
    (tmp_path / "small.annotations.hfr").write_bytes(b"something else")
    show(qtbot, model, path)
    assert model.condition.safety is Safety.UNREADABLE
    refused: list[str] = []
    model.refused.connect(refused.append)
    assert model.do(lambda state: edits.add(state, [A])) is None
    assert "cannot be read" in refused[0]


def test_an_edit_that_cannot_be_is_told_and_changes_nothing(
    qtbot: QtBot, model: Annotations, path: Path
) -> None:
    show(qtbot, model, path)
    add(model, A)
    refused: list[str] = []
    model.refused.connect(refused.append)
    assert model.do(lambda s: edits.split(s, A.id, edits.Edge(0), edits.Edge(0), "c", now_ns=NOW_NS)) is None
    assert "not inside" in refused[0]
    assert model.depth == (1, 0)
    model.select([A.id, "gone"])
    assert model.selected == (A,)
    model.do(lambda s: edits.relabel(s, [A.id], "run", now_ns=NOW_NS))
    assert model.selected == (replace(A, label="run", modified_ns=NOW_NS),)


def test_an_earlier_revision_shows_its_labels_and_cannot_be_changed(
    qtbot: QtBot, model: Annotations, path: Path
) -> None:
    for annotation in (A, B):
        change(InFileStore(path), lambda state, a=annotation: state.changed({a.id: a}))  # type: ignore[misc]
    with open_recording(path, 2) as recording:
        model.set_recording(recording)
    qtbot.waitUntil(lambda: model.condition.safety is Safety.EARLIER)
    assert set(model.state.by_id) == {A.id}
    assert model.condition.text() == "labels read-only: as of revision 2"
    assert model.do(lambda state: edits.remove(state, [A.id])) is None
    model.close()
    assert set(on_disk(path).by_id) == {A.id, B.id}
