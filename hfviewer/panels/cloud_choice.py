"""Which renderer draws point clouds: vispy on a GPU, or the CPU where OpenGL would be software anyway.

Software GL (llvmpipe, softpipe, SWR), platforms without GL (offscreen, minimal, vnc) and remote desktops,
which come with software GL, get the CPU: it is several times faster there. The environment variable
``HFVIEWER_CLOUD`` overrides the choice:

- ``HFVIEWER_CLOUD=gl``: vispy wherever there is any OpenGL, software included.
- ``HFVIEWER_CLOUD=cpu``: never OpenGL.

Anything else in it is ignored, with a warning in the log.
"""

from __future__ import annotations

import logging
import os
from enum import StrEnum
from functools import cache

from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext

VARIABLE = "HFVIEWER_CLOUD"
_log = logging.getLogger(__name__)
_GL_RENDERER = 0x1F01
_NO_GL_PLATFORMS = ("offscreen", "minimal", "minimalegl", "eglfs", "linuxfb", "vnc")
_SOFTWARE = ("llvmpipe", "softpipe", "swr", "software", "swiftshader", "gdi generic", "basic render")


class CloudRenderer(StrEnum):
    """What draws the points."""

    GL = "gl"
    CPU = "cpu"


@cache
def gl_renderer() -> str | None:
    """What OpenGL calls the thing that draws, such as ``llvmpipe (LLVM 15.0.6)``; None without OpenGL."""
    # The offscreen platform may have a context and still cannot show it in a widget.
    if QGuiApplication.platformName() in _NO_GL_PLATFORMS:
        return None
    surface = QOffscreenSurface()
    surface.create()
    context = QOpenGLContext()
    if not context.create() or not context.makeCurrent(surface):
        return None
    name = context.functions().glGetString(_GL_RENDERER)
    context.doneCurrent()
    return str(name) if name else None


def is_software(renderer: str) -> bool:
    """True where a processor plays the GPU."""
    return any(name in renderer.lower() for name in _SOFTWARE)


def choose_renderer() -> tuple[CloudRenderer, str]:
    """The renderer to start with, and what to tell the person where it is not the one asked for."""
    wish = os.environ.get(VARIABLE, "").strip().lower()
    if wish not in ("", *CloudRenderer):
        _log.warning("%s=%s is neither gl nor cpu; it is ignored.", VARIABLE, wish[:40])
        wish = ""
    if wish == CloudRenderer.CPU:
        return CloudRenderer.CPU, ""
    renderer = gl_renderer()
    if renderer is None:
        return CloudRenderer.CPU, "There is no OpenGL here" if wish else ""
    if wish == CloudRenderer.GL or not is_software(renderer):
        return CloudRenderer.GL, ""
    return CloudRenderer.CPU, ""
