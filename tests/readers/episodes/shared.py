"""The shared example tasks and the truth about them; tests that need them skip where they are not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hfviewer.core.collection import EpisodeCollection
from hfviewer.readers.registry import open_path

FOLDER = Path(__file__).parents[4] / "shared" / "data" / "pooled"
TASKS = ("bench_d435_depth", "bench_stereo_imu", "bench_ffv1_fallback")

needs_data = pytest.mark.skipif(
    not (FOLDER / "expected.json").is_file(), reason="the shared example tasks (data/pooled) are not here"
)


def truth() -> dict[str, Any]:
    """Everything that is known about the example tasks."""
    found: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
    return found


def episodes() -> list[tuple[str, int]]:
    """Task and number of every example episode."""
    if not (FOLDER / "expected.json").is_file():
        return [("bench_d435_depth", 1)]
    known = truth()
    return [(task, e["episode_index"]) for task in TASKS for e in known[task]["episodes"]]


def expected(task: str, number: int) -> dict[str, Any]:
    """What is known about one episode."""
    found: dict[str, Any] = next(e for e in truth()[task]["episodes"] if e["episode_index"] == number)
    return found


def open_task(task: str) -> EpisodeCollection:
    opened = open_path(FOLDER / task)
    assert isinstance(opened, EpisodeCollection)
    return opened


def bar_code(values: np.ndarray, *, block_px: int, bright: float) -> int:
    """The number in the corner of a picture: twelve blocks, bit 0 first, by the middle half of each."""
    grey = values.mean(axis=2) if values.ndim == 3 else values
    quarter = block_px // 4
    number = 0
    for bit in range(12):
        block = grey[quarter : block_px - quarter, bit * block_px + quarter : (bit + 1) * block_px - quarter]
        number |= int(block.mean() > bright) << bit
    return number
