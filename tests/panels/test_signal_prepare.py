from __future__ import annotations

import numpy as np

from hfviewer.core.stream import StreamKind
from hfviewer.core.window import TimeWindow
from hfviewer.panels.signal_prepare import prepare_channel, prepare_signal
from hfviewer.quality.stream_timing import StreamTiming
from tests.panels.fakes import FakeRecording, FakeStream, regular_ns

STAMPS = np.delete(1_700_000_000_000_000_000 + 10_000_000 * np.arange(3000, dtype=np.int64), range(500, 520))
VALUES = np.random.default_rng(3).normal(size=(len(STAMPS), 3))


def test_gaps_and_channels_are_those_that_the_panel_would_find() -> None:
    prepared = prepare_signal(STAMPS, VALUES, frame_stamps_ns=STAMPS, sequence=None)
    assert prepared.gaps.lost.tolist() == [20]
    assert sorted(prepared.channels) == [0, 1, 2]
    window = TimeWindow(int(STAMPS[0]), int(STAMPS[-1]) + 1)
    for column, channel in prepared.channels.items():
        own = prepare_channel(STAMPS, VALUES, column)
        x, y, exact = channel.curve(window, 300, int(STAMPS[0]), prepared.gaps)
        own_x, own_y, own_exact = own.curve(window, 300, int(STAMPS[0]), prepared.gaps)
        assert np.array_equal(x, own_x, equal_nan=True)
        assert np.array_equal(y, own_y, equal_nan=True)
        assert exact == own_exact


def test_the_recorders_counter_counts_where_frames_are_samples() -> None:
    sequence = np.arange(len(STAMPS), dtype=np.int64)
    sequence[500:] += 25
    counted = prepare_signal(STAMPS, VALUES, frame_stamps_ns=STAMPS, sequence=sequence)
    assert counted.gaps.lost.tolist() == [25]
    batches = STAMPS[::10]
    foreign = prepare_signal(STAMPS, VALUES, frame_stamps_ns=batches, sequence=sequence[::10])
    assert foreign.gaps.lost.tolist() == [20]


def test_only_so_many_channels_are_made_ready() -> None:
    wide = np.zeros((10, 100))
    stamps = np.arange(10, dtype=np.int64)
    assert len(prepare_signal(stamps, wide, frame_stamps_ns=stamps, sequence=None, most=4).channels) == 4


def test_a_clock_that_was_set_leaves_no_gap_in_the_curve() -> None:
    """As in the lanes and the findings: the checks' own finder is asked."""
    stamps_ns = np.sort(np.append(np.delete(regular_ns(1000, 10_000_000), 500), 0))
    sequence = np.concatenate([[500], np.delete(np.arange(1000), 500)]).astype(np.int64)
    stream = FakeStream("imu", stamps_ns, sequence=sequence, kind=StreamKind.IMU)
    recording = FakeRecording(stream)
    finder = StreamTiming.of(stream, recording.description.span).gaps
    values = np.zeros((1000, 1))
    alone = prepare_signal(stamps_ns, values, frame_stamps_ns=stamps_ns, sequence=None)
    told = prepare_signal(stamps_ns, values, frame_stamps_ns=stamps_ns, sequence=sequence, finder=finder)
    assert len(alone.gaps) > 0
    assert len(told.gaps) == 0
