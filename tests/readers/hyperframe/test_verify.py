from __future__ import annotations

import json
from pathlib import Path

import pytest

from hfviewer.core.errors import CancelledError, DamagedRecordingError
from hfviewer.readers.hyperframe.history import history
from hfviewer.readers.hyperframe.layout import parse_header
from hfviewer.readers.hyperframe.verify import verify
from tests.readers.hyperframe.recordings import write_small, write_with_revisions
from tests.readers.hyperframe.test_reader import IMU_METADATA, SAMPLE, _entry, build


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "recording.hfr"
    write_with_revisions(path)
    return path


def _flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_a_sound_file_is_ok_and_every_payload_of_every_revision_was_read_once(path: Path) -> None:
    report = verify(path)
    # 8 recorded frames, one annotation of revision 2, two of revision 3.
    assert (report.ok, report.frames_checked, report.unchecked, report.revisions) == (True, 11, 0, 3)


def test_a_bad_payload_is_named_by_stream_index_and_offset(path: Path) -> None:
    _flip(path, 512)
    (bad,) = verify(path).bad
    assert (bad.stream, bad.index, bad.offset) == ("imu", 0, 512)
    assert "checksum" in bad.problem


def test_damage_to_an_earlier_revision_alone_is_found(path: Path) -> None:
    first = history(path)[-1]
    _flip(path, first.footer_offset + 200)
    report = verify(path)
    assert not report.ok
    assert report.revisions == 2


def test_a_footer_that_is_no_copy_of_the_header_is_found(path: Path) -> None:
    _flip(path, history(path)[0].footer_offset + 300)
    assert [bad.stream for bad in verify(path).bad] == [None]


def test_a_torn_header_is_found_though_the_footer_stands_in(path: Path) -> None:
    _flip(path, 30)
    bad = verify(path).bad
    assert [part.offset for part in bad] == [0]


def test_an_entry_outside_the_file_is_bad_and_the_rest_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "outside.hfr"
    build(path, [_entry(1), _entry(2, offset=10**7), _entry(3)], SAMPLE, json.dumps(IMU_METADATA).encode())
    report = verify(path)
    assert report.frames_checked == 3
    assert [(bad.stream, bad.index) for bad in report.bad] == [("imu", 1)]


def test_frames_without_a_checksum_are_counted_and_must_decode(tmp_path: Path) -> None:
    path = tmp_path / "unchecked.hfr"
    document = {"streams": {"0": {"name": "t", "kind": "text", "encoding": "json"}}}
    entries = [_entry(1, 512, 4, crc=0), _entry(2, 576, 4, crc=0), _entry(3, 640, 0, crc=0)]
    build(path, entries, b"null".ljust(64, b"\0") + b"nul!".ljust(64, b"\0"), json.dumps(document).encode())
    report = verify(path)
    assert report.unchecked == 2
    assert [(bad.index, "JSON" in bad.problem) for bad in report.bad] == [(1, True)]


def test_progress_reaches_the_total_and_cancelling_stops(path: Path) -> None:
    steps: list[tuple[int, int]] = []
    verify(path, progress=lambda done, total: steps.append((done, total)))
    assert steps[-1][0] == steps[-1][1] > 0
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    with pytest.raises(CancelledError):
        verify(path, cancelled=lambda: True)


def test_a_file_that_cannot_be_opened_names_the_repair(tmp_path: Path) -> None:
    path = tmp_path / "cut.hfr"
    write_small(path)
    data = path.read_bytes()
    path.write_bytes(data[: parse_header(data[:512]).index_offset])
    with pytest.raises(DamagedRecordingError, match="hfviewer recover"):
        verify(path)


def test_history_counts_frames_and_annotations_newest_first(path: Path) -> None:
    revisions = history(path)
    assert [(r.revision, r.frame_count, r.annotation_count) for r in revisions] == [
        (3, 10, 2),
        (2, 9, 1),
        (1, 8, 0),
    ]
    assert [r.footer_offset for r in revisions] == sorted((r.footer_offset for r in revisions), reverse=True)


def test_history_counts_annotations_though_the_metadata_lies_about_their_place(tmp_path: Path) -> None:
    path = tmp_path / "lie.hfr"
    stream = {"name": "a", "kind": "annotation", "encoding": "json"}
    for entries in ([0, 99], [5, -5], "x", [1, 1], [0, 2]):
        document = {"streams": {"1": {**stream, "entries": entries}}}
        build(path, [_entry(1), _entry(2, stream_id=1)], SAMPLE, json.dumps(document).encode())
        assert [r.annotation_count for r in history(path)] == [1]
