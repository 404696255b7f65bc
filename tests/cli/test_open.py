from __future__ import annotations

from pathlib import Path

import pytest

from hfviewer.app import application, session
from hfviewer.cli.main import main
from hfviewer.core.collection import EpisodeCollection
from tests.recordings import write_small

Call = tuple[str | None, str | None, int | None]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small(tmp_path_factory.mktemp("open") / "small.hfr", frames=2)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """What the application was run with: path, at, revision."""
    calls: list[Call] = []

    def run_application(
        path: str | None,
        *,
        at: str | None = None,
        revision: int | None = None,
        episode: int | None = None,
        collection: EpisodeCollection | None = None,
    ) -> int:
        if collection is not None:
            assert [row.number for row in collection.episodes] == [1]
            calls.append((path, at, episode))
            return 0
        assert episode is None
        calls.append((path, at, revision))
        return 0

    monkeypatch.setattr(session, "run_application", run_application)
    return calls


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "has_display", lambda: True)


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")


@pytest.mark.usefixtures("display")
def test_the_application_gets_the_words_of_the_command_line(small: Path, runs: list[Call]) -> None:
    assert main(["open"]) == 0
    assert main([str(small)]) == 0
    assert main(["open", str(small), "--at", "+1s", "--revision", "1"]) == 0
    assert runs == [(None, None, None), (str(small), None, None), (str(small), "+1s", 1)]


@pytest.mark.usefixtures("display")
def test_a_folder_is_listed_once_and_handed_on(
    small: Path, runs: list[Call], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(small.parent)
    assert main([folder, "--at", "+1s"]) == 0
    assert main([folder, "--episode", "1"]) == 0
    assert runs == [(folder, "+1s", None), (folder, None, 1)]
    assert main([folder, "--episode", "2"]) == 2
    assert "no episode 2" in capsys.readouterr().err
    assert main([str(small), "--episode", "1"]) == 2
    assert "not a folder of episodes" in capsys.readouterr().err
    assert len(runs) == 2


@pytest.mark.usefixtures("no_display")
def test_without_a_display_one_line_says_what_works_without(
    small: Path, runs: list[Call], capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ([str(small)], ["open"], []):
        assert main(words) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "There is no display here. `hfviewer render`" in captured.err
        assert captured.err.count("\n") == 1
    assert runs == []


@pytest.mark.usefixtures("no_display")
def test_a_path_that_cannot_be_opened_is_said_before_a_display_is_missed(
    tmp_path: Path, small: Path, runs: list[Call], capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a recording")
    for words, said in (
        ([str(tmp_path / "absent.hfr")], "no such file"),
        ([str(text)], "not a recording"),
        ([str(small), "--revision", "7"], "revision"),
        ([str(small), "--episode", "1"], "not a folder of episodes"),
    ):
        assert main(["open", *words]) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"hfviewer: {words[0]}: ")
        assert said in err
        assert "display" not in err
        assert err.count("\n") == 1
    assert runs == []


@pytest.mark.usefixtures("display")
def test_no_window_opens_for_a_path_that_cannot_be_opened(tmp_path: Path, runs: list[Call]) -> None:
    assert main([str(tmp_path / "absent.hfr")]) == 2
    assert runs == []
