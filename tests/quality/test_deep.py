from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import cv2
import numpy as np
import pytest

from hfviewer.core.errors import CancelledError
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.quality.check import RecordingCheck, check_recording
from hfviewer.quality.deep import deep_check
from hfviewer.quality.job import Job
from hfviewer.quality.pictures import Jump, jump_test
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from hfviewer.readers.registry import open_recording
from tests.recordings import START_NS

P = 33_333_333


GROUND = cv2.GaussianBlur(np.random.default_rng(1).uniform(0, 255, (120, 800)), (0, 0), 6)


def picture(index: int) -> np.ndarray:
    """A window that moves on by two pixels a frame over a textured ground, with a little noise."""
    ground = (GROUND - GROUND.min()) / np.ptp(GROUND) * 255
    noise = np.random.default_rng(index + 10).normal(0, 1.5, (120, 160))
    pixels: np.ndarray = np.clip(ground[:, 2 * index : 2 * index + 160] + noise, 0, 255).astype(np.uint8)
    return pixels


def write(
    path: Path,
    *,
    count: int = 150,
    lost: Collection[int] = (),
    leap: tuple[int, int] = (10**9, 0),
    same: range = range(0),
    black: range = range(0),
    broken: Collection[int] = (),
    bits: int = 8,
) -> Path:
    """A camera; frames are numbered in order of arrival, so that the counter knows of no loss.

    Pictures of more than 8 bits are stored in 16, as cameras do it: the upper ones stay 0.
    """
    description = StreamDescription(name="cam", kind=StreamKind.IMAGE, encoding="png", clock=Clock.HARDWARE)
    with HyperframeWriter(path, 100_000_000) as writer:
        writer.add_stream(description)
        for index in range(count):
            if index in lost:
                continue
            pixels = picture(same.start - 1 if index in same else index)
            if index in black:
                pixels = np.full((120, 160), 3, np.uint8)
            stored = pixels if bits == 8 else pixels.astype(np.uint16) << (bits - 8)
            data = cv2.imencode(".png", stored)[1].tobytes()
            if index in broken:
                data = data[: len(data) // 2]
            at_ns = START_NS + index * P + (leap[1] if index >= leap[0] else 0)
            writer.append("cam", at_ns, data)
    return path


def checked(path: Path, *, jobs: int = 1) -> RecordingCheck:
    with open_recording(path) as recording:
        return deep_check(Job(path=str(path)), recording, check_recording(recording), jobs=jobs)


@pytest.mark.parametrize("lost", [[60], [60, 61], range(60, 75)])
def test_the_picture_jumps_where_frames_are_lost(tmp_path: Path, lost: Collection[int]) -> None:
    check = checked(write(tmp_path / "a.hfr", lost=lost))
    (found,) = (f for f in check.findings if f.code == "missing_frames")
    assert "the picture jumps" in found.evidence
    assert check.streams["cam"].missing_frames == len(lost)


def test_stamps_that_leap_while_the_picture_flows_on_lose_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "a.hfr", leap=(60, 400_000_000))
    with open_recording(path) as recording:
        assert check_recording(recording).streams["cam"].missing_frames == 12
    check = checked(path)
    assert check.streams["cam"].missing_frames == 0
    codes = {f.code for f in check.findings}
    assert "missing_frames" not in codes
    (found,) = (f for f in check.findings if f.code == "clock_step")
    assert (found.first_frame, found.last_frame) == (59, 60)
    assert found.message == "The stamps leap by 400 ms after #59; no frame is missing."


def test_a_still_scene_tells_nothing_and_the_loss_stands() -> None:
    still = [np.full((120, 160), 90, np.float32) + np.float32(i % 3) * 0.01 for i in range(40)]
    test = jump_test(still[:16], still[20:36], 4)
    assert test.verdict is Jump.UNKNOWN


