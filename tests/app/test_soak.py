"""Long runs through the real window; by name only: ``packaging/test -m soak tests/app/test_soak.py -s``."""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QEventLoop, Qt, QTimer
from pytestqt.qtbot import QtBot

from hfviewer.app.main_window import MainWindow
from hfviewer.app.waiting import missing_panels
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.playback.stalls import StallMeter
from hfviewer.readers.hyperframe.writer import HyperframeWriter

pytestmark = pytest.mark.soak
SECONDS = float(os.environ.get("HFVIEWER_SOAK_S", "600"))
BUDGET_BYTES = 512 << 20
START_NS = 1_700_000_000_000_000_000


def write_rig(path: Path, seconds: int) -> Path:
    """A 1080p JPEG camera, 848×480 depth, a lidar of 120 000 points and a 1 kHz IMU."""
    rng = np.random.default_rng(0)
    noise = cv2.GaussianBlur(rng.integers(0, 255, (1080, 1920, 3), dtype=np.uint8), (0, 0), 3)
    pictures, depths, clouds = [], [], []
    for k in range(10):
        picture = np.roll(noise, k * 40, axis=1)
        cv2.putText(picture, str(k), (300, 500), cv2.FONT_HERSHEY_SIMPLEX, 10, (255, 255, 255), 20)
        pictures.append(cv2.imencode(".jpg", picture)[1].tobytes())
        depths.append(
            (1000 + np.add.outer(np.arange(480) * 3, np.arange(848)) + 10 * k).astype("<u2").tobytes()
        )
        angle, reach = rng.uniform(0, 2 * np.pi, 120_000), rng.uniform(3, 60, 120_000)
        xyz = (reach * np.cos(angle), reach * np.sin(angle), rng.uniform(-2, 3, 120_000), reach / 60)
        clouds.append(np.stack(xyz).astype("<f4").tobytes())
    channels = tuple(
        Channel(f"{n}_{a}", u) for n, u in (("accel", "m/s^2"), ("gyro", "rad/s")) for a in "xyz"
    )
    with HyperframeWriter(path) as writer:
        for description in (
            StreamDescription(name="cam", kind=StreamKind.IMAGE, encoding="jpeg", clock=Clock.HARDWARE),
            StreamDescription(
                name="depth", kind=StreamKind.DEPTH, encoding="raw", width=848, height=480, compression="lz4"
            ),
            StreamDescription(
                name="lidar",
                kind=StreamKind.POINTS,
                encoding="f32_planar",
                fields=("x", "y", "z", "intensity"),
            ),
            StreamDescription(name="imu", kind=StreamKind.IMU, encoding="f64", channels=channels),
        ):
            writer.add_stream(description)
        for ms in range(1000 * seconds):
            at_ns = START_NS + ms * 1_000_000
            row = np.array([np.sin(ms / 100), 1.0, 9.8, 0.1, 0.2, np.cos(ms / 50)])
            writer.append("imu", at_ns, row.tobytes())
            if ms % 33 == 0:
                writer.append("cam", at_ns + 1000, pictures[(ms // 33) % 10])
                writer.append("depth", at_ns + 2000, depths[(ms // 33) % 10])
            if ms % 100 == 0:
                writer.append("lidar", at_ns + 3000, clouds[(ms // 100) % 10])
    return path


@pytest.fixture
def window(
    qtbot: QtBot, make_window: Callable[[], MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> MainWindow:
    monkeypatch.setattr("hfviewer.playback.player.default_budget_bytes", lambda: BUDGET_BYTES)
    made = make_window()
    made.resize(1920, 1080)
    made.open_path(str(write_rig(tmp_path / "rig.hfr", 20)))
    qtbot.waitUntil(lambda: made.workspace.recording is not None, timeout=30_000)
    qtbot.waitUntil(lambda: not missing_panels(made), timeout=30_000)
    return made


def resident_mb() -> float:
    with Path("/proc/self/statm").open() as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def run_for(seconds: float, step: Callable[[], None], *, moves_per_s: int) -> None:
    """Call a function so often a second while the event loop runs."""
    loop, timer = QEventLoop(), QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(1000 // moves_per_s)
    timer.timeout.connect(step)
    timer.start()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()
    timer.stop()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_and_threads_stay_flat_and_the_end_is_quick(qtbot: QtBot, window: MainWindow) -> None:
    chooser, playhead = random.Random(1), window.workspace.playhead
    curve: list[float] = []

    def move() -> None:
        if chooser.random() < 0.02:
            playhead.set_playing(not playhead.playing)
            playhead.set_speed(chooser.choice([-4.0, 1.0, 8.0]))
        if not playhead.playing or chooser.random() < 0.05:
            playhead.jump_to(chooser.randrange(playhead.span.start_ns, playhead.span.stop_ns))

    parts = 12
    for _ in range(parts):
        run_for(SECONDS / parts, move, moves_per_s=60)
        curve.append(resident_mb())
    threads = threading.active_count()
    print("resident MB:", [round(mb) for mb in curve], "threads:", threads)  # noqa: T201 - the figure is the point
    warm = curve[parts // 3 :]
    assert max(warm) - min(warm) < 0.1 * max(warm)
    assert window.player.cache.statistics().used_bytes <= BUDGET_BYTES
    begin = time.monotonic()
    window.close()
    assert time.monotonic() - begin < 2.0


def test_the_playhead_keeps_to_the_clock_and_every_panel_to_the_playhead(
    qtbot: QtBot, window: MainWindow
) -> None:
    playhead = window.workspace.playhead
    playhead.set_loop(False)
    playhead.jump_to(playhead.span.start_ns)
    moved: list[tuple[int, int]] = []
    playhead.moved.connect(lambda ns: moved.append((time.monotonic_ns(), ns)))
    begin_ns, from_ns = time.monotonic_ns(), playhead.position_ns
    playhead.set_playing(True)
    run_for(min(SECONDS, 15.0), lambda: None, moves_per_s=1)
    playhead.set_playing(False)
    at_ns, position_ns = moved[-1]
    error_ms = ((position_ns - from_ns) - (at_ns - begin_ns)) / 1e6
    print(f"playhead error {error_ms:.3f} ms")  # noqa: T201 - the figure is the point
    assert abs(error_ms) < 20  # the tick in which playing began, on a busy machine
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=10_000)


def test_scrubbing_ends_on_the_final_playhead(qtbot: QtBot, window: MainWindow) -> None:
    chooser, playhead, meter = random.Random(2), window.workspace.playhead, StallMeter()
    before = window.player.statistics().shown
    meter.start()
    run_for(
        10.0,
        lambda: playhead.jump_to(chooser.randrange(playhead.span.start_ns, playhead.span.stop_ns)),
        moves_per_s=60,
    )
    meter.stop()
    shown = window.player.statistics().shown - before
    late = np.array(meter.late_ms)
    print(  # noqa: T201 - the figures are the point
        f"{shown / 10:.0f} pictures a second, event loop late by {np.percentile(late, 50):.1f} ms (p50),"
        f" {np.percentile(late, 99):.1f} ms (p99), {late.max():.1f} ms at worst"
    )
    assert shown >= 100
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=10_000)
