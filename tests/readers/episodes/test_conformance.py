from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hfviewer.core.recording import Recording
from hfviewer.readers.registry import open_recording
from tests.convert.test_recording_plan import everything
from tests.readers.conformance import ReaderConformance
from tests.readers.episodes.tasks import Task
from tests.readers.episodes.test_sessions import session

FRAMES = 24


class TestEpisode(ReaderConformance):
    format = "episodes"

    def make(self, folder: Path) -> Path:
        task = Task(folder / "杯子")
        columns = everything(FRAMES) | {"action": np.ones((FRAMES, 1), np.float32)}
        columns["observation.left_hand_pose"] = columns["observation.right_hand_pose"]
        task.add(1, frames=FRAMES, videos={"d435_rgb": "h264", "d435_depth": "depth12"}, columns=columns)
        return task.root

    def damage(self, path: Path) -> None:
        (path / "meta/info.json").write_text("{")

    @pytest.fixture
    def recording(self, path: Path) -> Recording:
        return open_recording(path, episode=1)


class TestSession(ReaderConformance):
    format = "episodes"

    def make(self, folder: Path) -> Path:
        return session(folder / "抓取_000001")

    def damage(self, path: Path) -> None:
        for part in ("videos", "data"):
            for file in (path / part).rglob("*.*"):
                file.write_bytes(b"nothing")
