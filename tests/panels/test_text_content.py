from __future__ import annotations

import numpy as np

from hfviewer.core.frame import PoseFrame, RawFrame, SampleFrame
from hfviewer.core.stream import Channel
from hfviewer.panels.text_content import MOST_CHARACTERS, frame_text, hex_dump
from tests.panels.making import image, text


def test_json_is_shown_with_one_key_a_line_and_plain_text_as_it_is() -> None:
    assert frame_text(text({"a": [1, "ü"]}, '{"a":[1,"ü"]}')) == '{\n  "a": [\n    1,\n    "ü"\n  ]\n}'
    assert frame_text(text("hello", "hello\nworld")) == "hello\nworld"


def test_long_text_is_cut_and_says_so() -> None:
    shown = frame_text(text("x", "y" * (3 * MOST_CHARACTERS)))
    assert len(shown) < MOST_CHARACTERS + 100
    assert shown.endswith("(60,000 characters in all)")
    many = frame_text(text("x", "a\n" * 1000))
    assert many.count("\n") < 500


def test_json_too_deep_to_print_is_shown_as_stored() -> None:
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    assert frame_text(text(deep, "[[[1]]]")) == "[[[1]]]"
    while isinstance(deep, list):  # taken apart step by step: freeing it at once recurses
        deep = deep[0]


def test_unknown_bytes_become_a_dump_of_their_head() -> None:
    dump = hex_dump(bytes(range(48, 66)) + b"\x00\xff")
    assert dump.splitlines() == [
        "20 bytes",
        "000000  30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f  0123456789:;<=>?",
        "000010  40 41 00 ff                                      @A··",
    ]
    assert hex_dump(b"") == "0 bytes"
    assert hex_dump(b"a" * 10_000).splitlines()[-1] == "…"
    ids = {"stream": "s", "index": 0, "timestamp_ns": 0, "sequence": 0}
    assert frame_text(RawFrame(payload=b"ab", **ids)) == hex_dump(b"ab")  # type: ignore[arg-type]


def test_numbers_are_shown_in_rows() -> None:
    pose = PoseFrame(stream="s", index=0, timestamp_ns=0, sequence=0, matrix=np.eye(4))
    assert frame_text(pose).count("\n") == 3
    samples = SampleFrame(
        stream="s",
        index=0,
        timestamp_ns=0,
        sequence=0,
        timestamps_ns=np.zeros(200, np.int64),
        values=np.zeros((200, 1)),
        channels=(Channel("v", "m"),),
    )
    assert frame_text(samples).splitlines()[0] == "v [m]"
    assert frame_text(samples).endswith("…")


def test_a_frame_nobody_planned_for_is_named() -> None:
    assert frame_text(image(np.zeros((2, 2), np.uint8))) == "No view for a ImageFrame."
