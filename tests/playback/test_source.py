from __future__ import annotations

from collections.abc import Iterator

import pytest

from hfviewer.core.errors import FrameError, UsageError
from hfviewer.core.frame import ImageFrame
from hfviewer.model.workspace import Workspace
from hfviewer.playback.player import Player
from hfviewer.playback.source import FrameSource
from tests.playback.fakes import FakeRecording, FakeStream, every

TABLE = every(100_000_000, 5)


@pytest.fixture
def camera() -> FakeStream:
    return FakeStream("cam", TABLE)


@pytest.fixture
def player(qapp: object, camera: FakeStream) -> Iterator[Player]:
    workspace = Workspace()
    made = Player(workspace, cache_bytes=1 << 20)
    workspace.set_recording(FakeRecording(camera))
    yield made
    made.close()


@pytest.fixture
def source(player: Player) -> FrameSource:
    assert player.source is not None
    return player.source


def test_frames_come_through_the_cache(source: FrameSource, camera: FakeStream) -> None:
    for _ in range(3):
        frame = source.frame("cam", 3)
        assert isinstance(frame, ImageFrame)
        assert frame.pixels[0, 0] == 3
    assert camera.read_indices == [3]


def test_what_cannot_be_read_is_an_error(source: FrameSource, camera: FakeStream) -> None:
    camera.broken.add(2)
    with pytest.raises(FrameError, match="Frame 2 is broken"):
        source.frame("cam", 2)
    with pytest.raises(UsageError, match="no stream 'lidar'"):
        source.frame("lidar", 0)


def test_nothing_is_read_of_a_recording_that_was_closed(
    player: Player, source: FrameSource, camera: FakeStream
) -> None:
    player._workspace.set_recording(None)
    assert player.source is None
    with pytest.raises(FrameError, match="closed"):
        source.frame("cam", 0)
    assert camera.read_indices == []
