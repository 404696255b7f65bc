from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.panels.ticks import tick_step, tick_texts, tick_values


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e6), st.integers(1, 30))
def test_ticks_lie_inside_at_equal_round_steps(low: float, span: float, most: int) -> None:
    values = tick_values(low, low + span, most)
    step = tick_step(span, most)
    assert len(values) <= most + 2
    assert all(low - step * 1e-6 <= v <= low + span + step * 1e-6 for v in values)
    assert float(f"{step:.3g}") == pytest.approx(step)
    assert f"{step:.0e}"[0] in "125"


def test_texts_have_the_decimals_of_the_step() -> None:
    assert tick_texts([0.5, 1.0, 1.5], 0.5) == ["0.5", "1.0", "1.5"]
    assert tick_texts([-20.0, 0.0, 20.0], 20.0, signed=True) == ["−20", "0", "+20"]
    assert tick_texts([0.0, 0.02], 0.02) == ["0.00", "0.02"]


def test_a_span_that_is_none_has_no_ticks() -> None:
    for low, high in ((1.0, 1.0), (2.0, 1.0), (0.0, float("inf")), (float("nan"), 1.0)):
        assert tick_values(low, high, 5) == []
