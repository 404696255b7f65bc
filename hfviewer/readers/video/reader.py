"""Open a single video file (mp4, mov, mkv, webm, avi) as a recording."""

from __future__ import annotations

from pathlib import Path

from hfviewer.codecs.video.container import sniff_container
from hfviewer.core.errors import UsageError
from hfviewer.core.recording import Recording
from hfviewer.readers.base import Match

SUFFIXES = (".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi")


class VideoFileReader:
    """Opens video files by themselves."""

    name = "video"

    def sniff(self, path: Path, head: bytes) -> Match:
        if sniff_container(head) is not None:
            return Match.BY_CONTENT
        return Match.BY_NAME if head and path.suffix.lower() in SUFFIXES else Match.NO

    def open(self, path: Path, *, revision: int | None = None) -> Recording:
        if revision is not None:
            raise UsageError("A video file has no revisions.", path=path)
        # Imported here: every opening asks this reader, and few files are videos.
        from hfviewer.readers.video.recording import open_video

        return open_video(path)
