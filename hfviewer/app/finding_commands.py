"""What the keys of the group Check do, and what follows when a finding is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hfviewer.app.deep_checking import DeepChecker, job_of
from hfviewer.app.timing_window import TimingWindow
from hfviewer.core.errors import HfviewerError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.recording import Recording
from hfviewer.model.accepted_file import key_of
from hfviewer.panels.drawing import one_line

if TYPE_CHECKING:
    from hfviewer.app.main_window import MainWindow
    from hfviewer.quality.check import RecordingCheck


class FindingCommands:
    """One method for each action of `bindings` about findings.

    Args:
        window: whose findings they are.
    """

    def __init__(self, window: MainWindow) -> None:
        self._window, self._panel = window, window.findings
        self.timing = TimingWindow(window, window.workspace, window.timeline, window.theme)
        self._deep = DeepChecker(window)
        self._deep.progressed.connect(self._panel.deep.set_progress)
        self._deep.finished.connect(self._on_deep_finished)
        self._deep.stopped.connect(self._on_deep_stopped)
        self._deep.failed.connect(self._on_deep_failed)
        self._panel.deep.stop_wanted.connect(self._deep.stop)
        window.workspace.recording_changed.connect(lambda _: self._deep.stop())
        self._panel.activated.connect(self._on_activated)
        self._panel.left.connect(window.setFocus)
        window.timeline.finding_clicked.connect(self._panel.choose)
        window.accepted.failed.connect(lambda text: window.banner.say(text, "warning"))

    def next_finding(self) -> None:
        self._step(1)

    def previous_finding(self) -> None:
        self._step(-1)

    def filter_findings(self) -> None:
        self._window.docks.raise_findings()
        self._panel.start_filtering()

    def accept_finding(self) -> None:
        self._window.docks.raise_findings()
        if not self._panel.accept_chosen():
            self._say("choose a finding first (F8)")

    def label_finding(self) -> None:
        if not self._panel.label_chosen():
            self._say("choose a finding with a time first (F8)")

    def copy_findings(self) -> None:
        count = self._panel.copy_text()
        self._say(f"{count} {'finding' if count == 1 else 'findings'} copied as text")

    def toggle_findings(self) -> None:
        self._window.docks.toggle_findings()

    def deep_check(self) -> None:
        """Decode every frame, or stop doing so."""
        workspace = self._window.workspace
        if self._deep.busy:
            self._deep.stop()
        elif workspace.recording is not None:
            self._window.docks.raise_findings()
            self._panel.deep.begin()
            job = job_of(workspace.recording, workspace.collection, workspace.episode)
            self._deep.start(job, workspace.recording)

    def next_bad_episode(self) -> None:
        self._step_episode(1)

    def previous_bad_episode(self) -> None:
        self._step_episode(-1)

    def show_timing(self) -> None:
        self.timing.toggle()

    def _step(self, direction: int) -> None:
        if self._window.workspace.recording is None:
            return
        before = self._panel.chosen
        wrapped = self._panel.step(direction)
        if self._panel.chosen is None or (before is None and self._panel.chosen is None):
            self._say("no finding is listed")
        elif wrapped:
            self._say("from the first finding again" if direction > 0 else "from the last finding again")

    def close(self) -> None:
        """Stop what is under way: the window goes."""
        self._deep.close(timeout_s=1.0)
        self.timing.close_worker()
        self.timing.hide()

    def _step_episode(self, direction: int) -> None:
        """Open the next episode of the list with more than remarks; one that cannot be opened is one, too."""
        workspace, listing = self._window.workspace, self._window.episode_list
        if workspace.collection is None:
            return
        unknown, key = 0, workspace.episode
        while (key := listing.neighbour(key, direction)) is not None:
            row, health = listing.table.row_of(key), workspace.health.of(key)
            if row is not None and not row.ok:
                break
            unknown += health is None
            if health is not None and health.severity in (Severity.ERROR, Severity.WARNING):
                break
        if key is not None:
            self._window.episodes.open_key(key)
            return
        where = "after" if direction > 0 else "before"
        more = f"; {unknown} of them not checked yet" if unknown else ""
        self._say(f"no episode with findings {where} this one in the list{more}")

    def _on_deep_finished(self, recording: Recording, check: RecordingCheck) -> None:
        self._panel.deep.hide()
        workspace = self._window.workspace
        if recording is workspace.recording:
            known = {key_of(finding) for finding in workspace.findings}
            new = sum(key_of(finding) not in known for finding in check.findings)
            workspace.set_findings(list(check.findings))
            gaps = {name: stream.gaps for name, stream in check.streams.items()}
            self._window.timeline.canvas.arrangement.set_gaps(gaps)
            self._window.area.set_gaps(gaps)
            self._say(f"every frame was checked: {new} new {'finding' if new == 1 else 'findings'}")

    def _on_deep_stopped(self) -> None:
        self._panel.deep.hide()
        self._say("the check of every frame was stopped")

    def _on_deep_failed(self, error: HfviewerError) -> None:
        self._panel.deep.hide()
        self._window.failed.emit(error)

    def _on_activated(self, finding: Finding) -> None:
        self._say(one_line(finding.message))
        if finding.start_ns is not None:
            end_ns = finding.start_ns if finding.end_ns is None else finding.end_ns
            self._window.timeline.frame(finding.start_ns, end_ns, finding.stream)

    def _say(self, text: str) -> None:
        self._window.status.set_message(text)
