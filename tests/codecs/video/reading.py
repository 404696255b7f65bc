"""What several tests of the video codec do: open one track and read numbers out of its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hfviewer.codecs.video.budget import GopBudget
from hfviewer.codecs.video.colour import to_pixels
from hfviewer.codecs.video.probe import VideoTrack, probe
from hfviewer.codecs.video.server import FrameServer
from hfviewer.codecs.video.source import FileSource
from tests.video_clips import read_number


def track_of(path: Path, track: int = 0) -> VideoTrack:
    return probe(path).tracks[track]


def server_of(path: Path, track: int = 0, *, budget: GopBudget | None = None) -> FrameServer:
    """A server for one track of a file; it keeps nothing unless a budget is given."""
    video = probe(path)
    found = video.tracks[track]
    return FrameServer(
        lambda: FileSource(path, video.container, found.number, found.table),
        found.table,
        is_reference=found.is_reference,
        open_chain=found.open_chain,
        budget=budget or GopBudget(0),
    )


def number_in(server: FrameServer, frame: int) -> int | None:
    return read_number(to_pixels(server.picture(frame)))


def wrong(
    server: FrameServer, frames: Sequence[int], truth: Sequence[int | None]
) -> list[tuple[int, int | None]]:
    """Which of the frames are not the ones that were asked for, and what came instead."""
    got = [(frame, number_in(server, frame)) for frame in frames]
    return [(frame, number) for frame, number in got if number != truth[frame]]
