"""hfviewer: see every stream of a sensor recording at one instant.

The names here are the public interface for scripts; none of them needs Qt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hfviewer.readers.hyperframe.writer import HyperframeWriter
    from hfviewer.readers.registry import open_path as open_recording

__version__ = "0.1.0"
__all__ = ["HyperframeWriter", "__version__", "open_recording"]


def __getattr__(name: str) -> Any:
    """Import the public names on first use, so that ``import hfviewer`` stays quick."""
    if name == "open_recording":
        from hfviewer.readers.registry import open_path

        return open_path
    if name == "HyperframeWriter":
        from hfviewer.readers.hyperframe.writer import HyperframeWriter

        return HyperframeWriter
    raise AttributeError(f"module 'hfviewer' has no attribute {name!r}")
