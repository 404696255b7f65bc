"""What a panel may know beyond its stream: how sensors stand to each other, and what is pointed at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol, runtime_checkable

import numpy as np

from hfviewer.core.geometry import Calibration, CameraModel, Transform
from hfviewer.core.projection import frame_of, is_usable
from hfviewer.core.recording import Recording
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.model.pick import PickBoard

# The axes of clouds (x forward, y left, z up) of those of cameras (x right, y down, z forward).
UPRIGHT_FROM_CAMERA = np.array(
    [[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
)


def upright_frame(frame: str) -> str:
    """Name of a camera's frame once it is turned upright, as clouds made of depth pictures are shown."""
    return f"{frame} (upright)"


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The recording around a panel.

    Args:
        calibration: cameras and transforms.
        descriptions: of all streams, by name.
        picks: what is pointed at, shared by all panels.
    """

    calibration: Calibration
    descriptions: Mapping[str, StreamDescription] = field(default_factory=lambda: MappingProxyType({}))
    picks: PickBoard = field(default_factory=PickBoard)

    @classmethod
    def of(cls, recording: Recording, picks: PickBoard) -> Surroundings:
        """Those of a recording; upright frames of its depth cameras are added to the transforms."""
        calibration = recording.description.calibration
        descriptions = {name: stream.description for name, stream in recording.streams.items()}
        added: list[Transform] = []
        for name, description in descriptions.items():
            if description.kind is StreamKind.DEPTH:
                frame = frame_of(calibration, name, description.frame)
                if all(transform.parent != upright_frame(frame) for transform in added):
                    added.append(Transform(upright_frame(frame), frame, UPRIGHT_FROM_CAMERA))
        whole = replace(calibration, transforms=(*calibration.transforms, *added))
        return cls(whole, MappingProxyType(descriptions), picks)

    def frame_of(self, stream: str) -> str:
        """Coordinate frame of what a stream measures."""
        description = self.descriptions.get(stream)
        return frame_of(self.calibration, stream, "" if description is None else description.frame)

    def camera_of(self, stream: str) -> CameraModel | None:
        """The camera of a stream, where the calibration has one that can be used."""
        camera = self.calibration.cameras.get(stream)
        return camera if camera is not None and is_usable(camera) else None


@runtime_checkable
class KnowsSurroundings(Protocol):
    """A panel that makes use of them; told once, before its first frame."""

    def set_surroundings(self, surroundings: Surroundings) -> None:
        """The recording around it."""
