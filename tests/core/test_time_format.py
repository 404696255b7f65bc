from __future__ import annotations

from datetime import timedelta, timezone

import pytest

from hfviewer.core.time_format import TimeFormat, TimeMode, is_epoch
from hfviewer.core.window import TimeWindow

SECOND_NS = 1_000_000_000
START_NS = 1_317_646_594_478_000_000  # 2011-10-03T12:56:34.478Z
SPAN = TimeWindow(START_NS, START_NS + 65 * SECOND_NS)
INDIA = timezone(timedelta(hours=5, minutes=30))


@pytest.mark.parametrize(
    ("mode", "text", "unit"),
    [
        (TimeMode.ELAPSED, "52.706", "52.706 s"),
        (TimeMode.UTC, "12:57:27.184", "12:57:27.184"),
        (TimeMode.LOCAL, "18:27:27.184", "18:27:27.184"),
        (TimeMode.NS, "1317646647184000000", "1317646647184000000"),
    ],
)
def test_one_instant_reads_in_four_ways(mode: TimeMode, text: str, unit: str) -> None:
    times = TimeFormat.of(mode, SPAN, INDIA)
    at_ns = START_NS + 52_706_000_000
    assert times.text(at_ns) == text
    assert times.with_unit(at_ns) == unit
    assert times.text(times.origin_ns, 0).strip("0:") == ""


def test_the_date_is_of_the_zone_that_times_read_in() -> None:
    late_ns = START_NS + 7 * 3600 * SECOND_NS
    assert TimeFormat.of(TimeMode.ELAPSED, SPAN, INDIA).date(late_ns) == "2011-10-03 19:56:34.478 UTC"
    assert TimeFormat.of(TimeMode.LOCAL, SPAN, INDIA).date(late_ns) == "2011-10-04 01:26:34.478 +05:30"


def test_a_clock_that_does_not_count_from_1970_has_no_time_of_day() -> None:
    span = TimeWindow(5 * SECOND_NS, 9 * SECOND_NS)
    for mode in (TimeMode.UTC, TimeMode.LOCAL):
        times = TimeFormat.of(mode, span, INDIA)
        assert times.reads_as is TimeMode.ELAPSED
        assert times.text(6 * SECOND_NS) == "1.000"
        assert times.date(6 * SECOND_NS) == ""
    assert not is_epoch(5 * SECOND_NS)


def test_long_recordings_read_as_a_clock_and_short_ones_as_seconds() -> None:
    assert not TimeFormat.elapsed(SPAN).clock
    hour = TimeFormat.elapsed(TimeWindow(0, 3600 * SECOND_NS))
    assert hour.clock
    assert hour.text(723_500_000_000, 1) == "0:12:03.5"
    assert hour.with_unit(0) == "0:00:00.000"


def test_times_before_1970_and_before_the_start_are_told() -> None:
    assert TimeFormat.of(TimeMode.UTC, SPAN).text(-1, 3) == "23:59:59.999"
    assert TimeFormat.elapsed(SPAN).text(START_NS - 1) == "−0.001"
