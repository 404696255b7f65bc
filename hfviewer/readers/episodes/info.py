"""What a task says about itself: ``info.json`` and its neighbours. Nothing in them is believed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from hfviewer.core.errors import DamagedRecordingError, HfviewerError, UnsupportedError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.json_number import as_number, as_whole
from hfviewer.core.text import printable
from hfviewer.readers.episodes import layout

_MOST_BYTES = 16 << 20
_LARGEST_CHUNK = 10_000_000
_LONGEST_VERSION = 64  # characters
_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskInfo:
    """``info.json``, as far as it makes sense.

    Args:
        task_name: for a person.
        chunks_size: episodes a chunk.
        data_path: template of the tables.
        video_path: template of the videos.
        episodes_path: template of the rows about episodes.
        fps: that the recorder aimed at.
        app_version: of the recorder that wrote the *latest* episode, as numbers; empty where not stated.
        features: columns that occur in any episode.
        cameras: RGB slots that occur in any episode, in the order of writing.
        devices: slots of each device of the latest episode.
        video_extensions: by slot, of the latest episode that had it.
        slam_frame: axes of SLAM trajectories; the old frame where none is named.
        calibration: of the latest episode.
        findings: what did not make sense.
        document: all of it, as parsed.
    """

    task_name: str
    chunks_size: int
    data_path: layout.PathTemplate
    video_path: layout.PathTemplate
    episodes_path: layout.PathTemplate
    fps: float | None
    app_version: tuple[int, ...]
    features: Mapping[str, Any]
    cameras: Mapping[str, Any]
    devices: tuple[tuple[str, ...], ...]
    video_extensions: Mapping[str, str]
    slam_frame: str
    calibration: Mapping[str, Any]
    findings: tuple[Finding, ...]
    document: Mapping[str, Any]


def read_json(path: Path) -> object:
    """A small JSON file.

    Raises:
        DamagedRecordingError: too large, or not JSON.
        OSError: it cannot be read.
    """
    if path.stat().st_size > _MOST_BYTES:
        raise DamagedRecordingError(f"It is larger than {_MOST_BYTES >> 20} MiB.", path=path)
    data = path.read_bytes()
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        return json.loads(data.decode("utf-8-sig"))  # NaN and a byte order mark are forgiven
    except (ValueError, RecursionError) as error:
        raise DamagedRecordingError(
            f"It is not valid JSON ({str(error).splitlines()[0]}).", remedy="Copy the task again.", path=path
        ) from error


def stated_format(root: Path) -> str | None:
    """The format that a folder's ``info.json`` names; empty where it names none; None without the file."""
    try:
        document = read_json(root / layout.INFO)
    except OSError:
        return None
    except HfviewerError:
        return ""
    value = document.get("format") if isinstance(document, dict) else None
    return value if isinstance(value, str) else ""


def read_info(root: Path) -> TaskInfo:
    """What a task says about itself.

    Raises:
        DamagedRecordingError: its ``info.json`` is not JSON.
        UnsupportedError: it names another format, which is refused and not guessed.
    """
    path = root / layout.INFO
    document = read_json(path)
    if not isinstance(document, dict):
        raise DamagedRecordingError("It is not a JSON object.", remedy="Copy the task again.", path=path)
    stated = document.get("format")
    if stated != layout.FORMAT:
        named = f"of the format {printable(str(stated))!r}" if stated is not None else "without a format"
        raise UnsupportedError(
            f"This is a task {named}, which hfviewer does not know.",
            remedy=f"It opens {layout.FORMAT}.",
            path=path,
        )
    return parse_info(document, root)


def check_tasks(root: Path) -> Finding | None:
    """Whether ``tasks.jsonl`` holds one whole JSON object a line, as its readers rely on."""
    try:
        with (root / layout.TASKS).open("rb") as file:
            first = file.readline(1 << 20)
    except OSError:
        return None
    try:
        sound = isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        sound = False
    if sound:
        return None
    return _warning(f"{layout.TASKS}: its first line is not a whole JSON object.")


def check_stats(root: Path) -> Finding | None:
    """Whether ``stats.json`` counts what it sums up; blocks of v1.1.0 do not (contract, section 4)."""
    try:
        document = read_json(root / layout.STATS)
    except OSError:
        return None
    except HfviewerError as error:
        return _warning(f"{layout.STATS}: {error.problem}")
    blocks = document if isinstance(document, dict) else {}
    without = [name for name, block in blocks.items() if not isinstance(block, dict) or "count" not in block]
    if not without:
        return None
    return _warning(
        printable(f"{layout.STATS}: no count in {', '.join(without[:3])[:200]}; they are not used.")
    )


def parse_info(document: dict[str, Any], root: Path) -> TaskInfo:
    """What a document says, whatever of it makes sense; its format is not looked at."""
    findings: list[Finding] = []

    def template(key: str, usual: str) -> layout.PathTemplate:
        value = document.get(key, usual)
        try:
            if not isinstance(value, str):
                raise DamagedRecordingError("It is not a text.")
            return layout.PathTemplate(value)
        except DamagedRecordingError as error:
            message = f"{layout.INFO}: {key}: {error.problem} The usual path is taken instead."
            findings.append(_warning(printable(message)))
            return layout.PathTemplate(usual)

    stated = document.get("chunks_size", layout.CHUNKS_SIZE)
    size = as_whole(stated)
    if size is None or not 0 < size <= _LARGEST_CHUNK:
        shown = printable(repr(stated))[:40]
        findings.append(_warning(f"{layout.INFO}: chunks_size is {shown}; {layout.CHUNKS_SIZE} is taken."))
        size = layout.CHUNKS_SIZE
    fps = as_number(document.get("fps"))
    frame = document.get("gripper_slam_frame")
    name = document.get("task_name")
    data_path = template("data_path", layout.DATA_PATH)
    video_path = template("video_path", layout.VIDEO_PATH)
    episodes_path = template("episodes_path", layout.EPISODES_PATH)
    return TaskInfo(
        task_name=name if isinstance(name, str) and name else root.resolve().name,
        chunks_size=size,
        data_path=data_path,
        video_path=video_path,
        episodes_path=episodes_path,
        fps=fps if fps is not None and 0 < fps < 10_000 else None,
        app_version=_version(document.get("app_version")),
        features=_mapping(document.get("features")),
        cameras=_mapping(document.get("cameras")),
        devices=_devices(document.get("devices")),
        video_extensions=_mapping(document.get("video_extensions"), lambda v: isinstance(v, str)),
        slam_frame=frame if isinstance(frame, str) and frame else layout.OLD_FRAME,
        calibration=_mapping(document.get("calibration")),
        findings=tuple(findings),
        document=MappingProxyType(document),
    )


def _mapping(value: object, fits: Callable[[object], bool] = lambda _: True) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        return _EMPTY
    return MappingProxyType({key: part for key, part in value.items() if fits(part)})


def _devices(value: object) -> tuple[tuple[str, ...], ...]:
    devices = [d.get("slots") for d in value if isinstance(d, dict)] if isinstance(value, list) else []
    return tuple(
        tuple(s for s in slots if isinstance(s, str)) for slots in devices if isinstance(slots, list)
    )


def _version(value: object) -> tuple[int, ...]:
    parts = value.split(".") if isinstance(value, str) and len(value) <= _LONGEST_VERSION else []
    return tuple(int(part) for part in parts) if all(p.isascii() and p.isdigit() for p in parts) else ()


def _warning(message: str) -> Finding:
    return Finding(code="damaged_metadata", severity=Severity.WARNING, message=message, evidence=layout.INFO)
