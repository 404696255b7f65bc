from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.errors import WriteError
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.readers.hyperframe.metadata import (
    description_from_json,
    description_to_json,
    encode_metadata,
    parse_metadata,
    parse_stream_id,
    stream_names,
    unique_name,
)

_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), _json, max_size=5))
def test_any_json_object_comes_back(document: dict[str, object]) -> None:
    assert parse_metadata(encode_metadata(document)) == (document, [])


def test_what_json_cannot_say_is_a_write_error() -> None:
    deep: dict[str, object] = {}
    inner = deep
    for _ in range(100_000):
        inner["a"] = {}
        inner = inner["a"]  # type: ignore[assignment]
    for document in ({"a": object()}, deep):
        with pytest.raises(WriteError, match="JSON"):
            encode_metadata(document)
    while deep:  # taken apart by hand: its destructor would recurse as deep
        deep = deep.pop("a")  # type: ignore[assignment]


def test_a_description_comes_back_with_foreign_keys() -> None:
    description = StreamDescription(
        name="imu",
        kind=StreamKind.IMU,
        encoding="f64_batch",
        compression="zstd",
        clock=Clock.HOST,
        declared_rate_hz=200.0,
        frame="imu_link",
        width=3,
        height=4,
        pixel_format="mono8",
        depth_unit_mm=0.5,
        depth_invalid=(0, 65535),
        fields=("x", "y", "z"),
        channels=(Channel("a", "m/s²"), Channel("b")),
        role="touch_map",
        note="a note",
        extra={"vendor": {"x": [1]}},
    )
    value = description_to_json(description, (3, 9))
    assert value["entries"] == [3, 9]
    assert description_from_json(value) == description


@given(st.lists(st.sampled_from(["a", "b", "a (2)", "a (3)", "a (2) (2)", ""]), max_size=30))
def test_unique_names_are_unique_and_keep_their_beginning(names: list[str]) -> None:
    taken: set[str] = set()
    for name in names:
        unique = unique_name(name, taken)
        assert unique not in taken
        assert unique.startswith(name)
        taken.add(unique)


def test_of_many_equal_names_each_gets_the_first_free_number() -> None:
    taken: set[str] = set()
    for number in range(1, 3000):
        name = unique_name("a", taken)
        assert name == ("a" if number == 1 else f"a ({number})")
        taken.add(name)


def test_streams_without_a_description_are_named_by_number_and_give_way_to_those_with_one() -> None:
    taken = StreamDescription(name="stream 3", kind=StreamKind.TEXT, encoding="json")
    assert stream_names({9: taken}, [3, 0]) == {0: "stream 0", 3: "stream 3 (2)", 9: "stream 3"}


@pytest.mark.parametrize("key", ["", "-1", "+1", "1.0", "65536", "999999", "٣", "1e3", " 1", "0x1"])
def test_a_key_that_is_no_stream_number_is_none(key: str) -> None:
    assert parse_stream_id(key) is None


def test_stream_numbers_are_0_to_65535() -> None:
    assert [parse_stream_id(key) for key in ("0", "65535", "007")] == [0, 65535, 7]
