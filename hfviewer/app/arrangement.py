"""Which panels to open for a recording that was never opened before, and where. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hfviewer.core.stream import StreamDescription, StreamKind

MOST_PANELS = 6

# How many panels of a kind to open, kinds in the order of their claim.
_QUOTA: tuple[tuple[frozenset[StreamKind], int], ...] = (
    (frozenset({StreamKind.IMAGE}), 2),
    (frozenset({StreamKind.DEPTH}), 1),
    (frozenset({StreamKind.POINTS}), 1),
    (frozenset({StreamKind.IMU}), 2),
    (frozenset({StreamKind.MATRIX}), 1),
    (frozenset({StreamKind.SIGNAL, StreamKind.POSE}), 2),
    (frozenset({StreamKind.TEXT, StreamKind.UNKNOWN}), 1),
)
# What of the signals and poses to open first, and what only says more about something that is shown already.
_FIRST_ROLES = ("touch_map", "trajectory", "hand_pose")
_ASIDE_ROLES = frozenset(
    {"action", "auto_labels", "force", "glove_quaternions", "glove_valid", "hand_keypoints", "status"}
)
_PICTURES = frozenset({StreamKind.IMAGE, StreamKind.DEPTH, StreamKind.POINTS})


@dataclass(frozen=True, slots=True)
class Row:
    """Panels side by side.

    Args:
        streams: names, from the left.
        weight: share of the height.
    """

    streams: tuple[str, ...]
    weight: int


def choose_streams(descriptions: Iterable[StreamDescription]) -> list[str]:
    """Names of the streams to show at first: some of every kind, at most `MOST_PANELS`.

    Empty streams come last, and before them those that only say more about another one: ``lidar/scan`` beside
    ``lidar``, a force beside its matrix, actions, which recorders fill with zeros.
    """
    everything = list(descriptions)
    names = {d.name for d in everything}

    def claim(d: StreamDescription) -> int:
        aside = any(d.name[:at] in names for at, letter in enumerate(d.name) if letter == "/")
        return 2 * (d.frame_count == 0) + (aside or d.role in _ASIDE_ROLES)

    def rank(d: StreamDescription) -> tuple[int, int]:
        later = _FIRST_ROLES.index(d.role) if d.role in _FIRST_ROLES else len(_FIRST_ROLES)
        return claim(d), later

    filled = sorted(everything, key=rank)
    chosen: list[StreamDescription] = []
    for kinds, most in _QUOTA:
        chosen.extend([d for d in filled if d.kind in kinds and claim(d) == 0][:most])
    spare = [d for d in filled if d not in chosen and d.kind is not StreamKind.ANNOTATION and d.frame_count]
    if not any(d.kind in _PICTURES for d in chosen):
        chosen.extend(spare)
    if not chosen:
        chosen = [d for d in filled if d.kind is not StreamKind.ANNOTATION][:1]
    return [d.name for d in chosen[:MOST_PANELS]]


def arrange(descriptions: Sequence[StreamDescription]) -> list[Row]:
    """Rows of panels: cameras large on top, the rest below; signals alone make a grid.

    A single camera shares the top row with the depth picture.

    Args:
        descriptions: of the chosen streams.
    """
    images = [d.name for d in descriptions if d.kind is StreamKind.IMAGE]
    if len(images) == 1:
        images += [d.name for d in descriptions if d.kind is StreamKind.DEPTH][:1]
    others = [d.name for d in descriptions if d.name not in images]
    if images and others:
        return [Row(tuple(images), 52), Row(tuple(others), 48)]
    names = images or others
    if len(names) <= 2:
        return [Row(tuple(names), 1)] if names else []
    columns = 2 if len(names) <= 4 else 3
    return [Row(tuple(names[i : i + columns]), 1) for i in range(0, len(names), columns)]
