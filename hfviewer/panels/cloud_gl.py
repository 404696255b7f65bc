"""Clouds drawn by vispy on the GPU. Import it only where it is used: vispy takes a tenth of a second to load.

Which renderer a panel starts with, and how ``HFVIEWER_CLOUD=gl`` or ``=cpu`` overrides that: `cloud_choice`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, qInstallMessageHandler
from PySide6.QtGui import QOffscreenSurface, QOpenGLContext
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget
from vispy import app, gloo
from vispy.gloo import gl

from hfviewer.panels.cloud_colour import Shading
from hfviewer.panels.cloud_cpu import backdrop
from hfviewer.panels.cloud_look import CloudLook
from hfviewer.panels.cloud_visuals import BackdropVisual, PointsVisual

_log = logging.getLogger(__name__)
_NO_POINTS = np.empty((0, 3), np.float32)


class GlCloud:
    """A canvas that shows one cloud, for as long as its panel lives.

    Nothing is sent to the GPU before the canvas is painted, so what a hidden one is told costs nothing, and
    only what differs from the last painting is sent.

    Args:
        parent: the widget it fills; it lets the mouse through to it.
        on_failure: called once with what went wrong, possibly while the canvas is being painted; the canvas
            is of no use afterwards.

    Raises:
        Exception: anything at all, where there is no canvas to be had.
    """

    def __init__(self, parent: QWidget, on_failure: Callable[[str], None]) -> None:
        self._on_failure: Callable[[str], None] | None = on_failure
        before = qInstallMessageHandler(None)
        try:
            # Loading its Qt part, vispy takes over all of Qt's messages.
            application = app.use_app("pyside6")
        finally:
            qInstallMessageHandler(before)
        # Without a dpi, vispy would start programs to find one.
        self._canvas = app.Canvas(
            app=application, parent=parent, size=(1, 1), autoswap=False, dpi=96, config={"depth_size": 24}
        )
        self._widget: QOpenGLWidget = self._canvas.native
        self._widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._points, self._backdrop = PointsVisual(), BackdropVisual()
        self._xyz, self._drawn_xyz = _NO_POINTS, _NO_POINTS
        self._shading: Shading | None = None
        self._look: CloudLook | None = None
        self._drawn_look: CloudLook | None = None
        self._initialized = False
        self._widget.destroyed.connect(partial(_release, self._canvas, (self._points, self._backdrop)))
        self._canvas.events.initialize.connect(self._on_initialize)
        self._canvas.events.draw.connect(self._on_draw)

    @property
    def widget(self) -> QWidget:
        """To be placed by the parent."""
        return self._widget

    def show_points(self, xyz: NDArray[np.float32], shading: Shading, look: CloudLook) -> None:
        """Show this; arrays that are the same objects as before are taken to be unchanged.

        Args:
            xyz: float32 N×3, metres, finite.
            shading: with a value for each point, or none.
            look: camera, size and grid.
        """
        self._xyz, self._shading, self._look = xyz, shading, look
        self._widget.update()

    def clear(self, look: CloudLook) -> None:
        """Show neither points nor grid."""
        self._xyz, self._shading, self._look = _NO_POINTS, None, look
        self._widget.update()

    def check(self) -> None:
        """Report a failure where Qt got no context; worth asking once the canvas should have been painted."""
        if self._widget.isVisible() and not self._widget.isValid():
            self._fail("Qt got no OpenGL context.")

    def close(self) -> None:
        """Take the canvas off the screen for good."""
        self._on_failure = None
        self._widget.hide()
        self._widget.deleteLater()

    def _on_initialize(self, event: object) -> None:
        if self._initialized:
            self._fail("Qt replaced the OpenGL context.")
        self._initialized = True

    def _on_draw(self, event: object) -> None:
        if self._on_failure is None:
            return
        try:
            self._paint()
        except Exception as error:  # noqa: BLE001  a driver may say anything
            _log.exception("Drawing points with OpenGL failed.")
            self._canvas.context.glir.clear()  # or the rest would fail once more, out of our reach
            self._fail(str(error))

    def _fail(self, problem: str) -> None:
        told, self._on_failure = self._on_failure, None
        if told is not None:
            told(problem)

    def _paint(self) -> None:
        look = self._look
        if look is None:
            gloo.clear(color=(0, 0, 0, 1), depth=True)
            return
        gloo.set_viewport(0, 0, *look.device)
        # vispy fills alpha with that of this colour afterwards; below 1 the window would show through.
        gloo.clear(color=(look.ground.redF(), look.ground.greenF(), look.ground.blueF(), 1.0), depth=True)
        if self._shading is not None:
            self._paint_backdrop(look)
            if len(self._xyz):
                self._paint_points(self._shading, look)
        self._canvas.context.flush_commands()
        gl.check_error("a cloud")

    def _paint_backdrop(self, look: CloudLook) -> None:
        if look != self._drawn_look:
            picture = backdrop(look)
            rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), -1, 4)
            self._backdrop.set_picture(rows.copy())
            self._backdrop.set_look(look)
            self._points.set_look(look)
            self._drawn_look = look
        self._backdrop.draw()

    def _paint_points(self, shading: Shading, look: CloudLook) -> None:
        if self._xyz is not self._drawn_xyz:
            self._points.set_positions(self._xyz)
            self._drawn_xyz = self._xyz
        self._points.set_shading(shading)
        self._points.draw()


def _release(canvas: Any, visuals: tuple[PointsVisual, BackdropVisual], _: object = None) -> None:
    """Free what the visuals hold on the GPU once their canvas is gone.

    Contexts that share keep everything until the last of them goes; any other one of them may free it.
    """
    shared = QOpenGLContext.globalShareContext()
    if shared is None:
        return
    surface, context = QOffscreenSurface(), QOpenGLContext()
    surface.create()
    context.setShareContext(shared)
    if not context.create() or not context.makeCurrent(surface):
        return
    try:
        canvas.context.glir.clear()
        for visual in visuals:
            visual.release()
        canvas.context.glir.flush(canvas.context.shared.parser)
    except Exception:  # noqa: BLE001  a driver may say anything
        _log.exception("Freeing a cloud's OpenGL objects failed.")
    finally:
        context.doneCurrent()
