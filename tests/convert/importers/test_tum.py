from pathlib import Path

from hfviewer.convert.run import convert
from hfviewer.core.stream import Clock
from hfviewer.readers.registry import open_recording
from tests.convert.layouts import depth_png, make_tum, png, write


def test_a_sequence_is_converted_at_its_exact_times(tmp_path: Path) -> None:
    report = convert(make_tum(tmp_path / "房间"), tmp_path / "a.hfr")
    assert report.problems == ()
    with open_recording(tmp_path / "a.hfr") as recording:
        assert list(recording.streams) == ["color", "depth", "pose", "accelerometer"]
        color, depth = recording.streams["color"], recording.streams["depth"]
        assert color.timestamps_ns.tolist() == [
            1_305_031_102_175_304_000,
            1_305_031_102_211_214_000,
            1_305_031_102_243_211_000,
        ]
        assert (color.payload(1), depth.payload(1)) == (png(1), depth_png(1))
        assert depth.description.depth_unit_mm == 0.2
        assert color.description.clock is Clock.HOST
        _, poses = recording.streams["pose"].samples(0, 2**62)
        assert poses.tolist() == [[1.3563, 0.6305, 1.638, 0.6132, 0.5962, -0.3311, -0.3986]]
        accel = recording.streams["accelerometer"]
        assert accel.timestamps_ns.tolist() == [1_305_031_102_100_000_000] * 2
        assert accel.sequence.tolist() == [0, 1]


def test_missing_files_bad_lines_and_names_that_lead_outside_are_named(tmp_path: Path) -> None:
    folder = make_tum(tmp_path / "room")
    write(tmp_path / "secret.png", png(1))
    (folder / "rgb/1305031102.211214.png").unlink()
    with (folder / "rgb.txt").open("a") as file:
        file.write(
            "x rgb/1305031102.175304.png\n1305031102.3 ../secret.png\n"
            "1305031102.4 /etc/passwd\n1305031102.5\n"
        )
    report = convert(folder, tmp_path / "a.hfr")
    assert {name for problem in report.problems for name in problem.names} == {
        "rgb/1305031102.211214.png",
        "rgb.txt line 6",
        "rgb.txt line 7",
        "rgb.txt line 8",
        "rgb.txt line 9",
    }
    with open_recording(tmp_path / "a.hfr") as recording:
        assert recording.streams["color"].sequence.tolist() == [0, 2]
