"""Which storage the annotations of a recording have."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from hfviewer.core.errors import UsageError
from hfviewer.core.recording import Recording
from hfviewer.readers.annotation_store import AnnotationStore, PlaceKind
from hfviewer.readers.hyperframe.identity import companion_name, is_companion

if TYPE_CHECKING:
    from hfviewer.readers.episodes.recording import EpisodeRecording


def annotation_store(
    recording: Recording, *, folder: Path | None = None, revision: int | None = None
) -> AnnotationStore:
    """The storage of a recording's annotations.

    A hyperframe file that can be written holds them itself. Otherwise, and where somebody has begun so, they
    lie in a file beside it; where that folder cannot be written either, in the user's own data folder.

    Args:
        recording: open; the store does not keep it.
        folder: of the user's choice, for recordings that cannot be written.
        revision: an earlier state to read.
    """
    episode = _as_episode(recording)
    if episode is not None:
        return _episode_store(episode, folder, revision)
    # Imported here: codecs are heavy, and a window must be on screen before anything needs them.
    from hfviewer.readers.hyperframe.annotation_store import BesideStore, InFileStore
    from hfviewer.readers.hyperframe.reader import HyperframeRecording

    path = Path(os.path.abspath(recording.description.path))
    is_hyperframe = isinstance(recording, HyperframeRecording)
    if isinstance(recording, HyperframeRecording) and revision is None:
        revision = recording.pinned_revision
    if is_hyperframe and (revision is not None or is_companion(path)):
        return InFileStore(path, revision)
    name = companion_name(path)
    beside, ours = path.with_name(name), user_folder() / f"{label_fingerprint(path)}-{name}"
    chosen = None if folder is None else folder / name
    candidates = [p for p in (beside, ours, chosen) if p is not None]
    begun = [candidate for candidate in candidates if os.path.lexists(candidate)]
    if isinstance(recording, HyperframeRecording) and not begun and is_writable(path):
        return InFileStore(path, opened=recording)
    target = chosen
    if target is None:
        usable = [candidate for candidate in begun if is_writable(candidate)]
        target = usable[-1] if usable else (beside if is_writable(path.parent) else ours)
    return BesideStore(recording, target, begun)


def _as_episode(recording: Recording) -> EpisodeRecording | None:
    """The recording where it is one of a task; a session of v1.0 belongs to none."""
    if recording.description.format != "episodes":
        return None
    # Imported here: Arrow and the video libraries are large, and most recordings need neither.
    from hfviewer.readers.episodes.recording import EpisodeRecording

    return recording if isinstance(recording, EpisodeRecording) else None


def _episode_store(recording: EpisodeRecording, folder: Path | None, revision: int | None) -> AnnotationStore:
    """The file of an episode in its task; of a task that cannot be written, in a folder of the user's."""
    from hfviewer.readers.episodes.annotation_store import EpisodeStore

    if revision is not None:
        raise UsageError("The labels of an episode keep no revisions.", remedy="Leave out --revision.")
    path = Path(os.path.abspath(recording.annotations_path))
    name = f"{Path(recording.task_path).resolve().name}-{path.parent.name}-{path.name}"
    ours = user_folder() / f"{label_fingerprint(path)}-{name}" if folder is None else folder / name
    nearest = next((parent for parent in path.parents if parent.exists()), path.parent)
    if is_writable(nearest) and not ours.exists():
        return EpisodeStore(path)
    return EpisodeStore(ours, PlaceKind.SIDE_FILE, below=path)


def labelled_path(recording: Recording) -> Path:
    """The file that stands for a recording where labels are concerned: itself, or that of its episode."""
    episode = _as_episode(recording)
    path = recording.description.path if episode is None else episode.annotations_path
    return Path(os.path.abspath(path))


def is_writable(path: Path) -> bool:
    """Whether a file or folder may be changed; one that nobody may write, not even by the superuser."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return bool(mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)) and os.access(path, os.W_OK)


def user_folder() -> Path:
    """Where labels of recordings lie whose own folder cannot be written."""
    return Path(platformdirs.user_data_dir("hfviewer")) / "annotations"


def label_fingerprint(path: Path) -> str:
    """Tells files of one name in different folders apart."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
