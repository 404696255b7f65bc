"""Every format of labels: out and in again, and what each cannot carry is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hfviewer.convert.labels.base import LabelContext
from hfviewer.convert.labels.per_frame import encode_per_frame, labels_of_frames
from hfviewer.convert.labels.registry import FORMATS, format_of, plan_import, read_label_file
from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.errors import ConversionError, UsageError
from tests.labels import SCHEMA, SECOND_NS, START_NS, label, states

FRAMES_NS = START_NS + np.arange(300, dtype=np.int64) * 33_333_333
CONTEXT = LabelContext(
    name="/data/drive.hfr",
    start_ns=START_NS,
    stop_ns=START_NS + 10 * SECOND_NS,
    tables={"cam": FRAMES_NS, "lidar": START_NS + np.arange(100, dtype=np.int64) * 100_000_000},
    anchor="cam",
)
STATE = AnnotationSet(
    SCHEMA,
    [
        label("a" * 32, 1, 2.5, author="A"),
        label("b" * 32, 2, 3, author="B", label="run & <jump>"),
        label("c" * 32, 2, 3, label="run", note='two\nlines, "quoted"', attributes={"n": [1, None]}),
        label("d" * 32, 4, track="events", label="bump", status="done"),
    ],
)


def carried_out(name: str, state: AnnotationSet = STATE) -> tuple[AnnotationSet, list[str]]:
    """A state through a file into an empty recording, and what was said not to be carried."""
    known = format_of(Path("x"), name)
    data, told = known.encode(state, CONTEXT)
    file = known.decode(data, CONTEXT)
    assert file.problems == []
    plan = plan_import(AnnotationSet(), file, CONTEXT, now_ns=7)
    return AnnotationSet() if plan.edit is None else plan.edit.apply(AnnotationSet()), told


@given(states())
def test_json_carries_everything(state: AnnotationSet) -> None:
    back, told = carried_out("json", state)
    assert back == state
    assert told == []


@given(states())
def test_csv_carries_every_annotation(state: AnnotationSet) -> None:
    back, _ = carried_out("csv", state)
    assert back.by_id == state.by_id


@pytest.mark.parametrize(("name", "unit_ns"), [("eaf", 1_000_000), ("vtt", 1_000_000), ("audacity", 1000)])
def test_times_come_back_within_the_formats_unit(name: str, unit_ns: int) -> None:
    odd = AnnotationSet(
        SCHEMA, [replace(a, start_ns=a.start_ns + 123_456_789, end_ns=a.end_ns + 123_457_890) for a in STATE]
    )
    back, told = carried_out(name, odd)
    assert len(back) == len(odd)
    for before, after in zip(odd.in_order(), sorted(back, key=lambda a: a.order), strict=True):
        assert abs(before.start_ns - after.start_ns) <= unit_ns
        assert abs(before.end_ns - after.end_ns) <= unit_ns
    assert any("finer" in sentence for sentence in told)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("eaf", ("id", "track", "label", "start_ns", "end_ns", "author")),
        ("vtt", ("id", "track", "label", "start_ns", "end_ns")),
        ("audacity", ("track", "label", "start_ns", "end_ns")),
    ],
)
def test_what_a_format_can_carry_comes_back_exactly(name: str, fields: tuple[str, ...]) -> None:
    back, told = carried_out(name)
    key = lambda a: tuple(getattr(a, field) for field in fields)  # noqa: E731
    assert sorted(map(key, back)) == sorted(map(key, STATE))
    for thing in ("notes", "attributes", "status"):
        assert any(thing in sentence for sentence in told)


def test_lerobot_carries_frames_and_what_lies_between_them_is_said() -> None:
    on_frames = AnnotationSet(
        SCHEMA,
        [
            replace(a, stream="cam", first_frame=i * 30, last_frame=i * 30 + 20)
            for i, a in enumerate(
                replace(a, start_ns=int(FRAMES_NS[i * 30]), end_ns=int(FRAMES_NS[i * 30 + 20]))
                for i, a in enumerate(STATE)
            )
        ],
    )
    back, told = carried_out("lerobot", on_frames)
    fields = ("track", "label", "start_ns", "end_ns", "stream", "first_frame", "last_frame")
    key = lambda a: tuple(getattr(a, field) for field in fields)  # noqa: E731
    assert sorted(map(key, back)) == sorted(map(key, on_frames))
    assert not any("between frames" in sentence for sentence in told)
    assert any("between frames" in sentence for sentence in carried_out("lerobot")[1])


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_bringing_a_file_into_its_own_recording_changes_nothing(known: object) -> None:
    name = known.name  # type: ignore[attr-defined]
    anchored = AnnotationSet(SCHEMA, [CONTEXT.anchored(a) for a in STATE])
    data, _ = format_of(Path("x"), name).encode(anchored, CONTEXT)
    file = format_of(Path("x"), name).decode(data, CONTEXT)
    plan = plan_import(anchored, file, CONTEXT, now_ns=7)
    assert (plan.added, plan.updated) == (0, 0)
    assert plan.unchanged == len(STATE)


def test_a_coarse_file_changes_only_what_it_can_tell() -> None:
    exact = AnnotationSet(SCHEMA, [label("a" * 32, 1.0000001, 2, note="kept", author="A")])
    known = format_of(Path("x.eaf"), None)
    data, _ = known.encode(exact, CONTEXT)
    renamed = known.decode(data.replace(b">walk<", b">run<"), CONTEXT)
    plan = plan_import(exact, renamed, CONTEXT, now_ns=7)
    assert plan.edit is not None
    (after,) = plan.edit.apply(exact)
    assert (after.label, after.note, after.start_ns) == ("run", "kept", START_NS + 1_000_000_100)


def test_elan_tiers_hold_no_overlap_and_foreign_tiers_are_tracks() -> None:
    known = format_of(Path("x.eaf"), None)
    overlapping = AnnotationSet(SCHEMA, [label(f"{i:032d}", 1 + i / 10, 2 + i / 10) for i in range(4)])
    data, _ = known.encode(overlapping, CONTEXT)
    assert data.count(b"<TIER ") == 4
    foreign = b"""<ANNOTATION_DOCUMENT><TIME_ORDER><TIME_SLOT TIME_SLOT_ID="t1" TIME_VALUE="500"/>
      <TIME_SLOT TIME_SLOT_ID="t2" TIME_VALUE="900"/><TIME_SLOT TIME_SLOT_ID="t3"/></TIME_ORDER>
      <TIER TIER_ID="speech" ANNOTATOR="C"><ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1"
        TIME_SLOT_REF1="t1" TIME_SLOT_REF2="t2"><ANNOTATION_VALUE>hello</ANNOTATION_VALUE>
      </ALIGNABLE_ANNOTATION></ANNOTATION><ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a2"
    TIME_SLOT_REF1="t2" TIME_SLOT_REF2="t3"><ANNOTATION_VALUE>bye</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>
      </ANNOTATION>
      </TIER>
      </ANNOTATION_DOCUMENT>"""
    file = known.decode(foreign, CONTEXT)
    (found,) = file.annotations
    assert (found.id, found.track, found.label, found.author) == ("", "speech", "hello", "C")
    assert found.start_ns == START_NS + 500_000_000
    assert len(file.problems) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-16"])
def test_entities_in_an_elan_file_are_not_expanded(encoding: str) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><ANNOTATION_DOCUMENT>&a;</ANNOTATION_DOCUMENT>'
    with pytest.raises(ConversionError, match=r"entities|UTF-8"):
        format_of(Path("x.eaf"), None).decode(bomb.encode(encoding), CONTEXT)


def test_files_of_other_programs_are_understood() -> None:
    vtt = (
        b"WEBVTT - title\n\nNOTE a note\n\nSTYLE\n::cue {}\n\n"
        b"00:01.000 --> 00:02.500 align:start\nplain <b>text</b>\n\n"
    )
    (cue,) = format_of(Path("x.vtt"), None).decode(vtt, CONTEXT).annotations
    assert (cue.label, cue.track, cue.end_ns - cue.start_ns) == ("plain text", "labels", 1_500_000_000)
    audacity = b"0.5\t1.25\tpassing\r\n\\\t100\t200\r\nbad line\n"
    file = format_of(Path("x.txt"), None).decode(audacity, CONTEXT)
    assert [(a.label, a.start_ns) for a in file.annotations] == [("passing", START_NS + 500_000_000)]
    assert len(file.problems) == 1
    table = b"label;x\n"
    with pytest.raises(ConversionError, match="lacks a column"):
        format_of(Path("x.csv"), None).decode(table, CONTEXT)
    seconds = b"label,start_s,end_s\nwalk,1.5,2\n"
    (row,) = format_of(Path("x.csv"), None).decode(seconds, CONTEXT).annotations
    assert (row.start_ns, row.end_ns) == (START_NS + 1_500_000_000, START_NS + 2_000_000_000)
    lerobot = (
        b'{"version": 1, "episodes": {"4": {"subtasks": [{"start": 0.5, "end": 1.5, "label": "grasp"}]}}}'
    )
    (task,) = format_of(Path("x"), "lerobot").decode(lerobot, CONTEXT).annotations
    assert (task.label, task.start_ns, task.first_frame) == ("grasp", START_NS + 500_000_000, 15)


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
@settings(max_examples=60)
def test_no_bytes_make_a_format_fail_otherwise_than_by_saying_so(data: bytes) -> None:
    for known in FORMATS:
        try:
            known.decode(data, CONTEXT)
        except ConversionError:
            continue


def test_a_name_that_tells_no_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not tell"):
        format_of(Path("labels.xyz"), None)
    assert format_of(Path("a.lerobot.json"), None).name == "lerobot"
    lerobot = tmp_path / "a.json"
    lerobot.write_text('{"episodes": {"0": {"subtasks": []}}}')
    assert read_label_file(lerobot, None, CONTEXT).annotations == []


def test_every_frame_gets_its_labels() -> None:
    state = AnnotationSet(
        SCHEMA,
        [
            label("a", 1, 2, stream="lidar", first_frame=10, last_frame=12),
            label("b", 1.15, 1.35, label="run"),
            label("c", 1.25, label="bump"),
        ],
    )
    found = labels_of_frames(state, "drive", "lidar", CONTEXT.tables["lidar"])
    assert found[9:16] == ["", "walk", "walk", "walk|run|bump", "run", "", ""]
    rows = encode_per_frame(state, "lidar", CONTEXT.tables["lidar"], START_NS).decode().splitlines()
    assert rows[0] == "frame_index,timestamp_ns,seconds,drive,events"
    assert rows[13] == f"12,{START_NS + 1_200_000_000},1.200000000,walk|run|bump,"
    assert len(rows) == 101
