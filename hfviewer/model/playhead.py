"""The one shared position in time."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from hfviewer.core.window import TimeWindow

MIN_SPEED = 0.05
MAX_SPEED = 64.0


class Playhead(QObject):
    """Where in the recording every panel looks.

    Holds state and says when it changes; the clock that moves it while playing is `playback.clock`.
    """

    moved = Signal(object)  # int, ns; Signal(int) is 32 bits in PySide6 and would wrap
    span_changed = Signal(object)  # TimeWindow
    playing_changed = Signal(bool)
    speed_changed = Signal(float)  # signed: negative plays backwards
    loop_changed = Signal(bool)
    range_changed = Signal(object)  # (in_ns | None, out_ns | None)
    jumped = Signal()  # the user moved it: the clock must take a new anchor

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._span = TimeWindow(0, 1)
        self._position_ns = 0
        self._before_jump_ns: int | None = None
        self._playing = False
        self._speed = 1.0
        self._loop = False
        self._in_ns: int | None = None
        self._out_ns: int | None = None

    @property
    def span(self) -> TimeWindow:
        """What the playhead may reach: the whole recording."""
        return self._span

    @property
    def position_ns(self) -> int:
        return self._position_ns

    @property
    def playing(self) -> bool:
        return self._playing

    @property
    def speed(self) -> float:
        """Signed factor on real time; negative plays backwards."""
        return self._speed

    @property
    def loop(self) -> bool:
        return self._loop

    @property
    def in_ns(self) -> int | None:
        return self._in_ns

    @property
    def out_ns(self) -> int | None:
        return self._out_ns

    @property
    def play_span(self) -> TimeWindow:
        """What playing runs through: from in to out where they are set, else the whole recording."""
        start_ns = self._span.start_ns if self._in_ns is None else self._in_ns
        stop_ns = self._span.stop_ns if self._out_ns is None else self._out_ns + 1
        return TimeWindow(start_ns, stop_ns) if start_ns < stop_ns else self._span

    def reset(self, span: TimeWindow) -> None:
        """Start anew with another recording: at its start, paused, at normal speed, no in or out."""
        self.set_playing(False)
        self.set_speed(1.0)
        self.set_range(None, None)
        self._span = span
        self._position_ns = span.start_ns
        self._before_jump_ns = None
        self.span_changed.emit(span)
        self.moved.emit(self._position_ns)

    def move_to(self, position_ns: int) -> None:
        """Move, and say so only if that is a change. Times outside the recording stop at its ends."""
        position_ns = self._span.clamp(position_ns)
        if position_ns != self._position_ns:
            self._position_ns = position_ns
            self.moved.emit(position_ns)

    def jump_to(self, position_ns: int, *, remember: bool = False) -> None:
        """Move at the user's wish, so that a running clock goes on from there.

        Args:
            position_ns: recording clock.
            remember: True for far jumps (go to, findings): `jump_back` returns to where it was.
        """
        if remember:
            self._before_jump_ns = self._position_ns
        self.move_to(position_ns)
        self.jumped.emit()

    def jump_back(self) -> None:
        """Return to where the last remembered jump began; again to come back."""
        if self._before_jump_ns is not None:
            self.jump_to(self._before_jump_ns, remember=True)

    def set_playing(self, playing: bool) -> None:
        if playing != self._playing:
            self._playing = playing
            self.playing_changed.emit(playing)

    def set_speed(self, speed: float) -> None:
        """Set the signed speed; its size is kept between `MIN_SPEED` and `MAX_SPEED`."""
        size = min(MAX_SPEED, max(MIN_SPEED, abs(speed)))
        speed = -size if speed < 0 else size
        if speed != self._speed:
            self._speed = speed
            self.speed_changed.emit(speed)

    def set_loop(self, loop: bool) -> None:
        if loop != self._loop:
            self._loop = loop
            self.loop_changed.emit(loop)

    def set_range(self, in_ns: int | None, out_ns: int | None) -> None:
        """Set or clear in and out. Where they cross, the one that was not just changed is dropped."""
        if in_ns is not None and out_ns is not None and in_ns > out_ns:
            if in_ns == self._in_ns:
                in_ns = None
            else:
                out_ns = None
        if (in_ns, out_ns) != (self._in_ns, self._out_ns):
            self._in_ns, self._out_ns = in_ns, out_ns
            self.range_changed.emit((in_ns, out_ns))
