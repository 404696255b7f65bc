"""Video: seeking, stepping, holding "previous frame", each as a ratio to bare decoding in the same run.

Run by name: ``pytest tests/benchmarks/test_video.py --benchmark-only``. The aim for holding "previous frame":
no step after the first takes over 3 × the median (``worst_over_median``); any other work on the machine
shows in it.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import av
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from hfviewer.codecs.video.budget import GopBudget
from hfviewer.codecs.video.probe import VideoTrack, probe
from hfviewer.codecs.video.server import FrameServer
from hfviewer.codecs.video.source import FileSource, open_container, set_up
from hfviewer.readers.video.stream import VideoStream, describe_track
from tests.video_clips import Clip, write_clip, x264, x265

HD = (1920, 1080)
ROUNDS = 24
KEY_REPEAT_S = 1 / 30  # a held key; this is the pace that is measured, nothing waits for it


def clip(gop: int, frames: int) -> Clip:
    return x264(gop, frames=frames, size=HD, noise=6.0, options={"preset": "ultrafast", "crf": "26"})


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    folder = tmp_path_factory.mktemp("clips")
    recipes = {
        "gop30": clip(30, 90),
        "gop250": clip(250, 260),
        "intra": clip(1, 30),
        "hevc": x265("keyint=30:min-keyint=30:preset=ultrafast", frames=90, size=HD, noise=6.0),
        "gray12": x265("qp=6:range=full", frames=90, size=(640, 480), pixel_format="gray12le"),
    }

    def made(name: str) -> Path:
        path = folder / f"{name}.mp4"
        return path if path.exists() else write_clip(path, recipes[name])

    return made


class BareDecoder:
    """What a few lines over PyAV do: seek to the key frame, decode to the target."""

    def __init__(self, path: Path, track: VideoTrack) -> None:
        self._container = open_container(path, "mp4")
        stream = self._container.streams[track.number]
        assert isinstance(stream, av.VideoStream)
        self._stream = stream
        self._table = track.table
        set_up(stream.codec_context, typical_gop=track.table.typical_gop)

    def decode(self, frame: int) -> av.VideoFrame:
        wanted = int(self._table.pts[self._table.order[frame]])
        key = self._table.start_for(frame)
        self._container.seek(int(self._table.pts[key]), stream=self._stream, backward=True)
        for picture in self._container.decode(self._stream):
            if picture.pts == wanted:
                return picture
        raise AssertionError("not reached")


def timed_ms(call: Callable[[], object]) -> float:
    start_ns = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - start_ns) / 1e6


def stream_of(path: Path, budget: GopBudget) -> VideoStream:
    video = probe(path)
    return VideoStream(video, video.tracks[0], describe_track(video.tracks[0], "video"), budget=budget)


@pytest.mark.parametrize("name", ["gop30", "gop250", "intra", "hevc", "gray12"])
def test_a_random_seek_costs_what_bare_decoding_from_the_key_frame_costs(
    benchmark: BenchmarkFixture, clips: Callable[[str], Path], name: str
) -> None:
    path = clips(name)
    track = probe(path).tracks[0]
    bare = BareDecoder(path, track)
    server = FrameServer(
        lambda: FileSource(path, "mp4", track.number, track.table),
        track.table,
        is_reference=track.is_reference,
        open_chain=track.open_chain,
        budget=GopBudget(0),
    )
    rng = random.Random(3)
    pairs: list[tuple[float, float]] = []
    server.picture(0)

    def one() -> None:
        frame = rng.randrange(track.table.frame_count)
        server.picture((frame + track.table.frame_count // 2) % track.table.frame_count)  # go away first
        ours_ms = timed_ms(lambda: server.picture(frame))
        bare.decode(0)
        pairs.append((ours_ms, timed_ms(lambda: bare.decode(frame))))

    benchmark.pedantic(one, rounds=ROUNDS, iterations=1)  # type: ignore[no-untyped-call]
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    benchmark.extra_info["ratio"] = round(ratio, 3)
    server.close()
    assert ratio <= 1.15


@pytest.mark.parametrize("name", ["gop30", "gop250", "hevc", "gray12"])
def test_a_step_back_inside_a_decoded_gop_costs_no_more_than_a_step_forward(
    benchmark: BenchmarkFixture, clips: Callable[[str], Path], name: str
) -> None:
    stream = stream_of(clips(name), GopBudget())
    last = min(len(stream), 90) - 1
    stream.read(last - 26)
    forward_ms: list[float] = []
    for frame in range(last - 25, last + 1):
        start_ns = time.perf_counter_ns()
        stream.read(frame)
        forward_ms.append((time.perf_counter_ns() - start_ns) / 1e6)
    steps = iter(range(last - 1, last - 26, -1))
    back_ms: list[float] = []
    benchmark.pedantic(  # type: ignore[no-untyped-call]
        lambda: back_ms.append(timed_ms(lambda: stream.read(next(steps)))), rounds=20, iterations=1
    )
    ratio = statistics.median(back_ms) / statistics.median(forward_ms)
    benchmark.extra_info["ratio"] = round(ratio, 3)
    stream.close()
    assert ratio <= 1.2


@pytest.mark.parametrize("start", [200, 120, 255])
def test_holding_previous_frame(
    benchmark: BenchmarkFixture, clips: Callable[[str], Path], start: int
) -> None:
    stream = stream_of(clips("gop250"), GopBudget())
    stream.read(start)
    first_ms = timed_ms(lambda: stream.read(start - 1))
    steps = iter(range(start - 2, start - 62, -1))
    steps_ms: list[float] = []
    benchmark.pedantic(  # type: ignore[no-untyped-call]
        lambda: steps_ms.append(timed_ms(lambda: stream.read(next(steps)))),
        setup=lambda: time.sleep(KEY_REPEAT_S),
        rounds=60,
        iterations=1,
    )
    median = statistics.median(steps_ms)
    benchmark.extra_info.update(
        first_ms=round(first_ms, 1),
        median_ms=round(median, 2),
        worst_over_median=round(max(steps_ms) / median, 2),
    )
    stream.close()
