from __future__ import annotations

import pytest

from hfviewer.core.json_number import as_number, as_whole


def test_finite_numbers_are_numbers() -> None:
    assert [as_number(value) for value in (3, -0.5, 2**60)] == [3.0, -0.5, float(2**60)]


@pytest.mark.parametrize(
    "value", [True, None, "3", [3], {}, float("nan"), float("inf"), 10**400], ids=lambda v: str(v)[:8]
)
def test_anything_else_is_none(value: object) -> None:
    assert as_number(value) is None


def test_only_integers_are_whole() -> None:
    assert [as_whole(value) for value in (3, -3, 10**400)] == [3, -3, 10**400]
    assert [as_whole(value) for value in (False, 3.0, "3", None)] == [None] * 4
