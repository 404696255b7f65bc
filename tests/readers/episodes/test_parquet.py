from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hfviewer.core.errors import DamagedRecordingError
from hfviewer.readers.episodes.parquet import ParquetTable, rows_of


def table_of(path: Path, columns: list[tuple[str, pa.Array]]) -> ParquetTable:
    names = [name for name, _ in columns]
    pq.write_table(pa.table([values for _, values in columns], names=names), path)
    return ParquetTable(path)


def test_what_a_column_claims_is_its_own_also_where_names_begin_alike(tmp_path: Path) -> None:
    count = 1000
    lists = pa.array([[1.0, 2.0]] * count, pa.list_(pa.float64()))
    table = table_of(
        tmp_path / "a.parquet",
        [
            ("observation.imu", lists),
            ("observation.imu_2", pa.array(np.zeros(count))),
            ("timestamp", pa.array(np.zeros(count, np.float32))),
        ],
    )
    assert table.claimed_values("observation.imu") == 2 * count
    assert table.claimed_values("observation.imu_2") == count
    assert table.claimed_bytes("observation.imu") >= 16 * count
    assert table.claimed_bytes("timestamp") >= 4 * count
    assert table.claimed_values("observation") == 0
    table.close()


def test_row_groups_add_up(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": np.arange(10)}), tmp_path / "a.parquet", row_group_size=3)
    table = ParquetTable(tmp_path / "a.parquet")
    assert table.group_rows() == [3, 3, 3, 1]
    assert table.claimed_values("a") == 10
    table.close()


def test_of_two_columns_of_one_name_none_is_taken(tmp_path: Path) -> None:
    one = pa.array([1, 2])
    table = table_of(tmp_path / "a.parquet", [("a", one), ("b", one), ("a", one)])
    assert table.column_names == ["b"]
    table.close()


def test_rows_of_different_length_are_damage() -> None:
    assert rows_of(pa.array([[1.0, 2.0], None, [3.0, 4.0]])).tolist() == [[1, 2], [0, 0], [3, 4]]
    with pytest.raises(DamagedRecordingError, match="1 and 2 values"):
        rows_of(pa.array([[1.0, 2.0], [3.0]]))
