from __future__ import annotations

import random
from pathlib import Path

import lz4.frame
import numpy as np
import pytest

from hfviewer.core.errors import CancelledError
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.readers.hyperframe import scan as scan_module
from hfviewer.readers.hyperframe.layout import align
from hfviewer.readers.hyperframe.scan import Signature, scan
from hfviewer.readers.hyperframe.scanned import assign_streams
from hfviewer.readers.hyperframe.storage import Storage
from tests.readers.hyperframe.test_recover import jpeg, png16


def _payloads() -> list[bytes]:
    points = (np.arange(4000, dtype="<f4") / 7).tobytes()
    return [jpeg(1), png16(2), lz4.frame.compress(points, store_size=True), jpeg(3, 128)]


def _file(path: Path, payloads: list[bytes], noise: int = 700) -> tuple[Storage, list[int]]:
    """Payloads on their boundaries, with noise before, between and behind them."""
    rng = random.Random(6)
    data = bytearray(512)
    offsets: list[int] = []
    for payload in payloads:
        data += rng.randbytes(noise)
        data += bytes(align(len(data)) - len(data))
        offsets.append(len(data))
        data += payload
    data += rng.randbytes(noise)
    path.write_bytes(data)
    return Storage(path), offsets


@pytest.mark.parametrize("chunk_bytes", [64, 256, 1024, 4 << 20])
@pytest.mark.parametrize("look_bytes", [64, 256 << 10])
def test_every_payload_is_found_wherever_chunks_end(
    chunk_bytes: int, look_bytes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan_module, "_CHUNK_BYTES", chunk_bytes)
    monkeypatch.setattr(scan_module, "_FIRST_LOOK_BYTES", look_bytes)
    storage, offsets = _file(tmp_path / "file", _payloads())
    found = list(scan(storage, [(512, storage.size())]))
    assert [(payload.offset, payload.data) for payload in found] == list(
        zip(offsets, _payloads(), strict=True)
    )
    assert [payload.signature for payload in found] == [
        Signature("none", StreamKind.IMAGE, "jpeg", 64, 48),
        Signature("none", StreamKind.DEPTH, "png16", 32, 24),
        Signature("lz4", StreamKind.POINTS, "f32"),
        Signature("none", StreamKind.IMAGE, "jpeg", 128, 48),
    ]
    storage.close()


def test_only_the_given_spans_are_searched_and_nothing_reaches_out_of_one(tmp_path: Path) -> None:
    storage, offsets = _file(tmp_path / "file", _payloads())
    spans = [(offsets[0] + 1, offsets[1] + 10), (offsets[2], offsets[3])]
    assert [payload.offset for payload in scan(storage, spans)] == [offsets[2]]
    storage.close()


def test_a_payload_off_the_boundary_is_not_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(512 + 8) + jpeg(1) + bytes(100))
    storage = Storage(path)
    assert list(scan(storage, [(512, storage.size())])) == []
    storage.close()


def test_a_scan_can_be_stopped(tmp_path: Path) -> None:
    storage, _ = _file(tmp_path / "file", _payloads())
    with pytest.raises(CancelledError):
        next(scan(storage, [(512, storage.size())], lambda: True))
    storage.close()


_JPEG = Signature("none", StreamKind.IMAGE, "jpeg", 64, 48)
_WIDE = Signature("none", StreamKind.IMAGE, "jpeg", 128, 48)


def _camera(name: str, **fields: int) -> StreamDescription:
    return StreamDescription(name=name, kind=StreamKind.IMAGE, encoding="jpeg", **fields)  # type: ignore[arg-type]


def test_what_is_known_of_a_stream_is_taken_over_where_only_one_can_be_meant() -> None:
    camera = StreamDescription(name="front", kind=StreamKind.IMAGE, encoding="jpeg", frame="camera_front")
    (stream,) = assign_streams([_JPEG], {4: camera}, []).values()
    assert (stream.description.name, stream.description.frame) == ("recovered/front", "camera_front")
    assert stream.stream_id not in (4,)


def test_where_two_streams_can_be_meant_none_is_chosen() -> None:
    two = {0: _camera("left"), 1: _camera("right")}
    (stream,) = assign_streams([_JPEG], two, []).values()
    assert stream.description.name == "recovered/jpeg 64x48"
    names = [s.description.name for s in assign_streams([_JPEG, _WIDE], {0: _camera("left")}, []).values()]
    assert names == ["recovered/jpeg 64x48", "recovered/jpeg 128x48"]


def test_sizes_in_the_descriptions_tell_two_cameras_apart() -> None:
    described = {0: _camera("left", width=64, height=48), 1: _camera("right", width=128, height=48)}
    streams = assign_streams([_JPEG, _WIDE], described, [])
    assert [s.description.name for s in streams.values()] == ["recovered/left", "recovered/right"]
    assert len({s.stream_id for s in streams.values()} | {0, 1}) == 4
