"""How far a folder of recordings is labelled: by whom, with what, in how much time, and what is next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from hfviewer.core.annotation import AnnotationSet, Status

PAUSE_NS = 120_000_000_000
"""Who touches no label for longer was not at work."""
_FINISHED = frozenset({Status.DONE, Status.REVIEWED})


@dataclass(frozen=True, kw_only=True, eq=False)
class Progress:
    """How far one recording is labelled, or several.

    Args:
        key: of the recording; empty for several.
        count: labels.
        labels: how many of each name.
        authors: how many by each person.
        statuses: how many in each status.
        spent_ns: by each person, from when their labels were made and changed, pauses left out.
    """

    key: str = ""
    count: int = 0
    labels: Mapping[str, int] = field(default_factory=dict)
    authors: Mapping[str, int] = field(default_factory=dict)
    statuses: Mapping[str, int] = field(default_factory=dict)
    spent_ns: Mapping[str, int] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether there are labels, and all of them are done or reviewed."""
        return self.count > 0 and self.count == sum(self.statuses.get(status, 0) for status in _FINISHED)


def progress_of(key: str, annotations: AnnotationSet) -> Progress:
    """How far one recording is."""
    stamps: dict[str, list[int]] = {}
    for a in annotations:
        stamps.setdefault(a.author, []).extend(t for t in (a.created_ns, a.modified_ns) if t > 0)
    return Progress(
        key=key,
        count=len(annotations),
        labels=Counter(a.label for a in annotations),
        authors=Counter(a.author for a in annotations),
        statuses=Counter(a.status for a in annotations),
        spent_ns={author: spent(times) for author, times in stamps.items()},
    )


def spent(stamps_ns: Iterable[int]) -> int:
    """Time at work between the first and the last stamp, without pauses longer than `PAUSE_NS`."""
    ordered = sorted(stamps_ns)
    steps = (after - before for before, after in pairwise(ordered))
    return sum(step for step in steps if step <= PAUSE_NS)


def total(parts: Sequence[Progress]) -> Progress:
    """All of them together."""
    counters = [Counter[str]() for _ in range(4)]
    for part in parts:
        for counter, numbers in zip(
            counters, (part.labels, part.authors, part.statuses, part.spent_ns), strict=True
        ):
            counter.update(numbers)
    labels, authors, statuses, spent_ns = counters
    return Progress(
        count=sum(part.count for part in parts),
        labels=labels,
        authors=authors,
        statuses=statuses,
        spent_ns=spent_ns,
    )


def next_unlabelled(
    parts: Sequence[Progress], after: str | None = None, author: str | None = None
) -> str | None:
    """The recording to label next: the first without labels, or None where all have some.

    Args:
        parts: all recordings, in their order.
        after: begin behind this one; those before it come last.
        author: only labels of this person count.
    """
    keys = [part.key for part in parts]
    start = keys.index(after) + 1 if after in keys else 0
    for part in (*parts[start:], *parts[:start]):
        if not (part.count if author is None else part.authors.get(author, 0)):
            return part.key
    return None
