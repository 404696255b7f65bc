from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot

from hfviewer.core.errors import FrameError
from hfviewer.core.frame import Frame, SampleFrame
from hfviewer.core.geometry import Calibration, CameraModel
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.panels.image import ImagePanel
from hfviewer.panels.image_look import (
    ImageLook,
    SecondCamera,
    SecondMode,
    Tone,
    shown_pixels,
    straighten,
)
from hfviewer.panels.image_prepare import ImageWish, prepare_image
from hfviewer.panels.image_read_out import at_hand, beside_text
from hfviewer.panels.orientation import Orientation
from hfviewer.panels.overlay import KeypointOverlay, keypoints_over
from hfviewer.panels.placement import Sight
from hfviewer.panels.surroundings import Surroundings
from hfviewer.panels.theme import Theme
from tests.panels.fakes import FakeRecording, FakeStream
from tests.panels.making import NAME, START_NS, describe, entries, image, points, result, show, table

STAMPS = table(10)
K = np.array([[300.0, 0, 159.5], [0, 300, 119.5], [0, 0, 1]])
BARREL = CameraModel(320, 240, K, (-0.3, 0.08, 1e-4, 2e-4, 0.0), "plumb_bob", frame="cam")
PLAIN = ImageLook((0, 255))


def board() -> NDArray[np.uint8]:
    """A chessboard, in which a bent line shows."""
    v, u = np.mgrid[0:240, 0:320]
    return np.asarray((((u // 20) + (v // 20)) % 2) * 255, np.uint8)


def test_straightening_is_what_opencv_does() -> None:
    expected = cv2.undistort(board(), K, np.array(BARREL.distortion))
    ours = straighten(board(), BARREL)
    assert np.mean(np.abs(ours.astype(int) - expected.astype(int))) < 1.0
    half = cv2.resize(board(), (160, 120), interpolation=cv2.INTER_AREA)
    assert straighten(np.asarray(half, np.uint8), BARREL).shape == (120, 160)
    other = np.zeros((100, 320), np.uint8)
    assert straighten(other, BARREL) is other


def test_tone_changes_what_is_shown_and_nothing_that_is_stored() -> None:
    assert Tone().table is None
    assert Tone(gamma=2.0).table is not None
    brighter, table_ = Tone(brightness=20).table, Tone(gamma=2.0).table
    assert brighter is not None
    assert table_ is not None
    assert brighter[100] == 100 + 51
    assert table_[64] == pytest.approx(255 * (64 / 255) ** 0.5, abs=1)
    for extreme in (Tone(-100, -100, 0.2), Tone(100, 100, 5.0)):
        found = extreme.table
        assert found is not None
        assert (np.diff(found.astype(int)) >= 0).all()


def test_two_cameras_lie_side_by_side_blended_or_apart_by_their_difference() -> None:
    one = image(np.full((240, 320, 3), 40, np.uint8))
    two = image(np.full((480, 640), 200, np.uint8))
    beside = shown_pixels(one, replace(PLAIN, second=SecondCamera("b")), None, two)
    assert beside.size == (640, 240)
    assert beside.full == (640, 240)
    assert (beside.display[:, :320] == 40).all()
    assert (beside.display[:, 320:] == 200).all()
    blend = replace(PLAIN, second=SecondCamera("b", SecondMode.BLEND, 0.25))
    assert (shown_pixels(one, blend, None, two).display == 80).all()
    difference = replace(PLAIN, second=SecondCamera("b", SecondMode.DIFFERENCE))
    assert (shown_pixels(one, difference, None, two).display == 160).all()
    assert shown_pixels(one, difference, None, None).size == (320, 240)


def test_a_reduced_decode_counts_in_pixels_of_the_whole_picture() -> None:
    frame = image(np.zeros((120, 160, 3), np.uint8), full_size=(320, 240))
    turned = shown_pixels(frame, replace(PLAIN, orientation=Orientation(1)), None)
    assert turned.size == (120, 160)
    assert turned.full == (240, 320)


class Source:
    """Frames of other streams, as `FrameSource` gives them."""

    def __init__(self, frame: Frame | None, calibration: Calibration) -> None:
        self.calibration = calibration
        kind = StreamKind.IMAGE if frame is None or not hasattr(frame, "xyz") else StreamKind.POINTS
        self.streams = FakeRecording(
            FakeStream(NAME, STAMPS), FakeStream("other", STAMPS + 5_000_000, kind=kind)
        ).streams
        self._frame = frame
        self.asked: list[int] = []

    def frame(self, name: str, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        self.asked.append(index)
        if self._frame is None:
            raise FrameError("It is cut short.")
        return self._frame


def wish(source: Source, **more: object) -> ImageWish:
    return ImageWish(PLAIN, Sight(None, (400, 300), 1.0), BARREL, source=source, **more)  # type: ignore[arg-type]


def test_the_overlay_is_of_the_frame_nearest_in_time_and_says_how_far_off_it_is() -> None:
    cloud = points(np.array([[0.0, 0.0, 2.0]], np.float32))
    calibration = Calibration({NAME: replace(BARREL, frame="other")})
    source = Source(cloud, calibration)
    frame = replace(image(board()), timestamp_ns=int(STAMPS[3]) + 1_000_000)
    prepared = prepare_image(frame, wish(source, overlay="other"))
    assert prepared is not None
    assert source.asked == [3]
    assert prepared.overlay is not None
    assert prepared.overlay.offset_ns == 4_000_000


def test_what_cannot_be_read_costs_the_overlay_and_is_told() -> None:
    source = Source(None, Calibration({NAME: replace(BARREL, frame="other")}))
    prepared = prepare_image(image(board()), wish(source, overlay="other"))
    assert prepared is not None
    assert prepared.overlay is None
    assert prepared.trouble == "other: It is cut short."
    second = replace(wish(source), look=replace(PLAIN, second=SecondCamera("other")))
    prepared = prepare_image(image(board()), second)
    assert prepared is not None
    assert prepared.shown.size == (320, 240)


@pytest.fixture
def panel(qtbot: QtBot) -> ImagePanel:
    made = ImagePanel(describe(StreamKind.IMAGE, STAMPS), STAMPS, START_NS, Theme())
    made.canvas.set_grid(False)
    show(qtbot, made, 644, 512)
    made.set_playhead(START_NS)
    return made


def test_straight_pictures_read_out_the_stored_pixel_that_shows() -> None:
    frame = image(np.zeros((240, 320), np.uint8))
    columns, rows = cv2.initUndistortRectifyMap(
        K, np.array(BARREL.distortion), np.eye(3), K, (320, 240), cv2.CV_32FC1
    )
    for column, row in ((160, 120), (30, 40), (290, 200)):
        at = at_hand(frame, column, row, BARREL)
        assert at is not None
        assert abs(at[0] - columns[row, column]) <= 0.5 + 1e-3
        assert abs(at[1] - rows[row, column]) <= 0.5 + 1e-3


def test_of_a_picture_at_less_than_its_size_the_nearest_pixel_at_hand_is_read() -> None:
    frame = replace(image(np.arange(12, dtype=np.uint8).reshape(3, 4)), full_size=(400, 300))
    assert at_hand(frame, 399, 299, None) == (3, 2)
    assert at_hand(frame, 199, 100, None) == (1, 1)
    assert beside_text(frame, 0.5, 0.99).split() == [frame.stream, "200,", "200", "10"]
    assert beside_text(frame, 1.0, 1.0).split()[1:3] == ["300,", "200"]


def test_sixteen_bit_levels_can_be_set_and_black_stays_below_white(panel: ImagePanel) -> None:
    panel.show_result(result(image(np.full((30, 40), 3000, np.uint16))))
    panel.set_levels(2000, 4000)
    assert panel.levels == (2000, 4000)
    for low, high in ((5, 5), (9, 1), (-1, 5), (0, 70_000)):
        panel.set_levels(low, high)
    assert panel.levels == (2000, 4000)


def test_every_menu_entry_can_be_used(panel: ImagePanel) -> None:
    panel.set_surroundings(Surroundings(Calibration({NAME: BARREL})))
    panel.show_result(result(image(np.full((240, 320), 3000, np.uint16))))
    for action in entries(panel.context_actions()):
        action.trigger()
        assert not panel.grab().isNull(), action.text()


def test_the_look_goes_with_the_layout_and_nonsense_is_left_out(panel: ImagePanel) -> None:
    panel.show_result(result(image(board())))
    panel.set_tone(Tone(10, -5, 1.5))
    panel.set_orientation(Orientation(1, True))
    state = panel.view_state()
    panel.set_tone(Tone())
    panel.set_orientation(Orientation())
    panel.restore_view_state(state)
    assert panel.tone == Tone(10, -5, 1.5)
    assert panel.orientation == Orientation(1, True)
    for odd in (
        {"tone": [999, 0, 1.0]},
        {"tone": "bright"},
        {"second": ["nowhere", "blended", 0.5]},
        {"overlay": "nowhere"},
        {"point_px": 10**9},
    ):
        panel.restore_view_state(dict(odd))
    assert panel.tone == Tone(10, -5, 1.5)
    assert panel.second is None
    assert panel.overlay_of == ""
    assert panel.overlays.point_px <= 12


@pytest.mark.parametrize("shape", [(1, 1), (1, 3000), (3000, 1), (16384, 16384)])
def test_odd_and_huge_pictures_are_painted(panel: ImagePanel, shape: tuple[int, int]) -> None:
    panel.show_result(result(image(np.full(shape, 90, np.uint8))))
    assert not panel.grab().isNull()
    for orientation in (Orientation(1), Orientation(2, True)):
        panel.set_orientation(orientation)
        panel.set_tone(Tone(gamma=1.5 + orientation.quarter_turns))
        assert not panel.grab().isNull()


def keypoints(values: list[float]) -> tuple[SampleFrame, StreamDescription]:
    channels = tuple(Channel(f"c{number}", "px") for number in range(len(values)))
    description = StreamDescription(name="other", kind=StreamKind.SIGNAL, encoding="f32", channels=channels)
    frame = SampleFrame(
        stream="other",
        index=0,
        timestamp_ns=0,
        sequence=0,
        timestamps_ns=np.zeros(1, np.int64),
        values=np.array([values]),
        channels=channels,
    )
    return frame, description


def test_keypoints_move_with_the_picture_when_it_is_straightened() -> None:
    frame, description = keypoints([30.0, 40.0, 160.0, 120.0])
    source = Source(frame, Calibration())
    source.streams["other"]._description = description  # type: ignore[attr-defined]
    plain = prepare_image(image(board()), wish(source, overlay="other"))
    straight = prepare_image(
        image(board()), replace(wish(source, overlay="other"), look=replace(PLAIN, straight=True))
    )
    assert plain is not None
    assert straight is not None
    assert isinstance(plain.overlay, KeypointOverlay)
    assert isinstance(straight.overlay, KeypointOverlay)
    assert plain.overlay.pixels.tolist() == [[30.0, 40.0], [160.0, 120.0]]
    expected = cv2.undistortPoints(
        np.array([[[30.0, 40.0]], [[160.0, 120.0]]]), K, np.array(BARREL.distortion), P=K
    )
    np.testing.assert_allclose(straight.overlay.pixels, expected.reshape(2, 2), atol=0.05)


def test_keypoints_are_drawn_where_they_were_found(panel: ImagePanel) -> None:
    frame, description = keypoints([30.0, 40.0, 160.0, 120.0])
    over = keypoints_over(frame, description, 0)
    assert over is not None
    panel.show_result(result(image(np.zeros((240, 320, 3), np.uint8))))
    panel.overlays.show(over)
    picture = panel.canvas.grab().toImage()
    for u, v in ((30, 40), (160, 120)):
        x, y = panel.canvas.view.to_widget(u + 0.5, v + 0.5)
        assert picture.pixelColor(round(x), round(y)).value() > 100
    assert picture.pixelColor(400, 100).value() < 20
