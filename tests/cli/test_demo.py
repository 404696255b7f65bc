from __future__ import annotations

import json
from pathlib import Path

import platformdirs
import pytest

from hfviewer.app import application, session
from hfviewer.cli.main import main
from hfviewer.demo import synthetic
from hfviewer.readers.registry import open_recording


class Maker:
    """Stands in for `make_demo`, which takes seconds."""

    def __init__(self) -> None:
        self.made: list[tuple[Path, float]] = []

    def __call__(self, path: Path, *, seconds: float) -> dict[str, float]:
        self.made.append((path, seconds))
        path.write_bytes(b"recording")
        return {"seconds": seconds}


@pytest.fixture
def maker(monkeypatch: pytest.MonkeyPatch) -> Maker:
    made = Maker()
    monkeypatch.setattr(synthetic, "make_demo", made)
    return made


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths that the application was run with, as if there were a display."""
    paths: list[str] = []

    def run_application(path: str, **_options: object) -> int:
        paths.append(path)
        return 0

    monkeypatch.setattr(session, "run_application", run_application)
    monkeypatch.setattr(application, "has_display", lambda: True)
    return paths


def test_the_recording_that_is_made_opens_and_its_truth_lies_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "demo"
    assert main(["demo", str(folder), "--seconds", "2", "--no-open", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == {"output": str(folder / "demo.hfr"), "truth": str(folder / "truth.json")}
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    with open_recording(document["output"]) as recording:
        counts = {name: len(stream) for name, stream in recording.streams.items()}
    assert counts == {stream["name"]: stream["frame_count"] for stream in truth["streams"]}
    assert truth["faults"]


def test_it_is_made_once_and_then_used_again(
    tmp_path: Path, maker: Maker, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert main(["demo", str(tmp_path), "--seconds", "3.5", "--no-open"]) == 0
        assert capsys.readouterr().out == f"{tmp_path / 'demo.hfr'}\n"
    assert maker.made == [(tmp_path / "demo.hfr", 3.5)]
    assert json.loads((tmp_path / "truth.json").read_text(encoding="utf-8")) == {"seconds": 3.5}


def test_what_an_interrupted_run_left_is_cleared_away(tmp_path: Path, maker: Maker) -> None:
    for name in ("demo.hfr.tmp", "demo.hfr.tmp.journal", "mine.txt"):
        (tmp_path / name).touch()
    assert main(["demo", str(tmp_path), "--no-open"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["demo.hfr", "mine.txt", "truth.json"]


def test_without_a_folder_it_lies_in_the_users_data(
    tmp_path: Path, maker: Maker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda name: str(tmp_path / name))
    assert main(["demo", "--no-open"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'hfviewer' / 'demo' / 'demo.hfr'}\n"


def test_it_opens_in_the_application_unless_told_not_to(
    tmp_path: Path, maker: Maker, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", str(tmp_path), "--no-open"]) == 0
    assert opened == []
    capsys.readouterr()
    assert main(["demo", str(tmp_path)]) == 0
    assert opened == [str(tmp_path / "demo.hfr")]
    assert capsys.readouterr().out == ""


def test_without_a_display_it_is_made_and_one_line_says_how_to_see_it(
    tmp_path: Path, maker: Maker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert main(["demo", str(tmp_path)]) == 2
    assert maker.made
    err = capsys.readouterr().err
    assert err.startswith(f"hfviewer: {tmp_path / 'demo.hfr'}: There is no display here. ")
    assert "hfviewer render" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("seconds", ["0", "-1", "1e9", "nan", "inf", "soon"])
def test_an_impossible_length_is_one_line_and_makes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seconds: str
) -> None:
    assert main(["demo", str(tmp_path), f"--seconds={seconds}", "--no-open"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_one_line(
    tmp_path: Path, maker: Maker, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["demo", str(tmp_path / "file" / "below"), "--no-open"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"hfviewer: {tmp_path / 'file'}")
    assert err.count("\n") == 1
    assert maker.made == []


def test_a_demonstration_that_is_there_stays_and_that_is_told(
    maker: Maker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", str(tmp_path), "--no-open"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["demo", str(tmp_path), "--no-open", "--seconds", "3"]) == 0
    assert "It is there already" in capsys.readouterr().err
    assert len(maker.made) == 1
