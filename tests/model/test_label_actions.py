"""Going from label to label: the playhead and the frame are those that were stored, from anywhere."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from hfviewer.core import edits, timing
from hfviewer.core.annotation import new_id
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.model.annotations import Annotations
from hfviewer.model.label_actions import LabelActions
from hfviewer.model.label_edges import LabelEdges
from hfviewer.model.tagging import Tagger
from hfviewer.model.workspace import Workspace
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from hfviewer.readers.registry import open_recording
from tests.labels import START_NS

STREAMS = ("steady", "jittery", "doubled")


def write_odd(path: Path) -> Path:
    """Streams of steady, irregular and repeated stamps."""
    rng = np.random.default_rng(7)
    with HyperframeWriter(path) as writer:
        for name in STREAMS:
            writer.add_stream(StreamDescription(name=name, kind=StreamKind.TEXT, encoding="json"))
            steps = np.full(900, 33_333_333)
            if name != "steady":
                steps = rng.integers(0 if name == "doubled" else 1, 90_000_000, 900)
            for stamp_ns in (START_NS + np.cumsum(steps)).tolist():
                writer.append(name, stamp_ns, b"{}")
    return path


@pytest.fixture
def parts(qtbot: QtBot, tmp_path: Path) -> Iterator[tuple[Workspace, Annotations, Tagger, LabelActions]]:
    workspace = Workspace()
    annotations = Annotations(tmp_path / "state", pause_ms=0)
    tagger = Tagger(annotations, workspace)
    with open_recording(write_odd(tmp_path / "odd.hfr")) as recording:
        workspace.set_recording(recording)
        annotations.set_recording(recording)
        qtbot.waitUntil(lambda: annotations.condition.editable)
        yield workspace, annotations, tagger, LabelActions(annotations, workspace, tagger)
        annotations.close()


def test_edges_are_set_on_a_stream_that_has_frames(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "hollow.hfr"
    with HyperframeWriter(path) as writer:
        for name in ("empty", "full", "other"):
            writer.add_stream(StreamDescription(name=name, kind=StreamKind.TEXT, encoding="json"))
        for stamp_ns in (START_NS, START_NS + 1000):
            writer.append("full", stamp_ns, b"{}")
    workspace = Workspace()
    with open_recording(path) as recording:
        workspace.set_recording(recording)
        workspace.focus("empty")
        edges = LabelEdges(workspace)
        anchor = edges.anchor()
        assert anchor is not None
        assert anchor[0] == "full"
        assert edges.edge_at(START_NS + 2000) == edits.Edge(START_NS + 1000, 1)


def test_from_anywhere_a_label_is_reached_on_its_very_frame(
    parts: tuple[Workspace, Annotations, Tagger, LabelActions],
) -> None:
    workspace, annotations, tagger, actions = parts
    recording = workspace.recording
    assert recording is not None
    rng = random.Random(3)
    edges = LabelEdges(workspace)
    made = []
    for _ in range(500):
        workspace.focus(rng.choice(STREAMS))
        anchor = edges.anchor()
        assert anchor is not None
        first, last = sorted(rng.sample(range(900), 2))
        start, end = (edges.edge_at(int(anchor[1][index])) for index in (first, last))
        made.append(tagger.made("walk", start, end, "labels"))
    annotations.do(lambda state: edits.add(state, made))
    for label in rng.sample(made, 500):
        workspace.playhead.set_speed(rng.choice([-4.0, -1.0, 0.25, 1.0, 8.0]))
        workspace.playhead.set_playing(rng.random() < 0.5)
        workspace.playhead.jump_to(START_NS + rng.randrange(30_000_000_000))
        workspace.focus(rng.choice(STREAMS))
        actions.go_to(label)
        assert workspace.playhead.position_ns == label.start_ns
        table = recording.streams[label.stream].timestamps_ns
        assert timing.index_at(table, workspace.playhead.position_ns) == label.first_frame
        assert timing.index_at(table, label.end_ns) == label.last_frame
        assert not workspace.playhead.playing


def test_nudging_steps_by_frames_of_the_labels_own_stream(
    parts: tuple[Workspace, Annotations, Tagger, LabelActions],
) -> None:
    workspace, annotations, tagger, actions = parts
    workspace.focus("jittery")
    recording = workspace.recording
    assert recording is not None
    table = recording.streams["jittery"].timestamps_ns
    edges = LabelEdges(workspace)
    made = tagger.made("walk", edges.edge_of(10, table), edges.edge_of(20, table), "labels")
    annotations.do(lambda state: edits.add(state, [made]))
    annotations.select([made.id])
    workspace.focus("steady")
    for _ in range(3):
        actions.nudge(1)
    actions.nudge(-5, start=False)
    (label,) = annotations.selected
    assert (label.first_frame, label.last_frame) == (13, 18)
    assert (label.start_ns, label.end_ns) == (int(table[13]), int(table[18]))
    actions.nudge(-10_000)
    assert annotations.selected[0].first_frame == 0


def test_reviewing_goes_from_one_unreviewed_label_to_the_next(
    parts: tuple[Workspace, Annotations, Tagger, LabelActions],
) -> None:
    workspace, annotations, tagger, actions = parts
    edges = LabelEdges(workspace)
    for second in (1, 2, 3):
        edge = edges.edge_at(START_NS + second * 1_000_000_000)
        made = tagger.made(f"l{second}", edge, edge, "labels")
        annotations.do(lambda state, a=made: edits.add(state, [a]))  # type: ignore[misc]
    seen = []
    for _ in range(3):
        found = actions.next_unreviewed()
        assert found is not None
        seen.append(found.label)
        actions.next_status()
        actions.next_status()
    assert sorted(seen) == ["l1", "l2", "l3"]
    assert {a.status for a in annotations.state} == {"reviewed"}
    assert actions.next_unreviewed() is None
    assert new_id() not in annotations.state


def test_many_labels_are_nudged_in_one_step(
    parts: tuple[Workspace, Annotations, Tagger, LabelActions],
) -> None:
    workspace, annotations, tagger, actions = parts
    workspace.focus("steady")
    table = LabelEdges(workspace).anchor()
    assert table is not None
    for index in range(10, 60, 10):
        edge = edits.Edge(int(table[1][index]), index)
        tagger.add("walk", edge, edge, "drive")
    before, depth = annotations.state, annotations.depth
    annotations.select([a.id for a in before])
    actions.nudge(3)
    assert sorted(a.first_frame or 0 for a in annotations.state) == [13, 23, 33, 43, 53]
    assert annotations.depth == (depth[0] + 1, 0)
    annotations.undo()
    assert annotations.state.by_id == before.by_id


def test_what_is_selected_is_played_round_and_round_and_an_instant_with_what_is_around_it(
    parts: tuple[Workspace, Annotations, Tagger, LabelActions],
) -> None:
    workspace, annotations, tagger, actions = parts
    edges, playhead = LabelEdges(workspace), workspace.playhead
    second_ns = 1_000_000_000
    first, last = (edges.edge_at(START_NS + second * second_ns) for second in (3, 5))
    for end in (last, first):
        made = tagger.made("l", first, end, "labels")
        annotations.do(lambda state, a=made: edits.add(state, [a]))  # type: ignore[misc]
        annotations.select([made.id])
        actions.play_selection()
        assert playhead.playing
        wide_ns = 0 if end is last else second_ns
        assert (playhead.in_ns, playhead.out_ns) == (first.at_ns - wide_ns, end.at_ns + wide_ns)
        assert playhead.position_ns == playhead.in_ns
