import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hfviewer.convert.window_rule import DEFAULT_WINDOW_NS, SLOWEST_PERIOD_NS, window_ns_for


def every(period_ns: int, count: int = 20) -> NDArray[np.int64]:
    return 1_700_000_000_000_000_000 + np.arange(count, dtype=np.int64) * period_ns


@given(st.integers(1_000, SLOWEST_PERIOD_NS))
def test_a_window_is_one_to_two_periods_of_the_slowest_regular_stream(period_ns: int) -> None:
    window_ns = window_ns_for([every(period_ns), every(max(1, period_ns // 7))])
    assert period_ns <= window_ns <= 2 * period_ns


@pytest.mark.parametrize(
    ("period_ns", "window_ms"),
    [(103_160_000, 125), (33_333_333, 40), (50_000_000, 50), (100_000_000, 100), (999_900_000, 1000)],
)
def test_a_window_is_a_round_number_where_one_fits(period_ns: int, window_ms: int) -> None:
    assert window_ns_for([every(period_ns)]) == window_ms * 1_000_000


def test_irregular_and_very_slow_streams_do_not_count_beside_a_regular_one() -> None:
    irregular = np.cumsum(2 ** np.arange(30, dtype=np.int64) * 1_000_000)
    assert window_ns_for([irregular, every(60_000_000_000), every(10_000_000)]) == 10_000_000


def test_a_slow_stream_counts_where_there_is_nothing_faster() -> None:
    assert 60_000_000_000 <= window_ns_for([every(60_000_000_000)]) <= 120_000_000_000


def test_order_does_not_matter_and_nothing_regular_gives_the_default() -> None:
    assert window_ns_for([every(10_000_000)[::-1]]) == 10_000_000
    assert window_ns_for([]) == window_ns_for([every(1, count=1)]) == DEFAULT_WINDOW_NS