def test_repeated_frozen_black_and_broken_pictures_are_found(tmp_path: Path) -> None:
    path = write(tmp_path / "a.hfr", same=range(20, 22), black=range(100, 104), broken=[130, 131], lost=[70])
    found = {(f.code, f.first_frame, f.last_frame) for f in checked(path).findings}
    # Black pictures are all alike as well.
    assert found == {
        ("duplicate_frame", 20, 21),
        ("missing_frames", 69, 70),
        ("black_picture", 99, 102),
        ("duplicate_frame", 100, 102),
        ("unreadable_frame", 129, 130),
    }
    frozen = checked(write(tmp_path / "b.hfr", same=range(40, 70)))
    (finding,) = frozen.findings
    assert (finding.code, finding.first_frame, finding.last_frame) == ("frozen_picture", 39, 69)
    assert finding.message == "The picture stands still for 31 frames, 1.00 s."
    assert frozen.streams["cam"].duplicate_frames == 30


def test_several_processes_find_the_same_as_one(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.hfr",
        count=300,
        lost=[255, 256],
        same=range(280, 283),
        black=range(20, 21),
        broken=[40],
    )
    alone, together = checked(path), checked(path, jobs=2)
    assert together.findings == alone.findings
    assert len(alone.findings) == 4


def test_progress_is_told_and_stopping_stops(tmp_path: Path) -> None:
    path = write(tmp_path / "a.hfr", count=60)
    told: list[tuple[int, int]] = []
    with open_recording(path) as recording:
        check = check_recording(recording)
        deep_check(Job(path=str(path)), recording, check, jobs=1, progress=lambda *done: told.append(done))
        assert told == [(done, 60) for done in range(1, 61)]
        for jobs in (1, 2):
            with pytest.raises(CancelledError):
                deep_check(Job(path=str(path)), recording, check, jobs=jobs, cancelled=lambda: len(told) > 0)


def test_the_fast_result_is_left_as_it_was(tmp_path: Path) -> None:
    with open_recording(write(tmp_path / "a.hfr", lost=[50])) as recording:
        check = check_recording(recording)
        before = check.findings
        deep_check(Job(path=str(tmp_path / "a.hfr")), recording, check, jobs=1)
        assert (check.findings, check.deep) == (before, False)


def test_samples_missing_inside_batches_are_found(tmp_path: Path) -> None:
    description = StreamDescription(
        name="imu", kind=StreamKind.IMU, encoding="f64_batch", channels=(Channel("x"),)
    )
    with HyperframeWriter(tmp_path / "a.hfr", 100_000_000) as writer:
        writer.add_stream(description)
        for batch in range(40):
            stamps_ns = START_NS + (batch * 20 + np.arange(20)) * 5_000_000
            if batch == 12:
                stamps_ns = np.delete(stamps_ns, [7, 8, 9])
            values = np.zeros(len(stamps_ns))
            writer.append("imu", int(stamps_ns[0]), stamps_ns.tobytes() + values.tobytes())
    with open_recording(tmp_path / "a.hfr") as recording:
        assert check_recording(recording).findings == ()
    (found,) = checked(tmp_path / "a.hfr").findings
    assert (found.code, found.first_frame, found.last_frame) == ("missing_frames", 12, 12)
    assert found.message == "3 samples lost in the batches #12 to #12."
    assert found.start_ns == START_NS + (12 * 20 + 6) * 5_000_000


@pytest.mark.parametrize("bits", [10, 12, 16])
def test_pictures_of_more_bits_are_judged_by_the_range_that_they_use(tmp_path: Path, bits: int) -> None:
    path = write(tmp_path / "a.hfr", lost=[70], black=range(100, 104), bits=bits)
    check = checked(path)
    assert [(f.code, f.first_frame, f.last_frame) for f in check.findings] == [
        ("missing_frames", 69, 70),
        ("black_picture", 99, 102),
        ("duplicate_frame", 100, 102),
    ]
    assert "the picture jumps" in check.findings[0].evidence
