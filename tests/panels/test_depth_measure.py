from __future__ import annotations

import numpy as np
import pytest

from hfviewer.core.depth import DepthScale
from hfviewer.panels.depth_measure import (
    HISTOGRAM_BINS,
    bin_table,
    box_statistics,
    fill_holes,
    histogram,
    join_survey,
    line_profile,
    survey_sample,
)
from tests.panels.making import depth


def test_a_box_knows_what_lies_in_it_and_nothing_else() -> None:
    stored = np.full((20, 30), 9000, np.uint16)
    stored[5:9, 10:20] = np.arange(40).reshape(4, 10) * 10 + 1000
    stored[5, 10] = 0
    found = box_statistics(depth(stored, scale=DepthScale(unit_mm=0.5)), 10, 5, 20, 9)
    inside = (np.arange(1, 40) * 10 + 1000) * 0.5
    assert (found.pixels, found.valid) == (40, 39)
    assert (found.least, found.most) == (inside.min(), inside.max())
    assert found.median == pytest.approx(np.median(inside))
    assert found.mean == pytest.approx(inside.mean())
    assert found.deviation == pytest.approx(inside.std())


def test_an_empty_box_and_one_beyond_the_picture_measure_nothing() -> None:
    frame = depth(np.zeros((4, 4), np.uint16))
    assert box_statistics(frame, 0, 0, 4, 4).valid == 0
    assert box_statistics(frame, 9, 9, 12, 12).pixels == 0
    assert np.isnan(box_statistics(frame, 0, 0, 4, 4).median)


def test_a_profile_walks_pixel_by_pixel_from_start_to_stop() -> None:
    stored = np.tile(np.arange(100, 140, dtype=np.uint16), (10, 1))
    stored[:, 20] = 0
    along, depths = line_profile(depth(stored), (5.5, 4.5), (35.5, 4.5))
    assert along[-1] == 30
    expected = np.arange(105.0, 136.0)
    expected[15] = np.nan
    np.testing.assert_array_equal(depths, expected)
    back = line_profile(depth(stored), (35.5, 4.5), (5.5, 4.5))[1]
    np.testing.assert_array_equal(back, expected[::-1])
    assert len(line_profile(depth(stored), (3.0, 3.0), (3.0, 3.0))[0]) == 2


def test_a_histogram_counts_measurements_only() -> None:
    stored = np.zeros((100, 100), np.uint16)
    stored[:50] = 1000
    stored[50:75] = 3999
    positions = np.full(65536, np.nan)
    positions[1:5000] = np.arange(1, 5000) / 4000
    shares = histogram(stored, bin_table(np.clip(positions, 0, 1)))
    assert shares[HISTOGRAM_BINS // 4] == 0.5
    assert shares[HISTOGRAM_BINS - 1] == 0.25
    assert shares.sum() == 0.75


def test_a_survey_is_not_led_astray_by_single_spikes() -> None:
    samples = []
    for number in range(10):
        stored = np.tile(np.linspace(1000, 3000, 400).astype(np.uint16), (300, 1))
        stored[0, :20] = 60000 + number
        samples.append(survey_sample(depth(stored)))
    survey = join_survey(samples)
    assert survey is not None
    assert 1000 <= survey.low_mm < 1050
    assert 2950 < survey.high_mm <= 3000
    assert survey.farthest_mm <= 3000
    assert join_survey([]) is None
    assert join_survey([np.empty(0, np.float32)]) is None


def test_holes_are_closed_within_a_surface_and_never_across_an_edge() -> None:
    stored = np.full((30, 60), 1000, np.uint16)
    stored[:, 30:] = 3000
    stored[10:13, 5:9] = 0  # within the near surface
    stored[:, 28:33] = 0  # where one object ends and the next begins
    stored[20:30, 40:60] = 0  # too wide for a row, open at the edge
    filled, closed = fill_holes(stored, DepthScale())
    assert (filled[10:13, 5:9] == 1000).all()
    assert closed[10:13, 5:9].all()
    assert not closed[:, 28:33].any()
    assert (filled[5, 28:33] == 0).all()
    assert not closed[20:30, 40:60].any()
    np.testing.assert_array_equal(filled[~closed], stored[~closed])


def test_a_slanted_surface_is_closed_with_codes_that_were_measured() -> None:
    stored = np.tile(np.arange(2000, 2060, dtype=np.uint16), (8, 1))
    stored[3, 20:26] = 0
    filled, closed = fill_holes(stored, DepthScale())
    assert closed.sum() == 6
    assert set(filled[3, 20:26].tolist()) <= {2019, 2026}


def test_pictures_without_any_measurement_stay_as_they_are() -> None:
    for shape in ((1, 1), (1, 50), (50, 1)):
        filled, closed = fill_holes(np.zeros(shape, np.uint16), DepthScale())
        assert not closed.any()
        assert filled.shape == shape
