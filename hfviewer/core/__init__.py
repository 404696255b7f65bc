"""Values and maths on NumPy alone: what every other layer speaks in.

The types of this package are public. They are imported on first use, so that a command that only reports an
error does not load NumPy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hfviewer.core.collection import EpisodeCollection, EpisodeRow
    from hfviewer.core.errors import (
        ChangedOnDiskError,
        ConversionError,
        DamagedRecordingError,
        FrameError,
        HfviewerError,
        LockedError,
        NotARecordingError,
        UnfinishedRecordingError,
        UnsupportedError,
        UsageError,
        WriteError,
    )
    from hfviewer.core.finding import Finding, Severity
    from hfviewer.core.frame import (
        AnnotationFrame,
        DepthFrame,
        Frame,
        ImageFrame,
        MatrixFrame,
        PointFrame,
        PoseFrame,
        RawFrame,
        SampleFrame,
        TextFrame,
    )
    from hfviewer.core.geometry import Calibration, CameraModel, Transform
    from hfviewer.core.recording import RecorderEvidence, Recording, RecordingDescription, Stream
    from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
    from hfviewer.core.window import TimeWindow, WindowGrid

_HOMES = {
    "collection": ("EpisodeCollection", "EpisodeRow"),
    "errors": (
        "ChangedOnDiskError",
        "ConversionError",
        "DamagedRecordingError",
        "FrameError",
        "HfviewerError",
        "LockedError",
        "NotARecordingError",
        "UnfinishedRecordingError",
        "UnsupportedError",
        "UsageError",
        "WriteError",
    ),
    "finding": ("Finding", "Severity"),
    "frame": (
        "AnnotationFrame",
        "DepthFrame",
        "Frame",
        "ImageFrame",
        "MatrixFrame",
        "PointFrame",
        "PoseFrame",
        "RawFrame",
        "SampleFrame",
        "TextFrame",
    ),
    "geometry": ("Calibration", "CameraModel", "Transform"),
    "recording": ("RecorderEvidence", "Recording", "RecordingDescription", "Stream"),
    "stream": ("Channel", "Clock", "StreamDescription", "StreamKind"),
    "window": ("TimeWindow", "WindowGrid"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AnnotationFrame",
    "Calibration",
    "CameraModel",
    "ChangedOnDiskError",
    "Channel",
    "Clock",
    "ConversionError",
    "DamagedRecordingError",
    "DepthFrame",
    "EpisodeCollection",
    "EpisodeRow",
    "Finding",
    "Frame",
    "FrameError",
    "HfviewerError",
    "ImageFrame",
    "LockedError",
    "MatrixFrame",
    "NotARecordingError",
    "PointFrame",
    "PoseFrame",
    "RawFrame",
    "RecorderEvidence",
    "Recording",
    "RecordingDescription",
    "SampleFrame",
    "Severity",
    "Stream",
    "StreamDescription",
    "StreamKind",
    "TextFrame",
    "TimeWindow",
    "Transform",
    "UnfinishedRecordingError",
    "UnsupportedError",
    "UsageError",
    "WindowGrid",
    "WriteError",
]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'hfviewer.core' has no attribute {name!r}")
    return getattr(importlib.import_module(f"hfviewer.core.{home}"), name)
