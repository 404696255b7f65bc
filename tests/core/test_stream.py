from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.core.window import TimeWindow


def test_only_rows_of_numbers_are_dense() -> None:
    dense = {kind.value for kind in StreamKind if kind.is_dense}
    assert dense == {"imu", "signal", "pose"}


@pytest.mark.parametrize("kind", StreamKind)
def test_a_kind_reads_back_from_the_name_that_files_hold(kind: StreamKind) -> None:
    assert StreamKind(json.loads(json.dumps({"kind": kind}))["kind"]) is kind


def test_a_description_is_changed_only_by_making_another() -> None:
    first = StreamDescription(name="camera/left", kind=StreamKind.IMAGE, encoding="jpeg")
    with pytest.raises(FrozenInstanceError):
        first.name = "camera/right"  # type: ignore[misc]  # that it is refused is the point
    second = replace(first, frame_count=7)
    assert (first.frame_count, second.frame_count) == (0, 7)
    assert second.name == "camera/left"


def test_descriptions_do_not_share_what_can_be_changed() -> None:
    one = StreamDescription(name="a", kind=StreamKind.IMU, encoding="f32")
    with pytest.raises(TypeError):
        one.extra["key"] = 1  # type: ignore[index]  # that it is refused is the point


def test_a_table_of_timestamps_tells_count_span_and_rate() -> None:
    base = StreamDescription(name="cam", kind=StreamKind.IMAGE, encoding="jpeg", role="kept")
    full = base.measured(np.arange(50, dtype=np.int64) * 20_000_000 + 7)
    assert (full.frame_count, full.period_ns, full.role) == (50, 20_000_000, "kept")
    assert full.rate_hz == pytest.approx(50)
    assert full.span == TimeWindow(7, 49 * 20_000_000 + 8)
    none = base.measured(np.empty(0, np.int64))
    assert (none.frame_count, none.span, none.rate_hz, none.period_ns) == (0, None, None, None)
