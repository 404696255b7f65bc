from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hfviewer.cli.main import main
from hfviewer.readers.hyperframe.annotation_store import InFileStore
from hfviewer.readers.hyperframe.verify import verify
from tests.readers.episodes.test_sessions import session
from tests.recordings import CAMERA_PERIOD_NS, START_NS, write_small


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(write_small(tmp_path / "small.hfr"))


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert main(["labels", *words, "--json"]) == code
    out = capsys.readouterr().out
    return json.loads(out) if out else None


def test_a_label_is_added_listed_and_removed_each_a_revision(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    added = run(
        capsys,
        "add",
        path,
        "--track",
        "drive",
        "--label",
        "walk",
        "--start",
        "0.25",
        "--end",
        "+1s",
        "--author",
        "A",
    )
    assert added["revision"] == 2
    assert (added["start_ns"], added["end_ns"]) == (START_NS + 250_000_000, START_NS + 1_000_000_000)
    assert (added["stream"], added["first_frame"], added["last_frame"]) == ("cam", 2, 10)
    listed = run(capsys, "list", path)
    assert [track["name"] for track in listed["tracks"]] == ["drive"]
    assert [label["name"] for label in listed["labels"]] == ["walk"]
    (found,) = listed["annotations"]
    assert found == {key: added[key] for key in found}
    assert (found["author"], found["note"], found["status"], found["attributes"]) == ("A", "", "draft", {})
    removed = run(capsys, "remove", path, found["id"][:8])
    assert (removed["removed"], removed["revision"]) == ([found["id"]], 3)
    assert run(capsys, "list", path)["annotations"] == []
    assert run(capsys, "list", path, "--revision", "2")["annotations"] == [found]
    assert main(["history", path, "--json"]) == 0
    counts = [revision["annotation_count"] for revision in json.loads(capsys.readouterr().out)]
    assert counts == [0, 1, 0]


def test_a_label_on_a_frame_is_on_that_frame(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    added = run(capsys, "add", path, "--track", "t", "--label", "l", "--start", "#7", "--stream", "depth")
    assert (added["first_frame"], added["last_frame"], added["stream"]) == (7, 7, "depth")
    assert added["start_ns"] == added["end_ns"] == START_NS + 7 * CAMERA_PERIOD_NS + 5_000_000


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--start", "2", "--end", "1"], "end before it starts"),
        (["--start", "1000"], "outside the recording"),
        (["--start", "soon"], "not a time"),
        (["--start", "#99"], "no frame #99"),
        (["--start", "1", "--status", "fine"], "draft, done, reviewed, rejected"),
        (["--start", "1", "--stream", "none"], "no stream 'none'"),
        (["--start", "1", "--attribute", "x"], "not KEY=VALUE"),
    ],
)
def test_a_label_that_cannot_be_is_refused_in_one_line_and_nothing_is_written(
    path: str, capsys: pytest.CaptureFixture[str], words: list[str], problem: str
) -> None:
    before = Path(path).read_bytes()
    assert main(["labels", "add", path, "--track", "t", "--label", "l", *words]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert problem in lines[0]
    assert Path(path).read_bytes() == before


def test_an_unknown_id_removes_nothing(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    added = run(capsys, "add", path, "--track", "t", "--label", "l", "--start", "1")
    assert main(["labels", "remove", path, added["id"], "nothing"]) == 2
    assert "no label 'nothing'" in capsys.readouterr().err
    assert len(run(capsys, "list", path)["annotations"]) == 1


@pytest.mark.parametrize("suffix", ["json", "csv", "eaf", "txt", "vtt", "lerobot.json"])
def test_labels_go_out_and_into_a_copy(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    copy = tmp_path / "copy.hfr"
    copy.write_bytes(Path(path).read_bytes())
    for words in (["--start", "#3", "--end", "#8"], ["--start", "#10", "--note", "n"]):
        run(capsys, "add", path, "--track", "drive", "--label", "walk", *words)
    file = tmp_path / f"labels.{suffix}"
    out = run(capsys, "export", path, str(file))
    assert out["count"] == 2
    brought = run(capsys, "import", str(copy), str(file), "--track", "drive")
    assert (brought["added"], brought["revision"]) == (2, 2)
    keys = ("track", "label", "start_ns", "end_ns", "first_frame", "last_frame")
    lists = [run(capsys, "list", p)["annotations"] for p in (path, str(copy))]
    assert [[a[k] for k in keys] for a in lists[0]] == [[a[k] for k in keys] for a in lists[1]]
    if suffix in ("json", "csv"):
        assert lists[0] == lists[1]
        assert not [sentence for sentence in out["not_carried"] if "frame" in sentence]
    again = run(capsys, "import", str(copy), str(file), "--track", "drive")
    assert (again["added"], again["unchanged"], again["revision"]) == (0, 2, 2)


def test_the_labels_of_every_frame_go_into_a_table(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "add", path, "--track", "drive", "--label", "walk", "--start", "#3", "--end", "#5")
    table = tmp_path / "frames.csv"
    run(capsys, "export", path, str(table), "--per-frame", "cam")
    rows = table.read_text().splitlines()
    assert [row.rpartition(",")[2] for row in rows[1:8]] == ["", "", "", "walk", "walk", "walk", ""]


def test_two_people_are_compared(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    for author, start, end in (("A", "0.2", "1.0"), ("B", "0.3", "1.0"), ("B", "1.2", "1.4")):
        words = ["--label", "walk", "--start", start, "--end", end, "--author", author]
        run(capsys, "add", path, "--track", "drive", *words)
    result = run(capsys, "agree", path, "--authors", "A", "B")
    assert 0 < result["kappa"] < 1
    assert (result["only_a"], result["only_b"]) == (0, 1)
    assert result["boundary_error_ms"] == {"median": 50.0, "p95": pytest.approx(95.0)}
    assert main(["labels", "agree", path, "--authors", "A", "C"]) == 2
    assert "no labels by 'C'" in capsys.readouterr().err


def test_info_tells_tracks_and_labels(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "add", path, "--track", "drive", "--label", "walk", "--start", "1")
    capsys.readouterr()
    assert main(["info", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["annotations"] == {"tracks": 1, "count": 1}


def test_a_recording_that_cannot_be_written_is_labelled_beside(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "add", path, "--track", "drive", "--label", "own", "--start", "0.5")
    before = Path(path).read_bytes()
    Path(path).chmod(0o444)
    added = run(capsys, "add", path, "--track", "drive", "--label", "beside", "--start", "1")
    assert added["place"] == "side_file"
    assert added["saved_in"] == str(tmp_path / "small.annotations.hfr")
    listed = run(capsys, "list", path)["annotations"]
    assert [a["label"] for a in listed] == ["own", "beside"]
    run(capsys, "remove", path, listed[0]["id"])
    assert [a["label"] for a in run(capsys, "list", path)["annotations"]] == ["beside"]
    assert Path(path).read_bytes() == before
    assert main(["info", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["annotations"]["count"] == 1


def test_a_folder_of_ones_own_choice_takes_the_labels(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(path).chmod(0o444)
    folder = tmp_path / "mine"
    words = ["--track", "t", "--label", "l", "--start", "1", "--folder", str(folder)]
    assert run(capsys, "add", path, *words)["saved_in"] == str(folder / "small.annotations.hfr")
    assert (folder / "small.annotations.hfr").exists()


def test_labels_of_another_recording_beside_it_are_not_shown_and_not_touched(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write_small(tmp_path / "other.hfr", frames=5)
    other.chmod(0o444)
    run(capsys, "add", str(other), "--track", "t", "--label", "l", "--start", "0.1")
    foreign = tmp_path / "small.annotations.hfr"
    (tmp_path / "other.annotations.hfr").rename(foreign)
    content = foreign.read_bytes()
    assert main(["labels", "list", path]) == 2
    assert "another recording" in capsys.readouterr().err
    assert main(["labels", "add", path, "--track", "t", "--label", "l", "--start", "1"]) == 2
    assert foreign.read_bytes() == content
    assert main(["info", path, "--json"]) == 1


def test_many_processes_add_at_once_and_none_is_lost(path: str) -> None:
    command = [sys.executable, "-m", "hfviewer", "labels", "add", path, "--track", "t", "--start", "1"]
    running = [subprocess.Popen([*command, "--label", f"l{i}"], stdout=subprocess.PIPE) for i in range(4)]
    for process in running:
        process.communicate(timeout=60)
        assert process.returncode == 0
    done = subprocess.run(
        [sys.executable, "-m", "hfviewer", "labels", "list", path, "--json"], capture_output=True, check=True
    )
    assert sorted(a["label"] for a in json.loads(done.stdout)["annotations"]) == ["l0", "l1", "l2", "l3"]


def test_an_import_tells_what_it_left_out(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "labels.json"
    good = {"id": "x", "track": "t", "label": "l", "start_ns": START_NS, "end_ns": START_NS, "mine": 1}
    file.write_text(json.dumps({"annotations": [good, {"id": "y"}]}))
    assert run(capsys, "import", path, str(file), code=1)["added"] == 1
    (found,) = run(capsys, "list", path)["annotations"]
    assert (found["mine"], found["unknown_label"]) == (1, True)  # the file's schema did not know it
    file.write_text("nothing")
    assert main(["labels", "import", path, str(file)]) == 2
    assert "not a file of labels" in capsys.readouterr().err


def test_an_imported_label_does_not_take_the_digit_of_another(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "add", path, "--track", "t", "--label", "walk", "--start", "1")
    file = tmp_path / "labels.json"
    good = {"id": "x", "track": "t", "label": "run", "start_ns": START_NS, "end_ns": START_NS}
    schema = [{"name": "run", "hotkey": "1"}, {"name": "walk", "hotkey": "2"}]
    file.write_text(json.dumps({"annotations": [good], "labels": schema}))
    run(capsys, "import", path, str(file))
    labels = {label["name"]: label["hotkey"] for label in run(capsys, "list", path)["labels"]}
    assert labels == {"walk": "1", "run": "2"}


def test_progress_tells_what_is_labelled_and_what_comes_next(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_small(tmp_path / "take 2.hfr", frames=5)
    run(capsys, "add", path, "--track", "t", "--label", "walk", "--start", "1", "--author", "A")
    told = run(capsys, "progress", str(tmp_path))
    assert [(part["key"], part["count"]) for part in told["recordings"]] == [
        ("small.hfr", 1),
        ("take 2.hfr", 0),
    ]
    assert (told["labelled"], told["next"], told["total"]["labels"]) == (1, "take 2.hfr", {"walk": 1})
    assert main(["labels", "progress", str(tmp_path)]) == 0
    assert "Next without labels: take 2.hfr" in capsys.readouterr().out


def test_what_was_told_as_added_survives_a_kill_at_any_moment(path: str) -> None:
    """The process is killed at moments spread over its life; what it printed is there, the file is sound."""
    command = [
        sys.executable,
        "-m",
        "hfviewer",
        "labels",
        "add",
        path,
        "--track",
        "t",
        "--start",
        "1",
        "--json",
    ]
    told: set[str] = set()
    for number in range(8):
        with subprocess.Popen(
            [*command, "--start", "1", "--label", f"l{number}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                process.wait(0.15 + 0.1 * number)
            except subprocess.TimeoutExpired:
                process.kill()
            out = process.communicate()[0]
        if out.strip().endswith(b"}"):
            told.add(json.loads(out)["label"])
        labels = {a.label for a in InFileStore(Path(path)).load().annotations}
        assert told <= labels
        assert labels - told <= {f"l{i}" for i in range(number + 1)}
        assert verify(path).ok


_KILLED_SESSION = """
import os, signal, sys
from pathlib import Path
from hfviewer.core import edits
from hfviewer.model.label_history import DO, UNDO, LabelHistory
from tests.labels import label
from tests.model.label_driver import keeper_of

path = Path(sys.argv[1])
keeper = keeper_of(path, path.with_name(path.name + ".labels.journal"))
history = keeper.open().history
for number in range(3):
    edit = edits.add(history.state, [label(f"left{number}", number, number + 0.5)])
    keeper.record([(DO, history.do(edit))])
keeper.record([(UNDO, history.undo())])
print("acknowledged", flush=True)
if "hold" in sys.argv:
    sys.stdin.read()
os.kill(os.getpid(), signal.SIGKILL)
"""


def _leave_journal(path: str) -> None:
    """A session makes three labels, undoes the last, and is killed before it commits."""
    done = subprocess.run([sys.executable, "-c", _KILLED_SESSION, path], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (-9, "acknowledged\n"), done.stderr


def _ids(told: Any) -> list[str]:
    return sorted(a["id"] for a in told["annotations"])


def test_what_a_killed_session_left_is_listed_exported_and_counted_and_stays(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _leave_journal(path)
    before = Path(path).read_bytes()
    assert main(["labels", "list", path, "--json"]) == 0
    out, err = capsys.readouterr()
    assert _ids(json.loads(out)) == ["left0", "left1"]
    assert "4 edits by a session that was killed included" in err
    file = tmp_path / "out.json"
    assert run(capsys, "export", path, str(file))["count"] == 2
    assert _ids(json.loads(file.read_text())) == ["left0", "left1"]
    assert run(capsys, "progress", path)["total"]["count"] == 2
    assert Path(path).read_bytes() == before
    assert Path(path + ".labels.journal").exists()


def test_what_a_killed_session_left_is_committed_with_the_next_change(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _leave_journal(path)
    assert main(["labels", "remove", path, "nothing_like_it"]) == 2
    assert Path(path + ".labels.journal").exists()  # refused: all stays as it was
    capsys.readouterr()
    assert main(["labels", "remove", path, "left0", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["revision"] == 2  # both in one commit
    assert "4 edits by a session that was killed saved, too" in err
    assert not Path(path + ".labels.journal").exists()
    assert _ids(run(capsys, "list", path)) == ["left1"]
    run(capsys, "remove", path, "left1")
    _leave_journal(path)
    added = run(capsys, "add", path, "--track", "t", "--label", "l", "--start", "1")["id"]
    assert _ids(run(capsys, "list", path)) == sorted(["left0", "left1", added])
    assert verify(path).ok


def test_a_session_that_lives_keeps_its_edits_and_is_named(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _KILLED_SESSION, path, "hold"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as session:
        assert session.stdout is not None
        assert session.stdout.readline() == "acknowledged\n"
        assert main(["labels", "list", path, "--json"]) == 0
        out, err = capsys.readouterr()
        assert _ids(json.loads(out)) == ["left0", "left1"]
        assert f"here (process {session.pid}) included" in err
        assert main(["labels", "remove", path, "left0"]) == 2
        assert "has not saved yet" in capsys.readouterr().err
        added = run(capsys, "add", path, "--track", "t", "--label", "l", "--start", "1")["id"]
        session.communicate("")
    assert _ids(run(capsys, "list", path)) == sorted(["left0", "left1", added])
    run(capsys, "remove", path, added)
    assert _ids(run(capsys, "list", path)) == ["left0", "left1"]


def test_a_command_killed_while_it_takes_up_a_journal_loses_nothing(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever it was killed at, the edits are in the file, in the journal, or in both: counted once."""
    command = [sys.executable, "-m", "hfviewer", "labels", "add", path, "--track", "t", "--start", "1"]
    for number in range(10):
        _leave_journal(path)
        with subprocess.Popen(
            [*command, "--label", f"l{number}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                process.wait(0.2 + 0.08 * number)
            except subprocess.TimeoutExpired:
                process.kill()
        told = run(capsys, "list", path)
        assert _ids(told)[-2:] == ["left0", "left1"]
        assert {a["label"] for a in told["annotations"] if not a["id"].startswith("left")} <= {
            f"l{i}" for i in range(number + 1)
        }
        assert verify(path).ok
        run(capsys, "remove", path, "left0", "left1")
        assert not {"left0", "left1"} & set(_ids(run(capsys, "list", path)))


def test_labels_of_a_session_lie_beside_it_and_are_not_those_of_its_conversion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = session(tmp_path / "s")
    added = run(capsys, "add", str(root), "--track", "t", "--label", "l", "--start", "0")
    assert Path(added["saved_in"]).parent == tmp_path
    assert [label["name"] for label in run(capsys, "list", str(root))["labels"]] == ["l"]
    assert main(["info", str(root), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["annotations"] == {"tracks": 1, "count": 1}
    assert main(["convert", str(root), str(tmp_path / "s.hfr")]) == 0
    assert run(capsys, "list", str(tmp_path / "s.hfr"))["annotations"] == []


@pytest.mark.parametrize("suffix", ["json", "csv", "eaf", "txt", "vtt", "lerobot.json"])
def test_what_was_exported_of_a_single_track_doubles_nothing_where_it_came_from(
    suffix: str, path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "add", path, "--track", "solo", "--label", "walk", "--start", "#2", "--end", "#5")
    before = run(capsys, "list", path)
    file = str(tmp_path / f"labels.{suffix}")
    run(capsys, "export", path, file)
    done = run(capsys, "import", path, file)
    assert (done["added"], done["updated"], done["unchanged"]) == (0, 0, 1)
    assert run(capsys, "list", path) == before
