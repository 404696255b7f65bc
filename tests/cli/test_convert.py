import json
import signal
from pathlib import Path

import pytest

from hfviewer.cli.main import main
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from hfviewer.readers.registry import open_recording
from tests.convert.layouts import make_kitti, write


def test_a_whole_source_ends_with_0_and_says_what_was_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drive = make_kitti(tmp_path / "drive")
    target = tmp_path / "a.hfr"
    assert main(["convert", str(drive), str(target), "--json", "--window-ms", "33.5"]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert document["output"] == str(target)
    assert document["window_ns"] == 33_500_000
    assert {"name": "image_02", "frame_count": 5} in document["streams"]
    assert document["problems"] == []
    assert captured.err == ""


def test_a_broken_file_ends_with_1_and_is_named_on_stderr_and_in_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drive = make_kitti(tmp_path / "drive")
    write(drive / "velodyne_points/data/0000000002.bin", b"short")
    assert main(["convert", str(drive), str(tmp_path / "a.hfr"), "--json"]) == 1
    captured = capsys.readouterr()
    (problem,) = json.loads(captured.out)["problems"]
    assert problem["names"] == ["velodyne_points/data/0000000002.bin"]
    assert captured.err.count("\n") == 1
    assert "velodyne_points/data/0000000002.bin" in captured.err


def test_without_json_a_summary_names_the_streams(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drive = make_kitti(tmp_path / "drive")
    assert main(["convert", str(drive), str(tmp_path / "a.hfr"), "--compression", "zstd"]) == 0
    out = capsys.readouterr().out
    assert "velodyne_points" in out
    assert "125 ms" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{empty}", "{new}"], "does not know how to convert"),
        (["{none}", "{new}"], "no such file or folder"),
        (["{drive}", "{drive}"], "exists already"),
        (["{drive}", "{new}", "--window-ms", "0"], "not a length"),
        (["{drive}", "{new}", "--window-ms", "nan"], "not a length"),
        (["{drive}", "{new}", "--compression", "rar"], "rar"),
        (["{drive}"], "DST"),
    ],
)
def test_what_cannot_be_done_ends_with_2_one_line_and_nothing_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    drive = make_kitti(tmp_path / "drive")
    (tmp_path / "empty").mkdir()
    before = sorted(tmp_path.rglob("*"))
    places = {name: str(tmp_path / name) for name in ("empty", "none", "new", "drive")}
    assert main(["convert", *(argument.format(**places) for argument in arguments)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert said in captured.err
    assert sorted(tmp_path.rglob("*")) == before
    assert drive.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_request_ends_with_2_and_nothing_written(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
) -> None:
    drive = make_kitti(tmp_path / "drive")
    before, handler = sorted(tmp_path.rglob("*")), signal.getsignal(number)
    append = HyperframeWriter.append

    def append_then_stop(writer: HyperframeWriter, *args: object) -> None:
        append(writer, *args)  # type: ignore[arg-type]
        if writer.frame_count == 4:
            signal.raise_signal(number)

    monkeypatch.setattr(HyperframeWriter, "append", append_then_stop)
    assert main(["convert", str(drive), str(tmp_path / "a.hfr")]) == 2
    captured = capsys.readouterr()
    assert "nothing was written" in captured.err
    assert captured.err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before
    assert signal.getsignal(number) is handler


def test_a_second_stop_request_interrupts_at_once_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = make_kitti(tmp_path / "drive")
    before = sorted(tmp_path.rglob("*"))
    append = HyperframeWriter.append
    raised: list[int] = []

    def stop_twice(writer: HyperframeWriter, *args: object) -> None:
        append(writer, *args)  # type: ignore[arg-type]
        signal.raise_signal(signal.SIGINT)
        raised.append(1)
        signal.raise_signal(signal.SIGINT)
        raised.append(2)

    monkeypatch.setattr(HyperframeWriter, "append", stop_twice)
    assert main(["convert", str(drive), str(tmp_path / "a.hfr")]) == 2
    assert raised == [1]
    assert sorted(tmp_path.rglob("*")) == before


def test_what_was_written_opens(tmp_path: Path) -> None:
    assert main(["convert", str(make_kitti(tmp_path / "drive")), str(tmp_path / "a.hfr")]) == 0
    with open_recording(tmp_path / "a.hfr") as recording:
        assert recording.description.findings == ()
