from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.agreement import agree, stretches
from hfviewer.core.annotation import Annotation
from hfviewer.core.window import TimeWindow
from tests.labels import SECOND_NS, START_NS, label

SPAN = TimeWindow(START_NS, START_NS + 10 * SECOND_NS)


def test_equal_labels_agree_perfectly() -> None:
    first = [label("a", 1, 2), label("b", 5, 6, label="run")]
    second = [replace(a, id=a.id + "'") for a in first]
    result = agree(first, second, SPAN)
    assert result.kappa == 1.0
    assert result.pairs == (("a", "a'"), ("b", "b'"))
    assert result.boundary_error_ms(50) == 0.0
    assert (result.only_a, result.only_b) == ((), ())


def test_kappa_of_a_case_worked_out_by_hand() -> None:
    # Of 10 s, A says "walk" in [0, 5), B in [0, 4) and [9, 10). Both walk 4 s, both none 4 s: 0.8 observed.
    # Chance: walk 0.5 * 0.5, nothing 0.5 * 0.5: 0.5.  Kappa = (0.8 - 0.5) / (1 - 0.5) = 0.6.
    result = agree([label("a", 0, 5)], [label("b", 0, 4), label("c", 9, 10)], SPAN)
    assert result.kappa == pytest.approx(0.6)
    assert result.pairs == (("a", "b"),)
    assert result.only_b == ("c",)
    assert result.boundary_errors_ns == (0, SECOND_NS)
    assert result.boundary_error_ms(50) == pytest.approx(500.0)
    assert result.boundary_error_ms(95) == pytest.approx(950.0)


def test_opposites_are_worse_than_chance() -> None:
    result = agree([label("a", 0, 5)], [label("b", 5, 10)], SPAN)
    assert result.kappa == pytest.approx(-1.0)
    assert result.only_a == ("a",)


def test_nothing_that_lasts_gives_no_kappa_and_instants_match_when_near() -> None:
    result = agree([label("a", 1), label("b", 5)], [label("c", 1.2), label("d", 7)], SPAN)
    assert result.kappa is None
    assert result.pairs == (("a", "c"),)
    assert (result.only_a, result.only_b) == (("b",), ("d",))
    assert result.boundary_errors_ns == (SECOND_NS // 5, SECOND_NS // 5)


def test_each_label_is_matched_once_the_largest_overlap_first() -> None:
    first = [label("a", 0, 4)]
    second = [label("b", 0, 1), label("c", 1, 4)]
    assert agree(first, second, SPAN).pairs == (("a", "c"),)


def test_tracks_and_labels_are_not_mixed_up() -> None:
    result = agree(
        [label("a", 1, 2)], [label("b", 1, 2, track="events"), label("c", 1, 2, label="run")], SPAN
    )
    assert result.pairs == ()


def test_stretches_tile_the_span() -> None:
    found = stretches([label("a", 1, 3), label("b", 2, 4, label="run")], [label("c", -1, 2)], SPAN)
    assert found[0].start_ns == SPAN.start_ns
    assert found[-1].stop_ns == SPAN.stop_ns
    assert all(left.stop_ns == right.start_ns for left, right in pairwise(found))
    assert [(sorted(s.a), sorted(s.b)) for s in found] == [
        ([], ["walk"]),
        (["walk"], ["walk"]),
        (["run", "walk"], []),
        (["run"], []),
        ([], []),
    ]


def _spans(draw: st.DrawFn, who: str) -> list[Annotation]:
    cuts = sorted(draw(st.sets(st.integers(0, 100), min_size=2, max_size=12)))
    names = draw(st.lists(st.sampled_from(["walk", "run", ""]), min_size=len(cuts), max_size=len(cuts)))
    return [
        label(f"{who}{i}", a / 10, b / 10, label=name)
        for i, (a, b, name) in enumerate(zip(cuts, cuts[1:], names, strict=False))
        if name
    ]


@given(st.data())
def test_kappa_is_that_of_a_table_counted_instant_by_instant(data: st.DataObject) -> None:
    first, second = (data.draw(st.composite(_spans)(who)) for who in "ab")
    result = agree(first, second, SPAN)

    def sampled(group: list[Annotation]) -> list[str]:
        middles = [START_NS + i * SECOND_NS // 10 + SECOND_NS // 20 for i in range(100)]
        return [next((a.label for a in group if a.start_ns <= t < a.end_ns), "") for t in middles]

    a, b = sampled(first), sampled(second)
    if not first and not second:
        assert result.kappa is None
        return
    observed = np.mean([x == y for x, y in zip(a, b, strict=True)])
    chance = sum(a.count(name) * b.count(name) for name in ("walk", "run", "")) / 100**2
    expected = 1.0 if chance == 1 else (observed - chance) / (1 - chance)
    assert result.kappa == pytest.approx(expected)
