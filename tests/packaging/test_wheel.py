"""The wheel as a user gets it: built from this source tree, without a network, and looked into."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import hfviewer

ROOT = Path(__file__).resolve().parents[2]
INFO = f"hfviewer-{hfviewer.__version__}.dist-info"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=300)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def unpacked(wheel: Path) -> Path:
    folder = wheel.parent / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def files_below(folder: Path) -> set[str]:
    """Paths relative to a folder, what Python leaves behind aside."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_every_resource_is_inside_the_package(names: set[str]) -> None:
    resources = {f"hfviewer/resources/{name}" for name in files_below(ROOT / "resources")}
    assert any(name.startswith("hfviewer/resources/icons/") and name.endswith(".svg") for name in resources)
    assert resources <= names


def test_the_whole_package_is_inside_and_says_that_it_has_types(names: set[str]) -> None:
    assert {f"hfviewer/{name}" for name in files_below(ROOT / "hfviewer")} <= names
    assert "hfviewer/py.typed" in names


def test_nothing_else_is_inside(names: set[str]) -> None:
    ours = {f"hfviewer/{name}" for name in files_below(ROOT / "hfviewer")}
    ours |= {f"hfviewer/resources/{name}" for name in files_below(ROOT / "resources")}
    assert {name for name in names if not name.startswith(f"{INFO}/")} == ours
    assert not any(name.endswith((".png", ".jpg", ".hfr", ".mp4")) for name in names)


def test_the_program_is_called_hfviewer(unpacked: Path) -> None:
    entry_points = (unpacked / INFO / "entry_points.txt").read_text(encoding="utf-8").split("\n")
    assert "hfviewer = hfviewer.cli.main:main" in entry_points


def test_the_wheel_finds_its_own_resources_wherever_it_lies(unpacked: Path) -> None:
    code = "from hfviewer.core.resources import resource_path; print(resource_path('icons'))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=unpacked,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert Path(done.stdout.strip()) == unpacked / "hfviewer" / "resources" / "icons"
    assert list(Path(done.stdout.strip()).glob("*.svg"))
