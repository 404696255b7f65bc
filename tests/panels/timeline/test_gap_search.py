from __future__ import annotations

import numpy as np

from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.gap_search import framing, gap_beyond
from hfviewer.panels.timeline.lane import Lane, lanes_of, look_through
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns

PERIOD_NS = 10_000_000


def lanes() -> list[Lane]:
    """Gaps after frames 99 and 499 of the first, 99 and 299 of the second."""
    recording = FakeRecording(
        FakeStream("cam", np.delete(regular_ns(1000, PERIOD_NS), [100, 500])),
        FakeStream("depth", np.delete(regular_ns(1000, PERIOD_NS), [100, 300, 301])),
        FakeStream("whole", regular_ns(1000, PERIOD_NS)),
    )
    found = lanes_of(recording)
    span = recording.description.span
    assert span is not None
    for step in look_through(found, recording, span):
        if step is not None:
            found[step[0]] = step[1]
    return found


def walk(*, forward: bool) -> list[tuple[str, int]]:
    found_lanes = lanes()
    position_ns: int = START_NS if forward else START_NS + 999 * PERIOD_NS
    row: int | None = None
    seen: list[tuple[str, int]] = []
    while (found := gap_beyond(found_lanes, position_ns, row, forward=forward)) is not None:
        position_ns, row = found.gap.start_ns, found_lanes.index(found.lane)
        seen.append((found.lane.name, (position_ns - START_NS) // PERIOD_NS))
        assert len(seen) < 9
    return seen


def test_every_gap_is_met_once_in_either_direction() -> None:
    expected = [("cam", 99), ("depth", 99), ("depth", 299), ("cam", 499)]
    assert walk(forward=True) == expected
    assert walk(forward=False) == expected[::-1]


def test_from_between_gaps_the_nearest_is_found() -> None:
    at_ns = START_NS + 320 * PERIOD_NS
    later = gap_beyond(lanes(), at_ns, 2, forward=True)
    earlier = gap_beyond(lanes(), at_ns, 2, forward=False)
    assert later is not None
    assert earlier is not None
    assert (later.lane.name, later.number, later.gap.lost) == ("cam", 2, 1)
    assert (earlier.lane.name, earlier.number, earlier.gap.lost) == ("depth", 2, 2)
    assert gap_beyond([], at_ns, None, forward=True) is None


def test_a_gap_is_framed_with_frames_on_either_side() -> None:
    axis = TimeAxis.fitting(TimeWindow(START_NS, START_NS + 1000 * PERIOD_NS), 1000)
    start_ns = START_NS + 499 * PERIOD_NS
    short = framing(axis, start_ns, start_ns + 2 * PERIOD_NS, PERIOD_NS)
    assert short.view.duration_ns == 30 * PERIOD_NS
    assert short.view.start_ns == start_ns + PERIOD_NS - 15 * PERIOD_NS
    long = framing(axis, start_ns, start_ns + 100 * PERIOD_NS, PERIOD_NS)
    assert long.view.duration_ns == 300 * PERIOD_NS
    instant = framing(axis, start_ns, start_ns, None)
    assert instant.view.duration_ns == axis.span.duration_ns // 50
