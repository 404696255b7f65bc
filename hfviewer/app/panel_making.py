"""A panel for a stream, with everything of its recording that it goes by."""

from __future__ import annotations

from hfviewer.app.panel_key import PanelKey
from hfviewer.core.recording import Recording
from hfviewer.model.pick import PickBoard
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.registry import make_panel
from hfviewer.panels.surroundings import KnowsSurroundings, Surroundings
from hfviewer.panels.theme import Theme
from hfviewer.playback.source import FrameSource
from hfviewer.quality.gap import Gaps
from hfviewer.quality.stream_timing import StreamTiming


def panel_for(
    recording: Recording,
    key: PanelKey,
    *,
    theme: Theme,
    source: FrameSource | None,
    picks: PickBoard,
    gaps: Gaps | None,
) -> StreamPanel:
    """Make the panel that a key names; nothing listens to it yet.

    Args:
        recording: that has the stream.
        key: stream, and the way to look at it.
        theme: colours.
        source: of frames of other streams.
        picks: what is pointed at.
        gaps: that are left once every frame was decoded; None: they were not.
    """
    stream, span = recording.streams[key.stream], recording.description.span
    start_ns = 0 if span is None else span.start_ns
    panel = make_panel(stream.description, stream.timestamps_ns, start_ns, theme, view=key.view)
    panel.set_sequence(stream.sequence, StreamTiming.of(stream, span).gaps)
    if gaps is not None:
        panel.set_gaps(gaps)
    panel.set_source(source)
    damage = [
        finding.message
        for finding in recording.description.findings
        if finding.stream == key.stream and finding.code == "unreadable_frame"
    ]
    if damage:
        panel.header.add_badge("damaged", " ".join(damage))
    if isinstance(panel, KnowsSurroundings):
        panel.set_surroundings(Surroundings.of(recording, picks))
    return panel
