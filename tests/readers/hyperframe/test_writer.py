from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hfviewer
from hfviewer.core.errors import UnfinishedRecordingError, UsageError, WriteError
from hfviewer.core.geometry import Calibration, CameraModel, Transform
from hfviewer.readers.hyperframe.files import publish
from hfviewer.readers.hyperframe.journal import journal_path, read_journal
from hfviewer.readers.hyperframe.layout import HEADER_SIZE, parse_header
from hfviewer.readers.hyperframe.recover import recover
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from hfviewer.readers.registry import open_recording
from tests.readers.hyperframe.recordings import CLOUD, IMU, START_NS, cloud, content_of, write_small


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_finalize_leaves_the_file_and_nothing_else(tmp_path: Path) -> None:
    write_small(tmp_path / "a.hfr")
    assert _names(tmp_path) == ["a.hfr"]


def test_before_finalize_there_is_no_file_of_that_name(tmp_path: Path) -> None:
    writer = HyperframeWriter(tmp_path / "a.hfr")
    writer.add_stream(IMU)
    writer.append("imu", 1, bytes(8))
    assert _names(tmp_path) == ["a.hfr.tmp", "a.hfr.tmp.journal"]
    with pytest.raises(UnfinishedRecordingError, match="hfviewer recover"):
        open_recording(writer.temporary)
    writer.finalize()
    assert _names(tmp_path) == ["a.hfr"]


def test_an_existing_target_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.hfr"
    path.write_bytes(b"precious")
    with pytest.raises(WriteError, match="exists"):
        HyperframeWriter(path)
    assert path.read_bytes() == b"precious"
    assert _names(tmp_path) == ["a.hfr"]


def test_a_target_that_appears_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.hfr"
    writer = HyperframeWriter(path)
    writer.add_stream(IMU)
    path.write_bytes(b"precious")
    with pytest.raises(WriteError, match="exists already"):
        writer.finalize()
    assert path.read_bytes() == b"precious"
    with open_recording(writer.temporary) as recording:
        assert list(recording.streams) == ["imu"]


