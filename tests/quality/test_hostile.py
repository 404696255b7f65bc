"""Tables as no sensor writes them: nothing may crash, contradict itself or take for ever."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hfviewer.core.stream import StreamKind
from hfviewer.quality.check import check_recording
from hfviewer.quality.document import check_document
from hfviewer.quality.health import health_of
from hfviewer.quality.lanes import lanes_of
from tests.panels.fakes import FakeRecording, FakeStream

BASE = 1_700_000_000_000_000_000
stamps = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([-(2**63), -1, 0, 1, BASE, BASE + 1, 2**63 - 1, 2**62, 86_400_000_000_000]),
    st.integers(0, 50).map(lambda k: BASE + k * 33_333_333),
    st.integers(0, 5000).map(lambda k: BASE + k * 10_000_000),
)
numbers = st.one_of(
    st.integers(0, 2**32 - 1), st.integers(0, 60), st.sampled_from([0, 255, 256, 65535, 2**32 - 1])
)
rows = st.lists(st.tuples(stamps, numbers), max_size=60)


def with_strays(drawn: tuple[int, int, list[tuple[int, int]]]) -> list[tuple[int, int]]:
    count, period_ns, strays = drawn
    table = [(BASE + i * period_ns, i) for i in range(count)]
    for at, stamp_ns in strays:
        if at < count:
            table[at] = (stamp_ns, at)
    return table


even = st.tuples(
    st.integers(2, 400),
    st.integers(1, 10**10),
    st.lists(st.tuples(st.integers(0, 399), stamps), max_size=12),
).map(with_strays)


def sorted_table(table: list[tuple[int, int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    ordered = sorted(table)
    return (
        np.array([ns for ns, _ in ordered], np.int64),
        np.array([number for _, number in ordered], np.int64),
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(rows, even), min_size=1, max_size=4), st.sampled_from(list(StreamKind)))
def test_whatever_the_tables_hold_the_checks_come_to_an_end_that_fits_together(
    tables: list[list[tuple[int, int]]], kind: StreamKind
) -> None:
    streams = []
    for place, table in enumerate(tables):
        stamps_ns, counter = sorted_table(table)
        streams.append(FakeStream(f"s{place}", stamps_ns, sequence=counter, kind=kind))
    recording = FakeRecording(*streams)
    check = check_recording(recording, threads=1)
    document = check_document(check)
    json.dumps(document, allow_nan=False)
    for name, stream in check.streams.items():
        gaps, count = stream.gaps, len(recording.streams[name])
        assert (gaps.lost > 0).all()
        assert (gaps.before >= 0).all()
        assert (gaps.before < count).all()
        assert (np.diff(gaps.before) > 0).all()
        whole = stream.timing.gaps.all()
        pieces = [stream.timing.gaps.among(range(i, i + 7)) for i in range(0, count, 7)]
        assert sum(map(len, pieces)) == len(whole)
    for finding in check.findings:
        if finding.start_ns is not None and finding.end_ns is not None:
            assert finding.start_ns <= finding.end_ns
        if finding.stream is not None and finding.first_frame is not None:
            assert finding.last_frame is not None
            assert 0 <= finding.first_frame <= finding.last_frame < len(recording.streams[finding.stream])
    lanes_of(check)
    health_of(recording, check.findings)
