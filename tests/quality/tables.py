"""What the tables of a recording alone say, as the checks of a whole recording put it together."""

from __future__ import annotations

from hfviewer.core.finding import Finding
from hfviewer.core.recording import Recording
from hfviewer.quality.findings import table_findings
from hfviewer.quality.stream_timing import look_at


def timing_findings(recording: Recording) -> list[Finding]:
    span, timings = recording.description.span, look_at(recording)
    return [
        found
        for name, stream in recording.streams.items()
        for found in table_findings(stream, timings[name], timings[name].gaps.all(), span)
    ]
