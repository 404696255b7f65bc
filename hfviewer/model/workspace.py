"""What is open."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.finding import Finding
from hfviewer.core.recording import Recording
from hfviewer.core.window import TimeWindow
from hfviewer.model.health import HealthStore
from hfviewer.model.playhead import Playhead
from hfviewer.model.time_display import TimeDisplay


class Workspace(QObject):
    """The open recording, its playhead, the stream in focus, and the collection that it is one of."""

    recording_changed = Signal(object)  # Recording | None
    collection_changed = Signal(object)  # EpisodeCollection | None
    episode_changed = Signal(object)  # str | None: key of what is shown of the collection
    focus_changed = Signal(object)  # str | None: the stream that steps go by
    findings_changed = Signal(object)  # list[Finding]
    checked_changed = Signal(bool)
    snapping_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.playhead = Playhead(self)
        self.time_display = TimeDisplay(self)
        self.health = HealthStore(self)
        self._collection: EpisodeCollection | None = None
        self._episode: str | None = None
        self._recording: Recording | None = None
        self._focused: str | None = None
        self._findings: list[Finding] = []
        self._checked = False
        self._snapping = True

    @property
    def recording(self) -> Recording | None:
        return self._recording

    @property
    def collection(self) -> EpisodeCollection | None:
        """The folder of recordings that is listed; None where a single one was opened."""
        return self._collection

    @property
    def episode(self) -> str | None:
        """Key of what is shown of the collection, also where it cannot be opened; else None."""
        return self._episode

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

    @property
    def snapping(self) -> bool:
        """True where pointing near a frame of the focused stream means that frame."""
        return self._snapping

    def set_snapping(self, snapping: bool) -> None:
        if snapping != self._snapping:
            self._snapping = snapping
            self.snapping_changed.emit(snapping)

    def set_collection(self, collection: EpisodeCollection | None) -> None:
        """List another collection, of which nothing is shown yet. The one before is the caller's to close."""
        self.health.clear()
        self._collection = collection
        self._set_episode(None)
        self.collection_changed.emit(collection)

    def set_recording(self, recording: Recording | None, *, episode: str | None = None) -> None:
        """Show another recording. The previous one is the caller's to close.

        Args:
            recording: None where nothing is to be shown.
            episode: its key where it belongs to the open collection.
        """
        self._set_episode(episode)
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

    def set_findings(self, findings: list[Finding]) -> None:
        """All findings of the open recording, those met on opening included."""
        if findings != self._findings:
            self._findings = findings
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

    def _set_episode(self, episode: str | None) -> None:
        if episode != self._episode:
            self._episode = episode
            self.episode_changed.emit(episode)
