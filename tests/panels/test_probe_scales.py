"""What the probe says is what is stored, whatever the screen's scale factor: each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hfviewer.cli.main import main
from hfviewer.core.stream import Clock, StreamDescription, StreamKind
from hfviewer.readers.hyperframe.writer import HyperframeWriter

PROBE = """
import sys
import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from hfviewer import open_recording
from hfviewer.app.application import make_application
from hfviewer.panels.depth import DepthPanel
from hfviewer.panels.theme import Theme
from tests.panels.making import result

application = make_application(offscreen=True)
with open_recording(sys.argv[1]) as recording:
    stream = recording.streams["depth"]
    panel = DepthPanel(stream.description, stream.timestamps_ns, 0, Theme())
    panel.resize(700, 500)
    panel.show()
    panel.set_playhead(int(stream.timestamps_ns[0]))
    from dataclasses import replace
    panel.show_result(replace(result(stream.read(0)), stream="depth"))
    panel.grab()
    canvas = panel.canvas
    print(panel.devicePixelRatioF())
    rng = np.random.default_rng(3)
    none, plain = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    for number in range(20):
        if number == 10:
            canvas.zoom(3.7, 333.0, 217.0)
        inside = canvas.view.visible(canvas.full_size, (canvas.width(), canvas.height()))
        u, v = rng.uniform(inside[0], inside[2]), rng.uniform(inside[1], inside[3])
        x, y = canvas.view.to_widget(u, v)
        if not (0 <= x < canvas.width() and 0 <= y < canvas.height()):
            continue
        where = QPointF(x, y)
        move = QMouseEvent(QEvent.Type.MouseMove, where, where, none, none, plain)
        QApplication.sendEvent(canvas, move)
        found = panel.probed
        print(int(np.floor(u)), int(np.floor(v)), found.column, found.row, found.code)
"""


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One depth picture in which no two neighbours are alike."""
    import cv2

    path = tmp_path_factory.mktemp("probe") / "depth.hfr"
    codes = np.random.default_rng(1).integers(0, 65536, (240, 424), np.uint16)
    with HyperframeWriter(path, 100_000_000, title="probe") as writer:
        writer.add_stream(
            StreamDescription(
                name="depth",
                kind=StreamKind.DEPTH,
                encoding="png16",
                clock=Clock.HARDWARE,
                depth_unit_mm=0.1,
            )
        )
        writer.append(0, 1_700_000_000_000_000_000, cv2.imencode(".png", codes)[1].tobytes())
    return path


@pytest.mark.parametrize("factor", [1.0, 1.5, 2.0])
def test_the_probe_is_the_stored_array_at_every_scale_factor(
    recording: Path, tmp_path: Path, factor: float, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "stored.npy"
    arguments = ["frame", str(recording), "--stream", "depth", "--index", "0", "--out", str(out), "--stored"]
    assert main(arguments) == 0
    capsys.readouterr()
    stored = np.load(out)
    environment = os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": str(factor),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    ran = subprocess.run(
        [sys.executable, "-c", PROBE, str(recording)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    first, *lines = ran.stdout.splitlines()
    assert float(first) == factor
    assert len(lines) >= 15
    for line in lines:
        u, v, column, row, code = (int(part) for part in line.split())
        assert (column, row) == (u, v)
        assert code == stored[row, column]
