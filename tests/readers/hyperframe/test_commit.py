from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hfviewer.core.errors import (
    ChangedOnDiskError,
    DamagedRecordingError,
    LockedError,
    NotARecordingError,
    UsageError,
    WriteError,
)
from hfviewer.core.stream import StreamKind
from hfviewer.readers.hyperframe.commit import (
    ChangeMode,
    StreamChange,
    commit_changes,
    correct_description,
)
from hfviewer.readers.hyperframe.history import history
from hfviewer.readers.hyperframe.layout import crc32, pack_header, parse_header
from hfviewer.readers.hyperframe.payload import NewFrame
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.verify import verify
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from tests.readers.hyperframe.recordings import (
    ANNOTATIONS,
    IMU,
    START_NS,
    STATUS,
    annotation,
    content_of,
    status,
    write_small,
    write_with_revisions,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "recording.hfr"
    write_small(path)
    return path


def _add(path: Path, expected: int | None = None, count: int = 1) -> int:
    frames = [annotation(i) for i in range(count)]
    with HyperframeReader().open(path) as recording:
        mode = ChangeMode.REPLACE if ANNOTATIONS.name in recording.streams else ChangeMode.ADD
    change = StreamChange(description=ANNOTATIONS, frames=frames, mode=mode)
    return commit_changes(path, expected_revision=expected, streams=[change])


def test_a_commit_touches_no_byte_of_the_old_file_but_the_header(path: Path) -> None:
    before = path.read_bytes()
    _add(path, 1)
    after = path.read_bytes()
    assert after[512 : len(before)] == before[512:]
    assert len(after) > len(before)


def test_every_revision_stays_readable_with_its_own_metadata(tmp_path: Path) -> None:
    path = tmp_path / "recording.hfr"
    write_with_revisions(path)
    with HyperframeReader().open(path, revision=1) as recording:
        assert ANNOTATIONS.name not in recording.streams
        assert "annotations" not in recording.metadata
    with HyperframeReader().open(path, revision=2) as recording:
        assert len(recording.streams[ANNOTATIONS.name]) == 1
    with HyperframeReader().open(path) as recording:
        assert recording.description.revision == 3
        assert len(recording.streams[ANNOTATIONS.name]) == 2
        assert recording.description.annotation_tracks == 1
    assert verify(path).ok


def test_a_replaced_stream_keeps_its_stream_id_and_the_others_their_frames(path: Path) -> None:
    before = content_of(path)
    changed = [NewFrame(timestamp_ns=START_NS + 5, payload=status(9), sequence=4)]
    commit_changes(
        path,
        expected_revision=1,
        streams=[StreamChange(description=STATUS, frames=changed, mode=ChangeMode.REPLACE)],
    )
    with HyperframeReader().open(path) as recording:
        assert list(recording.metadata["streams"]) == ["0", "1", "2"]
        assert recording.metadata["streams"]["2"]["entries"] == [6, 1]
        assert recording.index.tables[2].entries["sequence"].tolist() == [4]
    after = content_of(path)
    assert after.pop("status") == [(START_NS + 5, 4, status(9))]
    before.pop("status")
    assert after == before


def test_a_removed_stream_is_gone_from_index_and_metadata(path: Path) -> None:
    _add(path, 1)
    change = StreamChange(description=ANNOTATIONS, mode=ChangeMode.REMOVE)
    commit_changes(path, expected_revision=2, streams=[change])
    with HyperframeReader().open(path) as recording:
        assert list(recording.streams) == ["imu", "lidar", "status"]
        assert recording.header.stream_count == 3
        assert list(recording.index.tables) == [0, 1, 2]


def test_unknown_metadata_keys_are_kept_on_every_level(tmp_path: Path) -> None:
    path = tmp_path / "recording.hfr"
    extra = replace(IMU, extra={"vendor": {"serial": 10**30, "list": [1, {"deep": None}]}})
    with HyperframeWriter(path, metadata={"site": {"name": "yard"}, "huge": 10**40}) as writer:
        writer.add_stream(extra)
    with HyperframeReader().open(path) as recording:
        before = recording.metadata
    commit_changes(path, expected_revision=1, streams=[], metadata={"annotations": {"tracks": []}})
    with HyperframeReader().open(path) as recording:
        after = recording.metadata
    assert after.pop("annotations") == {"tracks": []}
    assert after == before
    assert after["streams"]["0"]["vendor"]["serial"] == 10**30


def test_a_stream_that_this_version_does_not_understand_is_kept_as_it_is(path: Path) -> None:
    with HyperframeWriter(path.with_name("new.hfr")) as writer:
        writer.add_stream(IMU)
        writer.append("imu", 1, bytes(8))
    data = path.with_name("new.hfr").read_bytes()
    # Same length, so that only the metadata's checksum and its copies must follow.
    changed = data.replace(b'"kind":"imu"', b'"kind":"zap"')
    header = parse_header(data[:512])
    text = changed[header.meta_offset : header.meta_offset + header.meta_size]
    block = pack_header(replace(header, meta_crc32=crc32(text)))
    foreign = path.with_name("foreign.hfr")
    foreign.write_bytes(block + changed[512 : header.footer_offset] + block)
    assert verify(foreign).ok
    _add(foreign, 1)
    with HyperframeReader().open(foreign) as recording:
        assert recording.metadata["streams"]["0"]["kind"] == "zap"
        assert recording.metadata["streams"]["0"]["entries"] == [0, 1]


def test_a_commit_against_another_revision_is_refused_and_changes_nothing(path: Path) -> None:
    _add(path, 1)
    before = path.read_bytes()
    with pytest.raises(ChangedOnDiskError, match="revision 1 was opened, revision 2"):
        _add(path, 1)
    assert path.read_bytes() == before


def test_a_commit_while_somebody_else_holds_the_lock_is_refused(path: Path) -> None:
    fd = os.open(path, os.O_RDWR)
    fcntl.flock(fd, fcntl.LOCK_EX)
    with pytest.raises(LockedError):
        _add(path, 1)
    os.close(fd)
    assert _add(path, 1) == 2


def test_a_read_only_file_says_so_in_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.chmod(stat.S_IRUSR)
    if os.access(path, os.W_OK):  # root may write anything
        real_open = os.open

        def refuse(name: str | Path, flags: int, *rest: int) -> int:
            if flags & os.O_RDWR:
                raise PermissionError(errno.EACCES, "Permission denied", str(name))
            return real_open(name, flags, *rest)

        monkeypatch.setattr(os, "open", refuse)
    change = StreamChange(description=ANNOTATIONS, frames=[annotation(1)])
    with pytest.raises(WriteError, match="read-only"):
        commit_changes(path, expected_revision=1, streams=[change])


def test_a_file_that_is_gone_is_no_crash(tmp_path: Path) -> None:
    with pytest.raises(NotARecordingError):
        commit_changes(tmp_path / "gone.hfr", expected_revision=None, streams=[])


@pytest.mark.parametrize("call", range(1, 7))
def test_a_disk_that_fills_at_any_write_leaves_the_old_revision(
    call: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()
    real_write = os.write
    calls = 0

    def full(fd: int, data: memoryview) -> int:
        nonlocal calls
        calls += 1
        if calls == call:
            return real_write(fd, bytes(data[: len(data) // 2]))
        if calls > call:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real_write(fd, data)

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(WriteError, match="No space left") as caught:
        _add(path, 1, count=4)
    monkeypatch.undo()
    assert "Free some space" in caught.value.line()
    assert path.read_bytes() == before
    assert _add(path, 1) == 2
    assert verify(path).ok


def test_a_disk_that_cannot_sync_leaves_the_old_revision(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def broken(fd: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(WriteError):
        _add(path, 1)
    assert path.read_bytes() == before


def test_what_an_interrupted_commit_left_is_cut_off_by_the_next_one(path: Path) -> None:
    whole = path.read_bytes()
    _add(path, 1, count=30)
    interrupted = whole[:512] + path.read_bytes()[512:]
    path.write_bytes(interrupted)
    assert content_of(path) == content_of(path, revision=1)
    _add(path, 1)
    assert len(path.read_bytes()) < len(interrupted)
    assert verify(path).ok
    assert [r.frame_count for r in history(path)] == [9, 8]


def test_a_torn_header_is_repaired_before_the_commit(path: Path) -> None:
    _add(path, 1)
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"torn")
    with HyperframeReader().open(path) as recording:
        assert recording.state.header_is_torn
        assert recording.description.revision == 2
        assert any("2" in finding.message for finding in recording.description.findings)
    assert _add(path, 2, count=3) == 3
    with HyperframeReader().open(path) as recording:
        assert not recording.state.header_is_torn
        assert len(recording.streams[ANNOTATIONS.name]) == 3
    assert verify(path).ok
    assert [r.revision for r in history(path)] == [3, 2, 1]


def test_a_commit_that_fails_has_repaired_a_torn_header_all_the_same(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()
    with path.open("r+b") as file:
        file.write(bytes(90))

    def full(fd: int, data: memoryview) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(WriteError):
        _add(path, 1)
    monkeypatch.undo()
    assert path.read_bytes() == before


def test_everything_is_on_the_disk_before_the_header_is_written_and_that_before_it_returns(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    real: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in ("write", "pwrite", "fsync")}

    def spy(name: str, *arguments: Any) -> Any:
        calls.append(name)
        return real[name](*arguments)

    for name in real:
        monkeypatch.setattr(os, name, partial(spy, name))
    _add(path, 1)
    assert calls.count("pwrite") == 1
    at = calls.index("pwrite")
    assert calls[at - 1] == "fsync"
    assert calls[at:] == ["pwrite", "fsync"]


def test_a_damaged_footer_is_mended_by_the_next_commit_so_that_history_goes_on(path: Path) -> None:
    footer_offset = parse_header(path.read_bytes()[:512]).footer_offset
    with path.open("r+b") as file:
        file.truncate(footer_offset + 100)
    _add(path, 1)
    assert [r.revision for r in history(path)] == [2, 1]
    assert verify(path).ok


@pytest.mark.parametrize("part", ["index_offset", "meta_offset"])
def test_a_commit_never_blesses_a_damaged_index_or_metadata(part: str, path: Path) -> None:
    at = getattr(parse_header(path.read_bytes()[:512]), part) + 9
    with path.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 1]))
    before = path.read_bytes()
    with pytest.raises(DamagedRecordingError, match="hfviewer recover"):
        _add(path, 1)
    assert path.read_bytes() == before


def test_a_commit_to_a_file_that_is_cut_off_is_refused_and_cuts_nothing_more(path: Path) -> None:
    _add(path, 1, count=20)
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 1200)
    before = path.read_bytes()
    with HyperframeReader().open(path) as recording:
        assert recording.description.revision == 1
        assert recording.state.is_cut
    with pytest.raises(DamagedRecordingError, match="cut off"):
        _add(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (StreamChange(description=IMU), "already"),
        (StreamChange(description=ANNOTATIONS, mode=ChangeMode.REPLACE), "no stream"),
        (StreamChange(description=ANNOTATIONS, mode=ChangeMode.REMOVE), "no stream"),
        (StreamChange(description=replace(ANNOTATIONS, kind=StreamKind.IMAGE)), "encoded as"),
        (StreamChange(description=ANNOTATIONS, frames=[NewFrame(timestamp_ns=-1, payload=b"")]), "cannot be"),
        (
            StreamChange(
                description=ANNOTATIONS, frames=[NewFrame(timestamp_ns=1, payload=b"", sequence=2**32)]
            ),
            "cannot be",
        ),
    ],
)
def test_an_impossible_change_is_refused_and_changes_nothing(
    change: StreamChange, problem: str, path: Path
) -> None:
    before = path.read_bytes()
    with pytest.raises(UsageError, match=problem):
        commit_changes(path, expected_revision=1, streams=[change])
    assert path.read_bytes() == before


def test_one_commit_does_not_change_a_stream_twice(path: Path) -> None:
    change = StreamChange(description=ANNOTATIONS)
    with pytest.raises(UsageError, match="twice"):
        commit_changes(path, expected_revision=1, streams=[change, change])


def test_an_open_recording_goes_on_showing_the_revision_that_it_opened(path: Path) -> None:
    with HyperframeReader().open(path) as recording:
        _add(path, 1)
        assert len(recording.streams) == 3
        assert recording.streams["lidar"].payload(1)


def test_a_correction_to_a_name_that_is_taken_is_refused(path: Path) -> None:
    with pytest.raises(UsageError, match="already"):
        correct_description(path, "imu", replace(IMU, name="lidar"))
    with pytest.raises(UsageError, match="no stream"):
        correct_description(path, "radar", IMU)


def test_a_correction_changes_the_description_and_no_frame(path: Path) -> None:
    before = content_of(path)
    correct_description(path, "imu", replace(IMU, name="imu/left"), expected_revision=1)
    after = content_of(path)
    assert after["imu/left"] == before["imu"]
    assert after["lidar"] == before["lidar"]
