from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hfviewer.core.errors import DamagedRecordingError, WriteError
from hfviewer.readers.episodes.annotation_file import COLUMNS, read_rows, write_rows

DOCUMENT = {"tracks": [{"name": "动作"}], "labels": [{"name": "grasp", "hotkey": "1"}]}


def row(number: int, **changed: Any) -> dict[str, Any]:
    whole: dict[str, Any] = {
        "id": f"a{number}",
        "track": "动作",
        "label": "grasp",
        "start_ns": 1_790_000_000_123_456_789 + number,
        "end_ns": 1_790_000_001_123_456_789 + number,
        "stream": "d435_rgb",
        "first_frame": number,
        "last_frame": number + 30,
        "attributes": '{"hand": "left"}',
        "note": "第一次",
        "author": "me",
        "created_ns": 1,
        "modified_ns": 2,
        "status": "draft",
    }
    return whole | changed


def test_what_was_written_is_read_to_the_nanosecond(tmp_path: Path) -> None:
    path = tmp_path / "annotations" / "chunk-000" / "episode-000.parquet"
    rows = [row(0), row(1, stream=None, first_frame=None, last_frame=None)]
    write_rows(path, DOCUMENT, rows)
    assert read_rows(path) == (DOCUMENT, rows)
    write_rows(path, DOCUMENT, rows[:1])
    assert read_rows(path)[1] == rows[:1]
    assert os.listdir(path.parent) == [path.name]


def test_no_file_is_no_annotations_and_none_is_a_file(tmp_path: Path) -> None:
    assert read_rows(tmp_path / "none.parquet") == ({}, [])
    write_rows(tmp_path / "empty.parquet", DOCUMENT, [])
    assert read_rows(tmp_path / "empty.parquet") == (DOCUMENT, [])


def test_any_other_reader_sees_plain_columns(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.parquet", DOCUMENT, [row(0)])
    table = pq.read_table(tmp_path / "a.parquet")
    assert table.schema.remove_metadata() == COLUMNS
    assert table["label"].to_pylist() == ["grasp"]


def test_columns_of_a_later_version_are_kept_and_missing_ones_are_none(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": ["x"], "score": [0.5]}), tmp_path / "a.parquet")
    document, (only,) = read_rows(tmp_path / "a.parquet")
    assert document == {}
    assert only["score"] == 0.5
    assert only["start_ns"] is None


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"PAR1" + bytes(99)])
def test_a_damaged_file_is_told_in_one_line(tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "a.parquet"
    write_rows(path, DOCUMENT, [row(0)])
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DamagedRecordingError, match="damaged") as caught:
        read_rows(path)
    assert str(path) in caught.value.line()
    assert "\n" not in caught.value.line()


def test_a_table_of_something_else_is_not_taken_for_annotations(tmp_path: Path) -> None:
    pq.write_table(pa.table({"frame_index": [1]}), tmp_path / "a.parquet")
    with pytest.raises(DamagedRecordingError, match="no annotations"):
        read_rows(tmp_path / "a.parquet")


def test_what_does_not_fit_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write_rows(path, DOCUMENT, [row(0)])
    before = path.read_bytes()
    with pytest.raises(WriteError, match="cannot be stored"):
        write_rows(path, DOCUMENT, [row(0, start_ns="soon")])
    with pytest.raises(WriteError, match="cannot be written"):
        write_rows(path / "below" / "a.parquet", DOCUMENT, [])
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.parquet"]
