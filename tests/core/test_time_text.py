from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.errors import UsageError
from hfviewer.core.time_text import (
    NS_PER_S,
    FrameNumber,
    exact_seconds,
    format_duration,
    format_elapsed,
    format_utc,
    parse_iso_ns,
    parse_time,
)

START_NS = 1_700_000_000_123_456_789
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MOMENT = "2024-02-29T13:14:15"
MOMENT_S = 1_709_212_455


@given(st.integers(-(10**17), 10**17))
def test_seconds_from_the_start_are_exact_to_the_nanosecond(elapsed_ns: int) -> None:
    whole, rest = divmod(abs(elapsed_ns), NS_PER_S)
    text = f"{'-' if elapsed_ns < 0 else ''}{whole}.{rest:09d}"
    assert parse_time(text, start_ns=START_NS) == START_NS + elapsed_ns
    assert parse_time(f" {text}s\n", start_ns=START_NS) == START_NS + elapsed_ns


@given(st.integers(-(2**63) + 1, 2**63 - 1))
def test_raw_nanoseconds_are_taken_as_they_are(time_ns: int) -> None:
    assert parse_time(f"ns:{time_ns}", start_ns=START_NS) == time_ns


@pytest.mark.parametrize(
    ("text", "elapsed_ns"),
    [
        ("12.5", 12_500_000_000),
        ("+3s", 3 * NS_PER_S),
        ("-3", -3 * NS_PER_S),
        (".25", 250_000_000),
        ("0", 0),
        ("1e-9", 1),
        ("1.5e3s", 1500 * NS_PER_S),
        ("0.1", 100_000_000),
        ("5444.333333333", 5_444_333_333_333),
    ],
)
def test_seconds_may_be_written_in_many_ways(text: str, elapsed_ns: int) -> None:
    assert parse_time(text, start_ns=START_NS) == START_NS + elapsed_ns


def test_a_frame_is_asked_for_by_its_number() -> None:
    assert parse_time("#340", start_ns=START_NS) == FrameNumber(340)
    assert parse_time("#0", start_ns=START_NS) == FrameNumber(0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "s",
        "abc",
        "#",
        "#-1",
        "#1.5",
        "#1_0",
        "ns:",
        "ns:1.5",
        "12:30",
        "nan",
        "inf",
        "1,5",
        "--3",
        "2024-13-01",
    ],
)
def test_what_is_no_time_is_refused_with_the_ways_to_write_one(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_time(text, start_ns=START_NS)
    assert repr(text) in caught.value.problem
    assert "ISO 8601" in caught.value.remedy


@pytest.mark.parametrize(
    "text", ["ns:9223372036854775808", "1e12", "-1e99", "9999-12-31", "0001-01-01", "ns:" + "9" * 40]
)
def test_a_time_beyond_int64_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="beyond"):
        parse_time(text, start_ns=START_NS)


@given(
    st.datetimes(datetime(1680, 1, 1), datetime(2260, 1, 1)),
    st.integers(0, NS_PER_S - 1),
    st.integers(-14 * 60, 14 * 60),
    st.sampled_from([".", ","]),
    st.sampled_from(["T", " "]),
)
def test_iso_times_are_exact_to_the_nanosecond_in_every_zone(
    moment: datetime, fraction_ns: int, offset_minutes: int, point: str, separator: str
) -> None:
    zone = timezone(timedelta(minutes=offset_minutes))
    local = moment.replace(microsecond=0, tzinfo=zone)
    text = (
        local.replace(tzinfo=None).isoformat(separator) + f"{point}{fraction_ns:09d}" + local.isoformat()[19:]
    )
    seconds = (local - EPOCH) // timedelta(seconds=1)
    assert parse_iso_ns(text) == seconds * NS_PER_S + fraction_ns
    assert parse_time(text, start_ns=START_NS) == seconds * NS_PER_S + fraction_ns


