"""What a panel may know beyond its stream: how sensors stand to each other, and what is pointed at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from hfviewer.core.geometry import Calibration, CameraModel
from hfviewer.core.projection import frame_of, is_usable
from hfviewer.core.stream import StreamDescription
from hfviewer.model.pick import PickBoard
from hfviewer.playback.result import FrameResult


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


@runtime_checkable
class HasCompanions(Protocol):
    """A panel that also shows frames of other streams, e.g. a lidar's points over a camera's picture.

    It also has a signal ``companions_changed`` that says when the list is another.
    """

    def companions(self) -> tuple[str, ...]:
        """Names of the other streams whose frames it wants."""

    def show_companion(self, result: FrameResult) -> None:
        """A frame of one of them, under the playhead."""
