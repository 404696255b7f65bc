"""Where a task of pooled episodes keeps what, and what its columns are called: the only file that knows.

Sources: the recorder's contract (``pooled_episodes_v1``, v1.1.2) and what real files do (formats/pooled.md).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from hfviewer.core.errors import DamagedRecordingError

FORMAT = "pooled_episodes_v1"
INFO = "meta/info.json"
STATS = "meta/stats.json"
TASKS = "meta/tasks.jsonl"
CHUNKS_SIZE = 1000
DATA_PATH = "data/chunk-{c:03d}/episode-{f:03d}.parquet"
VIDEO_PATH = "videos/chunk-{c:03d}/{image_key}/episode-{f:03d}.{ext}"
EPISODES_PATH = "meta/episodes/chunk-{c:03d}/episode-{f:03d}.parquet"
ANNOTATIONS_PATH = "annotations/chunk-{c:03d}/episode-{f:03d}.parquet"
KEYPOINTS_ROOT = "keypoints_output"
KEYPOINTS_EPISODE = "episode_{:06d}"
KEYPOINTS_2D = "hand_pose/chunk-000.parquet"
KEYPOINTS_3D = "hand_pose_3d/chunk-000.parquet"
AUTO_LABELS = "auto_labels/auto_labels.parquet"
AUTO_ACTIONS = "auto_labels/auto_actions.jsonl"

VIDEO_SUFFIXES = ("mp4", "mkv")
"""Tried in this order where the extension that is stated is not there."""

# Columns of data/.
EPISODE_INDEX = "episode_index"
FRAME_INDEX = "frame_index"
TIMESTAMP = "timestamp"
WALL_TIME = "wall_time"
HARDWARE_NS = "hardware_ns"
RAW_HARDWARE_NS = "raw_hw_ns"
DEPTH_NS = "depth_ns"
HOST_NS = "host_ns"
STAMP_SOURCE = "ts_src"
RGB_GAP, RGB_DUP = "rgb_gap", "rgb_dup"
DEPTH_GAP, DEPTH_DUP = "depth_gap", "depth_dup"
IMU, IMU_STAMPS = "observation.imu", "imu_ts_ns"
ACTION = "action"
OBSERVATION = "observation."
STATUS = "status."
ROW_COLUMNS = (
    EPISODE_INDEX,
    FRAME_INDEX,
    TIMESTAMP,
    WALL_TIME,
    HARDWARE_NS,
    RAW_HARDWARE_NS,
    DEPTH_NS,
    HOST_NS,
    STAMP_SOURCE,
    RGB_GAP,
    RGB_DUP,
    DEPTH_GAP,
    DEPTH_DUP,
)
"""One number a row: read at once, on opening."""

TASK_INDEX = "task_index"

# Columns of meta/episodes/.
LENGTH, CREATED_AT, DURATION = "length", "created_at", "duration_sec"
DROP_STATS, VIDEO_CODEC, CALIBRATION = "drop_stats", "video_codec", "calibration"
FORCE_SPECS = "force_matrix_specs"

IMU_CHANNELS = ("gyro_x", "gyro_y", "gyro_z", "accel_x", "accel_y", "accel_z")
OLD_FRAME = "right_forward_up"
FRAME_AXES: Mapping[str, Mapping[str, str]] = {
    "down_left_forward": {"+X": "down", "+Y": "left", "+Z": "forward"},
    "right_forward_up": {"+X": "right", "+Y": "forward", "+Z": "up"},
}
"""Contract 3.1; a task that names no frame has the old one."""

_MASTERS = {"stereo_depth": "stereo_left"}
_UVC = re.compile(r"head_(left|right)_rgb(_\d+)?")
_FIELD = re.compile(r"\{(\w+)(?::0?(\d)d)?\}")
_MATCHES = {"image_key": r"[^/]+", "ext": r"[A-Za-z0-9]{1,8}"}
_ARROW_SESSION = re.compile(r".+_(?:\d{6}|\d{8}_\d{6})")


@dataclass(frozen=True)
class PathTemplate:
    """A template of ``info.json``, relative to the task; what it makes never leads out of the task.

    Only whole fields ``{c:03d}``, ``{f:03d}``, ``{image_key}`` and ``{ext}`` are filled in, by hand: the
    template comes from a file, and `str.format` would do whatever it says.

    Raises:
        DamagedRecordingError: it leads out of the task, or has a field that we do not know.
    """

    text: str

    def __post_init__(self) -> None:
        leads_out = self.text.startswith(("/", "\\", "~")) or ".." in PurePosixPath(self.text).parts
        if leads_out or "\\" in self.text or "\0" in self.text or ":" in _FIELD.sub("", self.text):
            raise DamagedRecordingError(f"The path {self.text!r} leads out of the task's folder.")
        rest = _FIELD.sub("", self.text)
        unknown = {name for name, _ in _FIELD.findall(self.text)} - {"c", "f", "image_key", "ext"}
        if unknown or "{" in rest or "}" in rest or "{f" not in self.text or len(self.text) > 500:
            raise DamagedRecordingError(f"The path {self.text!r} is not one that hfviewer can fill in.")

    def path(self, **values: int | str) -> str:
        """The path with its fields filled in."""

        def fill(match: re.Match[str]) -> str:
            value = values.get(match[1], 0)
            return f"{value:0{match[2]}d}" if match[2] and isinstance(value, int) else str(value)

        return _FIELD.sub(fill, self.text)

    @cached_property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """One regular expression for the name on each level; the last takes the old prefix ``file-`` too."""
        parts = PurePosixPath(self.text).parts
        return tuple(_name_pattern(part, last=i == len(parts) - 1) for i, part in enumerate(parts))


def number_of(chunk: int, file: int, chunks_size: int) -> int:
    """The global number N, from 1, of a file in a chunk."""
    return chunk * chunks_size + file + 1


def place_of(number: int, chunks_size: int) -> tuple[int, int]:
    """Chunk and file number of a global number N."""
    return (number - 1) // chunks_size, (number - 1) % chunks_size


def display_name(task: str, file: int) -> str:
    """What the recorder's own windows call it; the file number repeats across chunks."""
    return f"{task}_ep{file:06d}"


