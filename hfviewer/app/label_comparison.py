"""Two people's labels of one track, one above the other, and where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from PySide6.QtCore import QObject

from hfviewer.core.agreement import agree, stretches
from hfviewer.core.annotation import Annotation, AnnotationSet
from hfviewer.core.window import TimeWindow
from hfviewer.panels.theme import Theme
from hfviewer.panels.timeline.disagreement import DisagreementRow
from hfviewer.panels.timeline.tracks import LabelTrack


class Comparison:
    """Rows for two authors and for what lies between them.

    Args:
        track: that is compared.
        authors: the two people.
        theme: the tokens in force.
        parent: owns the rows.
    """

    def __init__(self, track: str, authors: tuple[str, str], theme: Theme, parent: QObject) -> None:
        self.track, self.authors = track, authors
        self.rows = tuple(LabelTrack(f"{track} · {who or 'nobody'}", theme, parent) for who in authors)
        self.between = DisagreementRow(theme)
        for row in self.rows:
            row.set_locked(True)

    def show(self, state: AnnotationSet, span: TimeWindow) -> None:
        """Compare what there is now."""
        on_track = state.on_track(self.track)
        groups = [tuple(a for a in on_track if a.author == author) for author in self.authors]
        for row, group in zip(self.rows, groups, strict=True):
            row.set_labels(group, state.schema)
        first, second = groups
        self.between.set_agreement(agree(first, second, span), stretches(first, second, span), self.authors)


def most_busy(annotations: Iterable[Annotation]) -> list[str]:
    """Authors, the one of most labels first."""
    return [author for author, _ in Counter(a.author for a in annotations).most_common()]
