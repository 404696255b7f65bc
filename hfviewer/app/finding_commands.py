"""What the keys of the group Check do, and what follows when a finding is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hfviewer.app.timing_window import TimingWindow
from hfviewer.core.finding import Finding
from hfviewer.panels.drawing import one_line

if TYPE_CHECKING:
    from hfviewer.app.main_window import MainWindow


class FindingCommands:
    """One method for each action of `bindings` about findings.

    Args:
        window: whose findings they are.
    """

    def __init__(self, window: MainWindow) -> None:
        self._window, self._panel = window, window.findings
        self.timing = TimingWindow(window, window.workspace, window.timeline, window.theme)
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
        self.timing.page.close_worker()
        self.timing.hide()

    def _on_activated(self, finding: Finding) -> None:
        self._say(one_line(finding.message))
        if finding.start_ns is not None:
            end_ns = finding.start_ns if finding.end_ns is None else finding.end_ns
            self._window.timeline.frame(finding.start_ns, end_ns, finding.stream)

    def _say(self, text: str) -> None:
        self._window.status.set_message(text)
