"""A depth picture as the points that it measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QWidget

from hfviewer.core.errors import FrameError
from hfviewer.core.frame import DepthFrame, Frame, PointFrame, freeze
from hfviewer.core.geometry import CameraModel
from hfviewer.core.projection import fitted_to, points_of_depth
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.panels.cloud import CloudPanel
from hfviewer.panels.surroundings import Surroundings, upright_frame
from hfviewer.panels.theme import Theme
from hfviewer.playback.result import Preparer


class DepthCloudPanel(CloudPanel):
    """The point cloud panel, fed with depth pictures through their camera's calibration."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        shown = replace(description, kind=StreamKind.POINTS)
        super().__init__(shown, timestamps_ns, recording_start_ns, theme, parent)
        self._camera: CameraModel | None = None

    @property
    def link_name(self) -> str:
        return f"{self.stream_name} (points)"  # not the depth panel's, or the two would not mark each other

    def set_surroundings(self, surroundings: Surroundings) -> None:
        self._camera = surroundings.camera_of(self.stream_name)
        own = replace(self._description, frame=upright_frame(surroundings.frame_of(self.stream_name)))
        cameras = {
            name: c for name, c in surroundings.calibration.cameras.items() if name != self.stream_name
        }
        inner = Surroundings(
            replace(surroundings.calibration, cameras=cameras),
            {**surroundings.descriptions, self.stream_name: own, self.link_name: own},
            surroundings.picks,
        )
        super().set_surroundings(inner)

    def _as_points(self) -> Callable[[Frame], Frame] | None:
        camera = self._camera
        return None if camera is None else lambda frame: cloud_of(frame, camera)

    def preparer(self) -> Preparer | None:
        camera, then = self._camera, super().preparer()
        if camera is None:
            return None

        def prepare(frame: Frame) -> object:
            cloud = cloud_of(frame, camera)
            return (cloud, None if then is None else then(cloud))

        return prepare

    def _draw(self, frame: Frame) -> None:
        if self._camera is None:
            raise FrameError(
                "The calibration has no camera of this stream: where its pixels lie is not known.",
                remedy="Show it as a depth picture.",
            )
        if isinstance(self._prepared, tuple):
            cloud, self._prepared = self._prepared
        else:
            cloud = cloud_of(frame, self._camera)
        super()._draw(cloud)


def cloud_of(frame: Frame, camera: CameraModel) -> PointFrame:
    """The points of a depth picture, turned upright: x forward, y left, z up, from the camera.

    Raises:
        FrameError: it is none.
    """
    if not isinstance(frame, DepthFrame) or frame.stored.ndim != 2 or frame.stored.size == 0:
        raise FrameError("This is not a depth picture.")
    own = fitted_to(camera, (frame.stored.shape[1], frame.stored.shape[0]))
    if own is None:
        raise FrameError(
            "Its pictures have another shape than the calibration says.",
            remedy="Show it as a depth picture.",
        )
    xyz, pixel = points_of_depth(own, frame.stored, frame.scale)
    upright = np.stack([xyz[:, 2], -xyz[:, 0], -xyz[:, 1]], axis=1)  # `UPRIGHT_FROM_CAMERA`
    rows, columns = np.divmod(pixel, frame.stored.shape[1])
    fields = {
        "x": upright[:, 0],
        "y": upright[:, 1],
        "z": upright[:, 2],
        "depth": xyz[:, 2],
        "column": columns.astype(np.float32),
        "row": rows.astype(np.float32),
    }
    for values in (upright, *fields.values()):
        freeze(values)
    return PointFrame(
        stream=frame.stream,
        index=frame.index,
        timestamp_ns=frame.timestamp_ns,
        sequence=frame.sequence,
        xyz=upright,
        fields=fields,
    )