@pytest.mark.parametrize(
    ("text", "expected_ns"),
    [
        (MOMENT, MOMENT_S * NS_PER_S),
        (MOMENT + "Z", MOMENT_S * NS_PER_S),
        (MOMENT + ".5Z", MOMENT_S * NS_PER_S + 500_000_000),
        (MOMENT + ".000000001+00:00", MOMENT_S * NS_PER_S + 1),
        (MOMENT + ".1234567899999", MOMENT_S * NS_PER_S + 123_456_789),
        ("20240229T131415.25Z", MOMENT_S * NS_PER_S + 250_000_000),
        ("2024-02-29T13:14", (MOMENT_S - 15) * NS_PER_S),
        ("1969-12-31T23:59:59.999999999Z", -1),
    ],
)
def test_iso_times_of_every_shape(text: str, expected_ns: int) -> None:
    assert parse_iso_ns(text) == expected_ns


@pytest.mark.parametrize(
    "text", ["2024-02-29.5", "2024-02-29T13.5", "2024-02-29T13:14.5", MOMENT + ".", MOMENT + "+01:00:00.5"]
)
def test_only_seconds_have_a_fraction(text: str) -> None:
    with pytest.raises(ValueError, match="fraction"):
        parse_iso_ns(text)


@given(st.integers(-(10**18), 10**18))
def test_elapsed_time_reads_back_to_the_millisecond(elapsed_ns: int) -> None:
    match = re.fullmatch(r"(-?)(\d\d+):([0-5]\d):([0-5]\d)\.(\d{3})", format_elapsed(elapsed_ns))
    assert match is not None
    hours, minutes, seconds, milliseconds = (int(part) for part in match.groups()[1:])
    shown_ms = ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
    assert shown_ms == abs(elapsed_ns) // 1_000_000
    assert (match[1] == "-") == (elapsed_ns < 0)


@pytest.mark.parametrize(
    ("elapsed_ns", "text"),
    [
        (0, "00:00:00.000"),
        (999_999, "00:00:00.000"),
        (-1, "-00:00:00.000"),
        (3_599_999_999_999, "00:59:59.999"),
        (360_000 * NS_PER_S, "100:00:00.000"),
    ],
)
def test_elapsed_time_is_cut_and_keeps_its_sign(elapsed_ns: int, text: str) -> None:
    assert format_elapsed(elapsed_ns) == text


@given(st.integers(-(2**63), 2**63 - 1))
def test_utc_text_reads_back_to_the_millisecond(timestamp_ns: int) -> None:
    assert parse_iso_ns(format_utc(timestamp_ns)) == timestamp_ns // 1_000_000 * 1_000_000


def test_utc_text_is_empty_outside_the_calendar_and_has_four_digits_inside() -> None:
    year_5 = (datetime(5, 6, 7, tzinfo=UTC) - EPOCH) // timedelta(seconds=1) * NS_PER_S
    assert format_utc(year_5) == "0005-06-07 00:00:00.000"
    assert format_utc(10**24) == ""
    assert format_utc(-(10**24)) == ""


@pytest.mark.parametrize(
    ("duration_ns", "text"),
    [
        (0, "0.0 ms"),
        (8_400_000, "8.4 ms"),
        (-8_400_000, "-8.4 ms"),
        (1_920_000_000, "1.920 s"),
        (59_000_000_000, "59.000 s"),
        (60_000_000_000, "00:01:00.000"),
        (65_510_000_000, "00:01:05.510"),
        (-65_510_000_000, "-00:01:05.510"),
    ],
)
def test_a_duration_is_written_in_the_unit_that_suits_it(duration_ns: int, text: str) -> None:
    assert format_duration(duration_ns) == text


@given(st.integers(-(2**63), 2**63 - 1))
def test_exact_seconds_read_back_to_the_nanosecond(offset_ns: int) -> None:
    text = exact_seconds(offset_ns)
    assert Decimal(text) * 10**9 == offset_ns
    assert len(text.partition(".")[2]) == 9
