"""A stream's timing, looked at once and the same way by everyone: timeline, panels, findings, command line.

What a stream's own table cannot tell needs the other streams: whether the clock was set or the sensor was
silent. `look_at(recording)` looks at all of them together; it costs a few milliseconds a million frames and
is called by whoever opens a recording, before anybody asks.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.recording import Recording, Stream
from hfviewer.core.stream import StreamKind
from hfviewer.core.window import TimeWindow
from hfviewer.quality.clock import ClockView, look_at_clock
from hfviewer.quality.counter import WIDEST, counter_stride, counter_width
from hfviewer.quality.gaps import GapFinder
from hfviewer.quality.order import Disorder, find_disorder

_REORDERED = frozenset({"h264", "hevc"})  # units are stored as they are decoded, not as they are shown
# Frames of these come when something happens, however evenly that may be for a while.
_EVENTS = frozenset({StreamKind.TEXT, StreamKind.ANNOTATION})
_PACE_FRAMES, _PACE_STEPS, _PACE_SAMPLES = 33, 1024, 4096
_BEAT_FRAMES, _BEAT_WINDOWS, _BEAT_PERIODS = 64, 512, 1.5
_BEAT_QUANTILE = 0.3
_KNOWN: weakref.WeakKeyDictionary[Stream, StreamTiming] = weakref.WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class StreamTiming:
    """How a stream's table is to be read.

    Args:
        gaps: finds lost frames.
        clock: where the clock was set; None where it ran on.
        width: of the counter.
        reorders: True where frames are stored in an order of their own, so that a counter that goes back a
            few places means nothing.
        duplicate: bool[n], frames that the recorder says repeat the one before; None where it does not say.
        source: what the recorder's own evidence rests on; empty without any.
        stride: of the counter, which the numbers were divided by; None where they only tell the order.
    """

    gaps: GapFinder
    timestamps_ns: NDArray[np.int64]
    sequence: NDArray[np.int64]
    clock: ClockView | None
    width: int
    reorders: bool
    duplicate: NDArray[np.bool_] | None = None
    source: str = ""
    stride: int | None = 1

    @classmethod
    def of(cls, stream: Stream, span: TimeWindow | None) -> StreamTiming:
        """As `look_at` saw it; else from the stream's own table alone."""
        known = _KNOWN.get(stream)
        return known if known is not None else _timing_of(stream, span, ())

    @classmethod
    def of_table(
        cls,
        timestamps_ns: NDArray[np.int64],
        sequence: NDArray[np.int64],
        period_ns: int | None,
        span: TimeWindow | None = None,
        *,
        recorded: NDArray[np.int64] | None = None,
    ) -> StreamTiming:
        """Of a bare table, without a clock to look at; the arguments are those of `GapFinder`."""
        finder = GapFinder(timestamps_ns, sequence, period_ns, span=span, recorded=recorded)
        return cls(finder, timestamps_ns, sequence, None, finder.width, reorders=False)

    @property
    def regular(self) -> bool:
        return self.gaps.period_ns is not None

    def disorder(self, among: range | None = None) -> Disorder:
        """Doubled stamps and late frames of the stream, or of some consecutive frames of it."""
        if among is None:
            return self._disorder
        if self.clock is not None:
            # Told with the first piece: what lies in which of them is of no account once they are joined.
            return self._disorder if among.start <= 0 else Disorder.none()
        return self._find_disorder(among)

    @cached_property
    def _disorder(self) -> Disorder:
        return self._find_disorder(None) if self.clock is None else self._disorder_in_parts()

    def _find_disorder(self, among: range | None) -> Disorder:
        return find_disorder(
            self.timestamps_ns,
            None if self.reorders else self.sequence,
            self.gaps.typical_ns,
            regular=self.regular,
            among=among,
            width=self.width,
        )

    def _disorder_in_parts(self) -> Disorder:
        assert self.clock is not None
        found = []
        for part in self.clock.parts:
            own = find_disorder(
                self.timestamps_ns[part],
                None if self.reorders else self.sequence[part],
                self.gaps.typical_ns,
                regular=self.regular,
                width=self.width,
            )
            found.append(own.at(part))
        return Disorder.merged(found)


def look_at(recording: Recording) -> dict[str, StreamTiming]:
    """The timing of all streams, each judged in the company of the others. Looked at once per recording."""
    span = recording.description.span
    streams = recording.streams
    found = {}
    for name, stream in streams.items():
        timing_of = _KNOWN.get(stream)
        if timing_of is None:
            others = [other.timestamps_ns for key, other in streams.items() if key != name]
            timing_of = _KNOWN[stream] = _timing_of(stream, span, others)
        found[name] = timing_of
    return found


