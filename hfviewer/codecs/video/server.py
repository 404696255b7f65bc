"""Frames of one video for any number of threads: a few decoders, and the frames near where somebody looks."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import av

from hfviewer.codecs.video.budget import SHARED_BUDGET, GopBudget
from hfviewer.codecs.video.decoder import VideoDecoder
from hfviewer.codecs.video.gop_cache import GopCache
from hfviewer.codecs.video.packet_table import PacketTable
from hfviewer.codecs.video.reference_chain import OpenChain
from hfviewer.codecs.video.references import ReferenceTest
from hfviewer.codecs.video.source import PacketSource
from hfviewer.core.errors import FrameError

MOST_DECODERS = 3
_STEP = 8  # asked for so few frames before the last one: somebody steps back
_NEAR = 4  # decoding on by so few frames leaves none out
_FIRST_FILL = 64  # frames to have behind, before their size is known
_MOST_BEHIND = 128
_SLOW_GOP = 100  # frames: fetching the end of such a GOP takes longer than showing what is kept
_MOST_LOST = 4096
_LESS_URGENT = 10  # as `nice` counts


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """What a busy decoder is on its way to."""

    first: int
    target: int


class FrameServer:
    """Any frame of one video, exactly. Safe from any thread.

    Asked to go back, it decodes the way there once and keeps the frames before the target; as the supply runs
    low, a thread of its own fetches the ones before.

    Args:
        open_source: opens packets for one more decoder; FrameError where that fails.
        table: of the packets.
        is_reference: see `VideoDecoder`.
        open_chain: see `VideoDecoder`.
        budget: of bytes to keep, shared with other videos.
    """

    def __init__(
        self,
        open_source: Callable[[], PacketSource],
        table: PacketTable,
        *,
        is_reference: ReferenceTest | None = None,
        open_chain: OpenChain | None = None,
        budget: GopBudget = SHARED_BUDGET,
    ) -> None:
        self._open_source = open_source
        self._table = table
        self._is_reference = is_reference
        self._open_chain = open_chain
        self._cache = GopCache(budget)
        self._changed = threading.Condition()
        self._idle: list[VideoDecoder] = []
        self._jobs: list[_Job] = []
        self._opened = 0
        self._lost: dict[int, str] = {}
        self._lost_since: dict[int, tuple[int, str]] = {}  # by the key frame's packet: from which packet on
        self._last = -1
        self._steps_back = 0
        self._closed = False
        self._fetcher: threading.Thread | None = None
        self._fetching_decoder: VideoDecoder | None = None
        self.decoded = 0
        """Frames that came out of a decoder and were kept or given; for statistics and tests."""

    def picture(self, frame: int) -> av.VideoFrame:
        """One decoded frame.

        Raises:
            FrameError: it cannot be decoded, or the video was closed.
        """
        with self._changed:
            backward = 0 < self._last - frame <= _STEP
            self._steps_back = self._steps_back + 1 if backward else 0
            fetch_ahead = self._steps_back >= 2
            self._last = frame
        self._cache.look_at(frame, backward=backward)
        picture = self._fetch(frame, self._keep_from(frame) if backward else frame)
        if fetch_ahead and frame in self._cache:
            self._fetch_ahead(frame)
        return picture

    def close(self) -> None:
        """Stop decoding and forget what is kept; reading afterwards is a FrameError. May be called again."""
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            fetcher = self._fetcher
            self._changed.notify_all()
        for decoder in idle:
            decoder.close()
        if fetcher is not None:
            fetcher.join()
        if self._fetching_decoder is not None:
            self._fetching_decoder.close()
        self._cache.clear()

    def _keep_from(self, frame: int) -> int:
        """Stepping back: where to begin keeping frames.

        At the key frame, from which decoding starts anyway. Where that is near and the one before is far, at
        the one before: this first step takes longer, and going on does not stall in the middle.
        """
        reach = self._reach()
        start = self._start_before(frame)
        if start > 0 and frame - start < reach // 2:
            before = self._start_before(start - 1)
            if start - before > _SLOW_GOP:
                start = before
        return min(frame, max(start, frame - reach))

    def _start_before(self, frame: int) -> int:
        """The frame at which decoding starts for a frame; 0 where that one is not shown."""
        return max(0, int(self._table.frame_of[self._table.start_for(frame)]))

    def _reach(self) -> int:
        """How many frames to have behind the one on screen: seven eighths of the room."""
        size = self._cache.typical_bytes()
        return _FIRST_FILL if not size else min(_MOST_BEHIND, self._cache.room(size) * 7 // 8)

    def _fetch(self, frame: int, keep_from: int) -> av.VideoFrame:
        """One frame: from the window, from a decoder on its way there, or from one of the idle decoders."""
        with self._changed:
            while True:
                if self._closed:
                    raise FrameError("The recording is closed.")
                kept = self._cache.get(frame)
                if kept is not None:
                    return kept
                problem = self._known_problem(frame)
                if problem:
                    raise FrameError(problem)
                if not any(self._worth_waiting(job, frame) for job in self._jobs):
                    decoder = self._take(frame)
                    if decoder is not None or self._opened < MOST_DECODERS:
                        break
                self._changed.wait()
            following = None if decoder is None else decoder.next_frame
            if following is not None and 0 < frame - following <= _NEAR:
                keep_from = min(keep_from, following)  # other threads may want those between
            job = _Job(keep_from, frame)
            self._jobs.append(job)
            self._opened += decoder is None
        try:
            decoder = decoder or self._open_decoder()
            return self._decode(decoder, job)
        finally:
            self._give_back(job, decoder)

    def _open_decoder(self) -> VideoDecoder:
        return VideoDecoder(
            self._open_source(),
            self._table,
            is_reference=self._is_reference,
            open_chain=self._open_chain,
        )

    def _decode(self, decoder: VideoDecoder, job: _Job) -> av.VideoFrame:
        try:
            return decoder.decode(
                job.target, keep_from=job.first, keep=self._keep, cancelled=lambda: self._closed
            )
        except FrameError as error:
            with self._changed:
                if not self._closed:
                    self._remember(job.target, error.problem, decoder.culprit)
            raise

    def _known_problem(self, frame: int) -> str:
        """Why a frame cannot be decoded, where that was found out before; else empty."""
        if frame in self._lost or not self._lost_since:
            return self._lost.get(frame, "")
        packet, problem = self._lost_since.get(self._table.start_for(frame), (self._table.packet_count, ""))
        return problem if self._table.order[frame] > packet else ""

    def _remember(self, frame: int, problem: str, culprit: int | None) -> None:
        """A frame cannot be decoded; nor can those after it, if that is because of one that they build on."""
        if len(self._lost) < _MOST_LOST:
            self._lost[frame] = problem
        if culprit is not None and len(self._lost_since) < _MOST_LOST:
            self._lost_since[self._table.start_for(frame)] = (culprit, problem)

    def _worth_waiting(self, job: _Job, frame: int) -> bool:
        """Whether a busy decoder will pass there, or end up just before it."""
        if job.first <= frame <= job.target:
            return True
        return job.target < frame <= job.target + _STEP and self._table.start_for(frame) <= int(
            self._table.order[job.target]
        )

    def _take(self, frame: int) -> VideoDecoder | None:
        """The idle decoder that gets there soonest; None where there is none, or a new one is worth it."""
        if not self._idle:
            return None
        best = min(self._idle, key=lambda decoder: decoder.cost(frame))
        self._idle.remove(best)
        return best

    def _give_back(self, job: _Job, decoder: VideoDecoder | None) -> None:
        with self._changed:
            self._jobs.remove(job)
            if decoder is None:
                self._opened -= 1
            elif self._closed:
                decoder.close()
            else:
                self._idle.append(decoder)
            self._changed.notify_all()

    def _keep(self, frame: int, picture: av.VideoFrame) -> None:
        self.decoded += 1
        self._cache.put(frame, picture)
        with self._changed:
            self._changed.notify_all()

    def _fetch_ahead(self, frame: int) -> None:
        """While somebody steps back and the supply runs low, fetch the frames before it in the background."""
        lowest = self._cache.lowest_below(frame)
        reach = self._reach()
        if lowest == 0 or frame - lowest > reach // 2:
            return
        with self._changed:
            busy = self._fetcher is not None and self._fetcher.is_alive()
            if busy or self._closed or self._known_problem(lowest - 1):
                return
            job = _Job(min(lowest - 1, max(0, frame - reach)), lowest - 1)
            self._jobs.append(job)
            self._fetcher = threading.Thread(
                target=self._fetch_quietly, args=(job,), name="video-fetcher", daemon=True
            )
            self._fetcher.start()

    def _fetch_quietly(self, job: _Job) -> None:
        """With a decoder of its own, and less urgently than what somebody waits for."""
        if sys.platform == "linux":  # where each thread has an urgency of its own, and its threads inherit it
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LESS_URGENT)
        try:
            decoder = self._fetching_decoder or self._open_decoder()
            self._fetching_decoder = decoder
            self._decode(decoder, job)
        except FrameError:
            pass  # Whoever asks for it is told.
        finally:
            with self._changed:
                self._jobs.remove(job)
                self._changed.notify_all()
