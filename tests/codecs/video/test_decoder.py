from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from hfviewer.codecs.video.colour import to_pixels
from hfviewer.codecs.video.decoder import VideoDecoder
from hfviewer.codecs.video.probe import probe
from hfviewer.codecs.video.source import FileSource, Numbered
from hfviewer.core.errors import FrameError
from tests.video_clips import RECIPES, patched, read_number, shared_clip, write_clip, x264


class CountingSource(FileSource):
    """Counts how often decoding began anew and how many packets went in; may lose some on the way."""

    def __init__(self, path: Path, *, lose: frozenset[int] = frozenset()) -> None:
        video = probe(path)
        super().__init__(path, video.container, video.tracks[0].number, video.tracks[0].table)
        self.starts: list[int] = []
        self.packets = 0
        self._lose = lose

    def packets_from(self, number: int) -> Iterator[Numbered]:
        self.starts.append(number)
        return self._counted(super().packets_from(number))

    def _counted(self, packets: Iterator[Numbered]) -> Iterator[Numbered]:
        for number, packet in packets:
            if number not in self._lose:
                self.packets += 1
                yield number, packet


class NotingDecoder(VideoDecoder):
    """Notes every picture that comes out of the decoder, wanted or not."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pictures: list[av.VideoFrame] = []

    def _take(self, picture: av.VideoFrame) -> None:
        self.pictures.append(picture)
        super()._take(picture)


class Decoding:
    """A decoder over a clip, with all that it gave."""

    def __init__(self, path: Path, *, lose: frozenset[int] = frozenset()) -> None:
        self.table = probe(path).tracks[0].table
        self.source = CountingSource(path, lose=lose)
        track = probe(path).tracks[0]
        self.decoder = VideoDecoder(
            self.source, self.table, is_reference=track.is_reference, open_chain=track.open_chain
        )
        self.kept: dict[int, av.VideoFrame] = {}

    def number(self, frame: int, *, keep_from: int | None = None) -> int | None:
        picture = self.decoder.decode(
            frame,
            keep_from=frame if keep_from is None else keep_from,
            keep=self.kept.__setitem__,
            cancelled=lambda: False,
        )
        return read_number(to_pixels(picture))


def test_stepping_forward_goes_on_decoding() -> None:
    decoding = Decoding(shared_clip("b_frames.mp4"))
    assert [decoding.number(i) for i in range(120)] == list(range(120))
    assert decoding.source.starts == [0]
    assert decoding.source.packets == 120


def test_a_key_frame_ahead_is_worth_a_seek_and_a_near_one_is_not() -> None:
    decoding = Decoding(shared_clip("b_frames.mp4"))
    assert [decoding.number(46), decoding.number(49), decoding.number(97)] == [46, 49, 97]
    keys = decoding.table.keys
    assert decoding.source.starts == [int(keys[0]), int(keys[2])]


def test_going_back_starts_at_the_key_frame_again() -> None:
    decoding = Decoding(shared_clip("b_frames.mp4"))
    assert [decoding.number(60), decoding.number(59)] == [60, 59]
    assert decoding.source.starts == [int(decoding.table.keys[1])] * 2


def test_the_last_frame_comes_though_the_decoder_holds_it_back_until_the_end() -> None:
    for name in RECIPES:
        decoding = Decoding(shared_clip(name))
        last = decoding.table.frame_count - 1
        assert decoding.number(last) == last, name
        assert decoding.number(last - 1) == last - 1, name


def test_frames_on_the_way_are_kept_from_where_they_are_wanted() -> None:
    decoding = Decoding(shared_clip("b_frames.mp4"))
    decoding.number(30, keep_from=22)
    assert sorted(decoding.kept) == list(range(22, 31))
    assert all(read_number(to_pixels(picture)) == i for i, picture in decoding.kept.items())


def test_pictures_that_no_other_needs_are_left_out_on_the_way() -> None:
    path = shared_clip("b_frames.mp4")
    decoding = Decoding(path)
    decoding.decoder = decoder = NotingDecoder(
        decoding.source, decoding.table, is_reference=probe(path).tracks[0].is_reference
    )
    assert decoding.number(40) == 40
    assert len(decoder.pictures) < 35  # of 41


def reference_near(path: Path, frame: int) -> int:
    """The first frame from there on that others build on."""
    track = probe(path).tracks[0]
    assert track.is_reference is not None
    with av.open(str(path)) as opened:
        packets = [bytes(packet) for packet in opened.demux(video=0) if packet.size]
    numbers = range(frame, track.table.frame_count)
    return next(n for n in numbers if track.is_reference(memoryview(packets[track.table.order[n]])))


def test_a_frame_that_builds_on_a_lost_one_is_an_error_and_the_next_gop_is_whole() -> None:
    path = shared_clip("long_gop.mp4")
    reference = reference_near(path, 100)
    lost = int(probe(path).tracks[0].table.order[reference])
    decoding = Decoding(path, lose=frozenset({lost}))
    assert decoding.number(90) == 90
    with pytest.raises(FrameError, match=f"builds on frame {reference}"):
        decoding.number(120)
    assert decoding.number(255) == 255
    assert decoding.number(80) == 80


def test_a_damaged_frame_is_not_kept_nor_are_those_that_build_on_it() -> None:
    path = shared_clip("long_gop.mp4")
    lost = int(probe(path).tracks[0].table.order[reference_near(path, 100)])
    decoding = Decoding(path, lose=frozenset({lost}))
    with pytest.raises(FrameError):
        decoding.number(120, keep_from=0)
    assert max(decoding.kept) < 120
    assert all(read_number(to_pixels(picture)) == i for i, picture in decoding.kept.items())


def test_a_lost_picture_that_no_other_needs_harms_none() -> None:
    path = shared_clip("long_gop.mp4")
    lost = reference_near(path, 100) - 1
    assert reference_near(path, lost) != lost
    decoding = Decoding(path, lose=frozenset({int(probe(path).tracks[0].table.order[lost])}))
    others = [frame for frame in range(90, 130) if frame != lost]
    assert [decoding.number(frame) for frame in others] == others
    with pytest.raises(FrameError):
        decoding.number(lost)


def test_a_frame_beyond_the_end_of_the_file_says_so(tmp_path: Path) -> None:
    path = write_clip(
        tmp_path / "cut.mp4", x264(8, frames=24, b_frames=0, container={"movflags": "faststart"})
    )
    path.write_bytes(path.read_bytes()[:-300])
    decoding = Decoding(path)
    last = decoding.table.frame_count - 1
    assert decoding.number(8) == 8
    with pytest.raises(FrameError, match="file ends before"):
        decoding.number(last)


def test_zeroed_pictures_are_errors_and_never_another_frame(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "zeros.mp4", x264(8, frames=24, b_frames=0))
    table = probe(path).tracks[0].table
    at, size = int(table.positions[12]), int(table.sizes[12])

    def zero(data: bytearray) -> None:
        data[at + 4 : at + size] = bytes(size - 4)

    patched(path, zero)
    decoding = Decoding(path)
    results: dict[int, int | str | None] = {}
    for frame in range(24):
        try:
            results[frame] = decoding.number(frame)
        except FrameError as error:
            results[frame] = error.problem
    good = {frame for frame, result in results.items() if result == frame}
    assert good >= {*range(12), *range(16, 24)}
    assert all(isinstance(results[frame], str) for frame in range(24) if frame not in good)


def test_it_stops_between_packets_when_it_is_cancelled() -> None:
    decoding = Decoding(shared_clip("long_gop.mp4"))
    with pytest.raises(FrameError, match="stopped"):
        decoding.decoder.decode(
            200, keep_from=200, keep=decoding.kept.__setitem__, cancelled=lambda: decoding.source.packets >= 5
        )
    assert decoding.source.packets <= 6


def test_the_cost_of_a_frame_is_what_must_be_decoded() -> None:
    decoding = Decoding(shared_clip("long_gop.mp4"))
    assert decoding.decoder.cost(200) > 190
    decoding.number(195)
    assert decoding.decoder.cost(200) == 5
    assert decoding.decoder.cost(100) > 90


def test_gray12_codes_are_those_of_plain_decoding() -> None:
    path = shared_clip("gray12.mp4")
    with av.open(str(path)) as opened:
        expected = [picture.to_ndarray() for picture in opened.decode(video=0)]
    decoding = Decoding(path)
    for frame in (0, 119, 24, 23, 47, 48, 49, 60, 59, 118):
        decoding.number(frame)
        np.testing.assert_array_equal(to_pixels(decoding.kept[frame]), expected[frame])
        assert expected[frame].dtype == np.uint16
        assert int(expected[frame].max()) > 255
