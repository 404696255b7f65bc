from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.panels.view2d import MAX_SCALE, View2D

SIZES = st.tuples(st.integers(1, 4000), st.integers(1, 4000))
SPOTS = st.tuples(st.floats(0, 2000), st.floats(0, 2000))


@given(SIZES, SIZES)
def test_a_fitted_picture_fills_one_direction_and_lies_in_the_middle(
    picture: tuple[int, int], widget: tuple[int, int]
) -> None:
    view = View2D.fit(picture, widget)
    width, height = picture[0] * view.scale, picture[1] * view.scale
    assert width <= widget[0] * 1.000001
    assert height <= widget[1] * 1.000001
    assert width == pytest.approx(widget[0]) or height == pytest.approx(widget[1])
    assert view.left == pytest.approx((widget[0] - width) / 2)
    assert view.top == pytest.approx((widget[1] - height) / 2)


@given(SPOTS, st.floats(0.1, 10))
def test_zooming_keeps_what_is_under_the_pointer(spot: tuple[float, float], factor: float) -> None:
    view = View2D(scale=0.7, left=13, top=-40)
    before = view.to_picture(*spot)
    after = view.zoomed(factor, *spot).to_picture(*spot)
    assert after == pytest.approx(before, abs=1e-6)


def test_zooming_ends_at_the_largest_scale() -> None:
    view = View2D(scale=1, left=0, top=0)
    for _ in range(100):
        view = view.zoomed(2, 10, 10)
    assert view.scale == MAX_SCALE


@given(SPOTS)
def test_to_widget_is_the_inverse_of_to_picture(spot: tuple[float, float]) -> None:
    view = View2D(scale=2.5, left=-100, top=33)
    assert view.to_widget(*view.to_picture(*spot)) == pytest.approx(spot, abs=1e-6)


def test_only_whole_visible_pixels_of_the_picture_are_wanted() -> None:
    view = View2D(scale=10, left=-25, top=0)
    assert view.visible((100, 100), (60, 20)) == (2, 0, 9, 2)
    assert View2D(scale=1, left=500, top=0).visible((100, 100), (60, 20)) is None


@given(st.floats(-1e5, 1e5), st.floats(-1e5, 1e5))
def test_a_picture_cannot_be_dragged_out_of_sight(dx: float, dy: float) -> None:
    view = View2D(scale=1, left=0, top=0).panned(dx, dy).kept_in((100, 80), (400, 300))
    assert view.visible((100, 80), (400, 300)) is not None
