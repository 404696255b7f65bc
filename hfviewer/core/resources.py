"""Where the files of `resources/` lie, installed or in a source tree."""

from __future__ import annotations

from pathlib import Path


def resource_path(*parts: str) -> Path:
    """Path of a file under `resources/`. The file need not exist."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "resources"
    root = installed if installed.is_dir() else package.parent / "resources"
    return root.joinpath(*parts)
