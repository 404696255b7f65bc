"""Every code a finding may bear: how bad it is by default, its title and what it means. The only such table.

Whoever makes a finding takes its severity from here; where a code knows a milder case, the entry says which.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from hfviewer.core.finding import Severity


@dataclass(frozen=True, slots=True)
class FindingCode:
    """What a code stands for.

    Args:
        code: as in the command line's JSON.
        severity: how bad it is, unless the milder case applies.
        title: a few words for headings and legends.
        meaning: one or two sentences for a person who meets it for the first time.
        milder: severity of the milder case; None where there is none.
        milder_when: what the milder case is.
        loses_frames: True where it says that data is missing from the recording.
    """

    code: str
    severity: Severity
    title: str
    meaning: str
    milder: Severity | None = None
    milder_when: str = ""
    loses_frames: bool = False


_TABLE = (
    FindingCode(
        "missing_frames",
        Severity.ERROR,
        "Missing frames",
        "Frames that the sensor took are not in the recording: its counter jumps, the recorder counted"
        " them, or the interval is longer than 1.5 periods and nothing that follows makes up for it.",
        milder=Severity.WARNING,
        milder_when="a single frame by its interval alone",
        loses_frames=True,
    ),
    FindingCode(
        "duplicate_timestamp",
        Severity.WARNING,
        "Repeated timestamp",
        "Several frames bear the same timestamp, so that their place in time is not known.",
        milder=Severity.INFO,
        milder_when="a third of all frames and more do: rows of one message share its stamp",
    ),
    FindingCode(
        "duplicate_frame",
        Severity.WARNING,
        "Repeated frame",
        "A frame shows the same content as the one before: the recorder stored an old picture again.",
    ),
    FindingCode(
        "out_of_order",
        Severity.WARNING,
        "Out of order",
        "Frames arrived after frames with a later timestamp.",
    ),
    FindingCode(
        "clock_step",
        Severity.WARNING,
        "Clock step",
        "The clock was set, or single frames bear a stamp far off: times before and after do not fit"
        " together. No frame is counted as lost for it.",
        milder=Severity.INFO,
        milder_when="another clock of the recording bridges it",
    ),
    FindingCode(
        "clock_drift",
        Severity.WARNING,
        "Clock drift",
        "The stream's clock runs faster or slower than those of the other streams.",
    ),
    FindingCode(
        "late_start",
        Severity.WARNING,
        "Late start",
        "The stream begins later than the recording.",
        milder=Severity.INFO,
        milder_when="by less than a second",
    ),
    FindingCode(
        "early_end",
        Severity.WARNING,
        "Early end",
        "The stream ends before the recording does.",
        milder=Severity.INFO,
        milder_when="by less than a second",
    ),
    FindingCode(
        "irregular_rate",
        Severity.WARNING,
        "Irregular rate",
        "The rate is not the declared one, or frames came far too late though none is missing.",
        milder=Severity.INFO,
        milder_when="frames came late, but all of them came",
    ),
    FindingCode(
        "sync_error",
        Severity.WARNING,
        "Sync error",
        "Frames that belong together lie too far apart in time.",
    ),
    FindingCode(
        "empty_window",
        Severity.WARNING,
        "Empty window",
        "Windows of the recording hold no frame of a stream that should have one in each.",
        milder=Severity.INFO,
        milder_when="the frames came late, but all of them came",
    ),
    FindingCode(
        "count_mismatch",
        Severity.ERROR,
        "Counts differ",
        "A table and a video, or two tables, that belong together hold different numbers of frames.",
    ),
    FindingCode(
        "unreadable_frame",
        Severity.ERROR,
        "Unreadable frame",
        "A frame's bytes are damaged or cannot be decoded.",
        loses_frames=True,
    ),
    FindingCode(
        "frozen_picture",
        Severity.WARNING,
        "Frozen picture",
        "The picture stays exactly the same for many frames while their timestamps go on.",
    ),
    FindingCode(
        "black_picture",
        Severity.WARNING,
        "Black picture",
        "Pictures without any light: a covered lens, or a camera that delivers nothing.",
    ),
    FindingCode(
        "recorder_drop",
        Severity.WARNING,
        "Recorder dropped frames",
        "The recorder itself says that it threw data away, without saying where.",
        milder=Severity.INFO,
        milder_when="its instruments tell of time, not of frames",
        loses_frames=True,
    ),
    FindingCode(
        "truncated",
        Severity.ERROR,
        "Cut off",
        "The file ends early; what lay behind is lost.",
        milder=Severity.WARNING,
        milder_when="every frame is there all the same",
        loses_frames=True,
    ),
    FindingCode(
        "guessed_encoding",
        Severity.INFO,
        "Guessed encoding",
        "The file does not say what a stream holds; it was guessed from the first payloads.",
    ),
    FindingCode(
        "host_clock",
        Severity.INFO,
        "Host clock",
        "Timestamps were taken by the computer when frames arrived, not by the sensor when it took them:"
        " their jitter is that of the transport.",
    ),
    FindingCode(
        "damaged_index",
        Severity.ERROR,
        "Damaged index",
        "The list of frames does not agree with its checksum: single frames may be wrong.",
    ),
    FindingCode(
        "damaged_metadata",
        Severity.ERROR,
        "Damaged metadata",
        "What describes the streams can only be read in part.",
        milder=Severity.WARNING,
        milder_when="single entries make no sense",
    ),
    FindingCode(
        "missing_stream",
        Severity.ERROR,
        "Missing stream",
        "A stream that the profile demands is not in the recording.",
        loses_frames=True,
    ),
    FindingCode(
        "unreadable",
        Severity.ERROR,
        "Unreadable file",
        "A file that belongs to the recording or its folder cannot be read; everything else opens.",
        loses_frames=True,
    ),
    FindingCode(
        "damaged_annotation",
        Severity.WARNING,
        "Damaged annotation",
        "An annotation or a track cannot be read; all others are shown.",
    ),
    FindingCode(
        "journal",
        Severity.WARNING,
        "Journal of labels",
        "Something about the journal that keeps unsaved labels; nothing of it was thrown away.",
    ),
    FindingCode(
        "uncertain_rows",
        Severity.WARNING,
        "Uncertain rows",
        "Which rows belong to which camera cannot be told for certain.",
    ),
    FindingCode(
        "unreadable_recording",
        Severity.ERROR,
        "Unreadable recording",
        "The recording cannot be opened at all.",
        loses_frames=True,
    ),
)

CODES = MappingProxyType({entry.code: entry for entry in _TABLE})


def severity_of(code: str, *, milder: bool = False) -> Severity:
    """How bad a finding of this code is.

    Args:
        code: one of `CODES`.
        milder: the code's milder case applies.
    """
    entry = CODES[code]
    return entry.milder if milder and entry.milder is not None else entry.severity


def title_of(code: str) -> str:
    """The code in a few words; codes of other packages in their own."""
    entry = CODES.get(code)
    return entry.title if entry is not None else code.replace("_", " ")
