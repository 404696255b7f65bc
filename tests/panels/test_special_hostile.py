"""What a damaged or wrong file may put into gloves, matrices, hands, poses and states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from hfviewer.core.frame import Frame, MatrixFrame, PoseFrame
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.registry import make_panel
from hfviewer.panels.theme import Theme
from hfviewer.panels.trouble import TroublePanel
from tests.panels.making import NAME, result, samples, show, table, text

ODD = (0.0, 1.0, -1.0, 1e-300, 1e30, 3e38, -3e38, 1e300, np.nan, np.inf, -np.inf)
ROLES = {
    "touch_map": StreamKind.SIGNAL,
    "force_matrix": StreamKind.MATRIX,
    "hand_pose": StreamKind.SIGNAL,
    "trajectory": StreamKind.POSE,
    "status": StreamKind.TEXT,
}


def numbers(count: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).choice(ODD, count)


def odd_frame(shape: int, seed: int) -> Frame:
    ids: dict[str, Any] = {"stream": NAME, "index": seed % 5, "timestamp_ns": 0, "sequence": 0}
    channels = tuple(Channel(name) for name in "xyz")
    with np.errstate(over="ignore"):
        match shape:
            case 0:
                return samples(numbers(256, seed), index=seed % 5)
            case 1:
                return samples(numbers(63, seed), index=seed % 5)
            case 2:
                return samples(numbers(seed % 300, seed), index=seed % 5)
            case 3:
                values = numbers(8 * 9 * 3, seed).astype(np.float32).reshape(8, 9, 3)
                return MatrixFrame(**ids, values=values, channels=channels)
            case 4:
                return MatrixFrame(**ids, values=np.zeros((0, 4, 3), np.float32), channels=channels)
            case 5:
                return PoseFrame(**ids, matrix=numbers(16, seed).reshape(4, 4))
            case _:
                return text({"a": "\u202e\n" * (seed % 50)}, "{" * (seed % 2000), index=seed % 5)


@pytest.mark.parametrize("role", ROLES)
@given(frames=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 10_000)), min_size=1, max_size=6))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_frame_brings_a_panel_down(qtbot: QtBot, role: str, frames: list[tuple[int, int]]) -> None:
    panel = panel_of(qtbot, role)
    for generation, (shape, seed) in enumerate(frames, start=1):
        panel.set_playhead(int(table(5)[seed % 5]))
        panel.show_result(result(odd_frame(shape, seed), generation=generation))
        panel.grab()
        # Said in the panel where it is not what it should be, and never both at once.
        assert panel.shown_index == seed % 5
    panel.reset_view()
    panel.context_actions()
    panel.deleteLater()


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("count", [0, 1])
def test_nearly_empty_streams_have_a_panel(qtbot: QtBot, role: str, count: int) -> None:
    panel = panel_of(qtbot, role, count)
    panel.set_playhead(0)
    panel.grab()


def panel_of(qtbot: QtBot, role: str, count: int = 5) -> StreamPanel:
    stamps = table(count)
    description = StreamDescription(
        name=NAME,
        kind=ROLES[role],
        encoding="any",
        role=role,
        frame_count=count,
        extra={"frame_axes": {"+X": ["up"], "+Y": None}},
    )
    made = make_panel(description, stamps, 0, Theme())
    assert not isinstance(made, TroublePanel)
    show(qtbot, made, 320, 240)
    return made
