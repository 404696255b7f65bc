from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hfviewer.codecs.video.budget import GopBudget
from hfviewer.codecs.video.container import sniff_container
from hfviewer.codecs.video.probe import probe
from hfviewer.core.errors import DamagedRecordingError, FrameError, HfviewerError
from tests.codecs.video.reading import number_in, server_of
from tests.video_clips import RECIPES, library, patched, shared_clip, write_clip, x264

CUT = {
    "cut.mp4": x264(8, frames=24),
    "cut_index_first.mp4": x264(8, frames=24, container={"movflags": "faststart"}),
    "cut_fragmented.mp4": x264(8, frames=24, container={"movflags": "frag_keyframe+empty_moov"}),
    "cut.mkv": x264(8, frames=24),
    "cut.avi": x264(8, frames=24, b_frames=0),
}


@pytest.mark.parametrize(
    ("name", "container", "codec", "pixel_format"),
    [
        ("b_frames.mp4", "mp4", "h264", "yuv420p"),
        ("open_gop.mp4", "mp4", "hevc", "yuv420p"),
        ("hevc10.mp4", "mp4", "hevc", "yuv420p10le"),
        ("hevc12.mp4", "mp4", "hevc", "yuv420p12le"),
        ("gray12.mp4", "mp4", "hevc", "gray12le"),
        ("av1.mp4", "mp4", "av1", "yuv420p"),
        ("vp9.webm", "matroska", "vp9", "yuv420p"),
        ("milliseconds.mkv", "matroska", "h264", "yuv420p"),
        ("mjpeg.avi", "avi", "mjpeg", "yuvj420p"),
    ],
)
def test_a_file_says_what_it_holds(name: str, container: str, codec: str, pixel_format: str) -> None:
    video = probe(shared_clip(name))
    (track,) = video.tracks
    assert (video.container, track.codec, track.pixel_format) == (container, codec, pixel_format)
    assert (track.width, track.height) == (160, 96)
    assert video.end_missing == ""
    assert track.problem == ""


def test_every_track_is_found() -> None:
    video = probe(shared_clip("picture_and_depth.mkv"))
    assert [(track.codec, track.pixel_format) for track in video.tracks] == [
        ("h264", "yuv420p"),
        ("ffv1", "gray16le"),
    ]


@pytest.mark.parametrize("name", list(RECIPES))
def test_times_are_those_of_the_recipe(name: str) -> None:
    stamps_ns = probe(shared_clip(name)).tracks[0].table.timestamps_ns
    recipe = RECIPES[name]
    clip = recipe[0] if isinstance(recipe, list) else recipe
    pts = list(range(clip.frames)) if clip.pts is None else list(clip.pts)
    grain_ns = 1_000_000 if name.endswith((".mkv", ".webm")) else 1
    for stamp_ns, tick in zip(stamps_ns.tolist(), pts, strict=True):
        expected_ns = (tick - pts[0]) * 1_000_000_000 // 30
        assert abs(stamp_ns - int(stamps_ns[0]) - expected_ns) <= grain_ns


def test_a_second_look_at_an_unchanged_file_costs_nothing_and_a_changed_one_is_read_again(
    tmp_path: Path,
) -> None:
    path = write_clip(tmp_path / "clip.mp4", x264(8, frames=8))
    first = probe(path)
    assert probe(path) is first
    write_clip(path, x264(8, frames=16))
    assert probe(path).tracks[0].table.frame_count == 16


def test_a_video_without_moov_says_that_it_was_never_finished(tmp_path: Path) -> None:
    path = tmp_path / "killed.mp4"
    data = shared_clip("b_frames.mp4").read_bytes()
    path.write_bytes(data[: data.index(b"moov") - 4])
    with pytest.raises(DamagedRecordingError, match="never finished") as caught:
        probe(path)
    assert caught.value.remedy
    assert caught.value.line().startswith(str(path))


def test_a_claim_of_billions_of_frames_is_refused_before_anything_is_allocated(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "clip.mp4", x264(8, frames=8))

    def claim(data: bytearray) -> None:
        struct.pack_into(">I", data, data.index(b"stsz") + 12, 2**32 - 1)

    with pytest.raises(DamagedRecordingError, match="claims to have 4294967295 frames"):
        probe(patched(path, claim))


def test_an_impossible_picture_size_is_a_problem_of_the_track(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "clip.mkv", x264(8, frames=4))
    video = probe(path)
    assert video.tracks[0].problem == ""

    def enlarge(data: bytearray) -> None:
        at = data.index(b"\xb0\x81\xa0\xba\x81\x60")  # PixelWidth 160, PixelHeight 96
        data[at : at + 6] = b"\xb0\x82\xff\xff\xba\x81"

    try:
        damaged = probe(patched(path, enlarge))
    except DamagedRecordingError:
        return
    assert all(track.problem or track.width <= 65535 for track in damaged.tracks)


def test_containers_are_known_by_their_first_bytes() -> None:
    for name in RECIPES:
        expected = {"mp4": "mp4", "mkv": "matroska", "webm": "matroska", "avi": "avi"}[
            name.rpartition(".")[2]
        ]
        assert sniff_container(shared_clip(name).read_bytes()[:4096]) == expected
    for head in (b"", b"RIFF\0\0\0\0WAVE", b"HFRM\1\0\0\2", b"\x89PNG\r\n\x1a\n", b"ID3\3", b"{}"):
        assert sniff_container(head) is None


def check_line(error: HfviewerError) -> None:
    assert "\n" not in error.line()
    assert error.remedy or isinstance(error, FrameError)


def cut_clip(name: str) -> bytes:
    path = library() / name
    return (path if path.exists() else write_clip(path, CUT[name])).read_bytes()


@settings(max_examples=60)
@given(name=st.sampled_from(sorted(CUT)), share=st.floats(0, 1, exclude_max=True))
def test_a_file_cut_at_any_byte_shows_only_right_frames_and_one_line_of_error(
    name: str, share: float
) -> None:
    data = cut_clip(name)
    path = library() / f"now_{name}"
    path.write_bytes(data[: int(len(data) * share)])
    try:
        video = probe(path)
    except DamagedRecordingError as error:
        check_line(error)
        return
    for track in video.tracks:
        stamps_ns = track.table.timestamps_ns
        whole = probe(library() / name).tracks[0].table.timestamps_ns.tolist()
        assert video.end_missing or not track.table.readable.all()
        server = server_of(path, budget=GopBudget(0))
        for frame in range(0, track.table.frame_count, 3):
            try:
                number = number_in(server, frame)
            except FrameError as error:
                check_line(error)
            else:
                assert number == whole.index(int(stamps_ns[frame]))
        server.close()


@settings(max_examples=60)
@given(
    name=st.sampled_from(sorted(CUT)),
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=12
    ),
)
def test_a_file_with_any_bytes_changed_gives_frames_or_one_line_of_error(
    name: str, changes: list[tuple[float, int]]
) -> None:
    data = bytearray(cut_clip(name))
    for share, value in changes:
        data[int(len(data) * share)] = value
    path = library() / f"now_{name}"
    path.write_bytes(data)
    try:
        video = probe(path)
        for track in video.tracks:
            server = server_of(path, video.tracks.index(track))
            count = track.table.frame_count
            for frame in {0, count // 2, count - 1} if count else ():
                try:
                    server.picture(frame)
                except FrameError as error:
                    check_line(error)
            server.close()
    except DamagedRecordingError as error:
        check_line(error)
