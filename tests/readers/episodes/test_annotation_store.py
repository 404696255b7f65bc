from __future__ import annotations

import fcntl
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from hfviewer.cli.main import main
from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.errors import ChangedOnDiskError, LockedError
from hfviewer.readers.annotation_store import change, save
from hfviewer.readers.episodes.annotation_file import read_rows, write_rows
from hfviewer.readers.episodes.annotation_store import EpisodeStore
from tests.labels import SCHEMA, label, states

SHARED = Path(__file__).parents[4] / "shared" / "data" / "pooled"
A, B = label("a" * 32, 1, 2, author="A"), label("b" * 32, 3, extra={"weight": 3}, attributes={"n": [1]})


@given(states())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_state_comes_back_whole(tmp_path: Path, state: AnnotationSet) -> None:
    store = EpisodeStore(tmp_path / "annotations" / "chunk-000" / "episode-001.parquet")
    assert store.commit(store.load(), state).annotations == state


def test_there_is_no_file_until_there_is_a_label(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path / "annotations" / "episode-001.parquet")
    assert store.load().version == 0
    assert list(tmp_path.iterdir()) == []
    assert change(store, lambda state: state.changed({A.id: A})).version == 1
    assert change(store, lambda state: state.changed({B.id: B})).version == 2
    assert [path.name for path in (tmp_path / "annotations").iterdir()] == ["episode-001.parquet"]


def test_somebody_elses_file_is_noticed_and_merged(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path / "episode-001.parquet")
    before = store.commit(store.load(), AnnotationSet(SCHEMA, [A]))
    change(store, lambda state: state.changed({B.id: B}))
    mine = before.annotations.changed({A.id: replace(A, note="mine")})
    with pytest.raises(ChangedOnDiskError):
        store.commit(before, mine)
    assert save(store, before.annotations, mine).stored.annotations.by_id == {
        A.id: replace(A, note="mine"),
        B.id: B,
    }


def test_a_lock_that_somebody_holds_is_respected(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path / "episode-001.parquet")
    fd = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        with pytest.raises(LockedError):
            store.commit(store.load(), AnnotationSet(SCHEMA, [A]))
    finally:
        os.close(fd)


def test_what_a_killed_process_left_is_cleared_away(tmp_path: Path) -> None:
    path = tmp_path / "episode-001.parquet"
    for left in (f".{path.name}.{os.getpid()}.tmp", f".{path.name}.99.tmp"):
        (tmp_path / left).write_bytes(b"half")
    store = EpisodeStore(path)
    store.commit(store.load(), AnnotationSet(SCHEMA, [A]))
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


def test_rows_that_cannot_be_read_stay(tmp_path: Path) -> None:
    path = tmp_path / "episode-001.parquet"
    write_rows(path, {}, [{"id": "x", "label": "no times"}, {"id": "y", "attributes": "{not json"}])
    store = EpisodeStore(path)
    stored = store.load()
    assert len(stored.annotations) == 0
    assert len(stored.findings) == 2
    store.commit(stored, AnnotationSet(SCHEMA, [A]))
    assert [row["id"] for row in read_rows(path)[1]] == [A.id, "x", "y"]


def test_an_episode_of_a_real_task_is_labelled_and_nothing_of_the_recorder_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not SHARED.exists():
        pytest.skip("the shared tasks are not here")
    task = tmp_path / "bench_stereo_imu"
    shutil.copytree(SHARED / task.name, task, copy_function=shutil.copyfile)
    for folder in (task, *(p for p in task.rglob("*") if p.is_dir())):
        folder.chmod(0o755)
    before = {path: path.read_bytes() for path in task.rglob("*") if path.is_file()}
    words = ["labels", "add", str(task), "--episode", "1", "--track", "t", "--label", "grasp"]
    assert main([*words, "--start", "#3", "--end", "#9"]) == 0
    assert main([*words, "--start", "1.5"]) == 0
    assert "revision 2" in capsys.readouterr().out
    for path, content in before.items():
        assert path.read_bytes() == content
    assert {p for p in task.rglob("*") if p.is_file()} - set(before) == {
        task / "annotations" / "chunk-000" / "episode-000.parquet"
    }
    assert main(["labels", "list", str(task), "--episode", "1"]) == 0
    assert "2 labels on 1 track" in capsys.readouterr().out
    assert main(["labels", "list", str(task), "--episode", "2"]) == 0
    assert "0 labels" in capsys.readouterr().out
    task.chmod(0o555)
    (task / "annotations" / "chunk-000").chmod(0o555)
    assert main([*words, "--start", "0.5", "--folder", str(tmp_path / "mine")]) == 0
    assert len(list((tmp_path / "mine").iterdir())) == 1
    task.chmod(0o755)


def test_a_file_that_cannot_be_written_lies_below_the_one_that_can(tmp_path: Path) -> None:
    path = tmp_path / "episode-001.parquet"
    EpisodeStore(path).commit(EpisodeStore(path).load(), AnnotationSet(SCHEMA, [A, B]))
    content = path.read_bytes()
    store = EpisodeStore(tmp_path / "mine" / "episode-001.parquet", below=path)
    fresh = label("c" * 32, 5, 6)
    wanted = store.load().annotations.changed({A.id: None, B.id: replace(B, note="mine"), fresh.id: fresh})
    assert store.commit(store.load(), wanted).annotations == wanted
    assert path.read_bytes() == content
    assert [row["id"] for row in read_rows(store.path)[1]] == [B.id, fresh.id]
    change(store, lambda state: state.changed({A.id: A, B.id: B, fresh.id: None}))
    assert store.load().annotations.by_id == {A.id: A, B.id: B}
