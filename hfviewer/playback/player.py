"""Ties the playhead to the loaders: plays, steps, asks for frames, counts what was shown."""

from __future__ import annotations

import os
import time
from collections import defaultdict, deque
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from hfviewer.codecs.video.budget import DEFAULT_BUDGET_BYTES, SHARED_BUDGET
from hfviewer.core import timing
from hfviewer.core.frame import Frame, ImageFrame
from hfviewer.core.recording import Recording, Stream
from hfviewer.model.workspace import Workspace
from hfviewer.playback import clock
from hfviewer.playback.board import RequestBoard
from hfviewer.playback.cache import FrameCache, default_budget_bytes
from hfviewer.playback.loader import FrameLoader
from hfviewer.playback.plan import frames_around
from hfviewer.playback.result import FrameResult, Preparer
from hfviewer.playback.samples import SIGNALS_SHARE, SamplesLoader, SamplesPreparer
from hfviewer.playback.source import FrameSource
from hfviewer.playback.statistics import PlayerStatistics, StreamCounter, StreamStatistics
from hfviewer.playback.survey import Survey, Surveyor, SurveyResult

_TICK_MS = 8
VIDEO_SHARE = 4  # the frames around a video's playhead may take this part of the budget
_IDLE_MS = 30  # after the last move, before reading ahead


class FrameView(Protocol):
    """How a panel shows frames; asked on the GUI thread whenever one is requested."""

    def view_size(self) -> tuple[int, int]:
        """Width and height in pixels that it shows at most."""

    def preparer(self) -> Preparer | None:
        """What a loader thread may do ahead with the frame."""


