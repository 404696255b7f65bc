from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from hfviewer.core.errors import FrameError
from hfviewer.core.frame import MatrixFrame
from hfviewer.core.recording import Stream
from hfviewer.core.stream import Channel, StreamKind
from hfviewer.panels.force_data import (
    ForcePlane,
    PreparedForce,
    cells_of,
    plane_of,
    read_scales,
    recorded_at,
    scales_of,
    total_of,
)
from hfviewer.panels.force_matrix import ForceMatrixPanel
from hfviewer.panels.theme import Theme
from hfviewer.readers.registry import open_recording
from tests.panels.making import NAME, describe, move_pointer, result, show, table
from tests.recordings import START_NS
from tests.special_recording import PERIOD_NS, forces, write_special

MATRIX = "gripper_left_force_matrix"
CHANNELS = tuple(Channel(name, "mN") for name in ("fx", "fy", "fz"))


def frame(cells: np.ndarray, *, index: int = 0) -> MatrixFrame:
    return MatrixFrame(
        stream=NAME, index=index, timestamp_ns=0, sequence=index, values=cells, channels=CHANNELS
    )


class Source:
    """Frames straight from a recording, as the player's source gives them."""

    def __init__(self, streams: Mapping[str, Stream]) -> None:
        self.streams = streams

    def frame(self, name: str, index: int) -> object:
        return self.streams[name].read(index)


@pytest.fixture
def panel(qtbot: QtBot) -> ForceMatrixPanel:
    stamps = table(20)
    description = describe(StreamKind.MATRIX, stamps, channels=CHANNELS)
    made = ForceMatrixPanel(description, stamps, int(stamps[0]), Theme())
    show(qtbot, made, 640, 480)
    made.set_playhead(int(stamps[0]))
    return made


def test_planes_are_the_directions_and_the_length() -> None:
    cells = np.zeros((2, 3, 3), np.float32)
    cells[1, 2] = (2, -3, 6)
    assert [plane_of(cells, plane)[1, 2] for plane in ForcePlane] == [2, -3, 6, 7]
    assert total_of(cells).tolist() == [2, -3, 6]


def test_cells_that_are_no_numbers_do_not_spoil_the_sum() -> None:
    cells = np.ones((4, 4, 3), np.float32)
    cells[0, 0] = np.nan
    cells[1, 1, 2] = np.inf
    assert total_of(cells).tolist() == [15, 15, 14]
    assert scales_of([cells]) is not None


@pytest.mark.parametrize("shape", [(4, 4, 2), (4, 4), (0, 4, 3)])
def test_other_shapes_are_no_force_matrix(shape: tuple[int, ...]) -> None:
    with pytest.raises(FrameError):
        cells_of(frame(np.zeros(shape, np.float32)))


def test_the_scale_is_that_of_the_recording_and_the_total_stands_beside_the_recorded_one(
    tmp_path: Path,
) -> None:
    with open_recording(write_special(tmp_path / "a.hfr", frames=32)) as recording:
        source = Source(recording.streams)
        scales = read_scales(source, MATRIX)  # type: ignore[arg-type]
        assert scales is not None
        assert scales.tops[ForcePlane.FZ] == 1.0
        assert scales.tops[ForcePlane.FX] == scales_of([forces(29)]).tops[ForcePlane.FX]  # type: ignore[union-attr]
        recorded = recorded_at(source, MATRIX, START_NS + 7 * PERIOD_NS)  # type: ignore[arg-type]
        assert recorded is not None
        assert (recorded.stream, recorded.offset_ns) == ("gripper_left_force", 0)
        assert np.allclose(recorded.force, total_of(forces(7)), rtol=1e-5)
        assert recorded_at(source, "right_glove", START_NS) is None  # type: ignore[arg-type]


def test_no_force_at_all_has_no_scale() -> None:
    assert scales_of([np.zeros((4, 4, 3), np.float32)]) is None
    assert scales_of([]) is None


def test_the_range_stays_when_forces_grow(panel: ForceMatrixPanel) -> None:
    cells = np.zeros((50, 50, 3), np.float32)
    cells[10:20, 10:20, 2] = 0.4
    panel.show_result(result(frame(cells)))
    before = panel.limits
    assert before == (-0.5, 0.5)
    panel.show_result(result(frame(cells * 100, index=1), generation=2))
    assert panel.limits == before
    panel.set_plane(ForcePlane.SIZE)
    assert panel.limits == (0.0, 0.5)


def test_the_pointer_reads_all_three_directions(panel: ForceMatrixPanel) -> None:
    cells = np.zeros((50, 50, 3), np.float32)
    cells[30, 40] = (2, -3, 6)
    panel.show_result(result(frame(cells)))
    x, y = panel.canvas.view.to_widget(40.5, 30.5)
    move_pointer(panel.canvas, QPoint(round(x), round(y)))
    assert panel.read_out() == "40, 30   fx +2.000  fy −3.000  fz +6.000  |f| 7.000 mN"


def test_without_a_recorded_total_a_dash_stands_there(panel: ForceMatrixPanel) -> None:
    cells = np.zeros((5, 5, 3), np.float32)
    cells[0, 0] = (3, 0, -4)
    panel.show_result(result(frame(cells)))
    assert panel.total_rows() == [
        ("fx", "+3.00", "–"),
        ("fy", "+0.00", "–"),
        ("fz", "−4.00", "–"),
        ("|f|", "5.00", "–"),
    ]
    assert panel.preparer() is None


def test_the_preparer_does_the_sums_ahead_and_fits_the_scale_once_something_shows(
    qtbot: QtBot, panel: ForceMatrixPanel, tmp_path: Path
) -> None:
    with open_recording(write_special(tmp_path / "a.hfr", frames=8)) as recording:
        name = panel.stream_name
        streams = {name: recording.streams[MATRIX], **recording.streams}
        panel.set_source(Source(streams))  # type: ignore[arg-type]
        prepare = panel.preparer()
        assert prepare is not None
        read = recording.streams[MATRIX].read(3)
        found = prepare(read)
        assert isinstance(found, PreparedForce)
        assert np.allclose(found.total, total_of(forces(3)))
        assert not panel._scales.tried
        with qtbot.waitSignal(panel.detail_wanted):
            panel.show_result(result(frame(forces(3))))
        prepare = panel.preparer()
        assert prepare is not None
        prepare(read)
        assert panel._scales.known is not None


def test_the_plane_is_part_of_a_layout(panel: ForceMatrixPanel) -> None:
    panel.set_plane(ForcePlane.FX)
    state = panel.view_state()
    panel.set_plane(ForcePlane.FY)
    panel.restore_view_state(state)
    assert panel.plane is ForcePlane.FX
    panel.restore_view_state({"plane": [1]})
    assert panel.plane is ForcePlane.FX
