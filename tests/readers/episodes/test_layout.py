from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.errors import DamagedRecordingError
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.layout import PathTemplate, number_of, place_of


@pytest.mark.parametrize(
    ("number", "place"), [(1, (0, 0)), (1000, (0, 999)), (1001, (1, 0)), (2000, (1, 999)), (2001, (2, 0))]
)
def test_a_number_and_its_place_belong_together(number: int, place: tuple[int, int]) -> None:
    assert place_of(number, 1000) == place
    assert number_of(*place, 1000) == number


@given(st.integers(1, 10**9), st.integers(1, 10**6))
def test_no_number_is_lost_whatever_the_chunks_size(number: int, size: int) -> None:
    chunk, file = place_of(number, size)
    assert 0 <= file < size
    assert number_of(chunk, file, size) == number


def test_templates_are_filled_in_and_read_back() -> None:
    template = PathTemplate(layout.VIDEO_PATH)
    path = template.path(c=1, f=7, image_key="右手_rgb", ext="mp4")
    assert path == "videos/chunk-001/右手_rgb/episode-007.mp4"
    found: dict[str, str] = {}
    for part, pattern in zip(path.split("/"), template.patterns, strict=True):
        match = pattern.fullmatch(part)
        assert match is not None
        found |= match.groupdict()
    assert found == {"c": "001", "image_key": "右手_rgb", "prefix": "episode", "f": "007", "ext": "mp4"}


def test_the_old_prefix_is_read_too() -> None:
    assert PathTemplate(layout.DATA_PATH).patterns[-1].fullmatch("file-012.parquet")
    assert not PathTemplate(layout.DATA_PATH).patterns[-1].fullmatch("frame-012.parquet")
    assert PathTemplate(layout.DATA_PATH).path(c=0, f=1234) == "data/chunk-000/episode-1234.parquet"


@pytest.mark.parametrize(
    "text", ["../{f}", "a/../../{f}", "/{f}", "~/{f}", "{f", "a{f}}", "{x}{f}", "{f}" * 300]
)
def test_templates_that_lead_out_or_cannot_be_filled_in_are_refused(text: str) -> None:
    with pytest.raises(DamagedRecordingError, match="The path"):
        PathTemplate(text)


def test_rows_are_written_for_usb_cameras_first_and_then_as_the_task_names_them() -> None:
    cameras: dict[str, object] = {"stereo_left": {}, "stereo_right": {}, "夹爪_rgb": {}}
    keys = ["夹爪_rgb", "stereo_right", "head_right_rgb_2", "stereo_left", "head_left_rgb", "unknown"]
    assert layout.slot_order(keys, cameras) == [
        "head_left_rgb",
        "head_right_rgb_2",
        "stereo_left",
        "stereo_right",
        "夹爪_rgb",
        "unknown",
    ]


@pytest.mark.parametrize(
    ("depth", "rgb", "devices", "master"),
    [
        ("d435_depth", ["d435_rgb"], [], "d435_rgb"),
        ("D435_depth", ["D435_depth_rgb", "x_rgb"], [], "D435_depth_rgb"),
        ("d435_depth_2", ["d435_rgb", "d435_rgb_2"], [["d435_rgb_2", "d435_depth_2"]], "d435_rgb_2"),
        ("stereo_depth", ["head_left_rgb", "stereo_left", "stereo_right"], [], "stereo_left"),
        ("z_depth", ["a_rgb", "b_rgb"], [], "a_rgb"),
        ("z_depth", [], [], None),
    ],
)
def test_depth_follows_the_colour_camera_of_its_device(
    depth: str, rgb: list[str], devices: list[list[str]], master: str | None
) -> None:
    assert layout.master_of(depth, rgb, devices) == master


def test_streams_are_called_as_the_command_line_says() -> None:
    names = ["observation.imu", "observation.right_glove", "status.右手套", "action"]
    assert [layout.stream_name(n) for n in names] == ["imu", "right_glove", "status/右手套", "action"]