class Player(QObject):
    """Plays a workspace's recording and loads what its visible panels need.

    Args:
        workspace: what is open, and where the playhead is.
        cache_bytes: budget; None: the default.
    """

    frame_ready = Signal(object)  # FrameResult
    samples_ready = Signal(object)  # SamplesResult
    surveyed = Signal(object)  # SurveyResult

    def __init__(
        self, workspace: Workspace, *, cache_bytes: int | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._playhead = workspace.playhead
        self._board = RequestBoard()
        budget_bytes = default_budget_bytes() if cache_bytes is None else cache_bytes
        self._samples = SamplesLoader(self, budget_bytes=budget_bytes // SIGNALS_SHARE)
        self._cache = FrameCache(
            budget_bytes, outside_bytes=lambda: SHARED_BUDGET.used_bytes + self._samples.used_bytes
        )
        SHARED_BUDGET.limit_bytes = min(
            DEFAULT_BUDGET_BYTES, self._cache.statistics().budget_bytes // VIDEO_SHARE
        )
        # One core is left to the GUI thread: where it has to wait for them, everything gets slower.
        threads = max(1, min(4, (os.cpu_count() or 2) - 1))
        self._loader = FrameLoader(self._board, self._cache, threads=threads, parent=self)
        self._surveyor = Surveyor(self)
        self._visible: dict[str, Stream] = {}
        self._views: dict[str, FrameView | None] = {}
        self._reduced: set[str] = set()  # streams whose frame on screen is a reduced decode
        self._wanted: dict[str, int] = {}
        self._newest: dict[str, int] = {}  # generation of the newest result of each stream
        self._anchor: clock.Anchor | None = None
        self._announced: int | None = None  # the hyperframe window that the system was last told of
        self._counters: defaultdict[str, StreamCounter] = defaultdict(StreamCounter)
        self._shown_at_ns: deque[int] = deque(maxlen=256)
        self._decode_ns: deque[int] = deque(maxlen=64)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._on_tick)
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.setInterval(_IDLE_MS)
        self._idle.timeout.connect(self._on_idle)
        queued = Qt.ConnectionType.QueuedConnection
        self._loader.loaded.connect(self._on_loaded, queued)
        self._samples.loaded.connect(self._on_samples, queued)
        self._surveyor.surveyed.connect(self._on_surveyed, queued)
        self._playhead.moved.connect(self._on_moved)
        self._playhead.playing_changed.connect(self._on_playing_changed)
        self._playhead.speed_changed.connect(self._re_anchor)
        self._playhead.jumped.connect(self._re_anchor)
        workspace.recording_changed.connect(self._on_recording_changed)

    @property
    def cache(self) -> FrameCache:
        return self._cache

    @property
    def generation(self) -> int:
        """Of the newest request: results of what was opened before lie at or below it."""
        return self._board.generation

    @property
    def source(self) -> FrameSource | None:
        """Other frames of the open recording, for preparers of panels; None where nothing is open."""
        recording, board, epoch = self._workspace.recording, self._board, self._board.epoch
        if recording is None:
            return None
        return FrameSource(recording, self._loader, epoch=epoch, is_over=lambda: board.epoch != epoch)

    def cached_frame(self, stream: str, index: int) -> Frame | None:
        """A frame that is in memory already; None where it would have to be read."""
        found = self._cache.get((self._board.epoch, stream, index), count=False)
        return found if isinstance(found, Frame) else None

    def show_stream(self, name: str, view: FrameView | None = None) -> None:
        """A panel of this stream became visible: keep its frame loaded.

        Args:
            name: of the stream.
            view: how the panel shows frames; None: frames come in full, and nothing is done ahead.
        """
        recording = self._workspace.recording
        if recording is None or name in self._visible:
            return
        self._visible[name] = recording.streams[name]
        self._views[name] = view
        self._wanted.pop(name, None)
        self._request(name)

    def hide_stream(self, name: str) -> None:
        """No panel of this stream is visible any more: it costs nothing from here on."""
        self._visible.pop(name, None)
        self._views.pop(name, None)
        self._reduced.discard(name)
        self._wanted.pop(name, None)
        self._board.withdraw(name)

    def show_in_full(self, name: str) -> None:
        """A closer look needs more pixels than the reduced decode on screen has."""
        if (index := self._wanted.get(name)) is not None and name in self._visible:
            self._post(name, index, None)

    def request_samples(self, name: str, prepare: SamplesPreparer | None = None) -> None:
        """Load a whole dense signal for its plot.

        Args:
            name: of the stream.
            prepare: what the plot would have done ahead with the samples.
        """
        recording = self._workspace.recording
        if recording is not None:
            self._samples.request(name, recording.streams[name], prepare)

    def request_survey(self, name: str, survey: Survey) -> None:
        """Look at frames from all over a stream, in the background."""
        recording = self._workspace.recording
        if recording is not None:
            self._surveyor.request(name, recording.streams[name], survey)

    def step(self, count: int) -> None:
        """Move by frames of the focused stream, from where the playhead is asked to be."""
        self._playhead.set_playing(False)
        table_ns = self._focused_table()
        if table_ns is None or not len(table_ns):
            return
        position_ns = self._playhead.position_ns
        for _ in range(abs(count)):
            if count > 0:
                index = timing.index_after(table_ns, position_ns)
            else:
                # The picture changes with every step: from between two frames, back past the one on screen.
                under = timing.index_at(table_ns, position_ns)
                index = None if under is None else timing.index_before(table_ns, int(table_ns[under]))
            if index is None:
                break
            position_ns = int(table_ns[index])
        self._playhead.jump_to(position_ns)

    def step_window(self, count: int) -> None:
        """Move to the start of the next or previous hyperframe window."""
        recording = self._workspace.recording
        if recording is None or not len(recording.windows):
            return
        windows = recording.windows
        here = windows.index_at(self._playhead.position_ns)
        target = max(0, min(len(windows) - 1, (0 if here is None else here) + count))
        self._playhead.set_playing(False)
        self._playhead.jump_to(windows[target].start_ns)

    def statistics(self) -> PlayerStatistics:
        now_ns = time.monotonic_ns()
        recent = sum(1 for at_ns in self._shown_at_ns if now_ns - at_ns <= 1_000_000_000)
        name = self._workspace.focused
        stream = self._visible.get(name) if name else None
        rate_hz = stream.description.rate_hz if stream is not None else None
        return PlayerStatistics(
            shown_fps=float(recent),
            recorded_fps=None if rate_hz is None else rate_hz * abs(self._playhead.speed),
            lag_ms=float(np.median(self._decode_ns)) / 1e6 if self._decode_ns else 0.0,
            requested=sum(counter.requested for counter in self._counters.values()),
            shown=sum(counter.shown for counter in self._counters.values()),
            superseded=self._board.superseded(),
        )

    def stream_statistics(self) -> dict[str, StreamStatistics]:
        """Of every stream that was asked for since the recording was opened."""
        return {
            name: counter.statistics(self._board.superseded(name)) for name, counter in self._counters.items()
        }

    def close(self, *, timeout_s: float = 3.0) -> None:
        """Stop all threads; waits for the frame each is in the middle of, but no longer than this in all."""
        self._timer.stop()
        self._idle.stop()
        stop_at = time.monotonic() + timeout_s
        self._loader.close(timeout_s=timeout_s)
        self._samples.close(timeout_s=max(0.0, stop_at - time.monotonic()))
        self._surveyor.close(timeout_s=max(0.0, stop_at - time.monotonic()))

    def _focused_table(self) -> NDArray[np.int64] | None:
        recording = self._workspace.recording
        name = self._workspace.focused
        return None if recording is None or name is None else recording.streams[name].timestamps_ns

    def _on_recording_changed(self, recording: Recording | None) -> None:
        epoch = self._board.new_epoch()
        self._samples.new_epoch(epoch)
        self._surveyor.new_epoch(epoch)
        self._cache.clear()
        self._visible.clear()
        self._views.clear()
        self._reduced.clear()
        self._wanted.clear()
        self._newest.clear()
        self._counters.clear()
        self._announced = None
        self._decode_ns.clear()

    def _on_moved(self, _position_ns: int) -> None:
        for name in self._visible:
            self._request(name)
        # While playing, every tick is a move: waiting for a pause would mean never to read ahead.
        if not (self._playhead.playing and self._idle.isActive()):
            self._idle.start()

    def _request(self, name: str) -> None:
        stream = self._visible[name]
        index = timing.index_at(stream.timestamps_ns, self._playhead.position_ns)
        if index is None:
            self._wanted.pop(name, None)
            self._board.withdraw(name)
        elif self._wanted.get(name) != index:
            self._wanted[name] = index
            self._post(name, index, self._shown_size(name))

    def _post(self, name: str, index: int, max_size: tuple[int, int] | None) -> None:
        self._counters[name].requested += 1
        view = self._views[name]
        prepare = None if view is None else view.preparer()
        self._board.post(self._visible[name], name, index, max_size=max_size, prepare=prepare)

    def _shown_size(self, name: str) -> tuple[int, int] | None:
        view = self._views[name]
        return None if view is None else view.view_size()

    def _on_idle(self) -> None:
        """Nothing has moved for a moment: show pictures in full, and read ahead."""
        if not self._playhead.playing:
            for name in sorted(self._reduced):
                if (index := self._wanted.get(name)) is not None:
                    self._post(name, index, None)
            self._reduced.clear()
        self._read_ahead()

    def _announce_next_window(self) -> None:
        recording = self._workspace.recording
        if recording is None:
            return
        here = recording.windows.index_at(self._playhead.position_ns)
        following = None if here is None else here + (1 if self._playhead.speed > 0 else -1)
        if following is not None and following != self._announced and 0 <= following < len(recording.windows):
            self._announced = following
            self._board.announce(recording, recording.windows[following])

    def _read_ahead(self) -> None:
        self._announce_next_window()
        tables = {name: stream.timestamps_ns for name, stream in self._visible.items()}
        wanted = frames_around(
            tables, self._playhead.position_ns, self._playhead.speed, playing=self._playhead.playing
        )
        sizes = {name: self._shown_size(name) for name in tables}
        self._board.read_ahead(
            [(self._visible[w.stream], w.stream, w.index, sizes[w.stream]) for w in wanted]
        )

    def _on_loaded(self, result: FrameResult) -> None:
        # Two threads may finish in another order than they began: the picture never steps back.
        if result.epoch != self._board.epoch:
            return
        if result.stream not in self._visible or result.generation <= self._newest.get(result.stream, 0):
            return
        self._newest[result.stream] = result.generation
        if isinstance(result.frame, ImageFrame) and result.frame.full_size is not None:
            self._reduced.add(result.stream)
            if not self._playhead.playing and not self._idle.isActive():
                self._idle.start()
        else:
            self._reduced.discard(result.stream)
        self._counters[result.stream].add(result)
        if result.stream == self._workspace.focused:
            self._shown_at_ns.append(time.monotonic_ns())
        if result.decode_ns:
            self._decode_ns.append(result.decode_ns)
        self.frame_ready.emit(result)

    def _on_samples(self, result: object) -> None:
        if getattr(result, "epoch", None) == self._board.epoch:
            self.samples_ready.emit(result)

    def _on_surveyed(self, result: SurveyResult) -> None:
        if result.epoch == self._board.epoch:
            self.surveyed.emit(result)

    def _re_anchor(self) -> None:
        if self._playhead.playing:
            self._anchor = clock.Anchor(self._playhead.position_ns, time.monotonic_ns(), self._playhead.speed)

    def _on_playing_changed(self, playing: bool) -> None:
        if not playing:
            self._timer.stop()
            self._anchor = None
            self._idle.start()
            return
        span = self._playhead.play_span
        at_end = self._playhead.position_ns >= span.stop_ns - 1
        if self._playhead.speed > 0 and at_end:
            self._playhead.move_to(span.start_ns)
        elif self._playhead.speed < 0 and self._playhead.position_ns <= span.start_ns:
            self._playhead.move_to(span.stop_ns - 1)
        self._re_anchor()
        self._timer.start()

    def _on_tick(self) -> None:
        if self._anchor is None:
            return
        now_ns = time.monotonic_ns()
        step = clock.tick(self._anchor, now_ns, self._playhead.play_span, loop=self._playhead.loop)
        if step.wrapped:
            self._anchor = clock.Anchor(step.position_ns, now_ns, self._playhead.speed)
        self._playhead.move_to(step.position_ns)
        if step.ended:
            self._playhead.set_playing(False)
