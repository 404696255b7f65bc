from __future__ import annotations

import numpy as np
import pytest

from hfviewer.panels.cloud_camera import OrbitCamera
from hfviewer.panels.cloud_scene import ground_lines, project_lines, ring_step_m


@pytest.mark.parametrize(("reach_m", "step_m"), [(13, 10), (30, 20), (80, 50), (0.5, 0.2), (1e4, 5000)])
def test_rings_lie_at_round_distances(reach_m: float, step_m: float) -> None:
    assert ring_step_m(reach_m) == pytest.approx(step_m)


def test_the_grid_lies_on_the_ground_and_its_rings_are_round() -> None:
    lines = ground_lines(10, -1.7)
    assert all(np.allclose(line[:, 2], -1.7) for line in lines)
    assert np.allclose(np.hypot(lines[-1][:, 0], lines[-1][:, 1]), 50)


def test_lines_behind_the_camera_are_left_out() -> None:
    camera = OrbitCamera(target_m=(10, 0, 0), distance_m=10, elevation_rad=0.0)
    matrix = camera.pixels_from_sensor(100, 100)
    ahead, behind = np.array([[5.0, -1, 0], [5, 1, 0]]), np.array([[-5.0, -1, 0], [-5, 1, 0]])
    through = np.array([[-5.0, 0, 0], [5, 0, 0]])
    assert len(project_lines([ahead], matrix, 100, 100)) == 1
    assert project_lines([behind, through], matrix, 100, 100) == []
    assert project_lines([], matrix, 100, 100) == []
