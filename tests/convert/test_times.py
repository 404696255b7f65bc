import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.convert.times import nominal_ns, ns_from_date_time, ns_from_decimal, ns_from_float_seconds


@given(st.integers(0, 2**63 - 1))
def test_nanoseconds_written_as_seconds_come_back_exactly(time_ns: int) -> None:
    assert ns_from_decimal(f"{time_ns // 10**9}.{time_ns % 10**9:09}") == time_ns
    assert ns_from_decimal(str(time_ns), 0) == time_ns


def test_digits_beyond_the_nanosecond_round_half_to_even() -> None:
    assert ns_from_decimal("46534.478375790000428") == 46_534_478_375_790
    assert ns_from_decimal("0.0000000005") == 0
    assert ns_from_decimal("0.0000000015") == 2
    assert ns_from_decimal("1.5e3", 6) == 1_500_000_000


@pytest.mark.parametrize(
    "text",
    ["", "abc", "nan", "inf", "-1", "1e999999999", "9223372036854775808e0", "9" * 5000, "1e-999999999x"],
)
def test_what_is_no_time_is_refused_and_costs_nothing(text: str) -> None:
    with pytest.raises(ValueError, match=r"time|number"):
        ns_from_decimal(text, 0)


def test_a_vanishing_number_is_zero() -> None:
    assert ns_from_decimal("1e-999999") == 0


def test_a_date_and_time_is_taken_as_utc_to_the_last_digit() -> None:
    assert ns_from_date_time("2011-09-26 13:02:25.967790592") == 1_317_042_145_967_790_592
    assert ns_from_date_time("1970-01-01 00:00:01.5\r") == 1_500_000_000
    assert ns_from_date_time("1970-01-01 00:00:01") == 1_000_000_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2011-02-30 00:00:00.0",
        "2011-09-26",
        "1969-12-31 23:59:59.9",
        "2011-09-26 13:02:25.9677905921",
        "٢",
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        ns_from_date_time(text)


def test_float_seconds_keep_every_nanosecond_that_they_have() -> None:
    seconds = np.array([46408.580034294, 0.0, 1.7e9 + 0.25, np.nan, -1.0, np.inf, 1e300])
    stamps_ns, usable = ns_from_float_seconds(seconds)
    assert stamps_ns[usable].tolist() == [46_408_580_034_294, 0, 1_700_000_000_250_000_000]
    assert usable.tolist() == [True, True, True, False, False, False, False]


def test_a_nominal_clock_does_not_drift() -> None:
    stamps_ns = nominal_ns(np.array([0, 1, 2, 3, 30_000_000], np.int64), 30)
    assert stamps_ns.tolist() == [0, 33_333_333, 66_666_667, 100_000_000, 10**15]
