from __future__ import annotations

import av
import numpy as np
import pytest

from hfviewer.codecs.decode import FrameIds
from hfviewer.codecs.video.frames import LOSSY_INVALID_MM, LOSSY_LOG12, depth_of_description, frame_of
from hfviewer.core.depth import DepthScale
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import DepthFrame, ImageFrame
from hfviewer.core.stream import StreamDescription, StreamKind
from tests.video_clips import gray12_codes

IDS = FrameIds(stream="cam", index=3, timestamp_ns=77, sequence=9)


def depth(unit_mm: float | None) -> StreamDescription:
    return StreamDescription(name="d", kind=StreamKind.DEPTH, encoding="hevc", depth_unit_mm=unit_mm)


def test_a_declared_unit_means_counts_and_none_means_the_recorder_s_logarithm() -> None:
    assert depth_of_description(depth(0.25)) == DepthScale(unit_mm=0.25)
    for unit_mm in (None, 0.0, -1.0, float("nan"), float("inf")):
        assert depth_of_description(depth(unit_mm)) == LOSSY_LOG12


def test_what_lossy_video_makes_of_missing_measurements_is_invalid() -> None:
    exact = LOSSY_LOG12.exact_mm_table
    assert np.isnan(exact[:96]).all()
    assert exact[110] > LOSSY_INVALID_MM


def test_an_image_and_a_depth_picture_carry_what_they_are() -> None:
    codes = gray12_codes(5, (160, 96))
    picture = av.VideoFrame.from_ndarray(codes, format="gray12le")
    image = frame_of(picture, IDS, depth=None)
    assert isinstance(image, ImageFrame)
    np.testing.assert_array_equal(image.pixels, codes)
    found = frame_of(picture, IDS, depth=LOSSY_LOG12)
    assert isinstance(found, DepthFrame)
    np.testing.assert_array_equal(found.stored, codes)
    assert (found.stream, found.index, found.timestamp_ns, found.sequence) == ("cam", 3, 77, 9)
    assert not found.stored.flags.writeable


def test_colours_are_no_depth() -> None:
    with pytest.raises(FrameError, match="colour picture"):
        frame_of(av.VideoFrame(16, 16, "yuv420p"), IDS, depth=LOSSY_LOG12)
