"""What a person should know before trusting a stream: as words for its row, with sentences for its panel."""

from __future__ import annotations

from hfviewer.core.stream import Clock, StreamDescription
from hfviewer.panels.drawing import one_line

_CLOCKS = {
    Clock.HOST: ("host", "Timestamps are the recording computer's, taken on arrival."),
    Clock.NOMINAL: ("nominal", "There were no timestamps; these follow from a stated rate."),
}


def row_badges(description: StreamDescription) -> tuple[str, ...]:
    """A word each, for a row of the stream list."""
    words = ["guessed"] if description.guessed else []
    if description.clock in _CLOCKS:
        words.append(_CLOCKS[description.clock][0])
    return tuple(words)


def header_badges(description: StreamDescription) -> tuple[tuple[str, str], ...]:
    """A word or two and a sentence each, for the header of a panel."""
    badges = []
    if description.guessed:
        badges.append(
            ("guessed", f"Kind and encoding ({one_line(description.encoding)}) were guessed from the data.")
        )
    if description.clock in _CLOCKS:
        word, sentence = _CLOCKS[description.clock]
        badges.append((f"{word} clock", sentence))
    return tuple(badges)
