"""Cut a file anywhere, flip any byte: it opens rightly, or says in one line what to do."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hfviewer.core.errors import DamagedRecordingError, HfviewerError
from hfviewer.readers.hyperframe.layout import HEADER_SIZE, Header
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.recover import recover
from hfviewer.readers.hyperframe.state import read_state, walk_revisions
from hfviewer.readers.hyperframe.storage import Storage
from hfviewer.readers.hyperframe.verify import verify
from hfviewer.readers.registry import open_recording
from tests.readers.hyperframe.recordings import Content, content, content_of, is_subset, write_with_revisions


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("damage") / "whole.hfr"
    write_with_revisions(path)
    return path


@pytest.fixture(scope="module")
def data(original: Path) -> bytes:
    return original.read_bytes()


@pytest.fixture(scope="module")
def revisions(original: Path) -> dict[int, Content]:
    return {number: content_of(original, number) for number in (1, 2, 3)}


@pytest.fixture(scope="module")
def live(original: Path) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which bytes mean something in some revision; the others are padding or dead."""
    storage = Storage(original)
    marks = np.zeros(storage.size(), np.bool_)
    for header in walk_revisions(storage, read_state(storage).header):
        for start, size in _regions(header):
            marks[start : start + size] = True
        with HyperframeReader().open(original, revision=header.revision) as recording:
            for entry in recording.index.entries:
                marks[int(entry["offset"]) : int(entry["offset"]) + int(entry["size"])] = True
    storage.close()
    return marks


def _regions(header: Header) -> list[tuple[int, int]]:
    return [
        (0, HEADER_SIZE),
        (header.footer_offset, HEADER_SIZE),
        (header.meta_offset, header.meta_size),
        (header.index_offset, header.index_size),
    ]


def _is_one_line(error: HfviewerError, naming: str = "") -> None:
    assert "\n" not in error.line()
    assert naming in error.line()


def _opens_rightly_or_names_the_repair(path: Path, revisions: dict[int, Content]) -> None:
    try:
        recording = open_recording(path)
    except DamagedRecordingError as error:
        _is_one_line(error, "hfviewer recover")
        return
    with recording:
        shown = recording.description.revision
        assert shown is not None
        assert content(recording) == revisions[shown]
        if shown != 3:
            assert recording.description.findings


def _recovers_only_what_is_true(path: Path, output: Path, revisions: dict[int, Content]) -> None:
    before = path.read_bytes()
    try:
        report = recover(path, output)
    except DamagedRecordingError as error:
        _is_one_line(error)
        assert not output.exists()
        return
    finally:
        assert path.read_bytes() == before
    assert report.output_ok
    recovered = content_of(output)
    assert {s.name: s.frames_recovered for s in report.streams} == {n: len(f) for n, f in recovered.items()}
    everything = {name: [f for r in revisions.values() for f in r.get(name, [])] for name in revisions[3]}
    payloads = {payload for frames in everything.values() for _, _, payload in frames}
    stamped = (
        {s.name for s in report.streams if s.frames_lost is not None} if report.method != "scan" else set()
    )
    assert is_subset({name: recovered[name] for name in stamped}, everything)
    assert all(payload in payloads for frames in recovered.values() for _, _, payload in frames)
    if report.is_complete:
        assert recovered == revisions[3]
    else:
        assert report.frames_missing != 0 or any(s.frames_lost != 0 for s in report.streams)
    for stream in report.streams:
        if stream.frames_lost is not None:
            assert stream.frames_recovered + stream.frames_lost == len(revisions[3].get(stream.name, []))
    output.unlink()


def test_a_file_cut_at_any_byte_opens_or_names_the_repair(
    data: bytes, revisions: dict[int, Content], tmp_path: Path
) -> None:
    path = tmp_path / "cut.hfr"
    path.write_bytes(data)
    for size in range(len(data) - 1, -1, -1):
        with path.open("r+b") as file:
            file.truncate(size)
        _opens_rightly_or_names_the_repair(path, revisions)


def test_recovery_of_a_file_cut_anywhere_claims_nothing_that_is_not_there(
    data: bytes, revisions: dict[int, Content], tmp_path: Path
) -> None:
    path = tmp_path / "cut.hfr"
    for size in range(random.Random(1).randrange(23), len(data), 23):
        path.write_bytes(data[:size])
        _recovers_only_what_is_true(path, tmp_path / "recovered.hfr", revisions)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cut.hfr"]


@pytest.mark.soak
def test_recovery_of_a_file_cut_at_every_byte_claims_nothing_that_is_not_there(
    data: bytes, revisions: dict[int, Content], tmp_path: Path
) -> None:
    path = tmp_path / "cut.hfr"
    for size in range(len(data)):
        path.write_bytes(data[:size])
        _recovers_only_what_is_true(path, tmp_path / "recovered.hfr", revisions)


def _verify_finds(path: Path) -> bool:
    try:
        return not verify(path).ok
    except HfviewerError:
        return True


def test_verify_finds_a_flip_in_every_single_byte_that_means_something(
    data: bytes, live: np.ndarray[tuple[int], np.dtype[np.bool_]], tmp_path: Path
) -> None:
    path = tmp_path / "flipped.hfr"
    path.write_bytes(data)
    rng = random.Random(2)
    missed: list[int] = []
    with path.open("r+b", buffering=0) as file:
        for at in range(len(data)):
            file.seek(at)
            file.write(bytes([data[at] ^ (1 << rng.randrange(8))]))
            if _verify_finds(path) != live[at]:
                missed.append(at)
            file.seek(at)
            file.write(data[at : at + 1])
    assert missed == []
    assert verify(path).ok


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=6))
def test_a_file_with_a_few_damaged_bytes_opens_or_says_why(
    changes: list[tuple[int, int]], data: bytes, tmp_path: Path
) -> None:
    damaged = bytearray(data)
    for at, value in changes:
        damaged[at % len(data)] = value
    path = tmp_path / "damaged.hfr"
    path.write_bytes(damaged)
    try:
        recording = HyperframeReader().open(path)
    except HfviewerError as error:
        _is_one_line(error)
        return
    with recording:
        recording.check_index()
        assert recording.description.format == "hyperframe"
        for stream in recording.streams.values():
            for i in range(len(stream)):
                try:
                    stream.read(i)
                except HfviewerError as error:
                    _is_one_line(error)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 1 << 20), bit=st.integers(0, 7))
def test_recovery_after_one_flipped_bit_loses_at_most_what_it_hit(
    at: int, bit: int, data: bytes, revisions: dict[int, Content], tmp_path: Path
) -> None:
    damaged = bytearray(data)
    damaged[at % len(data)] ^= 1 << bit
    path, output = tmp_path / "flipped.hfr", tmp_path / "recovered.hfr"
    path.write_bytes(damaged)
    report = recover(path, output)
    assert report.output_ok
    recovered = content_of(output)
    total = sum(map(len, revisions[3].values()))
    assert sum(map(len, recovered.values())) >= total - 1
    output.unlink()
