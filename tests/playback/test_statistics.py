from __future__ import annotations

from pytestqt.qtbot import QtBot

from hfviewer.playback.result import FrameResult
from hfviewer.playback.stalls import StallMeter
from hfviewer.playback.statistics import StreamCounter


def result(decode_ns: int) -> FrameResult:
    return FrameResult(generation=1, epoch=1, stream="cam", index=0, frame=None, decode_ns=decode_ns)


def test_frames_from_the_cache_count_as_shown_but_not_as_decoded() -> None:
    counter = StreamCounter(requested=5)
    for decode_ns in (2_000_000, 0, 4_000_000, 0):
        counter.add(result(decode_ns))
    statistics = counter.statistics(superseded=1)
    assert (statistics.requested, statistics.shown, statistics.superseded) == (5, 4, 1)
    assert statistics.from_cache == 0.5
    assert statistics.decode_p50_ms == 3.0


def test_nothing_shown_gives_no_figures() -> None:
    statistics = StreamCounter().statistics(superseded=0)
    assert statistics.decode_p50_ms is None
    assert statistics.from_cache == 0.0


def test_a_blocked_event_loop_shows_in_the_stalls(qtbot: QtBot) -> None:
    meter = StallMeter()
    meter.start()
    qtbot.waitUntil(lambda: len(meter.late_ms) > 2, timeout=2_000)
    busy = sum(i * i for i in range(1_500_000))  # holds the loop up for longer than a beat
    assert busy > 0
    count = len(meter.late_ms)
    qtbot.waitUntil(lambda: len(meter.late_ms) > count, timeout=2_000)
    meter.stop()
    assert max(meter.late_ms) > 10
