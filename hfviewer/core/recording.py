"""A recording, as everything above the readers sees it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType, TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import UsageError
from hfviewer.core.finding import Finding
from hfviewer.core.frame import Frame
from hfviewer.core.geometry import Calibration
from hfviewer.core.stream import StreamDescription
from hfviewer.core.window import TimeWindow, WindowGrid


@dataclass(frozen=True, kw_only=True, eq=False)
class RecordingDescription:
    """What a recording is, before any frame is read.

    Args:
        path: as opened.
        format: ``hyperframe``, ``frame_table``, ``episodes`` …
        title: for the window's title; empty where the recording has none.
        span: first to last frame over all streams, robust against single bad stamps; None without frames.
        window_ns: target length of a hyperframe window.
        finalized: False where the writer never finished it.
        revision: of a format that has revisions, else None.
        annotation_tracks: number of annotation tracks stored in it.
        annotation_count: number of annotations stored in it.
        calibration: cameras and transforms.
        findings: what was wrong when it was opened.
        metadata: the format's own metadata as parsed, unknown keys included.
    """

    path: str
    format: str
    title: str = ""
    span: TimeWindow | None = None
    window_ns: int = 100_000_000
    finalized: bool = True
    revision: int | None = None
    annotation_tracks: int = 0
    annotation_count: int = 0
    calibration: Calibration = field(default_factory=Calibration)
    findings: Sequence[Finding] = ()
    metadata: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecorderEvidence:
    """What the recorder itself noted about each frame of a stream, beside its timestamp and number.

    Args:
        missing_before: int32[n]: frames that the recorder knows it lost just before each; None: not noted.
        duplicate: bool[n]: frames that repeat the one before, as the recorder noted; None: not noted.
        source: where it says so, for a person: names of columns or counters.
    """

    missing_before: NDArray[np.int32] | None = None
    duplicate: NDArray[np.bool_] | None = None
    source: str = ""


class Stream(ABC):
    """A named, timestamped sequence of frames. Reading is positioned and safe from any thread."""

    @property
    @abstractmethod
    def description(self) -> StreamDescription:
        """What it is; known before any frame is read."""

    @property
    @abstractmethod
    def timestamps_ns(self) -> NDArray[np.int64]:
        """int64[n], non-decreasing, recording clock, read-only."""

    @property
    @abstractmethod
    def sequence(self) -> NDArray[np.int64]:
        """int64[n]: the sensor's frame counter or the order of arrival, read-only. A jump is a lost frame."""

    @property
    @abstractmethod
    def flags(self) -> NDArray[np.uint16]:
        """uint16[n]: the format's flags of each frame; zeros where it has none."""

    @property
    def recorder_evidence(self) -> RecorderEvidence | None:
        """What the recorder noted about lost and repeated frames; None where its format has no such thing."""
        return None

    @abstractmethod
    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        """Read and decode one frame.

        Args:
            index: in ``[0, n)``.
            max_size: (width, height) in pixels that the caller will show at most. A picture may then come
                reduced, where the codec makes that cheaper; never below this size. None: in full.

        Raises:
            FrameError: this frame cannot be read or decoded.
            UsageError: no such index.
        """

    def payload(self, index: int) -> bytes:
        """The frame's payload as recorded, decompressed but not decoded.

        Raises:
            FrameError: it cannot be read, or the format has no such thing.
        """
        raise UsageError(f"Frames of {self.description.name!r} have no payload of their own.")

    def samples(self, start_ns: int, stop_ns: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """All samples of a dense signal with ``start_ns <= t < stop_ns``, without a Python loop over them.

        Returns:
            int64[n] timestamps, sorted, and float64 n×C values.

        Raises:
            UsageError: not a dense signal.
            FrameError: the samples cannot be read.
        """
        raise UsageError(f"{self.description.name!r} is not a dense signal.")

    def __len__(self) -> int:
        return len(self.timestamps_ns)


class Recording(ABC):
    """One opened container or folder."""

    @property
    @abstractmethod
    def description(self) -> RecordingDescription:
        """What it is."""

    @property
    @abstractmethod
    def streams(self) -> Mapping[str, Stream]:
        """Streams by name, in a stable order."""

    @cached_property
    def windows(self) -> WindowGrid:
        """The hyperframe windows; of a format that has none, from the first frame to the last."""
        span, window_ns = self.description.span, self.description.window_ns
        if span is None:
            return WindowGrid(0, window_ns, 0)
        return WindowGrid.covering(span.start_ns, span.stop_ns - 1, window_ns)

    def stream(self, name: str) -> Stream:
        """The stream of that name.

        Raises:
            UsageError: there is none; the message names those that are.
        """
        try:
            return self.streams[name]
        except KeyError:
            known = ", ".join(self.streams) or "none"
            raise UsageError(
                f"There is no stream {name!r}.", remedy=f"Streams: {known}.", path=self.description.path
            ) from None

    def announce(self, window: TimeWindow) -> None:
        """Tell the system that the frames of a window will be read soon. Never fails, never waits."""
        return

    def check_index(self) -> Sequence[Finding]:
        """Checks too slow for opening (the index's own checksum …); run in the background."""
        return ()

    @abstractmethod
    def close(self) -> None:
        """Release the files; reading afterwards raises FrameError. May be called again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
