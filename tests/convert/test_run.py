import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hfviewer.convert.registry import plan_conversion
from hfviewer.convert.run import arrival_order, carry_out, convert
from hfviewer.core.errors import CancelledError, ConversionError, UsageError, WriteError
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from hfviewer.readers.registry import open_recording
from tests.convert.layouts import cloud, make_kitti, png, write


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    return make_kitti(tmp_path / "城市驾驶_sync")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_broken_file_is_named_and_the_rest_is_converted(drive: Path, tmp_path: Path) -> None:
    write(drive / "velodyne_points/data/0000000002.bin", cloud(2).tobytes()[:-1])
    write(drive / "image_02/data/0000000001.png", png(1)[:-20])
    report = convert(drive, tmp_path / "a.hfr")
    assert {(problem.stream, problem.names) for problem in report.problems} == {
        ("velodyne_points", ("velodyne_points/data/0000000002.bin",)),
        ("image_02", ("image_02/data/0000000001.png",)),
    }
    with open_recording(tmp_path / "a.hfr") as recording:
        assert recording.streams["velodyne_points"].sequence.tolist() == [0, 1, 3, 4]
        assert recording.streams["image_02"].sequence.tolist() == [0, 2, 3, 4]
        assert {name: len(stream) for name, stream in recording.streams.items()} == report.frame_counts


def test_payloads_lie_in_order_of_time_across_streams(drive: Path, tmp_path: Path) -> None:
    convert(drive, tmp_path / "a.hfr")
    with open_recording(tmp_path / "a.hfr") as recording:
        entries = np.concatenate([stream.entries for stream in recording.streams.values()])  # type: ignore[attr-defined]
    in_file = entries[np.argsort(entries["offset"])]["timestamp_ns"].astype(np.int64)
    assert (np.diff(in_file) >= 0).all()


def test_a_late_frame_keeps_its_place_in_its_own_stream(drive: Path) -> None:
    plan = plan_conversion(drive)
    stamps_ns = plan.streams[0].timestamps_ns.copy()
    stamps_ns[[1, 2]] = stamps_ns[[2, 1]]
    late = replace(plan.streams[0], timestamps_ns=stamps_ns)
    owners, indices = arrival_order((late, plan.streams[1]))
    assert indices[owners == 0].tolist() == [0, 1, 2, 3, 4]
    assert indices[owners == 1].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("after", [0, 1, 7])
def test_a_cancelled_conversion_leaves_nothing_behind(drive: Path, tmp_path: Path, after: int) -> None:
    asked = iter(range(1000))
    before = names(tmp_path)
    with pytest.raises(CancelledError):
        convert(drive, tmp_path / "a.hfr", cancelled=lambda: next(asked) >= after)
    assert names(tmp_path) == before