def _timing_of(stream: Stream, span: TimeWindow | None, others: Sequence[NDArray[np.int64]]) -> StreamTiming:
    description, table_ns, sequence = stream.description, stream.timestamps_ns, stream.sequence
    if description.kind is StreamKind.ANNOTATION:
        # What people marked, in whatever order: no sensor's frames, of which some could be lost.
        table_ns = sequence = np.empty(0, np.int64)
    regular = description.rate_hz is not None and description.kind not in _EVENTS
    period_ns = description.period_ns or timing.period_ns(table_ns)
    long_ns: int | None = None
    pace_ns = None if period_ns is None else _pace_ns(table_ns, sequence)
    if period_ns is not None and pace_ns is not None and 2 * pace_ns > 3 * period_ns:
        # The frames come in bursts: the typical interval is not what passes from frame to frame.
        regular, period_ns = False, pace_ns
    elif not regular and pace_ns is not None and description.kind not in _EVENTS:
        beat = _beat_of(table_ns, pace_ns)
        if beat is not None:
            # However much the intervals scatter, no frame strays far from an even beat.
            regular, (period_ns, long_ns) = True, beat
    reorders = description.encoding in _REORDERED
    stride = counter_stride(sequence)
    if stride != 1:
        sequence = _own_numbers(sequence, stride)
    width = counter_width(sequence) if len(sequence) else WIDEST
    clock = look_at_clock(table_ns, sequence, period_ns, width=width, others=others)
    recorded, duplicate, source = _recorder_evidence(stream)
    finder = GapFinder(
        table_ns,
        sequence,
        period_ns if regular else None,
        span=span,
        recorded=recorded,
        clock=clock,
        reorders=reorders,
        long_ns=long_ns,
    )
    return StreamTiming(finder, table_ns, sequence, clock, width, reorders, duplicate, source, stride)


def _own_numbers(sequence: NDArray[np.int64], stride: int | None) -> NDArray[np.int64]:
    """The numbers counted in strides; their order alone where they are not the stream's own."""
    if stride is not None:
        counted: NDArray[np.int64] = (sequence - sequence[0]) // stride
        return counted
    ranks = np.empty(len(sequence), np.int64)
    ranks[np.argsort(sequence, kind="stable")] = np.arange(len(sequence))
    return ranks


def _pace_ns(table_ns: NDArray[np.int64], sequence: NDArray[np.int64]) -> int | None:
    """Time from number to number in the long run; None where that is too short to be told.

    Numbers that the counter leaves out count, so that a stream with many losses is not slow for it.
    """
    count = len(table_ns)
    if count < _PACE_FRAMES:
        return None
    steps = min(_PACE_STEPS, (count - 1) // 4)
    at = np.unique(np.linspace(0, count - 1 - steps, min(count - steps, _PACE_SAMPLES)).astype(np.intp))
    numbers = sequence[at + steps] - sequence[at]
    numbers = np.where((numbers >= steps) & (numbers <= 64 * steps), numbers, steps)
    passed = (table_ns[at + steps] - table_ns[at]).view(np.uint64).astype(np.float64)
    return int(np.median(passed / numbers))


def _beat_of(table_ns: NDArray[np.int64], pace_ns: int) -> tuple[int, int] | None:
    """The beat of frames that come unevenly about an even one: a sensor behind a jittery transport.

    Over 64 frames the time of such a stream runs away from that of its beat by little more than a period;
    that of events, which come when they like, by many.

    Returns:
        Period, and the interval beyond which frames may be missing: more than the scatter explains. None for
        events.
    """
    count = len(table_ns)
    if count < 2 * _BEAT_FRAMES or pace_ns <= 0:
        return None
    first = np.unique(np.linspace(0, count - _BEAT_FRAMES, _BEAT_WINDOWS).astype(np.intp))
    frames = np.arange(_BEAT_FRAMES)
    since = (table_ns[first[:, None] + frames] - table_ns[first][:, None]).view(np.uint64).astype(np.float64)
    # A low one of the windows: those that frames are missing in are longer.
    period = float(np.quantile(since[:, -1], _BEAT_QUANTILE)) / (_BEAT_FRAMES - 1)
    off = since - frames * period
    away = float(np.median(off.max(axis=1) - off.min(axis=1)))
    if period < 1 or away > _BEAT_PERIODS * period:
        return None
    return int(period), int(max(1.5 * period, period + 2 * away))


def _recorder_evidence(
    stream: Stream,
) -> tuple[NDArray[np.int64] | None, NDArray[np.bool_] | None, str]:
    """What the recorder counted: frames missing before each, frames repeated, and where it says so."""
    evidence = stream.recorder_evidence
    if evidence is None:
        return None, None, ""
    count = len(stream)
    duplicate, missing = evidence.duplicate, None
    if evidence.missing_before is not None and len(evidence.missing_before) == count:
        missing = np.maximum(evidence.missing_before.astype(np.int64), 0)
    if duplicate is None or len(duplicate) != count:
        duplicate = None
    return missing, duplicate, evidence.source
