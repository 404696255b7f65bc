from __future__ import annotations

import importlib

import pytest

import hfviewer.core
from hfviewer.core.stream import Clock, StreamDescription, StreamKind


@pytest.mark.parametrize("name", hfviewer.core.__all__)
def test_every_public_type_can_be_had_from_the_package(name: str) -> None:
    made = getattr(hfviewer.core, name)
    assert made is getattr(importlib.import_module(made.__module__), name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Nothing"):
        _ = hfviewer.core.Nothing


def test_a_description_takes_kind_and_clock_as_words_too() -> None:
    description = StreamDescription(name="a", kind="image", encoding="jpeg", clock="host")  # type: ignore[arg-type]
    assert description.kind is StreamKind.IMAGE
    assert description.clock is Clock.HOST
    with pytest.raises(ValueError, match="picture"):
        StreamDescription(name="a", kind="picture", encoding="jpeg")  # type: ignore[arg-type]
