"""How far two people agree: Cohen's kappa over time, and how far apart they set the same edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from hfviewer.core.annotation import Annotation
from hfviewer.core.window import TimeWindow

INSTANT_TOLERANCE_NS = 500_000_000
"""Two instants of one label are taken for the same event when they lie no farther apart."""

Marks = frozenset[str]
"""The labels that one person set at an instant; empty where none."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a track in which both say the same thing throughout.

    Args:
        start_ns: first instant.
        stop_ns: end, half-open.
        a: what the first says.
        b: what the second says.
    """

    start_ns: int
    stop_ns: int
    a: Marks
    b: Marks

    @property
    def agrees(self) -> bool:
        return self.a == self.b


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Of two people about one recording.

    Args:
        kappa: 1: they agree at every instant; 0: no more than by chance; None where nothing lasts.
        boundary_errors_ns: distance of each edge that both set, starts and ends, ascending.
        only_a: annotations of the first that the second has no counterpart of.
        only_b: the other way round.
        pairs: ids of those that correspond.
    """

    kappa: float | None
    boundary_errors_ns: tuple[int, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]

    def boundary_error_ms(self, percentile: float) -> float | None:
        """A percentile of the boundary errors; None without any."""
        if not self.boundary_errors_ns:
            return None
        return float(np.percentile(np.array(self.boundary_errors_ns, np.float64), percentile)) / 1e6


def agree(first: Sequence[Annotation], second: Sequence[Annotation], span: TimeWindow | None) -> Agreement:
    """Compare what two people marked.

    Kappa weighs every nanosecond of the recording alike, on each track by itself: what a person says at an
    instant is the set of labels set there, "none" included. Annotations correspond where track and label are
    the same and they overlap (instants: lie within `INSTANT_TOLERANCE_NS`), the largest overlap first, each
    at most once.

    Args:
        first: of one person.
        second: of the other.
        span: of the recording; None: from the first edge to the last.
    """
    pairs = _matched(first, second)
    errors = sorted(
        error for a, b in pairs for error in (abs(a.start_ns - b.start_ns), abs(a.end_ns - b.end_ns))
    )
    matched_a, matched_b = {a.id for a, _ in pairs}, {b.id for _, b in pairs}
    return Agreement(
        kappa=_kappa(first, second, span),
        boundary_errors_ns=tuple(errors),
        only_a=tuple(a.id for a in first if a.id not in matched_a),
        only_b=tuple(b.id for b in second if b.id not in matched_b),
        pairs=tuple((a.id, b.id) for a, b in pairs),
    )


def stretches(
    first: Iterable[Annotation], second: Iterable[Annotation], span: TimeWindow | None
) -> list[Stretch]:
    """One track cut wherever either of two people sets or ends a label; without gaps, in order.

    Args:
        first: annotations of the track by one person.
        second: by the other.
        span: what is looked at; None: from the first edge to the last.
    """
    edges: list[tuple[int, int, int, str]] = []  # at, person, +1 or -1, label
    for person, group in enumerate((first, second)):
        for a in group:
            start_ns, stop_ns = a.start_ns, a.end_ns
            if span is not None:
                start_ns, stop_ns = max(start_ns, span.start_ns), min(stop_ns, span.stop_ns)
            if start_ns < stop_ns:
                edges += [(start_ns, person, 1, a.label), (stop_ns, person, -1, a.label)]
    edges.sort()
    now = (Counter[str](), Counter[str]())
    found: list[Stretch] = []
    at_ns = span.start_ns if span is not None else (edges[0][0] if edges else 0)
    for edge_ns, person, step, label in edges:
        if edge_ns > at_ns:
            found.append(Stretch(at_ns, edge_ns, _marks(now[0]), _marks(now[1])))
            at_ns = edge_ns
        now[person][label] += step
    if span is not None and span.stop_ns > at_ns:
        found.append(Stretch(at_ns, span.stop_ns, _marks(now[0]), _marks(now[1])))
    return found


def _marks(counts: Counter[str]) -> Marks:
    return frozenset(label for label, count in counts.items() if count > 0)


def _kappa(
    first: Sequence[Annotation], second: Sequence[Annotation], span: TimeWindow | None
) -> float | None:
    table: Counter[tuple[Marks, Marks]] = Counter()
    for track in sorted({a.track for a in (*first, *second) if not a.is_instant}):
        for stretch in stretches(
            (a for a in first if a.track == track), (b for b in second if b.track == track), span
        ):
            table[stretch.a, stretch.b] += stretch.stop_ns - stretch.start_ns
    total = table.total()
    if total == 0:
        return None
    rows: Counter[Marks] = Counter()
    columns: Counter[Marks] = Counter()
    for (a, b), weight in table.items():
        rows[a] += weight
        columns[b] += weight
    observed = sum(weight for (a, b), weight in table.items() if a == b)
    # In whole numbers: nanoseconds squared are beyond what a float holds exactly.
    chance = sum(rows[marks] * columns[marks] for marks in rows)
    if chance == total * total:
        return 1.0
    return (observed * total - chance) / (total * total - chance)


def _matched(
    first: Sequence[Annotation], second: Sequence[Annotation]
) -> list[tuple[Annotation, Annotation]]:
    of_b: dict[tuple[str, str], list[Annotation]] = {}
    for b in second:
        of_b.setdefault((b.track, b.label), []).append(b)
    for group in of_b.values():
        group.sort(key=lambda b: b.order)
    candidates: list[tuple[int, int, str, str, Annotation, Annotation]] = []
    for a in first:
        for b in of_b.get((a.track, a.label), ()):
            if b.start_ns > a.end_ns + INSTANT_TOLERANCE_NS:
                break
            closeness = _closeness(a, b)
            if closeness is not None:
                candidates.append((-closeness[0], closeness[1], a.id, b.id, a, b))
    candidates.sort(key=lambda c: c[:4])
    taken_a: set[str] = set()
    taken_b: set[str] = set()
    pairs: list[tuple[Annotation, Annotation]] = []
    for *_, a, b in candidates:
        if a.id not in taken_a and b.id not in taken_b:
            taken_a.add(a.id)
            taken_b.add(b.id)
            pairs.append((a, b))
    return sorted(pairs, key=lambda pair: pair[0].order)


def _closeness(a: Annotation, b: Annotation) -> tuple[int, int] | None:
    """Nanoseconds in common and distance of the edges; None where they are not the same event."""
    common = min(a.end_ns, b.end_ns) - max(a.start_ns, b.start_ns)
    distance = abs(a.start_ns - b.start_ns) + abs(a.end_ns - b.end_ns)
    if a.is_instant or b.is_instant:
        near = common >= 0 or -common <= INSTANT_TOLERANCE_NS
        return (0, distance) if near and a.is_instant == b.is_instant else None
    return (common, distance) if common > 0 else None
