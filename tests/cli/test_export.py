from __future__ import annotations

from pathlib import Path

import pytest

from hfviewer.cli.main import main
from tests.recordings import write_small


def test_several_streams_are_exported_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_small(tmp_path / "a.hfr")
    outs = [tmp_path / name for name in ("imu.csv", "pose.csv", "cam", "depth")]
    tables = ["--csv", "imu", str(outs[0]), "--csv", "pose", str(outs[1])]
    pictures = ["--pictures", "cam", str(outs[2]), "--pictures", "depth", str(outs[3])]
    assert main(["export", str(path), *tables, *pictures]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line for line in told if not line.startswith(" ")] == [str(out) for out in outs]
    assert outs[0].read_text().splitlines()[0] != outs[1].read_text().splitlines()[0]
    assert {out.suffix for folder in outs[2:] for out in folder.iterdir()} == {".png", ".csv"}


@pytest.mark.parametrize(
    ("times", "told"),
    [
        (["--from", "500"], "--from lies after the end."),
        (["--from", "1", "--to", "0.5"], "--to lies before --from."),
    ],
)
def test_times_that_hold_nothing_are_told(
    times: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_small(tmp_path / "a.hfr")
    assert main(["export", str(path), "--csv", "imu", str(tmp_path / "x.csv"), *times]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "x.csv").exists()
