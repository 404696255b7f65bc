from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from hfviewer.cli.main import main
from hfviewer.core import edits
from hfviewer.readers.annotation_store import change
from hfviewer.readers.hyperframe.annotation_store import InFileStore
from tests.labels import label
from tests.model.label_driver import keeper_of
from tests.recordings import START_NS, write_small


def test_render_writes_a_picture_of_the_size_asked_for_with_every_panel_filled(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_small(tmp_path / "small.hfr")
    out = tmp_path / "a.png"
    assert main(["render", str(path), "--at", "1.0", "--out", str(out), "--size", "1280x720", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["playhead_ns"] == START_NS + 1_000_000_000
    assert document["missing"] == []
    assert "cam" in document["panels"]
    picture = cv2.imread(str(out))
    assert picture is not None
    assert picture.shape == (720, 1280, 3)
    # The camera's green column, enlarged, is somewhere in it.
    assert (np.asarray(picture) == (100, 255, 0)).all(axis=2).sum() > 50


@pytest.mark.parametrize(
    "words",
    [
        ["--at", "x", "--out", "a.png"],
        ["--at", "1", "--out", "a.xyz"],
        ["--at", "1", "--out", "a.png", "--size", "big"],
    ],
)
def test_wrong_arguments_are_one_line(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    path = write_small(tmp_path / "small.hfr", frames=2)
    words = [str(tmp_path / word) if word.startswith("a.") else word for word in words]
    assert main(["render", str(path), *words]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert err.startswith("hfviewer: ")


def test_a_picture_leaves_labels_and_their_journal_alone(qtbot: QtBot, tmp_path: Path) -> None:
    path = write_small(tmp_path / "small.hfr")
    change(InFileStore(path), lambda state: state.changed({"a" * 32: label("a" * 32, 0.5, 1.5)}))
    keeper = keeper_of(path, path.with_name("small.hfr.labels.journal"))
    history = keeper.open().history
    keeper.record([("do", history.do(edits.add(history.state, [label("b" * 32, 1, 2)])))])
    keeper.close()  # as a kill leaves it
    before = {found.name: found.read_bytes() for found in tmp_path.iterdir()}
    assert main(["render", str(path), "--at", "1.0", "--out", str(tmp_path / "out.png")]) == 0
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
