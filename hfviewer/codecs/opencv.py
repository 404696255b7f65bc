"""OpenCV, imported so that it leaves no trace in the environment.

Its wheels point Qt at their own plugins through two variables; a child process that starts Qt would trip over
them.
"""

from __future__ import annotations

import os

import cv2

for _key in ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR"):
    if "cv2" in os.environ.get(_key, ""):
        del os.environ[_key]

__all__ = ["cv2"]
