"""Access units in the order of display, put into the order of decoding by what their heads say.

For streams whose container does not tell in which order their units arrived. Only the units near each other
change places: a decoder holds 16 pictures.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hfviewer.codecs.video.bits import HeaderError
from hfviewer.codecs.video.h264_headers import SliceHead as H264Head
from hfviewer.codecs.video.hevc_headers import SliceHead as HevcHead
from hfviewer.codecs.video.hevc_headers import order_count
from hfviewer.codecs.video.reference_chain import H264Chain, HevcChain
from hfviewer.codecs.video.source import Numbered

_AHEAD = 32  # units that are looked at before one is given

Sorter = Callable[[Iterator[Numbered]], Iterator[Numbered]]
"""Puts units, given from a key frame on in the order of display, into the order of decoding."""


def sorter_for(codec: str) -> Sorter:
    """How to sort the units of a stream that have start codes.

    Args:
        codec: ``h264`` or ``hevc``.
    """
    return _sorted_h264 if codec == "h264" else _sorted_hevc


def _sorted_h264(units: Iterator[Numbered]) -> Iterator[Numbered]:
    """By frame_num: pictures that are no reference go before the reference that has the same number."""
    heads = H264Chain()
    heap: list[tuple[int, int, bool, int, Numbered]] = []
    period = counted = 0
    begins = True
    for place, unit in enumerate(units):
        head: H264Head | None
        try:
            head = heads.head(memoryview(unit[1]))
        except HeaderError:
            head = None
        if head is not None and head.is_idr:
            period, counted = period + 1, 0
        elif head is not None:
            half = head.modulus // 2
            step = (head.frame_num - counted + half) % head.modulus - half
            counted = head.frame_num if begins else counted + step
            if period and counted < 0:  # Nothing shown after an IDR picture is decoded before it.
                counted += head.modulus
        begins = False
        is_reference = head is not None and head.is_reference
        heapq.heappush(heap, (period, counted, is_reference, place, unit))
        if len(heap) > _AHEAD:
            yield heapq.heappop(heap)[-1]
    while heap:
        yield heapq.heappop(heap)[-1]


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A unit with the pictures that it uses and those that it lets the decoder keep, by order count."""

    unit: Numbered
    begins: bool
    count: int
    used: frozenset[int]
    listed: frozenset[int]


def _sorted_hevc(units: Iterator[Numbered]) -> Iterator[Numbered]:
    """By reference picture sets: once all that a unit uses is there, unless it lets go of what others use."""
    waiting: list[_Waiting] = []
    held: set[int] = set()
    for unit in _counted(units):
        waiting.append(unit)
        if len(waiting) > _AHEAD:
            yield _next(waiting, held)
    while waiting:
        yield _next(waiting, held)


def _next(waiting: list[_Waiting], held: set[int]) -> Numbered:
    """Take out the unit that is decoded next."""
    stop = next((i for i, unit in enumerate(waiting) if unit.begins), len(waiting))
    candidates = waiting[: max(1, stop)]
    chosen = next((unit for unit in candidates if _is_due(unit, candidates, held)), candidates[0])
    waiting.remove(chosen)
    held &= chosen.listed
    held.add(chosen.count)
    return chosen.unit


def _is_due(unit: _Waiting, candidates: list[_Waiting], held: set[int]) -> bool:
    if not unit.used <= held:
        return False
    dropped = held - unit.listed
    return not dropped or all(other is unit or dropped.isdisjoint(other.used) for other in candidates)


def _counted(units: Iterator[Numbered]) -> Iterator[_Waiting]:
    """Units with whole order counts; leading pictures after the key frame that they are shown before."""
    heads = HevcChain()
    leading: list[tuple[Numbered, HevcHead]] = []
    last, begins = 0, True
    for unit in units:
        head: HevcHead | None
        try:
            head = heads.head(memoryview(unit[1]))
        except HeaderError:
            head = None
        if head is None:
            yield _Waiting(unit, False, last, frozenset(), frozenset())
            continue
        if 6 <= head.kind <= 9:
            leading.append((unit, head))
            continue
        fresh = head.is_idr or (head.is_entry and (begins or head.kind < 19))
        begins = False
        last = head.poc_lsb if fresh else order_count(head, last)
        yield _waiting(unit, head, last, begins=fresh)
        if head.is_entry:
            yield from (_waiting(u, h, order_count(h, last), begins=False) for u, h in leading)
            leading.clear()
    yield from (_waiting(u, h, order_count(h, last), begins=False) for u, h in leading)


def _waiting(unit: Numbered, head: HevcHead, count: int, *, begins: bool) -> _Waiting:
    listed = {count + delta: used for delta, used in head.short_term}
    used = frozenset(other for other, is_used in listed.items() if is_used)
    return _Waiting(unit, begins, count, frozenset() if begins else used, frozenset(listed))