@pytest.mark.parametrize("links_work", [True, False])
def test_publishing_never_overwrites(
    links_work: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not links_work:

        def refuse(*_: object) -> None:
            raise OSError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(os, "link", refuse)
    for name in ("new", "other"):
        (tmp_path / name).write_text(name)
    publish(tmp_path / "new", tmp_path / "target")
    with pytest.raises(WriteError):
        publish(tmp_path / "other", tmp_path / "target")
    assert (tmp_path / "target").read_text() == "new"
    assert _names(tmp_path) == ["other", "target"]


def test_somebody_elses_unfinished_file_is_not_touched(tmp_path: Path) -> None:
    first = HyperframeWriter(tmp_path / "a.hfr")
    with pytest.raises(WriteError, match="unfinished"):
        HyperframeWriter(tmp_path / "a.hfr")
    first.add_stream(IMU)
    first.finalize()
    journal = journal_path(first.temporary)
    journal.write_bytes(b"left")
    (tmp_path / "a.hfr").unlink()
    with pytest.raises(WriteError, match="unfinished"):
        HyperframeWriter(tmp_path / "a.hfr")
    assert _names(tmp_path) == ["a.hfr.tmp.journal"]
    assert journal.read_bytes() == b"left"


def test_an_exception_leaves_the_unfinished_file_and_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "a.hfr"

    def record() -> None:
        with HyperframeWriter(path) as writer:
            writer.add_stream(IMU)
            writer.append("imu", 5, bytes(8))
            raise RuntimeError("sensor on fire")

    with pytest.raises(RuntimeError, match="fire"):
        record()
    assert _names(tmp_path) == ["a.hfr.tmp", "a.hfr.tmp.journal"]
    report = recover(tmp_path / "a.hfr.tmp", path)
    assert report.method == "journal"
    assert content_of(path) == {"imu": [(5, 0, bytes(8))]}


def test_discard_leaves_nothing(tmp_path: Path) -> None:
    writer = HyperframeWriter(tmp_path / "a.hfr")
    writer.add_stream(IMU)
    writer.discard()
    assert _names(tmp_path) == []


_RECORD_UNTIL_KILLED = """
import sys
from tests.readers.hyperframe.recordings import IMU, CLOUD, cloud, START_NS
from hfviewer.readers.hyperframe.writer import HyperframeWriter
import numpy as np
writer = HyperframeWriter(sys.argv[1], window_ns=50_000_000)
writer.add_stream(IMU)
for i in range(10**9):
    if i == 20:
        writer.add_stream(CLOUD)
    writer.append("imu", START_NS + i, np.array([i, -i], "<f4").tobytes())
    if i >= 20:
        writer.append("lidar", START_NS + i, cloud(i))
    print(i, flush=True)
"""


@pytest.mark.parametrize("count", [1, 25, 400])
def test_after_a_kill_recover_gets_every_frame_that_was_appended(count: int, tmp_path: Path) -> None:
    path = tmp_path / "a.hfr"
    arguments = [sys.executable, "-c", _RECORD_UNTIL_KILLED, str(path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        appended = -1
        while appended < count:
            appended = int(child.stdout.readline())
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read().split()
        appended = int(rest[-1]) if rest else appended
    damaged = (tmp_path / "a.hfr.tmp").read_bytes()
    report = recover(tmp_path / "a.hfr.tmp", path)
    assert report.is_complete
    assert report.method == "journal"
    frames = content_of(path)
    assert len(frames["imu"]) >= appended + 1
    for i, (stamp, sequence, payload) in enumerate(frames["imu"]):
        assert (stamp, sequence, payload) == (START_NS + i, i, np.array([i, -i], "<f4").tobytes())
    assert len(frames.get("lidar", [])) >= max(0, appended - 20)
    for i, (stamp, _, payload) in enumerate(frames.get("lidar", []), 20):
        assert (stamp, payload) == (START_NS + i, cloud(i))
    with open_recording(path) as recording:
        assert recording.description.window_ns == 50_000_000
        assert "window_ns" not in recording.description.metadata
    assert (tmp_path / "a.hfr.tmp").read_bytes() == damaged


@pytest.mark.parametrize("call", range(1, 9))
def test_a_disk_that_fills_loses_only_the_frame_that_did_not_fit(
    call: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = HyperframeWriter(tmp_path / "a.hfr")
    writer.add_stream(IMU)
    real_write = os.write
    calls = 0

    def full(fd: int, data: memoryview) -> int:
        nonlocal calls
        calls += 1
        if calls == call:
            return real_write(fd, bytes(data[: max(1, len(data) // 2)]))
        if calls == call + 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real_write(fd, data)

    monkeypatch.setattr(os, "write", full)
    kept: list[int] = []
    for i in range(6):
        try:
            writer.append("imu", i, bytes([i]) * 8)
            kept.append(i)
        except WriteError:
            pass
    monkeypatch.undo()
    assert len(kept) == 5
    assert read_journal(journal_path(writer.temporary)).entries["timestamp_ns"].tolist() == kept
    writer.finalize()
    assert [stamp for stamp, _, _ in content_of(tmp_path / "a.hfr")["imu"]] == kept


def test_sequences_count_on_from_the_last_one(tmp_path: Path) -> None:
    path = tmp_path / "a.hfr"
    with HyperframeWriter(path) as writer:
        writer.add_stream(IMU)
        for stamp, sequence in ((1, None), (2, 100), (3, None), (4, 2**32 - 1), (5, None)):
            writer.append("imu", stamp, b"", sequence)
    assert [sequence for _, sequence, _ in content_of(path)["imu"]] == [0, 100, 101, 2**32 - 1, 0]


def test_wrong_arguments_are_usage_errors_and_cost_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.hfr"
    with pytest.raises(UsageError):
        HyperframeWriter(path, window_ns=0)
    with HyperframeWriter(path) as writer:
        writer.add_stream(IMU)
        for description in (
            IMU,
            replace(IMU, name=""),
            replace(IMU, name="b", encoding="jpeg"),
            replace(IMU, name="b", channels=()),
            replace(CLOUD, fields=("a", "b")),
            replace(CLOUD, compression="rot13"),
        ):
            with pytest.raises(UsageError):
                writer.add_stream(description)
        for stream, stamp, sequence in (
            ("radar", 1, None),
            (7, 1, None),
            ("imu", -1, None),
            ("imu", 2**63, None),
            ("imu", 1, -1),
            ("imu", 1, 2**32),
        ):
            with pytest.raises(UsageError):
                writer.append(stream, stamp, bytes(8), sequence)
        writer.append("imu", 2**63 - 1, bytes(8))
    with pytest.raises(UsageError, match="finished"):
        writer.append("imu", 1, bytes(8))
    assert content_of(path) == {"imu": [(2**63 - 1, 0, bytes(8))]}


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(WriteError) as caught:
        HyperframeWriter(tmp_path / "none" / "a.hfr")
    assert "\n" not in caught.value.line()


def test_calibration_title_and_foreign_keys_come_back(tmp_path: Path) -> None:
    path = tmp_path / "a.hfr"
    camera = CameraModel(
        width=640, height=480, k=np.array([[500.0, 0, 320], [0, 500, 240], [0, 0, 1]]), distortion=(0.1, 0.0)
    )
    transform = Transform("base", "lidar", np.eye(4))
    with HyperframeWriter(
        path,
        title="Grüße",
        source="bag",
        calibration=Calibration({"camera/front": camera}, (transform,)),
        metadata={"recording": {"utc_offset_minutes": 480}, "vendor": [1]},
    ) as writer:
        writer.add_stream(replace(IMU, extra={"serial": 7}, note="left"))
    with open_recording(path) as recording:
        description = recording.description
        assert description.title == "Grüße"
        assert description.metadata["recording"] == {
            "utc_offset_minutes": 480,
            "title": "Grüße",
            "source": "bag",
        }
        assert description.metadata["vendor"] == [1]
        np.testing.assert_array_equal(description.calibration.cameras["camera/front"].k, camera.k)
        np.testing.assert_array_equal(description.calibration.transforms[0].matrix, np.eye(4))
        stream = recording.streams["imu"].description
        assert (dict(stream.extra), stream.note, stream.channels) == ({"serial": 7}, "left", IMU.channels)
        assert not description.findings


def test_start_is_the_first_timestamp_and_the_file_begins_as_the_page_says(tmp_path: Path) -> None:
    path = tmp_path / "a.hfr"
    with HyperframeWriter(path, window_ns=7) as writer:
        writer.add_stream(IMU)
        for stamp in (50, 40, 60):
            writer.append("imu", stamp, bytes(8))
    data = path.read_bytes()
    header = parse_header(data[:HEADER_SIZE])
    assert (header.start_ns, header.window_ns, header.frame_count, header.stream_count) == (40, 7, 3, 1)
    assert header.revision == 1
    assert header.index_offset % 64 == header.footer_offset % 64 == 0
    assert data[header.footer_offset :] == data[:HEADER_SIZE]


def test_the_public_name_is_the_writer() -> None:
    assert hfviewer.HyperframeWriter is HyperframeWriter
