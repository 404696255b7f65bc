from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hfviewer.app.kept_file import KeptFile


def _at_once(work: Callable[[], None]) -> None:
    work()


def test_what_was_saved_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "kept.json"
    KeptFile(path, list[int], 100, _at_once).save([1, 2], indented=True)
    assert KeptFile(path, list[int], 100, _at_once).load() == [1, 2]
    assert len(path.read_text().splitlines()) == 4


@pytest.mark.parametrize(
    "content", [b"[1, 2", b'["one"]', b"[\xff]", b"[" * 50_000, b"[" + b"1, " * 40_000 + b"1]"]
)
def test_what_cannot_be_understood_or_is_too_large_is_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "kept.json"
    path.write_bytes(content)
    assert KeptFile(path, list[int], 100_000, _at_once).load() is None


def test_saving_while_the_application_closes_is_too_late_and_no_error(tmp_path: Path) -> None:
    writer = ThreadPoolExecutor(1)
    kept = KeptFile(tmp_path / "kept.json", list[int], 100, writer.submit)
    writer.shutdown()
    kept.save([1])
    assert kept.load() is None
