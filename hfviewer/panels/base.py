"""What all stream panels share: the header, the plate, and which frame is wanted and which is shown."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QEnterEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from hfviewer.core import timing
from hfviewer.core.age import FrameAge, frame_age
from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import Frame
from hfviewer.core.recording import Stream
from hfviewer.core.stream import StreamDescription
from hfviewer.core.time_format import TimeFormat, TimeMode
from hfviewer.core.window import TimeWindow
from hfviewer.panels.drawing import one_line, painting
from hfviewer.panels.gap_watch import GapWatch
from hfviewer.panels.header import HeaderContent, PanelHeader
from hfviewer.panels.panel_menu import RightClick, common_actions, popup_menu
from hfviewer.panels.patience import Patience
from hfviewer.panels.picture_out import PictureOut
from hfviewer.panels.plate import Plate
from hfviewer.panels.plate_content import Around, PlateContent, plate_content
from hfviewer.panels.standing import Standing, age_badge, seconds_text, standing_of
from hfviewer.panels.stream_badges import header_badges
from hfviewer.panels.theme import Theme
from hfviewer.playback.result import FrameResult, Preparer
from hfviewer.playback.source import FrameSource
from hfviewer.quality.gap import Gaps
from hfviewer.quality.gaps import GapFinder

OUTLINE = 2


class StreamPanel(QWidget):
    """Shows one stream at the playhead.

    A panel draws what it is given and reports what the user did; it opens no file and owns no time.
    Subclasses make a body widget, hand it to `_set_body` and draw frames in `_draw`.

    Args:
        description: of the stream.
        timestamps_ns: int64[n], non-decreasing, recording clock.
        recording_start_ns: what the header's seconds count from.
        theme: colours.
        parent: as in Qt.
    """

    focus_requested = Signal(str)
    maximise_requested = Signal()
    read_out_changed = Signal(str)
    detail_wanted = Signal()  # the frame of now is wanted again: larger, or prepared in another way
    command_requested = Signal(str)  # about the panel itself: another, float, close, cloud
    jump_requested = Signal(object)  # int, ns: show what was at that time
    failed = Signal(object)  # HfviewerError: what was asked for could not be done
    told = Signal(str)  # one line: what was asked for in the background is done

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._description, self._timestamps_ns = description, timestamps_ns
        self._recording_start_ns, self._theme = recording_start_ns, theme
        # A stream whose frames arrive irregularly has no period that a frame could miss.
        self._period_ns = None if description.rate_hz is None else description.period_ns
        self._sequence: NDArray[np.int64] | None = None
        self._gaps_watched = GapWatch(timestamps_ns, None, self._period_ns)
        self._position_ns: int | None = None
        self._wanted: int | None = None
        self._shown: int | None = None
        self._generation = -1
        self._error: HfviewerError | None = None
        self._prepared: object = None  # what `preparer` made of the frame that is being drawn
        self._blank = False  # the frame shown could not be read: there is no picture
        self._focused = False
        self._right_click = RightClick()
        self._times: TimeFormat | None = None
        self._source: FrameSource | None = None
        self._patience = Patience(self)
        self._patience.ended.connect(self._refresh)
        self._header = self._make_header()
        self._header.menu_requested.connect(self._open_menu_below_button)
        self._header.context_requested.connect(self._open_menu)
        self._header.maximise_requested.connect(self.maximise_requested)
        self._pictures = PictureOut(self)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(OUTLINE, OUTLINE, OUTLINE, OUTLINE)
        self._layout.setSpacing(0)
        self._layout.addWidget(self._header)
        self._body: QWidget | None = None
        self._plate: Plate | None = None
        theme.changed.connect(self.update)

    # -- what it is ------------------------------------------------------------------------------------------

    @property
    def stream_name(self) -> str:
        return self._description.name

    @property
    def description(self) -> StreamDescription:
        return self._description

    @property
    def header(self) -> PanelHeader:
        return self._header

    @property
    def plate(self) -> PlateContent | None:
        """What lies over the body instead of a current picture, or None."""
        return None if self._plate is None else self._plate.content

    @property
    def wanted_index(self) -> int | None:
        """Index of the frame under the playhead; None before the first."""
        return self._wanted

    @property
    def shown_index(self) -> int | None:
        """Index of the frame on screen, or of the one whose error is; None without one."""
        return self._shown

    @property
    def shown_frame(self) -> Frame | None:
        """The frame whose picture is on screen; None without one, or where no single frame is shown."""
        return None

    @property
    def pictures(self) -> PictureOut:
        """Its pictures, out of the application."""
        return self._pictures

    def picture_seen(self) -> QImage | None:
        """The body as it is seen now; None before there is one."""
        return None if self._body is None else self._body.grab().toImage()

    def picture_native(self) -> QImage | None:
        """What shows, at the resolution that is stored; None where there is no such thing."""
        return None

    def view_state(self) -> dict[str, object]:
        """How it is looked at, for a layout that is saved: plain values that JSON has."""
        return {}

    def restore_view_state(self, state: dict[str, object]) -> None:
        """Look at it as a saved layout says. What is missing or makes no sense is left as it is."""

    @property
    def is_current(self) -> bool:
        """True where the frame on screen is the one under the playhead, or there is none to show."""
        return self._wanted is None or self._shown == self._wanted

    @property
    def standing(self) -> Standing:
        """How what is shown stands to the playhead."""
        return standing_of(
            age=self._age(self._wanted),
            frame_count=len(self._timestamps_ns),
            wanted=self._wanted,
            shown=self._shown,
            failed=self._blank,
        )

    @property
    def is_settled(self) -> bool:
        """False while it waits for something of the whole stream, after which it will look different."""
        return True

    def view_size(self) -> tuple[int, int]:
        """Width and height in device pixels that the body can show at most."""
        if self._body is None:
            return (1, 1)
        ratio = self.devicePixelRatioF()
        return (max(1, round(self._body.width() * ratio)), max(1, round(self._body.height() * ratio)))

    def preparer(self) -> Preparer | None:
        """What a loader thread may do ahead for the next frame, as things look now; None: nothing.

        The function must not touch the panel: it works on what was true when it was made. `_draw` finds its
        result in ``_prepared`` and uses it only where that is still so.
        """
        return None

    # -- what happens to it ----------------------------------------------------------------------------------

    def set_sequence(self, sequence: NDArray[np.int64], finder: GapFinder | None = None) -> None:
        """Give the recorder's own counters, int64[n]: a loss is then counted instead of estimated.

        Args:
            sequence: of the stream.
            finder: of its gaps, as the recording's checks see them.
        """
        self._sequence = sequence if len(sequence) == len(self._timestamps_ns) else None
        own = finder if self._sequence is not None else None
        self._gaps_watched = GapWatch(self._timestamps_ns, self._sequence, self._period_ns, finder=own)
        self._refresh()

    def set_gaps(self, gaps: Gaps) -> None:
        """Give the gaps that are left once every frame was decoded."""
        self._gaps_watched.go_by(gaps)
        self._refresh()

    def set_source(self, source: FrameSource | None) -> None:
        """Say where a `preparer` finds frames of other streams; called before anything is shown."""
        self._source = source

    def _own_stream(self) -> Stream | None:
        """The stream itself, for what a loader thread works out of the whole of it."""
        return None if self._source is None else self._source.streams.get(self.stream_name)

    def set_times(self, times: TimeFormat) -> None:
        """How times of the recording read from now on."""
        self._times = times
        self._header.set_widest_timestamp(self._widest_time_text())
        self._refresh()

    def set_timeline_span(self, span: TimeWindow | None) -> None:
        """The timeline shows this span now; None while nothing is open."""

    def set_playhead(self, position_ns: int) -> None:
        """Say which frame is wanted now. Cheap: one bisect, one repaint of the header."""
        self._position_ns = position_ns
        self._wanted = timing.index_at(self._timestamps_ns, position_ns)
        self._playhead_moved(position_ns)
        self._refresh()

    def show_result(self, result: FrameResult) -> None:
        """Draw a frame, or say why it cannot be had; results not newer than what is shown are left out."""
        if result.stream != self.stream_name or result.generation <= self._generation:
            return
        if not 0 <= result.index < len(self._timestamps_ns):
            return
        self._generation = result.generation
        self._prepared = result.prepared
        self._shown, self._error = result.index, None if result.frame is not None else result.error
        if result.frame is not None:
            try:
                self._draw(result.frame)
            except HfviewerError as error:
                self._error = error
        self._blank = result.frame is None or self._error is not None
        if self._blank:
            self._clear()
        self._refresh()

    def set_focused(self, focused: bool) -> None:
        """Outline the panel whose stream "next frame" means."""
        if focused != self._focused:
            self._focused = focused
            self._header.set_hot(focused or self.underMouse())
            self.update()

    def reset_view(self) -> None:
        """Put zoom, pan and camera back."""

    def context_actions(self) -> list[QAction]:
        """What the panel's menu offers, made anew each time; whoever asks takes them over."""
        return []

    # -- for subclasses --------------------------------------------------------------------------------------

    def _draw(self, frame: Frame) -> None:
        """Show a frame of this stream."""
        raise NotImplementedError

    def _clear(self) -> None:
        """Show no picture at all: the frame under the playhead cannot be read."""

    def _set_stale(self, stale: bool) -> None:
        """Draw the last picture so that nobody takes it for the current one."""

    def _playhead_moved(self, position_ns: int) -> None:
        """The playhead is here now; called before the header is brought up to date."""

    def _curves_action(self) -> QAction:
        """An entry that opens the same stream as plain numbers over time."""
        entry = self._action(self.tr("Curves of its numbers"))
        entry.triggered.connect(partial(self.command_requested.emit, "curves"))
        return entry

    def _set_body(self, body: QWidget, *, with_plate: bool = True) -> None:
        self._body = body
        body.setMinimumSize(0, 0)
        self._layout.addWidget(body, 1)
        body.installEventFilter(self)
        if with_plate:
            self._plate = Plate(self._theme, body)
            self._plate.setGeometry(body.rect())
        self._refresh()

    def _action(self, text: str, *, checked: bool | None = None) -> QAction:
        """An action for the menu; checkable where ``checked`` is given."""
        action = QAction(one_line(text).replace("&", "&&"), self)
        if checked is not None:
            action.setCheckable(True)
            action.setChecked(checked)
        return action

    # -- Qt --------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(480, 320)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 60)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._header.set_hot(True)

    def leaveEvent(self, event: QEvent) -> None:
        self._header.set_hot(self._focused)
        self.read_out_changed.emit("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent):
            if event.type() is QEvent.Type.MouseButtonPress:
                self.focus_requested.emit(self.stream_name)
            place = self._right_click.watch(event)
            if place is not None:
                self._open_menu(place)
        elif watched is self._body and isinstance(event, QResizeEvent) and self._plate is not None:
            self._plate.setGeometry(0, 0, event.size().width(), event.size().height())
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.focus_requested.emit(self.stream_name)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        # By mouse it opens when the button goes up: until then it may become a drag.
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            self._open_menu(self.mapToGlobal(self.rect().center()))

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        with painting(self) as painter:
            painter.fillRect(self.rect(), tokens.bg1)
            if self._focused:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(tokens.accent, OUTLINE))
                inset = OUTLINE / 2
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 3, 3)

    # -- inside ----------------------------------------------------------------------------------------------

    def _make_header(self) -> PanelHeader:
        return PanelHeader(
            name=self.stream_name,
            kind=self._description.kind,
            widest_number=str(len(self._timestamps_ns)),
            widest_timestamp=self._widest_time_text(),
            badges=header_badges(self._description),
            theme=self._theme,
            parent=self,
        )

    def _open_menu_below_button(self) -> None:
        button = self._header.menu_button
        self._open_menu(button.mapToGlobal(QPoint(0, button.height())))

    def _open_menu(self, place: QPoint) -> None:
        popup_menu(self, [*self.context_actions(), *common_actions(self)], place)

    def _age(self, index: int | None) -> FrameAge:
        return frame_age(
            timestamp_ns=None if index is None else int(self._timestamps_ns[index]),
            playhead_ns=self._position_ns or 0,
            period_ns=self._period_ns,
            is_last=index == len(self._timestamps_ns) - 1,
            gap_follows=self._gaps_watched.breaks_off(index),
        )

    def _refresh(self) -> None:
        """Bring header and plate in line with what is wanted and shown."""
        standing = self.standing
        if standing is Standing.BEFORE and self._shown is not None:
            self._shown, self._error, self._blank = None, None, False
            self._clear()
        overdue = self._patience.is_over(waiting=standing is Standing.LOADING)
        index = self._shown if standing is Standing.LOADING else self._wanted
        age_ns, behind = None, None
        if index is not None and self._position_ns is not None:
            age_ns = self._position_ns - int(self._timestamps_ns[index])
        if self._shown is not None and self._wanted is not None:
            behind = self._wanted - self._shown
        self._header.set_content(
            HeaderContent(
                number="–" if index is None else str(index + 1),
                count=len(self._timestamps_ns),
                timestamp="" if index is None else self._time_text(int(self._timestamps_ns[index])),
                age=age_badge(standing, age_ns=age_ns, behind=behind, overdue=overdue),
            )
        )
        self._set_stale(standing in (Standing.MISSING, Standing.ENDED))
        if self._plate is not None:
            self._plate.show_content(plate_content(standing, self._around(), self._error))

    def _around(self) -> Around:
        return Around(
            timestamps_ns=self._timestamps_ns,
            sequence=self._sequence,
            gap=self._gaps_watched.after(self._wanted),
            time_text=self._time_text,
            start_ns=self._recording_start_ns,
            playhead_ns=self._position_ns or 0,
            wanted=self._wanted,
        )

    def _widest_time_text(self) -> str:
        stamps = self._timestamps_ns
        ends = [int(stamps[0]), int(stamps[-1])] if len(stamps) else [self._recording_start_ns]
        return max((self._time_text(time_ns) for time_ns in ends), key=len)

    def _time_text(self, timestamp_ns: int) -> str:
        if self._times is not None and self._times.reads_as is not TimeMode.ELAPSED:
            return self._times.text(timestamp_ns)
        return seconds_text(timestamp_ns - self._recording_start_ns)