def is_session_name(name: str) -> bool:
    """Whether a folder is called like a session of v1.0."""
    return _ARROW_SESSION.fullmatch(name) is not None


def is_working_file(name: str) -> bool:
    """Whether a name is of the recorder's own working files, which everybody else must ignore."""
    return name.startswith((".", "_")) or name == "recycled_episode.json"


def slot_order(keys: list[str], cameras: Mapping[str, Any]) -> list[str]:
    """RGB slots in the order in which the recorder writes their rows in every tick.

    UVC cameras first, then the others in the order in which the task's ``info.json`` names them; the left of
    a stereo pair before the right.
    """
    known = {key: i for i, key in enumerate(cameras)}
    return sorted(keys, key=lambda key: (_UVC.fullmatch(key) is None, known.get(key, len(known)), key))


def is_uvc(key: str) -> bool:
    """Whether a slot is a plain USB camera, which has no clock of its own."""
    return _UVC.fullmatch(key) is not None


def master_of(depth_key: str, rgb_keys: list[str], devices: Sequence[Sequence[str]]) -> str | None:
    """The RGB slot in whose rows a depth stream's frames lie.

    Args:
        depth_key: of the depth stream.
        rgb_keys: RGB slots of the episode, in the order of writing.
        devices: slots of each device.
    """
    for slots in devices:
        if depth_key in slots:
            partner = next((key for key in slots if key in rgb_keys), None)
            if partner is not None:
                return partner
    if _MASTERS.get(depth_key) in rgb_keys:
        return _MASTERS[depth_key]
    stem = re.sub(r"_depth(_\d+)?$", r"\1", depth_key)
    named = [key for key in rgb_keys if key in (f"{stem}_rgb", f"{depth_key}_rgb") or key.startswith(stem)]
    return named[0] if named else (rgb_keys[0] if rgb_keys else None)


def stream_name(column: str) -> str:
    """A stream's name of a column's: without ``observation.``; a state is ``status/<id>``."""
    if column.startswith(STATUS):
        return f"status/{column.removeprefix(STATUS)}"
    return column.removeprefix(OBSERVATION)


def _name_pattern(part: str, *, last: bool) -> re.Pattern[str]:
    pieces: list[str] = []
    at = 0
    for match in _FIELD.finditer(part):
        pieces += [
            re.escape(part[at : match.start()]),
            f"(?P<{match[1]}>{_MATCHES.get(match[1], '[0-9]{1,9}')})",
        ]
        at = match.end()
    pieces.append(re.escape(part[at:]))
    text = "".join(pieces)
    if last:
        text = re.sub(r"^episode(\\?)-", r"(?P<prefix>episode|file)-", text)
    return re.compile(text)
