from __future__ import annotations

import os
import resource
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from hfviewer.core import edits
from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.edits import Edit
from hfviewer.core.errors import WriteError
from hfviewer.model.journal import HeldError
from hfviewer.model.label_history import DO, REDO, UNDO, LabelHistory
from hfviewer.readers.annotation_store import PlaceKind, change
from hfviewer.readers.hyperframe.annotation_store import InFileStore
from hfviewer.readers.hyperframe.verify import verify
from tests.labels import SCHEMA, label
from tests.model.label_driver import NOW_NS, keeper_of
from tests.recordings import write_small

A, B = label("a" * 32, 1, 2), label("b" * 32, 3, 4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_small(tmp_path / "small.hfr", frames=12)


@pytest.fixture
def journal(path: Path) -> Path:
    return path.with_name(path.name + ".labels.journal")


def on_disk(path: Path) -> AnnotationSet:
    return InFileStore(path).load().annotations


def test_delete_save_undo_save_redo_save_keeps_one_id_and_the_right_state(path: Path, journal: Path) -> None:
    keeper = keeper_of(path, journal)
    history = keeper.open().history

    def act(what: str, edit: Edit) -> None:
        keeper.record([(what, edit)])
        assert keeper.commit(history.state).state == history.state == on_disk(path)

    act(DO, history.do(edits.add(history.state, [A])))
    act(DO, history.do(edits.remove(history.state, [A.id])))
    assert len(on_disk(path)) == 0
    act(UNDO, history.undo())
    assert on_disk(path).by_id == {A.id: A}
    act(REDO, history.redo())
    assert len(on_disk(path)) == 0
    act(UNDO, history.undo())
    act(UNDO, history.undo())
    assert len(on_disk(path)) == 0
    assert keeper.stored.version == 7
    keeper.close()
    assert not journal.exists()


def test_looking_leaves_nothing_behind(path: Path, journal: Path) -> None:
    keeper = keeper_of(path, journal)
    keeper.open()
    assert not journal.exists()
    keeper.close()
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_an_edit_that_was_not_committed_is_there_on_the_next_opening(path: Path, journal: Path) -> None:
    keeper = keeper_of(path, journal)
    history = keeper.open().history
    keeper.record([(DO, history.do(edits.add(history.state, [A])))])
    keeper.close()
    assert len(on_disk(path)) == 0
    again = keeper_of(path, journal)
    opened = again.open()
    assert opened.replayed == 1
    assert opened.history.state.by_id == {A.id: A}
    assert opened.history.undo_name == "Add label"
    again.commit(opened.history.state)
    again.close()
    assert on_disk(path).by_id == {A.id: A}
    assert not journal.exists()


def test_the_second_window_is_told_and_cannot_edit(path: Path, journal: Path) -> None:
    first, second = keeper_of(path, journal), keeper_of(path, journal)
    history = first.open().history
    assert second.open().holder is None
    first.record([(DO, history.do(edits.add(history.state, [A])))])
    holder = second.holder()
    assert holder is not None
    assert holder.pid == os.getpid()
    assert second.open().holder == holder
    with pytest.raises(HeldError, match="labelling it now"):
        second.record([(DO, edits.add(AnnotationSet(SCHEMA), [B]))])
    first.commit(history.state)
    first.close()
    assert second.holder() is None
    opened = second.open()
    second.record([(DO, opened.history.do(edits.add(opened.history.state, [B])))])
    assert second.commit(opened.history.state).state.by_id == {A.id: A, B.id: B}
    second.close()


def test_what_a_dead_window_left_is_taken_along_by_the_next_edit(path: Path, journal: Path) -> None:
    late, dead = keeper_of(path, journal), keeper_of(path, journal)
    history, other = late.open().history, dead.open().history
    dead.record([(DO, other.do(edits.add(other.state, [A])))])
    dead.close()  # as after a kill: the journal stays, nobody holds it
    base = late.stored.annotations
    theirs = late.record([(DO, history.do(edits.add(history.state, [B])))])
    assert theirs is not None
    history.rebase(base, theirs)
    assert late.commit(history.state).state.by_id == {A.id: A, B.id: B}
    late.close()


def test_what_was_committed_elsewhere_meanwhile_is_merged(path: Path, journal: Path) -> None:
    keeper = keeper_of(path, journal)
    history = keeper.open().history
    keeper.record([(DO, history.do(edits.add(history.state, [A])))])
    keeper.commit(history.state)
    change(InFileStore(path), lambda state: state.changed({B.id: B, A.id: replace(A, note="theirs")}))
    keeper.record([(DO, history.do(edits.relabel(history.state, [A.id], "run", now_ns=NOW_NS)))])
    done = keeper.commit(history.state)
    assert done.conflicts == (A.id,)
    assert done.state.by_id[A.id].note == "theirs"
    assert done.state.by_id[B.id] == B
    assert [a.label for a in done.state if a.extra.get("conflict_of") == A.id] == ["run"]
    keeper.close()


def test_a_journal_of_another_recording_of_that_name_is_kept_aside(path: Path, journal: Path) -> None:
    keeper = keeper_of(path, journal)
    history = keeper.open().history
    keeper.record([(DO, history.do(edits.add(history.state, [A])))])
    keeper.close()
    content = journal.read_bytes().partition(b"\n")[2]
    path.unlink()
    write_small(path, frames=7)
    opened = keeper_of(path, journal).open()
    assert len(opened.history.state) == 0
    assert "kept as small.hfr.labels.journal.1" in opened.findings[0].message
    assert journal.with_name(journal.name + ".1").read_bytes().partition(b"\n")[2] == content


def test_permission_lost_before_a_commit_puts_the_labels_beside(
    path: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = keeper_of(path, journal)
    history = keeper.open().history
    keeper.record([(DO, history.do(edits.add(history.state, [A])))])
    before = path.read_bytes()
    path.chmod(0o444)
    monkeypatch.setattr(keeper.store, "write", _refuse)  # the superuser may write anything
    done = keeper.commit(history.state)
    assert (done.kind, done.path) == (PlaceKind.SIDE_FILE, str(path.with_name("small.annotations.hfr")))
    assert done.state == history.state
    assert path.read_bytes() == before
    keeper.close()
    again = keeper_of(path, journal).open()
    assert again.history.state.by_id == {A.id: A}


def _refuse(*_: object) -> int:
    raise WriteError("It is read-only.")


@pytest.mark.parametrize("spare", [0, 100, 600, 3000])
def test_a_disk_that_is_full_in_a_commit_loses_nothing_and_a_later_save_works(
    path: Path, journal: Path, spare: int
) -> None:
    """The limit on the size of files stands for the disk: a child hits it for real."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            keeper = keeper_of(path, journal)
            history = keeper.open().history
            keeper.record([(DO, history.do(edits.add(history.state, [A])))])
            limit = max(path.stat().st_size + spare, journal.stat().st_size)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
            with pytest.raises(WriteError, match="too large"):
                keeper.commit(history.state)
            assert len(on_disk(path)) == 0
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            assert keeper.commit(history.state).state == history.state
            keeper.close()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert verify(path).ok
    assert on_disk(path).by_id == {A.id: A}
    assert not journal.exists()


def test_fifty_undos_touch_only_the_recording_that_they_are_of(tmp_path: Path) -> None:
    paths = [write_small(tmp_path / f"{name}.hfr", frames=5) for name in "ab"]
    keepers = [keeper_of(p, p.with_name(p.name + ".labels.journal")) for p in paths]
    histories: list[LabelHistory] = [keeper.open().history for keeper in keepers]
    for number in range(50):
        for keeper, history in zip(keepers, histories, strict=True):
            fresh = label(f"{number:032d}", number, number + 1)
            keeper.record([(DO, history.do(edits.add(history.state, [fresh])))])
    for keeper, history in zip(keepers, histories, strict=True):
        keeper.commit(history.state)
    untouched = paths[0].read_bytes()
    for _ in range(50):
        keepers[1].record([(UNDO, histories[1].undo())])
    keepers[1].commit(histories[1].state)
    assert paths[0].read_bytes() == untouched
    assert (len(on_disk(paths[0])), len(on_disk(paths[1]))) == (50, 0)
    for keeper in keepers:
        keeper.close()
