"""verify, recover, history and compact: their JSON, their exit codes, their one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hfviewer.cli.main import main
from tests.readers.hyperframe.recordings import content_of, write_with_revisions
from tests.video_clips import write_clip, x264


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "recording.hfr"
    write_with_revisions(path)
    return path


def _flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_verify_says_ok_with_exit_0(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["ok"], document["frames_checked"], document["bad"]) == (True, 11, [])
    assert main(["verify", str(path)]) == 0
    assert "11 frames" in capsys.readouterr().out


def test_verify_names_what_is_bad_with_exit_1(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _flip(path, 512)
    assert main(["verify", str(path), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["ok"] is False
    assert document["bad"] == [
        {"stream": "imu", "index": 0, "offset": 512, "problem": "its bytes are damaged (checksum)"}
    ]
    assert main(["verify", str(path)]) == 1
    assert "imu, frame 0, byte 512" in capsys.readouterr().out


def test_history_lists_revisions_newest_first(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [set(item) for item in document] == [
        {"revision", "frame_count", "annotation_count", "footer_offset"}
    ] * 3
    assert [item["revision"] for item in document] == [3, 2, 1]
    assert main(["history", str(path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_compact_writes_a_smaller_copy(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = path.with_name("compact.hfr")
    assert main(["compact", str(path), str(output), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bytes_after"] == output.stat().st_size
    assert content_of(output) == content_of(path)
    assert main(["compact", str(path), str(output)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"hfviewer: {output}: It exists already.")
    assert error.count("\n") == 1


def test_recover_exits_0_only_when_every_frame_is_there(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = path.with_name("recovered.hfr")
    assert main(["recover", str(path), str(output), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["output"], document["output_ok"], document["method"]) == (str(output), True, "footer")
    assert document["streams"][0] == {
        "name": "imu",
        "frames_recovered": 4,
        "frames_lost": 0,
        "share_of_time_lost": 0.0,
    }
    output.unlink()
    _flip(path, 512)
    assert main(["recover", str(path), str(output)]) == 1
    text = capsys.readouterr().out
    assert "imu: 3 frames recovered, 1 lost" in text
    assert "Frames missing in all: 1." in text


def test_recover_of_nothing_is_one_line_exit_2_and_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, output = tmp_path / "empty.hfr", tmp_path / "out.hfr"
    path.write_bytes(b"")
    assert main(["recover", str(path), str(output), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"hfviewer: {path}: ")
    assert captured.err.count("\n") == 1
    assert not output.exists()


@pytest.mark.parametrize("command", ["verify", "history"])
def test_a_folder_or_a_missing_file_is_one_line_with_exit_2(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path, tmp_path / "gone.hfr"):
        assert main([command, str(path)]) == 2
        error = capsys.readouterr().err
        assert str(path) in error
        assert error.count("\n") == 1


@pytest.mark.parametrize("command", ["history", "compact"])
def test_what_only_hyperframe_files_have_is_said_of_others(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = write_clip(tmp_path / "a.mp4", x264(12, frames=12))
    more = [str(tmp_path / "out.hfr")] if command == "compact" else []
    assert main([command, str(clip), *more]) == 2
    assert "This is not a hyperframe file." in capsys.readouterr().err


def test_verify_reads_a_video_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = write_clip(tmp_path / "a.mp4", x264(12, frames=12))
    assert main(["verify", str(clip), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["ok"], document["frames_checked"], document["unchecked"]) == (True, 12, 12)
