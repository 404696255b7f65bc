from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hfviewer.core.errors import DamagedRecordingError, UsageError
from hfviewer.readers.hyperframe import state as state_module
from hfviewer.readers.hyperframe.layout import HEADER_SIZE, Header
from hfviewer.readers.hyperframe.state import (
    newest_footer,
    read_footer,
    read_state,
    walk_revisions,
)
from hfviewer.readers.hyperframe.storage import Storage
from tests.readers.hyperframe.recordings import write_with_revisions


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "recording.hfr"
    write_with_revisions(path)
    return path


@pytest.fixture
def headers(path: Path) -> list[Header]:
    storage = Storage(path)
    found = list(walk_revisions(storage, read_state(storage).header))
    storage.close()
    return found


@pytest.fixture
def storage(path: Path, headers: list[Header]) -> Iterator[Storage]:
    storage = Storage(path, writable=True)
    yield storage
    storage.close()


def _overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def test_the_chain_leads_to_every_revision(headers: list[Header]) -> None:
    assert [header.revision for header in headers] == [3, 2, 1]
    offsets = [header.footer_offset for header in headers]
    assert offsets == sorted(offsets, reverse=True)


def test_a_torn_header_is_replaced_by_the_newest_footer(
    path: Path, headers: list[Header], storage: Storage
) -> None:
    _overwrite(path, 60, b"torn")
    state = read_state(storage)
    assert (state.header, state.header_is_torn, state.is_cut) == (headers[0], True, False)
    assert [finding.code for finding in state.findings] == ["truncated"]


def test_a_footer_whose_index_is_damaged_is_passed_over(
    path: Path, headers: list[Header], storage: Storage
) -> None:
    _overwrite(path, 60, b"torn")
    _overwrite(path, headers[0].index_offset + 3, b"\xff")
    assert read_state(storage).header == headers[1]


def test_a_footer_that_is_damaged_itself_is_passed_over(
    path: Path, headers: list[Header], storage: Storage
) -> None:
    _overwrite(path, 60, b"torn")
    for header in headers[:2]:
        _overwrite(path, header.footer_offset + 100, b"\xff")
    assert read_state(storage).header == headers[2]
    _overwrite(path, headers[2].footer_offset + 100, b"\xff")
    with pytest.raises(DamagedRecordingError, match="hfviewer recover"):
        read_state(storage)


def test_a_sound_header_over_a_file_that_is_cut_shows_an_earlier_revision(
    path: Path, headers: list[Header], storage: Storage
) -> None:
    with path.open("r+b") as file:
        file.truncate(headers[0].index_offset + 1)
    state = read_state(storage)
    assert (state.header, state.header_is_torn, state.is_cut) == (headers[1], False, True)


@pytest.mark.parametrize("chunk_bytes", [64, 512, 4 << 20])
def test_footers_are_found_wherever_chunks_end(
    chunk_bytes: int, headers: list[Header], storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_module, "_CHUNK_BYTES", chunk_bytes)
    assert newest_footer(storage, search_bytes=None) == headers[0]
    found = list(state_module.footer_offsets(storage, 0, storage.size()))
    assert found == [header.footer_offset for header in headers]


def test_only_so_much_of_the_end_is_searched(headers: list[Header], storage: Storage) -> None:
    behind = storage.size() - headers[1].footer_offset
    found = list(state_module.footer_offsets(storage, storage.size() - behind, storage.size()))
    assert found == [header.footer_offset for header in headers[:2]]


def test_a_footer_that_names_another_place_is_none(
    path: Path, headers: list[Header], storage: Storage
) -> None:
    copy = storage.read(headers[0].footer_offset, HEADER_SIZE)
    place = -(-storage.size() // 64) * 64 + 64
    _overwrite(path, place, bytes(copy))
    assert read_footer(storage, place) is None
    assert read_footer(storage, headers[0].footer_offset) == headers[0]


def test_a_revision_that_does_not_exist_is_a_usage_error(storage: Storage) -> None:
    for revision in (0, 4, -1):
        with pytest.raises(UsageError, match="hfviewer history"):
            read_state(storage, revision=revision)
    assert read_state(storage, revision=2).header.revision == 2


def test_a_chain_that_points_forward_or_at_nothing_ends(headers: list[Header], storage: Storage) -> None:
    newest = headers[0]
    for previous in (newest.footer_offset, newest.footer_offset + 64, 2**63, 128):
        assert len(list(walk_revisions(storage, replace(newest, previous_footer_offset=previous)))) == 1
