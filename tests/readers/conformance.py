"""What every reader must do. A reader's test class inherits this and says how to make a recording."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from hfviewer.core import timing
from hfviewer.core.errors import FrameError, HfviewerError, UsageError
from hfviewer.core.frame import Frame, SampleFrame
from hfviewer.core.recording import Recording
from hfviewer.core.window import TimeWindow
from hfviewer.readers.registry import open_recording


class ReaderConformance(ABC):
    """Inherit, name the class ``Test…``, and write the two methods."""

    format: str

    @abstractmethod
    def make(self, folder: Path) -> Path:
        """Write a small recording with at least two streams, and return its path."""

    @abstractmethod
    def damage(self, path: Path) -> None:
        """Damage it so that it cannot be opened as a whole any more."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return self.make(tmp_path)

    @pytest.fixture
    def recording(self, path: Path) -> Recording:
        return open_recording(path)

    def test_opening_says_what_it_is(self, recording: Recording, path: Path) -> None:
        description = recording.description
        assert description.format == self.format
        assert description.path == str(path)
        assert description.span is not None
        assert len(recording.streams) >= 2

    def test_tables_are_sorted_int64_and_read_only(self, recording: Recording) -> None:
        for name, stream in recording.streams.items():
            stamps_ns = stream.timestamps_ns
            assert stamps_ns.dtype == np.int64
            assert bool((np.diff(stamps_ns) >= 0).all())
            assert not stamps_ns.flags.writeable
            assert len(stream) == len(stamps_ns) == len(stream.sequence) == len(stream.flags)
            assert stream.description.name == name
            assert stream.description.frame_count == len(stream)

    def test_seeking_finds_the_frame_whose_stamp_is_the_table_s(self, recording: Recording) -> None:
        for stream in recording.streams.values():
            for i in (0, len(stream) // 2, len(stream) - 1):
                stamp = int(stream.timestamps_ns[i])
                index = timing.index_at(stream.timestamps_ns, stamp)
                assert index is not None
                frame = stream.read(index)
                assert isinstance(frame, Frame)
                assert (frame.timestamp_ns, frame.index) == (stamp, index)
                assert frame.stream == stream.description.name
                assert frame.sequence == int(stream.sequence[index])

    def test_reading_the_same_frame_twice_gives_the_same(self, recording: Recording) -> None:
        for stream in recording.streams.values():
            first, second = vars(stream.read(0)), vars(stream.read(0))
            for key, value in first.items():
                parts = value if isinstance(value, Mapping) else {key: value}
                others = second[key] if isinstance(value, Mapping) else {key: second[key]}
                np.testing.assert_equal(dict(others), dict(parts))

    def test_arrays_of_frames_are_read_only(self, recording: Recording) -> None:
        for stream in recording.streams.values():
            for value in vars(stream.read(0)).values():
                if isinstance(value, np.ndarray):
                    assert not value.flags.writeable

    def test_windows_hold_every_frame_exactly_once(self, recording: Recording) -> None:
        for stream in recording.streams.values():
            counts = [len(timing.indices_in(stream.timestamps_ns, w)) for w in recording.windows]
            assert sum(counts) == len(stream)

    def test_windows_are_half_open_and_tile(self, recording: Recording) -> None:
        windows = list(recording.windows)
        for before, after in itertools.pairwise(windows):
            assert before.stop_ns == after.start_ns

    def test_samples_are_what_reading_frame_by_frame_gives(self, recording: Recording) -> None:
        for stream in recording.streams.values():
            if not stream.description.kind.is_dense:
                continue
            frames = [stream.read(i) for i in range(len(stream))]
            if not all(isinstance(frame, SampleFrame) for frame in frames):
                continue
            stamps = np.concatenate([f.timestamps_ns for f in frames if isinstance(f, SampleFrame)])
            values = np.concatenate([f.values for f in frames if isinstance(f, SampleFrame)])
            order = np.argsort(stamps, kind="stable")
            stamps, values = stamps[order], values[order]
            for window in self._spans(stamps):
                inside = (stamps >= window.start_ns) & (stamps < window.stop_ns)
                got_ns, got = stream.samples(window.start_ns, window.stop_ns)
                np.testing.assert_array_equal(got_ns, stamps[inside])
                np.testing.assert_array_equal(got, values[inside])

    def test_an_index_that_does_not_exist_is_a_usage_error(self, recording: Recording) -> None:
        for stream in recording.streams.values():
            for index in (-1, len(stream)):
                with pytest.raises(UsageError):
                    stream.read(index)

    def test_an_unknown_stream_is_a_usage_error_that_names_those_there_are(
        self, recording: Recording
    ) -> None:
        with pytest.raises(UsageError, match=next(iter(recording.streams))):
            recording.stream("no such stream")

    def test_announcing_any_window_never_fails(self, recording: Recording) -> None:
        for window in (TimeWindow(0, 1), TimeWindow(-(2**62), 2**62), *recording.windows[:2]):
            recording.announce(window)

    def test_after_closing_reading_is_a_frame_error(self, recording: Recording) -> None:
        recording.close()
        recording.close()
        with pytest.raises(FrameError):
            next(iter(recording.streams.values())).read(0)

    def test_a_damaged_one_is_refused_in_one_line_that_says_what_to_do(self, path: Path) -> None:
        self.damage(path)
        with pytest.raises(HfviewerError) as caught:
            open_recording(path)
        assert caught.value.remedy
        assert "\n" not in caught.value.line()
        assert caught.value.line().startswith(str(path))

    @staticmethod
    def _spans(stamps: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[TimeWindow]:
        first, last = int(stamps[0]), int(stamps[-1])
        middle = int(stamps[len(stamps) // 2])
        return [
            TimeWindow(first, last + 1),
            TimeWindow(first, last),
            TimeWindow(first + 1, middle),
            TimeWindow(middle, middle + 1),
            TimeWindow(last + 1, last + 2),
        ]
