"""The golden recordings of tests/data: how they are written, and the JSON that lies beside them.

``python -m tests.readers.hyperframe.golden`` makes them anew. That is for a format that gains something,
never for a test that fails: files that people have recorded must open as they are for ever.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hfviewer.core.geometry import Calibration
from hfviewer.core.stream import StreamDescription
from hfviewer.readers.hyperframe.commit import StreamChange, commit_changes
from hfviewer.readers.hyperframe.payload import NewFrame
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from tests.readers.hyperframe.golden_content import (
    CALIBRATION,
    HARDWARE,
    KEYFRAME,
    METADATA,
    GoldenFrame,
    golden_labels,
    golden_plain_frames,
    golden_streams,
    plain_values,
)
from tests.readers.plain import PlainWriter

FOLDER = Path(__file__).resolve().parents[2] / "data"


def write_golden(path: Path) -> None:
    """Write both revisions with the writer of today."""
    site = {"site": METADATA["site"]}
    with HyperframeWriter(
        path, 50_000_000, title="golden", source="tests", calibration=CALIBRATION, metadata=site
    ) as writer:
        streams = golden_streams()
        for stream in streams:
            writer.add_stream(stream.description)
        longest = max(len(stream.frames) for stream in streams)
        for number in range(longest):
            for stream in streams:
                for frame in stream.frames[number : number + 1]:
                    writer.append(
                        stream.description.name,
                        frame.timestamp_ns,
                        frame.payload,
                        frame.sequence,
                        keyframe=bool(frame.flags & KEYFRAME),
                        hardware_clock=bool(frame.flags & HARDWARE),
                    )
    labels = golden_labels()
    frames = [NewFrame(timestamp_ns=f.timestamp_ns, payload=f.payload) for f in labels.frames]
    commit_changes(
        path,
        expected_revision=1,
        streams=[StreamChange(description=labels.description, frames=frames)],
        metadata={"annotations": METADATA["annotations"]},
    )


def write_golden_plain(path: Path) -> None:
    """Write the plain file as other people's software does: no names, no kinds, no checksums."""
    writer = PlainWriter(path, 50_000_000)
    for stream_id, (_, frames) in golden_plain_frames().items():
        for frame in frames:
            writer.append(stream_id, frame.timestamp_ns, frame.payload, frame.flags)
    writer.finalize()


def frames_json(frames: Sequence[GoldenFrame]) -> list[dict[str, Any]]:
    """What must be read of a stream, in the order of its table: by time, then by sequence."""
    return [
        {
            "timestamp_ns": frame.timestamp_ns,
            "sequence": frame.sequence,
            "flags": frame.flags,
            "payload_crc32": zlib.crc32(frame.payload),
            "content": frame.content,
        }
        for frame in sorted(frames, key=lambda frame: (frame.timestamp_ns, frame.sequence))
    ]


def description_json(description: StreamDescription) -> dict[str, Any]:
    """What must be read of a stream's description: all that a recorder says about it."""
    return {
        "kind": str(description.kind),
        "encoding": description.encoding,
        "compression": description.compression,
        "clock": None if description.clock is None else str(description.clock),
        "declared_rate_hz": description.declared_rate_hz,
        "frame": description.frame,
        "width": description.width,
        "height": description.height,
        "pixel_format": description.pixel_format,
        "depth_unit_mm": description.depth_unit_mm,
        "depth_invalid": list(description.depth_invalid),
        "fields": list(description.fields),
        "channels": [[channel.name, channel.unit] for channel in description.channels],
        "note": description.note,
    }


def calibration_json(calibration: Calibration) -> dict[str, Any]:
    """What must be read of the calibration."""
    return {
        "cameras": {
            name: {
                "size": [camera.width, camera.height],
                "k": plain_values(camera.k),
                "distortion": list(camera.distortion),
                "distortion_model": camera.distortion_model,
                "frame": camera.frame,
            }
            for name, camera in calibration.cameras.items()
        },
        "transforms": [[t.parent, t.child, plain_values(t.matrix)] for t in calibration.transforms],
    }


def golden_json() -> dict[str, Any]:
    """What must be read of ``golden.hfr``."""
    streams = [*golden_streams(), golden_labels()]
    return {
        "title": "golden",
        "window_ns": 50_000_000,
        "calibration": calibration_json(CALIBRATION),
        "metadata": METADATA,
        "revisions": {
            "1": [stream.description.name for stream in golden_streams()],
            "2": [stream.description.name for stream in streams],
        },
        "streams": {
            stream.description.name: {
                "description": description_json(stream.description),
                "frames": frames_json(stream.frames),
            }
            for stream in streams
        },
    }


def golden_plain_json() -> dict[str, Any]:
    """What must be read of ``golden_plain.hfr``; kinds are guessed."""
    return {
        "window_ns": 50_000_000,
        "streams": {
            f"stream {stream_id}": {"kind": str(kind), "frames": frames_json(frames)}
            for stream_id, (kind, frames) in golden_plain_frames().items()
        },
    }


def to_text(document: Mapping[str, Any]) -> str:
    """The document as it lies beside its recording: one line a frame, so that people can look at it."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False)
    return text.replace('{"timestamp_ns"', '\n{"timestamp_ns"').replace(', "streams"', ',\n"streams"') + "\n"


def main() -> None:
    """Make the golden recordings anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, write, document in (
        ("golden", write_golden, golden_json()),
        ("golden_plain", write_golden_plain, golden_plain_json()),
    ):
        path = FOLDER / f"{name}.hfr"
        path.unlink(missing_ok=True)
        write(path)
        path.with_suffix(".json").write_text(to_text(document), encoding="utf-8")


if __name__ == "__main__":
    main()
