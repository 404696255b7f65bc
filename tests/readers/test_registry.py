from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from hfviewer.core.errors import DamagedRecordingError, HfviewerError, NotARecordingError, UsageError
from hfviewer.core.recording import Recording
from hfviewer.readers import registry
from hfviewer.readers.base import Match, RecordingReader
from hfviewer.readers.registry import ENTRY_POINT_GROUP, open_recording, readers
from tests.playback.fakes import FakeRecording, FakeStream
from tests.recordings import write_small


class FakeReader:
    """Sure of everything to one degree; opens a recording of its own or raises."""

    name = "fake"

    def __init__(self, match: Match = Match.BY_CONTENT, error: Exception | None = None) -> None:
        self.match, self.error = match, error
        self.recording = FakeRecording(FakeStream("s", np.zeros(1, np.int64)))
        self.sniffed: list[tuple[Path, bytes]] = []
        self.revisions: list[int | None] = []

    def sniff(self, path: Path, head: bytes) -> Match:
        self.sniffed.append((path, head))
        return self.match

    def open(self, path: Path, *, revision: int | None = None) -> Recording:
        self.revisions.append(revision)
        if self.error is not None:
            raise self.error
        return self.recording


class RudeReader(FakeReader):
    def sniff(self, path: Path, head: bytes) -> Match:
        raise IndexError("in another package")


class Point:
    """An entry point of another package."""

    def __init__(self, name: str, load: Callable[[], Callable[[], RecordingReader]]) -> None:
        self.name, self.load = name, load


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.bin"
    path.write_bytes(b"content")
    return path


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Have these readers and no others."""

    def install(*known: FakeReader) -> None:
        monkeypatch.setattr(registry, "readers", lambda: known)

    return install


@pytest.fixture
def plug_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Have these entry points beside our own readers."""

    def install(*points: Point) -> None:
        def entry_points(*, group: str) -> tuple[Point, ...]:
            assert group == ENTRY_POINT_GROUP
            return points

        monkeypatch.setattr(registry, "entry_points", entry_points)
        readers.cache_clear()

    yield install
    readers.cache_clear()


def test_the_surest_reader_opens_it(file: Path, use: Callable[..., None]) -> None:
    by_name, by_content, no = FakeReader(Match.BY_NAME), FakeReader(), FakeReader(Match.NO)
    use(no, by_name, by_content)
    assert open_recording(file) is by_content.recording
    use(by_content, by_name)
    assert open_recording(file) is by_content.recording
    use(no, by_name)
    assert open_recording(file) is by_name.recording


def test_of_equally_sure_readers_the_first_opens_it(file: Path, use: Callable[..., None]) -> None:
    ours, theirs = FakeReader(), FakeReader()
    use(ours, theirs)
    assert open_recording(file) is ours.recording
    assert theirs.revisions == []


def test_every_reader_sees_the_head_and_the_chosen_one_the_revision(
    file: Path, use: Callable[..., None]
) -> None:
    chosen, other = FakeReader(), FakeReader(Match.NO)
    use(chosen, other)
    open_recording(str(file), revision=3)
    assert (file, b"content") in chosen.sniffed
    assert (file, b"content") in other.sniffed
    assert chosen.revisions == [3]


def test_a_folder_is_offered_too(tmp_path: Path, use: Callable[..., None]) -> None:
    reader = FakeReader()
    use(reader)
    assert open_recording(tmp_path) is reader.recording
    assert (tmp_path, b"") in reader.sniffed


def test_what_no_reader_knows_is_not_a_recording(
    file: Path, tmp_path: Path, use: Callable[..., None]
) -> None:
    for known in ((FakeReader(Match.NO),), ()):
        use(*known)
        with pytest.raises(NotARecordingError, match="no reader knows its first bytes"):
            open_recording(file)
        with pytest.raises(NotARecordingError, match="folder is not a recording"):
            open_recording(tmp_path)


def test_an_error_without_a_path_gets_one_and_one_with_a_path_keeps_it(
    file: Path, use: Callable[..., None]
) -> None:
    for path, shown in ((None, str(file)), ("/elsewhere", "/elsewhere")):
        use(FakeReader(error=DamagedRecordingError("Its index is cut off.", path=path)))
        with pytest.raises(DamagedRecordingError) as caught:
            open_recording(file)
        assert caught.value.line() == f"{shown}: Its index is cut off."


def test_a_wrong_argument_stays_an_error_about_the_argument(file: Path, use: Callable[..., None]) -> None:
    use(FakeReader(error=UsageError("There is no revision 9.")))
    with pytest.raises(UsageError, match=r"^There is no revision 9\.$"):
        open_recording(file, revision=9)


def test_what_the_system_refuses_is_one_of_our_errors(file: Path, use: Callable[..., None]) -> None:
    use(FakeReader(error=OSError(5, "Input/output error")))
    with pytest.raises(HfviewerError) as caught:
        open_recording(file)
    assert caught.value.line() == f"{file}: It cannot be read (Input/output error)."


def test_the_reader_of_another_package_opens_its_own_format(file: Path, plug_in: Callable[..., None]) -> None:
    theirs = FakeReader()
    plug_in(Point("theirs", lambda: lambda: theirs))
    assert readers()[-1] is theirs
    assert open_recording(file) is theirs.recording


def test_a_broken_reader_of_another_package_keeps_no_recording_shut(
    tmp_path: Path, plug_in: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    def not_installed() -> Callable[[], RecordingReader]:
        raise ImportError("no module")

    def wants_arguments() -> RecordingReader:
        raise TypeError("an argument is missing")

    good = FakeReader(Match.NO)
    plug_in(
        Point("not-installed", not_installed),
        Point("not-made", lambda: wants_arguments),
        Point("good", lambda: lambda: good),
    )
    with open_recording(write_small(tmp_path / "small.hfr", frames=2)) as recording:
        assert len(recording.streams["depth"]) == 2
    assert good.sniffed
    assert "not-installed" in caplog.text
    assert "not-made" in caplog.text


def test_a_reader_of_another_package_that_fails_while_it_looks_knows_nothing(
    tmp_path: Path, file: Path, plug_in: Callable[..., None]
) -> None:
    plug_in(Point("rude", lambda: RudeReader))
    with open_recording(write_small(tmp_path / "small.hfr", frames=2)) as recording:
        assert len(recording.streams["depth"]) == 2
    with pytest.raises(NotARecordingError, match="no reader knows"):
        open_recording(file)