def test_an_interrupt_in_the_very_last_step_leaves_nothing_behind(
    drive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finalize = HyperframeWriter.finalize

    def interrupted(writer: HyperframeWriter) -> Path:
        finalize(writer)
        raise KeyboardInterrupt

    monkeypatch.setattr(HyperframeWriter, "finalize", interrupted)
    before = names(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        convert(drive, tmp_path / "a.hfr")
    assert names(tmp_path) == before


def test_a_full_disk_is_one_line_and_leaves_nothing_behind(
    drive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = HyperframeWriter.append

    def full(writer: HyperframeWriter, *args: object) -> None:
        if writer.frame_count == 3:
            raise WriteError("It cannot be written (No space left on device).", path=writer.path)
        append(writer, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(HyperframeWriter, "append", full)
    before = names(tmp_path)
    with pytest.raises(WriteError, match="No space left"):
        convert(drive, tmp_path / "a.hfr")
    assert names(tmp_path) == before


def test_a_file_that_takes_the_name_meanwhile_is_kept(drive: Path, tmp_path: Path) -> None:
    target = tmp_path / "a.hfr"

    def progress(done: int, total: int) -> None:
        if done == total:
            target.write_bytes(b"somebody else's")

    with pytest.raises(WriteError, match="appeared"):
        convert(drive, target, progress=progress)
    assert target.read_bytes() == b"somebody else's"
    assert names(tmp_path) == sorted([drive.name, "a.hfr"])


def test_an_existing_target_is_never_touched(drive: Path, tmp_path: Path) -> None:
    target = write(tmp_path / "a.hfr", b"mine")
    with pytest.raises(WriteError, match="exists"):
        convert(drive, target)
    assert target.read_bytes() == b"mine"
    with pytest.raises(WriteError, match="cannot be written"):
        convert(drive, tmp_path / "none" / "a.hfr")


def test_where_nothing_can_be_read_the_error_says_what_was_wrong_first(drive: Path, tmp_path: Path) -> None:
    for file in drive.glob("*/data/*"):
        file.write_bytes(b"x")
    (drive / "velodyne_points/timestamps_start.txt").unlink()
    before = names(tmp_path)
    with pytest.raises(ConversionError, match=r"image_02.*neither a JPEG nor a PNG.*0000000000\.png"):
        convert(drive, tmp_path / "a.hfr")
    assert names(tmp_path) == before


def test_a_number_that_cannot_be_stored_costs_that_frame_only(drive: Path, tmp_path: Path) -> None:
    plan = plan_conversion(drive)
    sequence = plan.streams[0].sequence.copy()
    sequence[-1] = 2**32
    streams = (replace(plan.streams[0], sequence=sequence), *plan.streams[1:])
    report = carry_out(replace(plan, streams=streams), tmp_path / "a.hfr")
    assert [problem.message for problem in report.problems] == ["Its time or number is out of range"]
    assert report.frame_counts["image_02"] == 4


@pytest.mark.parametrize("compression", ["none", "lz4", "zstd"])
def test_compression_is_for_numbers_and_gives_them_back_bit_for_bit(tmp_path: Path, compression: str) -> None:
    drive = make_kitti(tmp_path / "drive")
    flat = np.tile(np.array([1.5, np.nan, -0.0, 0.25], np.float32), (500, 1))
    write(drive / "velodyne_points/data/0000000000.bin", flat.tobytes())
    convert(drive, tmp_path / "a.hfr", compression=compression)
    with open_recording(tmp_path / "a.hfr") as recording:
        clouds = recording.streams["velodyne_points"]
        assert clouds.description.compression == compression
        assert clouds.payload(0) == flat.T.tobytes()
        assert (clouds.description.stored_bytes < flat.nbytes) == (compression != "none")
        pictures = recording.streams["image_02"]
        assert pictures.description.compression == "none"
        assert pictures.payload(3) == png(3)


def test_the_window_is_the_asked_one_or_follows_the_rule(drive: Path, tmp_path: Path) -> None:
    assert convert(drive, tmp_path / "a.hfr").window_ns == 125_000_000
    assert convert(drive, tmp_path / "b.hfr", window_ns=33_333_333).window_ns == 33_333_333
    with open_recording(tmp_path / "b.hfr") as recording:
        assert recording.description.window_ns == 33_333_333
    with pytest.raises(UsageError):
        convert(drive, tmp_path / "c.hfr", window_ns=0)


def test_progress_counts_every_frame_up_to_all_of_them(drive: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    convert(drive, tmp_path / "a.hfr", progress=lambda done, total: seen.append((done, total)))
    assert seen == [(done, 20) for done in range(21)]


def test_the_metadata_says_how_it_was_converted(drive: Path, tmp_path: Path) -> None:
    convert(drive, tmp_path / "a.hfr")
    with open_recording(tmp_path / "a.hfr") as recording:
        metadata = recording.description.metadata
        assert recording.description.title == "城市驾驶_sync"
    assert metadata["conversion"]["layout"] == "kitti"
    assert any("UTC" in note for note in metadata["conversion"]["notes"])
    assert "KITTI" in metadata["recording"]["source"]


def test_a_conversion_runs_on_any_thread(drive: Path, tmp_path: Path) -> None:
    worker = threading.Thread(target=convert, args=(drive, tmp_path / "a.hfr"))
    worker.start()
    worker.join(30)
    assert (tmp_path / "a.hfr").exists()
