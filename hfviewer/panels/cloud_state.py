"""How a cloud is looked at, as plain values for a layout that is saved."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hfviewer.panels.cloud_camera import OrbitCamera
from hfviewer.panels.depth_colour import ColourMap

if TYPE_CHECKING:
    from hfviewer.panels.cloud import CloudPanel

_MOST_SCANS = 1000


def state_of(panel: CloudPanel) -> dict[str, object]:
    """Everything that the panel's menu can change, and where the camera is."""
    camera, gathering = panel.view.camera, panel.gathering
    state: dict[str, object] = {
        "colour_by": panel.colour_by,
        "map": panel.colour_map.value,
        "fitted": panel.is_fitted,
        "point_px": panel.view.point_px,
        "scans": gathering.scans,
        "pose": gathering.pose,
        "most": gathering.most,
        "grid": panel.view.has_grid,
        "axes": panel.has_axes,
        "frustums": panel.has_frustums,
        "path": panel.has_path,
    }
    if panel.view.knows_size:
        turns = [camera.distance_m, camera.azimuth_rad, camera.elevation_rad]
        state["camera"] = [*camera.target_m, *turns, camera.parallel]
    if panel.limits is not None and not panel.is_fitted:
        state["limits"] = list(panel.limits)
    return state


def restore(panel: CloudPanel, state: dict[str, object]) -> None:
    """Look at it as a saved layout says, as far as that makes sense."""
    match state.get("colour_by"):
        case str(name):
            panel.set_colour_by(name)
    maps = [colour_map for colour_map in ColourMap if colour_map.value == state.get("map")]
    panel.set_colour_map(maps[0] if maps else panel.colour_map)
    match state.get("limits"):
        case [float() | int() as low, float() | int() as high]:
            panel.set_limits(float(low), float(high))
    panel.set_fitted(state.get("fitted") is True)
    match state.get("point_px"):
        case int(size):
            panel.view.set_point_px(size)
    match state.get("scans"):
        case int(scans) if 1 <= scans <= _MOST_SCANS:
            panel.set_scans(scans)
    match state.get("pose"):
        case str(pose) if pose in ("", *panel.poses):
            panel.set_pose(pose)
    match state.get("most"):
        case int(most) if most > 0:
            panel.set_most(most)
    for name, shown, toggle in (
        ("grid", panel.view.has_grid, panel.toggle_grid),
        ("axes", panel.has_axes, panel.toggle_axes),
        ("frustums", panel.has_frustums, panel.toggle_frustums),
        ("path", panel.has_path, panel.toggle_path),
    ):
        if isinstance(state.get(name), bool) and state[name] is not shown:
            toggle()
    camera = _camera(state.get("camera"))
    if camera is not None:
        panel.view.keep_camera(camera)


def _camera(saved: object) -> OrbitCamera | None:
    if not isinstance(saved, list) or len(saved) != 7 or not isinstance(saved[6], bool):
        return None
    numbers = [float(part) for part in saved[:6] if isinstance(part, float | int)]
    if len(numbers) != 6 or not all(math.isfinite(part) and abs(part) < 1e6 for part in numbers):
        return None
    x, y, z, distance_m, azimuth_rad, elevation_rad = numbers
    if not 0.01 < distance_m < 1e5 or abs(elevation_rad) > math.pi / 2:
        return None
    return OrbitCamera(
        target_m=(x, y, z),
        distance_m=distance_m,
        azimuth_rad=azimuth_rad,
        elevation_rad=elevation_rad,
        parallel=saved[6],
    )
