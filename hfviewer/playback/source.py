"""Other frames of the open recording, for work that a panel has done ahead on a loader thread.

A scan coloured by a camera, or several scans in one picture, take more than the frame under the playhead. Who
prepares one may read the others here: they come from the cache where they are in it, and go into it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hfviewer.core.errors import FrameError, HfviewerError, UsageError
from hfviewer.core.frame import Frame
from hfviewer.core.geometry import Calibration
from hfviewer.core.recording import Recording, Stream
from hfviewer.playback.board import FrameRequest
from hfviewer.playback.loader import FrameLoader


class FrameSource:
    """Reads frames of one recording, through the cache. Safe from any thread, and never for the GUI thread.

    Args:
        recording: to read from.
        loader: reads as it does what is asked for by the playhead.
        epoch: of the recording.
        is_over: True once another recording is open.
    """

    def __init__(
        self, recording: Recording, loader: FrameLoader, *, epoch: int, is_over: Callable[[], bool]
    ) -> None:
        self._recording, self._loader, self._epoch, self._is_over = recording, loader, epoch, is_over

    @property
    def calibration(self) -> Calibration:
        return self._recording.description.calibration

    @property
    def streams(self) -> Mapping[str, Stream]:
        return self._recording.streams

    def frame(self, name: str, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        """One frame.

        Args:
            name: of the stream.
            index: in its table.
            max_size: see `Stream.read`.

        Raises:
            FrameError: it cannot be read, or another recording is open by now.
            UsageError: there is no such stream.
        """
        stream = self._recording.streams.get(name)
        if stream is None:
            raise UsageError(f"There is no stream {name!r}.")
        if self._is_over():
            raise FrameError("The recording was closed.")
        request = FrameRequest(0, stream, name, index, self._epoch, ahead=True, max_size=max_size)
        result = self._loader.load(request)
        if isinstance(result.error, HfviewerError):
            raise result.error
        if result.frame is None:
            raise FrameError(f"Frame {index} of {name!r} is missing.")
        return result.frame
