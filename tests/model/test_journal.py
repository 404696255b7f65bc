from __future__ import annotations

import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hfviewer.core.errors import UnsupportedError, WriteError
from hfviewer.model.journal import HeldError, Journal, holder_of, journal_path, read_journal
from tests.labels import json_values

IDENTITY = {"frame_count": 3}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "drive.hfr.labels.journal"


def entries(path: Path) -> list[dict[str, object]]:
    journal = Journal(path, IDENTITY)
    journal.close()
    return journal.entries


@given(
    st.lists(
        st.dictionaries(st.text(max_size=5).filter(str.isprintable), json_values, max_size=3), max_size=5
    )
)
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_entries_are_there_for_the_next_one(path: Path, values: list[dict[str, object]]) -> None:
    path.unlink(missing_ok=True)
    journal = Journal(path, IDENTITY)
    for value in values:
        journal.append([value])
    journal.close()
    assert entries(path) == values
    assert Journal(path, {"other": 1}).identity == IDENTITY


def test_wherever_it_is_cut_the_whole_lines_are_kept_and_writing_goes_on(path: Path) -> None:
    journal = Journal(path, IDENTITY)
    header = path.stat().st_size
    for number in range(3):
        journal.append([{"n": number}])
    journal.close()
    data = path.read_bytes()
    for size in range(len(data)):
        path.write_bytes(data[:size])
        again = Journal(path, IDENTITY)
        whole = data[:size].count(b"\n")
        assert again.entries == [{"n": number} for number in range(max(0, whole - 1))]
        again.append([{"n": "more"}])
        again.close()
        assert entries(path)[-1] == {"n": "more"}
        assert (size < header) == (whole == 0)


def test_a_damaged_line_ends_it_there(path: Path) -> None:
    journal = Journal(path, IDENTITY)
    for number in range(3):
        journal.append([{"n": number}])
    journal.close()
    data = path.read_bytes()
    path.write_bytes(data.replace(b'{"n":1}', b'{"n":7}'))
    assert entries(path) == [{"n": 0}]


def test_somebody_elses_file_is_left_alone(path: Path) -> None:
    foreign = Journal(path, IDENTITY)
    foreign.close()
    data = path.read_bytes().replace(b"hfviewer labels journal", b"another kind of journal")
    text = data.partition(b" ")[2].rstrip(b"\n")
    data = b"%08x %s\n" % (zlib.crc32(text), text)
    path.write_bytes(data)
    with pytest.raises(UnsupportedError, match="no journal"):
        Journal(path, IDENTITY)
    assert path.read_bytes() == data


def test_the_second_is_told_who_holds_it_until_the_first_has_gone(path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from hfviewer.model.journal import Journal\n"
        f"journal = Journal(Path({str(path)!r}), {{}}); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=-1, stdout=-1, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        with pytest.raises(HeldError) as caught:
            Journal(path, IDENTITY)
        assert caught.value.holder.pid == first.pid
        assert str(first.pid) in caught.value.line()
        holder = holder_of(path)
        assert holder is not None
        assert holder.pid == first.pid
        first.kill()
    Journal(path, IDENTITY).discard()
    assert holder_of(path) is None
    assert not path.exists()


def test_two_in_one_process_hold_it_not_both(path: Path) -> None:
    first = Journal(path, IDENTITY)
    with pytest.raises(HeldError):
        Journal(path, IDENTITY)
    first.close()
    Journal(path, IDENTITY).close()


def test_a_full_disk_keeps_what_was_there_and_goes_on_later(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(path, IDENTITY)
    journal.append([{"n": 0}])
    real = os.write

    def full(fd: int, data: memoryview) -> int:
        if len(data) > 5:
            return real(fd, bytes(data[:5]))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(WriteError, match="No space left"):
        journal.append([{"n": "lost"}])
    monkeypatch.undo()
    journal.append([{"n": 1}])
    journal.close()
    assert entries(path) == [{"n": 0}, {"n": 1}]


def test_clearing_leaves_the_header_and_discarding_nothing(path: Path) -> None:
    journal = Journal(path, IDENTITY)
    journal.append([{"n": 0}])
    journal.clear()
    journal.append([{"n": 1}])
    journal.close()
    assert entries(path) == [{"n": 1}]
    Journal(path, IDENTITY).discard()
    assert not path.exists()


def test_it_lies_beside_the_recording_or_with_the_user(tmp_path: Path) -> None:
    recording = tmp_path / "data" / "drive.hfr"
    recording.parent.mkdir()
    assert journal_path(recording, tmp_path / "state", "f") == recording.with_name("drive.hfr.labels.journal")
    recording.parent.chmod(0o555)
    away = journal_path(recording, tmp_path / "state", "f")
    recording.parent.chmod(0o755)
    assert away == tmp_path / "state" / "journals" / "f-drive.hfr.labels.journal"


def test_who_takes_over_a_journal_puts_their_own_name_on_it(path: Path) -> None:
    journal = Journal(path, IDENTITY)
    journal.append([{"n": 0}])
    journal.close()
    data = path.read_bytes()
    text = data.partition(b"\n")[0].partition(b" ")[2].replace(b'"pid":%d' % os.getpid(), b'"pid":7')
    path.write_bytes(b"%08x %s\n" % (zlib.crc32(text), text) + data.partition(b"\n")[2])
    assert len(read_journal(path)[1]) == 1
    again = Journal(path, IDENTITY)
    holder = holder_of(path)
    assert holder is not None
    assert holder.pid == os.getpid()
    assert again.entries == [{"n": 0}]
    with pytest.raises(HeldError):
        Journal(path, IDENTITY)
    again.append([{"n": 1}])
    again.close()
    assert entries(path) == [{"n": 0}, {"n": 1}]
    assert [found.name for found in path.parent.iterdir()] == [path.name]
