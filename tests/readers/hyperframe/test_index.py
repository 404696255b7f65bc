from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hfviewer.readers.hyperframe import index as index_module
from hfviewer.readers.hyperframe.index import (
    join_entries,
    load_index,
    needs_swap,
    outside_file,
    replace_streams,
    sort_entries,
)
from hfviewer.readers.hyperframe.layout import ENTRY, ENTRY_SIZE, Header, swap_entries
from hfviewer.readers.hyperframe.storage import Storage

Key = tuple[int, int, int]
keys = st.tuples(st.integers(0, 4), st.integers(-3, 8), st.integers(0, 5))


def entries_of(rows: list[Key]) -> NDArray[np.void]:
    entries = np.zeros(len(rows), ENTRY)
    for i, (stream_id, stamp, sequence) in enumerate(rows):
        entries[i] = (stream_id, 0, sequence, stamp, 512, 8, i)
    return entries


def _keys(entries: NDArray[np.void]) -> list[Key]:
    return list(
        zip(
            entries["stream_id"].tolist(),
            entries["timestamp_ns"].tolist(),
            entries["sequence"].tolist(),
            strict=True,
        )
    )


@given(rows=st.lists(keys, max_size=60), chunk=st.integers(1, 9), presorted=st.booleans())
def test_an_index_comes_out_sorted_stable_and_cut_into_streams_wherever_chunks_end(
    rows: list[Key], chunk: int, presorted: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rows = sorted(rows) if presorted else rows
    before = index_module._CHUNK_ENTRIES
    index_module._CHUNK_ENTRIES = chunk
    path = tmp_path_factory.mktemp("index") / "index"
    try:
        entries = entries_of(rows)
        path.write_bytes(bytes(512) + entries.tobytes() + bytes(8))
        header = Header(frame_count=len(rows), index_offset=512, index_size=ENTRY_SIZE * len(rows))
        storage = Storage(path)
        index = load_index(storage, header, storage.size())
        storage.close()
    finally:
        index_module._CHUNK_ENTRIES = before
    assert index.was_sorted == (rows == sorted(rows))
    expected = sorted(range(len(rows)), key=lambda i: rows[i])
    assert index.entries["crc32"].tolist() == expected
    assert list(index.tables) == sorted({row[0] for row in rows})
    for stream_id, table in index.tables.items():
        assert _keys(table.entries) == sorted(row for row in rows if row[0] == stream_id)
        assert table.timestamps_ns.tolist() == table.entries["timestamp_ns"].tolist()
        assert table.timestamps_ns.flags.c_contiguous
        assert not table.timestamps_ns.flags.writeable


@given(
    rows=st.lists(keys, max_size=40),
    dropped=st.sets(st.integers(0, 4)),
    new=st.lists(st.tuples(st.integers(0, 9), st.integers(-3, 8), st.integers(0, 5)), max_size=20),
)
def test_replacing_streams_is_dropping_adding_and_sorting(
    rows: list[Key], dropped: set[int], new: list[Key]
) -> None:
    new = [row for row in new if row[0] in dropped or row[0] > 4]
    entries, _ = sort_entries(entries_of(rows))
    result = replace_streams(entries, dropped, entries_of(new))
    assert _keys(result) == sorted([row for row in rows if row[0] not in dropped] + new)


@given(
    places=st.lists(
        st.tuples(
            st.one_of(st.integers(0, 2000), st.integers(2**64 - 2000, 2**64 - 1), st.integers(0, 2**64 - 1)),
            st.one_of(st.integers(0, 2000), st.integers(0, 2**32 - 1)),
        )
    ),
    size=st.integers(0, 2000),
)
def test_outside_the_file_is_what_plain_arithmetic_says(places: list[tuple[int, int]], size: int) -> None:
    entries = np.zeros(len(places), ENTRY)
    for i, (offset, length) in enumerate(places):
        entries[i]["offset"], entries[i]["size"] = offset, length
    expected = [offset + length > size or (offset < 512 and length > 0) for offset, length in places]
    assert outside_file(entries, size).tolist() == expected


def test_only_what_makes_sense_swapped_is_swapped() -> None:
    entries = entries_of([(1, 5, 0), (2, 6, 1)])
    big = Header(big_endian=True)
    assert not needs_swap(entries, big, 1000)
    assert needs_swap(swap_entries(entries), big, 1000)
    assert not needs_swap(swap_entries(entries), Header(), 1000)


def test_joining_no_pieces_is_an_empty_index() -> None:
    assert join_entries([]).dtype == ENTRY
    assert len(join_entries([])) == 0
