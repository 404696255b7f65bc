from __future__ import annotations

import random
import threading
from contextlib import suppress

import lz4.frame
import pytest
import zstandard

from hfviewer.codecs.compression import compress, compression_of, decompress
from hfviewer.core.errors import FrameError, UsageError
from tests.readers.hyperframe.test_stream import _lz4_bomb, _zstd_bomb

RAW = random.Random(1).randbytes(1000) + bytes(100_000)


@pytest.mark.parametrize("compression", ["lz4", "zstd"])
@pytest.mark.parametrize("raw", [b"", b"x", RAW, bytes(5 << 20)])
def test_what_was_compressed_comes_back(compression: str, raw: bytes) -> None:
    packed = compress(raw, compression)
    assert compression_of(packed) == compression
    assert decompress(packed, compression) == raw
    assert decompress(memoryview(bytearray(packed)), compression) == raw
    assert decompress(packed + b"what follows", compression) == raw


def test_frames_of_unknown_size_come_back() -> None:
    assert decompress(lz4.frame.compress(RAW, store_size=False), "lz4") == RAW
    packed = zstandard.ZstdCompressor(write_content_size=False).compress(RAW)
    assert decompress(packed, "zstd") == RAW


@pytest.mark.parametrize("compression", ["lz4", "zstd"])
def test_broken_frames_are_frame_errors(compression: str) -> None:
    packed = compress(RAW, compression)
    for size in (0, 3, 4, 5, 10, len(packed) // 2, len(packed) - 1):
        with pytest.raises(FrameError):
            decompress(packed[:size], compression)
    rng = random.Random(2)
    for _ in range(300):
        damaged = bytearray(packed)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        # A flip in the data itself may pass: these frames bear no checksum of it. Nothing else may come out.
        with suppress(FrameError):
            decompress(bytes(damaged), compression, limit_bytes=1 << 22)


@pytest.mark.parametrize("claimed", [None, 1, 100_000, (16 << 20) + 1, 2**40, 2**63])
@pytest.mark.parametrize("compression", ["lz4", "zstd"])
def test_no_frame_expands_beyond_the_limit_whatever_it_claims(compression: str, claimed: int | None) -> None:
    bomb = _lz4_bomb(claimed) if compression == "lz4" else _zstd_bomb(claimed)
    with pytest.raises(FrameError):
        decompress(bomb, compression, limit_bytes=16 << 20)


@pytest.mark.parametrize("compression", ["lz4", "zstd"])
def test_a_frame_of_exactly_the_limit_passes(compression: str) -> None:
    packed = compress(bytes(1 << 20), compression)
    assert len(decompress(packed, compression, limit_bytes=1 << 20)) == 1 << 20
    with pytest.raises(FrameError):
        decompress(packed, compression, limit_bytes=(1 << 20) - 1)


def test_an_unknown_compression_is_an_error_on_both_ways() -> None:
    with pytest.raises(UsageError):
        compress(b"x", "rot13")
    with pytest.raises(FrameError):
        decompress(b"x", "rot13")


def test_eight_threads_decompress_at_once_without_mixing_their_data() -> None:
    payloads = [compress(bytes([i]) * 200_000, "zstd") for i in range(8)]
    wrong: list[int] = []

    def work(i: int) -> None:
        results = [decompress(payloads[i], "zstd") for _ in range(40)]
        wrong.extend(i for result in results if result != bytes([i]) * 200_000)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
