"""Small recordings for tests: every frame's payload can be told from its stream and number."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from hfviewer.core.recording import Recording
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.readers.hyperframe.commit import ChangeMode, StreamChange, commit_changes
from hfviewer.readers.hyperframe.payload import NewFrame
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.writer import HyperframeWriter

START_NS = 1_700_000_000_123_456_789

ANNOTATIONS = StreamDescription(name="annotations/test", kind=StreamKind.ANNOTATION, encoding="json")
IMU = StreamDescription(
    name="imu",
    kind=StreamKind.IMU,
    encoding="f32",
    clock=Clock.HARDWARE,
    channels=(Channel("x", "rad/s"), Channel("y", "rad/s")),
)
CLOUD = StreamDescription(
    name="lidar",
    kind=StreamKind.POINTS,
    encoding="f32_planar",
    compression="lz4",
    fields=("x", "y", "z", "intensity"),
)
STATUS = StreamDescription(name="status", kind=StreamKind.TEXT, encoding="json", compression="zstd")

Content = dict[str, list[tuple[int, int, bytes]]]
"""Per stream: (timestamp_ns, sequence, decompressed payload), sorted."""


def write_small(path: Path, frames: int = 4) -> None:
    """Three streams at different rates."""
    with HyperframeWriter(path, title="small", metadata={"site": {"name": "yard", "floor": 3}}) as writer:
        for description in (IMU, CLOUD, STATUS):
            writer.add_stream(description)
        for i in range(frames):
            writer.append("imu", START_NS + 10_000_000 * i, np.array([i, -i], "<f4").tobytes(), 7 + i)
            if i % 2 == 0:
                writer.append("lidar", START_NS + 10_000_000 * i + 1, cloud(i))
                writer.append("status", START_NS + 10_000_000 * i + 2, status(i))


def cloud(i: int) -> bytes:
    values = np.zeros((4, 40), "<f4")
    values[:, 0] = i + 1
    return values.tobytes()


def status(i: int) -> bytes:
    return json.dumps({"number": i, "text": "a" * 60}).encode()


def annotation(i: int, note: str = "") -> NewFrame:
    return NewFrame(timestamp_ns=START_NS + i, payload=json.dumps({"id": i, "note": note}).encode())


def write_with_revisions(path: Path) -> None:
    """Revision 2 adds an annotation track, revision 3 replaces it."""
    write_small(path)
    commit_changes(
        path,
        expected_revision=1,
        streams=[StreamChange(description=ANNOTATIONS, frames=[annotation(1)])],
        metadata={"annotations": {"tracks": [{"name": "test"}], "labels": []}},
    )
    frames = [annotation(1, "changed"), annotation(2)]
    commit_changes(
        path,
        expected_revision=2,
        streams=[StreamChange(description=ANNOTATIONS, frames=frames, mode=ChangeMode.REPLACE)],
    )


def content(recording: Recording) -> Content:
    """Everything that can be read of a recording; unreadable frames raise."""
    return {
        name: [
            (int(stream.timestamps_ns[i]), int(stream.sequence[i]), stream.payload(i))
            for i in range(len(stream))
        ]
        for name, stream in recording.streams.items()
    }


def content_of(path: Path, revision: int | None = None) -> Content:
    with HyperframeReader().open(path, revision=revision) as recording:
        return content(recording)


def is_subset(part: Mapping[str, list[tuple[int, int, bytes]]], whole: Content) -> bool:
    """Whether every frame of one is in the other, as often."""
    for name, frames in part.items():
        rest = list(whole.get(name, []))
        for frame in frames:
            if frame not in rest:
                return False
            rest.remove(frame)
    return True
