"""A recording with what gloves, grippers and trackers measure, made with the public writer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from tests.recordings import START_NS

PERIOD_NS = 33_333_333
EDGE = 250
AXES = {"+X": "down", "+Y": "left", "+Z": "forward"}
# Fingers of a MANO hand, root to tip; 0 is the wrist.
MANO_FINGERS = ((13, 14, 15, 16), (1, 2, 3, 17), (4, 5, 6, 18), (10, 11, 12, 19), (7, 8, 9, 20))
STATES = ((0, "connected"), (20, "disconnected"), (35, "connected"), (50, "校准中"))


def touch(index: int) -> NDArray[np.float32]:
    """16×16: a resting pattern, and a touch that wanders over index and palm."""
    rows, columns = np.mgrid[0:16, 0:16].astype(np.float32)
    rest = 40 + 3 * rows + 2 * columns
    place = 5 + index % 10
    pressed = 900 * np.exp(-((rows - 5) ** 2 + (columns - place) ** 2) / 2.0)
    pressed += 400 * np.exp(-((rows - 2) ** 2 + (columns - 14) ** 2) / 1.5)
    grid = np.asarray(rest + (pressed if index % 3 == 0 else 0), np.float32)
    grid[0], grid[:, :3] = 0, 0
    return grid


def forces(index: int) -> NDArray[np.float32]:
    """250×250×3 in mN: one contact that grows and shears."""
    rows, columns = np.mgrid[0:EDGE, 0:EDGE].astype(np.float32)
    blob = np.exp(-((rows - 90) ** 2 + (columns - 150) ** 2) / (2 * 20.0**2)).astype(np.float32)
    strength = np.float32(0.1 + 0.02 * (index % 30))
    return np.stack([0.3 * strength * blob, -0.1 * strength * blob, strength * blob], axis=-1)


def hand(index: int) -> NDArray[np.float64]:
    """21×3, metres, MANO order: an open hand that closes."""
    closed = 0.5 + 0.5 * np.sin(index / 8)
    joints = np.zeros((21, 3))
    for number, finger in enumerate(MANO_FINGERS):
        spread = (number - 2) * 0.022
        for part, joint in enumerate(finger):
            along = 0.05 + 0.03 * part * (1 if number else 0.8)
            bend = closed * 0.02 * part * part * 0.6
            joints[joint] = (spread * (1 + 0.15 * part), along + (0.04 if number else 0.0), -bend)
    return joints


def pose(index: int) -> NDArray[np.float64]:
    """x y z qx qy qz qw: a helix, turning about +X."""
    angle = index / 15
    half = angle / 2
    return np.array(
        [-0.01 * index, 0.3 * np.cos(angle), 0.3 * np.sin(angle), np.sin(half), 0, 0, np.cos(half)]
    )


def write_special(path: Path, *, frames: int = 60) -> Path:
    """One frame of each stream every `PERIOD_NS`; the state changes now and then."""
    names = ("fx", "fy", "fz")
    with HyperframeWriter(path, title="special") as writer:
        for glove in ("right_glove", "left_glove"):
            writer.add_stream(
                StreamDescription(
                    name=glove,
                    kind=StreamKind.SIGNAL,
                    encoding="f32",
                    channels=tuple(Channel(f"r{i // 16}c{i % 16}") for i in range(256)),
                    role="touch_map",
                )
            )
        writer.add_stream(
            StreamDescription(
                name="gripper_left_force_matrix",
                kind=StreamKind.MATRIX,
                encoding="f32",
                compression="zstd",
                width=EDGE,
                height=EDGE,
                channels=tuple(Channel(name, "mN") for name in names),
                role="force_matrix",
            )
        )
        writer.add_stream(
            StreamDescription(
                name="gripper_left_force",
                kind=StreamKind.SIGNAL,
                encoding="f32",
                channels=tuple(Channel(name, "mN") for name in names),
                role="force",
            )
        )
        writer.add_stream(
            StreamDescription(
                name="right_hand_pose",
                kind=StreamKind.SIGNAL,
                encoding="f32",
                channels=tuple(Channel(f"j{i // 3}_{'xyz'[i % 3]}", "m") for i in range(63)),
                role="hand_pose",
            )
        )
        writer.add_stream(
            StreamDescription(
                name="slam_trajectory",
                kind=StreamKind.POSE,
                encoding="xyz_qxyzw_f64",
                frame="down_left_forward",
                role="trajectory",
                extra={"frame_axes": AXES},
            )
        )
        writer.add_stream(
            StreamDescription(name="status/glove", kind=StreamKind.TEXT, encoding="json", role="status")
        )
        for index in range(frames):
            at_ns = START_NS + index * PERIOD_NS
            for glove in ("right_glove", "left_glove"):
                writer.append(glove, at_ns, touch(index).tobytes())
            cells = forces(index)
            writer.append("gripper_left_force_matrix", at_ns, cells.tobytes())
            total = cells.sum(axis=(0, 1), dtype=np.float64).astype("<f4")
            writer.append("gripper_left_force", at_ns, total.tobytes())
            writer.append("right_hand_pose", at_ns, hand(index).astype("<f4").tobytes())
            writer.append("slam_trajectory", at_ns, pose(index).astype("<f8").tobytes())
        for index, state in STATES:
            if index < frames:
                text = json.dumps(state, ensure_ascii=False)
                writer.append("status/glove", START_NS + index * PERIOD_NS, text.encode())
    return path
