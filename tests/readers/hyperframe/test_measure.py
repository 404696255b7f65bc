from __future__ import annotations

import io
import random
from collections.abc import Callable

import cv2
import lz4.frame
import numpy as np
import pytest
import zstandard

from hfviewer.readers.hyperframe.measure import CutOffError, measure

_RAW = np.random.default_rng(4).integers(0, 40, 300_000, np.uint8).tobytes()


def _encode(suffix: str, flags: list[int] | None = None, shape: tuple[int, ...] = (90, 120, 3)) -> bytes:
    pixels = np.random.default_rng(2).integers(0, 255, shape, np.uint8)
    ok, data = cv2.imencode(suffix, pixels, flags or [])
    assert ok
    return bytes(data)


def _zstd_stream(raw: bytes, *, checksum: bool) -> bytes:
    target = io.BytesIO()
    with zstandard.ZstdCompressor(write_checksum=checksum).stream_writer(target, closefd=False) as writer:
        writer.write(raw)
    return target.getvalue()


PAYLOADS: dict[str, Callable[[], bytes]] = {
    "jpeg": lambda: _encode(".jpg"),
    "jpeg, progressive": lambda: _encode(".jpg", [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]),
    "jpeg, restart markers": lambda: _encode(".jpg", [cv2.IMWRITE_JPEG_RST_INTERVAL, 3]),
    "jpeg, grey": lambda: _encode(".jpg", None, (33, 47)),
    "jpeg, best": lambda: _encode(".jpg", [cv2.IMWRITE_JPEG_QUALITY, 100]),
    "png": lambda: _encode(".png"),
    "lz4, size known": lambda: lz4.frame.compress(_RAW, store_size=True),
    "lz4, size unknown": lambda: lz4.frame.compress(_RAW, store_size=False),
    "lz4, all checksums": lambda: lz4.frame.compress(_RAW, content_checksum=True, block_checksum=True),
    "lz4, not linked": lambda: lz4.frame.compress(_RAW, block_linked=False),
    "lz4, incompressible": lambda: lz4.frame.compress(random.Random(1).randbytes(100_000)),
    "lz4, empty": lambda: lz4.frame.compress(b""),
    "zstd, size known": lambda: zstandard.ZstdCompressor().compress(_RAW),
    "zstd, short": lambda: zstandard.ZstdCompressor().compress(b"abc" * 9),
    "zstd, runs": lambda: zstandard.ZstdCompressor().compress(bytes(300_000)),
    "zstd, checksum": lambda: zstandard.ZstdCompressor(write_checksum=True).compress(_RAW),
    "zstd, stream": lambda: _zstd_stream(_RAW, checksum=False),
    "zstd, stream with checksum": lambda: _zstd_stream(_RAW, checksum=True),
    "zstd, incompressible": lambda: zstandard.ZstdCompressor().compress(random.Random(1).randbytes(300_000)),
    "zstd, empty": lambda: zstandard.ZstdCompressor().compress(b""),
}


@pytest.fixture(params=list(PAYLOADS))
def payload(request: pytest.FixtureRequest) -> bytes:
    return PAYLOADS[request.param]()


def test_the_size_is_exact_whatever_follows(payload: bytes) -> None:
    for tail in (b"", bytes(200), b"\xff\xd9" * 40, random.Random(2).randbytes(300), payload):
        assert measure(payload + tail) == len(payload)


def test_a_payload_without_its_end_is_cut_off(payload: bytes) -> None:
    rng = random.Random(3)
    for size in {len(payload) - 1, *(rng.randrange(8, len(payload)) for _ in range(30) if len(payload) > 9)}:
        with pytest.raises(CutOffError):
            measure(payload[:size])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00" * 100,
        b"HFRM" + bytes(600),
        b"\xff\xd8\xff\x00" + bytes(200),
        b"\xff\xd8\xff\xd8" + bytes(200),
        b"\xff\xd8\xff\xe0\x00\x01" + bytes(200),
        b"\x89PNG\r\n\x1a\n" + bytes(200),
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIDAT" + bytes(200),
        b"\x04\x22\x4d\x18" + bytes(200),
        b"\x04\x22\x4d\x18\x60\x70\x00\xff\xff\xff\x7f" + bytes(200),
        b"\x28\xb5\x2f\xfd\x08" + bytes(200),
        b"\x28\xb5\x2f\xfd\x00\x00\xff\xff\xff" + bytes(200),
    ],
)
def test_what_is_none_is_not_measured(data: bytes) -> None:
    assert measure(data) is None


def test_a_picture_with_a_damaged_chunk_is_none() -> None:
    data = bytearray(_encode(".png"))
    data[60] ^= 1
    assert measure(bytes(data)) is None


def test_noise_behind_a_magic_never_crashes() -> None:
    rng = random.Random(9)
    for magic in (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"\x04\x22\x4d\x18", b"\x28\xb5\x2f\xfd"):
        for _ in range(2000):
            data = magic + rng.randbytes(rng.randrange(0, 80))
            try:
                size = measure(data)
            except CutOffError:
                continue
            assert size is None or 0 < size <= len(data)
