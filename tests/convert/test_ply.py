from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hfviewer.convert.ply import property_names, write_ply

XYZ = np.array([[1.5, -2, 3], [0, 1e-3, -7]], np.float32)


def read(path: Path) -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.void]]]:
    """Header lines, and rows by the properties that it names; an own reading, straight from the format."""
    data = path.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    lines = data[:end].decode("ascii").splitlines()
    kinds = {"float": "<f4", "uchar": "u1"}
    properties = [line.split()[1:] for line in lines if line.startswith("property")]
    return lines, np.frombuffer(data[end:], [(name, kinds[kind]) for kind, name in properties])


def test_points_fields_and_colours_come_back(tmp_path: Path) -> None:
    path = tmp_path / "cloud.ply"
    intensity = np.array([0.25, np.nan], np.float32)
    colours = np.array([0xFF102030, 0xFFFFFFFF], np.uint32)
    write_ply(path, XYZ, fields={"intensity": intensity}, colours=colours, comments=["two\nlines é"])
    lines, rows = read(path)
    assert lines[:3] == ["ply", "format binary_little_endian 1.0", "comment two lines ?"]
    assert "element vertex 2" in lines
    np.testing.assert_array_equal(np.stack([rows["x"], rows["y"], rows["z"]], axis=1), XYZ)
    np.testing.assert_array_equal(rows["intensity"], intensity)
    assert [tuple(rows[c]) for c in ("red", "green", "blue")] == [(16, 255), (32, 255), (48, 255)]


def test_no_points_are_a_file_too(tmp_path: Path) -> None:
    path = tmp_path / "none.ply"
    write_ply(path, np.empty((0, 3), np.float32))
    lines, rows = read(path)
    assert "element vertex 0" in lines
    assert len(rows) == 0


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.ply"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        write_ply(path, XYZ)
    assert path.read_text() == "mine"


def test_names_of_fields_become_words_of_their_own() -> None:
    found = property_names(["a b", "a/b", "x", "red", "", "überlänge" * 20])
    assert list(found.values())[:5] == ["a_b", "a_b_2", "x_2", "red_2", "field"]
    assert len(set(found.values())) == 6
    assert all(name.isascii() and " " not in name and len(name) < 64 for name in found.values())
