from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.errors import CancelledError, DamagedRecordingError, WriteError
from hfviewer.readers.hyperframe.compact import compact, payload_runs
from hfviewer.readers.hyperframe.history import history
from hfviewer.readers.hyperframe.layout import ENTRY, crc32
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.verify import verify
from tests.readers.hyperframe.recordings import content_of, write_small, write_with_revisions
from tests.readers.hyperframe.test_reader import build
from tests.readers.plain import PlainWriter


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "recording.hfr"
    write_with_revisions(path)
    return path


def _stored(path: Path) -> list[tuple[bytes, bytes]]:
    """Every entry without its offset, and its stored bytes."""
    with HyperframeReader().open(path) as recording:
        return [
            (
                entry.tobytes()[:16] + entry.tobytes()[24:],
                bytes(recording.storage.read(int(entry["offset"]), int(entry["size"]))),
            )
            for entry in recording.index.entries
        ]


def test_a_compact_copy_holds_the_same_stored_bytes_and_entries(path: Path) -> None:
    output = path.with_name("compact.hfr")
    size = compact(path, output)
    assert size == output.stat().st_size < path.stat().st_size
    assert _stored(output) == _stored(path)
    assert verify(output).ok
    assert [r.revision for r in history(output)] == [1]
    with HyperframeReader().open(path) as before, HyperframeReader().open(output) as after:
        assert after.metadata == before.metadata
        assert after.header.start_ns == before.header.start_ns
        assert (after.index.entries["offset"] % 64 == 0).all()


def test_an_earlier_revision_can_be_copied(path: Path) -> None:
    output = path.with_name("compact.hfr")
    compact(path, output, revision=1)
    assert content_of(output) == content_of(path, revision=1)


def test_payloads_keep_the_order_of_arrival(path: Path) -> None:
    output = path.with_name("compact.hfr")
    compact(path, output)
    with HyperframeReader().open(path) as before, HyperframeReader().open(output) as after:
        orders = [np.argsort(r.index.entries["offset"]).tolist() for r in (before, after)]
    assert orders[0] == orders[1]


def test_an_existing_target_is_refused_and_stays(path: Path) -> None:
    output = path.with_name("compact.hfr")
    output.write_bytes(b"precious")
    with pytest.raises(WriteError, match="exists"):
        compact(path, output)
    assert output.read_bytes() == b"precious"
    with pytest.raises(WriteError):
        compact(path, path)


def test_progress_reaches_the_total_and_a_cancelled_copy_leaves_nothing(path: Path) -> None:
    output = path.with_name("compact.hfr")
    with pytest.raises(CancelledError):
        compact(path, output, cancelled=lambda: True)
    assert sorted(p.name for p in path.parent.iterdir()) == ["recording.hfr"]
    steps: list[tuple[int, int]] = []
    compact(path, output, progress=lambda done, total: steps.append((done, total)))
    assert steps[-1][0] == steps[-1][1] > 0


def test_a_damaged_index_is_not_blessed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    with HyperframeReader().open(path) as recording:
        data[recording.header.index_offset + 8] ^= 1
    path.write_bytes(data)
    with pytest.raises(DamagedRecordingError, match="hfviewer recover"):
        compact(path, path.with_name("compact.hfr"))


def test_a_plain_file_stays_guessed(tmp_path: Path) -> None:
    path, output = tmp_path / "plain.hfr", tmp_path / "compact.hfr"
    plain = PlainWriter(path)
    for i in range(5):
        plain.append(4, 100 - i, struct.pack("<6f", *[i] * 6))
    plain.finalize()
    compact(path, output)
    assert content_of(output) == content_of(path)
    with HyperframeReader().open(output) as recording:
        assert recording.streams["stream 4"].description.guessed
        assert recording.header.start_ns == 96


def test_payloads_off_the_boundary_move_onto_it_and_shared_ones_stay_right(tmp_path: Path) -> None:
    path, output = tmp_path / "odd.hfr", tmp_path / "compact.hfr"
    payloads = random.Random(3).randbytes(4000)
    places = [(0, 10), (10, 20), (64, 64), (70, 10), (131, 7), (200, 0), (256, 900), (256, 900), (1300, 5)]
    entries = [
        (0, 1, i, i, 512 + at, size, crc32(payloads[at : at + size])) for i, (at, size) in enumerate(places)
    ]
    build(path, entries, payloads)
    compact(path, output)
    assert _stored(output) == _stored(path)
    assert verify(output).ok


@given(st.lists(st.tuples(st.integers(8, 400), st.integers(0, 300)), max_size=30))
def test_runs_cover_every_payload_exactly_and_do_not_overlap(places: list[tuple[int, int]]) -> None:
    entries = np.zeros(len(places), ENTRY)
    for row, (block, size) in enumerate(places):
        entries[row]["offset"], entries[row]["size"] = 64 * block, size
    starts, stops = payload_runs(entries)
    assert (starts[1:] > stops[:-1]).all()
    assert (starts <= stops).all()
    for entry in entries:
        run = int(starts.searchsorted(entry["offset"], side="right")) - 1
        assert starts[run] <= entry["offset"]
        assert entry["offset"] + entry["size"] <= stops[run]
    covered = {
        b for start, stop in zip(starts.tolist(), stops.tolist(), strict=True) for b in range(start, stop)
    }
    needed = {b for e in entries for b in range(int(e["offset"]), int(e["offset"]) + int(e["size"]))}
    assert needed <= covered
    assert len(covered) - len(needed) < 64 * max(1, len(places))


def test_an_empty_recording_is_copied(tmp_path: Path) -> None:
    path, output = tmp_path / "empty.hfr", tmp_path / "compact.hfr"
    write_small(path, frames=0)
    compact(path, output)
    assert content_of(output) == {"imu": [], "lidar": [], "status": []}
