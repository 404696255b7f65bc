from __future__ import annotations

import pytest
from rich.console import Console
from rich.progress import Progress

from hfviewer.cli.progress import progress_bar


def test_without_a_terminal_nothing_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("Copying") as update:
        update(1, 2)
        update(2, 2)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("unit", "shown"), [("bytes", "1.0/2.0 MB"), ("frames", "1000000/2000000")])
def test_on_a_terminal_it_counts_in_its_unit_on_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], unit: str, shown: str
) -> None:
    monkeypatch.setattr(Console, "is_terminal", True)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar("Copying", "bytes" if unit == "bytes" else "frames") as update:
        update(1_000_000, 2_000_000)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Copying" in captured.err
    assert shown in captured.err


def test_a_million_steps_redraw_it_a_thousand_times_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def update(self: Progress, task: int, *, completed: int, total: int) -> None:
        drawn.append(completed)

    monkeypatch.setattr(Progress, "update", update)
    with progress_bar("Copying") as tell:
        for done in range(100_001):
            tell(done, 100_000)
        tell(0, 0)
    assert len(drawn) <= 1002
    assert 100_000 in drawn
