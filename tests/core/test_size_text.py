from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.size_text import size_text


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (1024 * 1024 - 1, "1.0 MiB"),
        (int(4.2 * 2**30), "4.2 GiB"),
        (2**60, "1048576.0 TiB"),
    ],
)
def test_sizes_read_in_the_unit_that_fits(size_bytes: int, text: str) -> None:
    assert size_text(size_bytes) == text


@given(st.integers(0, 2**50 - 1))
def test_no_number_below_the_largest_unit_has_more_than_four_digits_before_the_point(size_bytes: int) -> None:
    number, unit = size_text(size_bytes).split()
    assert float(number) < 1024 or unit == "TiB"
