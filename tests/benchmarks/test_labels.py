"""What labels cost, as ratios within one run: commits, opening a hundred thousand, repainting them.

Run by name: ``pytest tests/benchmarks/test_labels.py --benchmark-only -s``. No figure is asserted but the
bytes that a commit writes, which do not depend on the machine's mood.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import TYPE_CHECKING

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.core.window import TimeWindow
from hfviewer.readers.hyperframe.annotation_store import InFileStore
from hfviewer.readers.hyperframe.assemble import build_metadata, write_header, write_tail
from hfviewer.readers.hyperframe.layout import ENTRY, HEADER_SIZE, Header, pack_header
from tests.benchmarks.test_hyperframe import alternate, once
from tests.labels import SCHEMA, SECOND_NS, START_NS, label
from tests.recordings import write_small

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

MANY = 100_000


@pytest.fixture(scope="module")
def told(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    lines: list[str] = []
    yield lines
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")


def write_sparse(path: Path, payload_bytes: int, frames: int = 1000) -> Path:
    """A recording whose payloads take so many bytes, nearly all of them a hole in the file."""
    entries = np.zeros(frames, ENTRY)
    size = payload_bytes // frames // 64 * 64
    entries["sequence"] = np.arange(frames)
    entries["timestamp_ns"] = START_NS + np.arange(frames) * 33_333_333
    entries["offset"] = HEADER_SIZE + np.arange(frames) * size
    entries["size"] = size
    camera = StreamDescription(name="cam", kind=StreamKind.IMAGE, encoding="jpeg")
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        os.pwrite(fd, pack_header(Header(finalized=False)), 0)
        end = HEADER_SIZE + frames * size
        os.ftruncate(fd, end)
        metadata = build_metadata({}, entries, descriptions={0: camera})
        header = Header(start_ns=START_NS, stream_count=1)
        write_header(fd, write_tail(fd, end, metadata=metadata, entries=entries, header=header))
    finally:
        os.close(fd)
    return path


def commit_one(store: InFileStore, number: int) -> None:
    stored = store.load()
    fresh = label(f"{number:032d}", number % 30, number % 30 + 1)
    store.write(stored, stored.annotations.changed({fresh.id: fresh}))


def digest(path: Path, size: int) -> str:
    """Of the bytes before an old end, but for the header."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        file.seek(HEADER_SIZE)
        left = size - HEADER_SIZE
        while left:
            part = file.read(min(left, 1 << 22))
            found.update(part)
            left -= len(part)
    return found.hexdigest()


def test_a_commit_costs_the_same_whatever_the_recording_weighs(
    benchmark: BenchmarkFixture, tmp_path: Path, told: list[str]
) -> None:
    small, large = (InFileStore(write_sparse(tmp_path / f"{size}.hfr", size)) for size in (10 << 20, 4 << 30))
    sizes = [Path(store.path).stat().st_size for store in (small, large)]
    before = digest(Path(small.path), sizes[0])
    numbers = iter(range(10_000))
    large_ms, small_ms = alternate(
        lambda: commit_one(large, next(numbers)), lambda: commit_one(small, next(numbers)), 25
    )
    once(benchmark, lambda: commit_one(large, next(numbers)))
    grown = [
        Path(store.path).stat().st_size - size for store, size in zip((small, large), sizes, strict=True)
    ]
    assert abs(grown[0] - grown[1]) < 200_000
    assert digest(Path(small.path), sizes[0]) == before
    ratio = large_ms / small_ms
    told.append(
        f"commit one label: 10 MiB {small_ms:.2f} ms, 4 GiB {large_ms:.2f} ms, ratio {ratio:.2f} (1.2)"
    )


def test_a_hundred_thousand_labels_are_opened(
    benchmark: BenchmarkFixture, tmp_path: Path, told: list[str]
) -> None:
    path = write_small(tmp_path / "many.hfr")
    store = InFileStore(path)
    many = [
        label(
            f"{i:032d}", i / 1000, i / 1000 + 0.5, stream="cam", first_frame=i, last_frame=i + 2, author="A"
        )
        for i in range(MANY)
    ]
    store.write(store.load(), AnnotationSet(SCHEMA, many))
    ours_ms, bare_ms = alternate(store.load, lambda: path.read_bytes(), 5)
    assert len(once(benchmark, store.load).annotations) == MANY
    told.append(f"open {MANY} labels: {ours_ms:.0f} ms, bare read of the file {bare_ms:.0f} ms (500 ms)")


def test_a_hundred_thousand_labels_are_repainted(
    benchmark: BenchmarkFixture, qapp: QApplication, told: list[str]
) -> None:
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QImage, QPainter

    from hfviewer.panels.theme import Theme
    from hfviewer.panels.timeline.axis import TimeAxis
    from hfviewer.panels.timeline.track_row import TimeScale
    from hfviewer.panels.timeline.tracks import LabelTrack

    many = [label(f"{i:032d}", i / 1000, i / 1000 + 0.0012) for i in range(MANY)]
    row = LabelTrack("drive", Theme())
    row.set_labels(many, SCHEMA)
    whole = TimeAxis.fitting(TimeWindow(START_NS, START_NS + 100 * SECOND_NS), 1600)
    rect = QRect(200, 0, 1600, row.height_px)
    image = QImage(1800, 64, QImage.Format.Format_ARGB32_Premultiplied)

    def paint(axis: TimeAxis) -> float:
        started = perf_counter_ns()
        painter = QPainter(image)
        row.paint(painter, TimeScale(axis), rect)
        painter.end()
        return (perf_counter_ns() - started) / 1e6

    fresh, again = [], []
    for zoom in (1, 3, 10, 100, 3000):
        axis = whole.zoomed(700, zoom)
        fresh.append(paint(axis))
        again.append(median(paint(axis) for _ in range(20)))
    once(benchmark, lambda: paint(whole))
    numbers = ", ".join(f"{ms:.1f}" for ms in fresh)
    told.append(f"repaint {MANY} labels: {max(again):.2f} ms; at a new zoom {numbers} ms (5 ms)")
