from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from hfviewer.cli.main import COMMANDS, main
from tests import recordings
from tests.recordings import START_NS, write_small


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small(tmp_path_factory.mktemp("录像") / "small.hfr", lost=frozenset({7}))


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_info_is_one_json_document_with_the_keys_of_the_contract(
    capsys: pytest.CaptureFixture[str], small: Path
) -> None:
    code, out, err = run(capsys, "info", small, "--json")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert document["format"] == "hyperframe"
    assert document["kind"] == "recording"
    assert document["start_ns"] == START_NS
    assert document["revision"] == 1
    assert document["annotations"] == {"tracks": 0, "count": 0}
    cam = next(stream for stream in document["streams"] if stream["name"] == "cam")
    assert cam["frame_count"] == 19
    assert cam["period_ns"] == recordings.CAMERA_PERIOD_NS
    assert cam["clock"] == "hardware"
    assert cam["first_ns"] == START_NS
    assert document["end_ns"] == max(s["last_ns"] for s in document["streams"])


def test_info_for_people_names_every_stream(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    code, out, _ = run(capsys, "info", small)
    assert code == 0
    for name in ("cam", "depth", "lidar", "imu", "pose", "notes"):
        assert name in out


def test_statistics_are_told_to_people_as_well(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    _, out, _ = run(capsys, "info", small, "--statistics", "--json")
    imu = next(stream for stream in json.loads(out)["streams"] if stream["name"] == "imu")
    _, out, _ = run(capsys, "info", small, "--statistics")
    rows = [line for line in out.splitlines() if line.startswith(f"imu {imu['channels'][0]['name']}")]
    assert len(rows) == 1
    for name in ("mean", "std", "min", "max"):
        assert f"{imu['statistics'][name][0]:.6g}" in rows[0].split()


def test_frame_npy_of_an_image_is_rgb(
    capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path
) -> None:
    out = tmp_path / "a.npy"
    code, printed, _ = run(capsys, "frame", small, "--stream", "cam", "--index", 3, "--out", out)
    assert code == 0
    assert np.array_equal(np.load(out), recordings.picture(3)[:, :, ::-1])
    document = json.loads(printed)
    assert document["shape"] == [24, 32, 3]
    assert document["sequence"] == 3


def test_frame_at_takes_the_frame_on_screen(
    capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path
) -> None:
    # Frame 7 is lost: at 0.75 s frame 6 is still on screen.
    _, printed, _ = run(
        capsys, "frame", small, "--stream", "cam", "--at", "0.75", "--out", tmp_path / "a.png"
    )
    assert json.loads(printed)["sequence"] == 6
    _, printed, _ = run(capsys, "frame", small, "--stream", "cam", "--at", "#7", "--out", tmp_path / "a.png")
    assert json.loads(printed)["sequence"] == 8
    _, printed, _ = run(
        capsys, "frame", small, "--stream", "cam", "--at", f"ns:{START_NS + 5}", "--out", tmp_path / "a.png"
    )
    assert json.loads(printed)["timestamp_ns"] == START_NS


def test_frame_of_depth_gives_millimetres_and_stored_codes(
    capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path
) -> None:
    for suffix in ("npy", "png"):
        out = tmp_path / f"a.{suffix}"
        assert run(capsys, "frame", small, "--stream", "depth", "--index", 2, "--out", out)[0] == 0
        array = np.load(out) if suffix == "npy" else cv2.imread(str(out), cv2.IMREAD_UNCHANGED)
        assert array is not None
        assert array.dtype == np.uint16
        assert np.array_equal(array, recordings.depth_codes(2))


def test_frame_of_points_keeps_the_order_of_fields(
    capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path
) -> None:
    out = tmp_path / "a.npy"
    _, printed, _ = run(capsys, "frame", small, "--stream", "lidar", "--index", 2, "--out", out)
    assert json.loads(printed)["fields"] == ["x", "y", "z", "intensity"]
    assert np.array_equal(np.load(out), recordings.cloud(2))


def test_frame_of_samples_is_float64(capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.npy"
    run(capsys, "frame", small, "--stream", "imu", "--index", 12, "--out", out)
    assert np.array_equal(np.load(out), recordings.imu_row(12)[None])


def test_frame_bin_is_the_decompressed_payload(
    capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path
) -> None:
    out = tmp_path / "a.bin"
    run(capsys, "frame", small, "--stream", "lidar", "--index", 2, "--out", out)
    assert out.read_bytes() == np.ascontiguousarray(recordings.cloud(2).T).tobytes()


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--stream", "nope", "--index", "0"], "no stream"),
        (["--stream", "cam", "--index", "999"], "no frame 999"),
        (["--stream", "cam", "--at", "-1"], "no frame at that time yet"),
        (["--stream", "cam", "--at", "yesterday"], "not a time"),
        (["--stream", "cam", "--at", "#999"], "no frame #999"),
    ],
)
def test_wrong_arguments_end_in_one_line_and_exit_2(
    capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path, words: list[str], part: str
) -> None:
    code, out, err = run(capsys, "frame", small, *words, "--out", tmp_path / "a.npy")
    assert (code, out) == (2, "")
    assert err.startswith("hfviewer: ")
    assert err.count("\n") == 1
    assert part in err
    assert not (tmp_path / "a.npy").exists()


def test_a_frame_never_replaces_its_own_recording(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write_small(tmp_path / "small.npy")
    before = path.read_bytes()
    code, _, err = run(capsys, "frame", path, "--stream", "cam", "--index", 0, "--out", path)
    assert code == 2
    assert "replace the recording" in err
    assert path.read_bytes() == before


def bad_inputs(folder: Path) -> dict[str, Path]:
    empty = folder / "empty.hfr"
    empty.touch()
    text = folder / "notes.txt"
    text.write_text("not a recording")
    nothing = folder / "folder"
    nothing.mkdir()
    return {"empty": empty, "text": text, "folder": nothing, "absent": folder / "absent.hfr"}


@pytest.mark.parametrize("which", ["empty", "text", "folder", "absent"])
@pytest.mark.parametrize("command", ["info", "verify"])
def test_bad_input_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, which: str, command: str
) -> None:
    path = bad_inputs(tmp_path)[which]
    code, out, err = run(capsys, command, path)
    assert (code, out) == (2, "")
    assert err.startswith(f"hfviewer: {path}: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write_small(tmp_path / "small.hfr")
    path.chmod(0)
    code, _, err = run(capsys, "info", path)
    assert code == 2
    assert "may not read" in err


def test_every_command_of_the_overview_has_a_module_that_explains_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--help"]) == 0
    overview = capsys.readouterr().out
    for name in COMMANDS:
        assert f"  {name}" in overview
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        assert ended.value.code == 0
        assert "usage:" in capsys.readouterr().out


def test_bad_usage_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "info")
    assert code == 2
    assert err.count("\n") == 1
    assert "--help" in err


def test_debug_shows_where_an_error_came_from(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, "info", tmp_path / "absent", "--debug")
    assert code == 2
    assert "Traceback" in err
    assert err.splitlines()[-1].startswith("hfviewer: ")
