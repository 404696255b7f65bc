"""What is open."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from hfviewer.core.finding import Finding
from hfviewer.core.recording import Recording
from hfviewer.core.window import TimeWindow
from hfviewer.model.playhead import Playhead
from hfviewer.model.time_display import TimeDisplay


class Workspace(QObject):
    """The open recording, its playhead, the stream in focus and which streams are shown."""

    recording_changed = Signal(object)  # Recording | None
    focus_changed = Signal(object)  # str | None: the stream that steps go by
    findings_changed = Signal(object)  # list[Finding]
    checked_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.playhead = Playhead(self)
        self.time_display = TimeDisplay(self)
        self._recording: Recording | None = None
        self._focused: str | None = None
        self._findings: list[Finding] = []
        self._checked = False

    @property
    def recording(self) -> Recording | None:
        return self._recording

    @property
    def focused(self) -> str | None:
        """Name of the stream that "next frame" means; None where nothing is open."""
        return self._focused

    @property
    def findings(self) -> list[Finding]:
        return self._findings

    @property
    def checked(self) -> bool:
        """True once the checks of the open recording have run, so that no finding means no fault."""
        return self._checked

    def set_recording(self, recording: Recording | None) -> None:
        """Show another recording. The previous one is the caller's to close."""
        self._recording = recording
        self._findings = [] if recording is None else list(recording.description.findings)
        was_checked, self._checked = self._checked, False
        span = None if recording is None else recording.description.span
        self._focused = None
        self.time_display.set_span(span or TimeWindow(0, 1))
        self.recording_changed.emit(recording)
        self.playhead.reset(span or TimeWindow(0, 1))
        self.findings_changed.emit(self._findings)
        if was_checked:
            self.checked_changed.emit(False)
        if recording is not None:
            self.focus(next((n for n, s in recording.streams.items() if len(s)), None))

    def add_findings(self, findings: list[Finding]) -> None:
        """Findings that turned up after opening."""
        if findings:
            self._findings = self._findings + findings
            self.findings_changed.emit(self._findings)

    def set_checked(self) -> None:
        """Say that the checks of the open recording have run; their findings were added before."""
        if self._recording is not None and not self._checked:
            self._checked = True
            self.checked_changed.emit(True)

    def focus(self, stream: str | None) -> None:
        """Make a stream the one that steps go by."""
        if stream != self._focused:
            self._focused = stream
            self.focus_changed.emit(stream)
