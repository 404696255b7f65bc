from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from hfviewer.panels.cloud_camera import OrbitCamera
from hfviewer.panels.cloud_look import CloudLook, faded
from hfviewer.panels.drawing import draw_stale
from hfviewer.panels.theme import DARK

LOOK = CloudLook(
    camera=OrbitCamera(),
    size=(301, 200),
    ratio=1.5,
    point_px=3,
    reach_m=20,
    ground_m=-1.7,
    ground=QColor("#05070A"),
    tokens=DARK,
)


def test_device_pixels_follow_the_ratio_and_are_never_none() -> None:
    assert LOOK.device == (452, 300)
    assert LOOK.point_device_px == 4
    small = replace(LOOK, size=(1, 1), ratio=0.25, point_px=8)
    assert small.device == (1, 1)
    assert small.point_device_px == 1


def test_the_matrix_counts_in_device_pixels() -> None:
    column, row, _, w = LOOK.matrix @ np.array([0, 0, 0, 1.0])
    assert (column / w, row / w) == pytest.approx((226, 150))


def test_faded_colours_are_those_of_a_picture_painted_as_stale(qapp: object) -> None:
    tokens = faded(LOOK).tokens
    colours, dimmed = (DARK.t1, DARK.picture, *DARK.axis), (tokens.t1, tokens.picture, *tokens.axis)
    for colour, dim in zip(colours, dimmed, strict=True):
        full, picture = QImage(4, 4, QImage.Format.Format_RGB32), QImage(4, 4, QImage.Format.Format_RGB32)
        full.fill(colour)
        picture.fill(LOOK.ground)
        painter = QPainter(picture)
        draw_stale(painter, QRectF(0, 0, 4, 4), full, QRectF(0, 0, 4, 4))
        painter.end()
        painted = picture.pixelColor(1, 1)
        parts = (painted.red(), painted.green(), painted.blue())
        assert (dim.red(), dim.green(), dim.blue()) == pytest.approx(parts, abs=2)
    assert LOOK.tokens is DARK
