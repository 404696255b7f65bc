from __future__ import annotations

import os
from pathlib import Path

import pytest

from hfviewer.core.finding import Severity
from hfviewer.model import health_cache
from hfviewer.model.health_cache import HealthCache, stamp_of
from hfviewer.quality.health import Health

BAD = Health(severity=Severity.ERROR, findings=3, frames_lost=7, lost_share=0.25)


def test_what_was_found_is_there_the_next_time(tmp_path: Path) -> None:
    cache = HealthCache(tmp_path / "state", "/data/task")
    cache.put("1", "stamp", BAD)
    cache.put("2", "stamp", Health())
    cache.put("3", "", BAD)
    cache.save()
    again = HealthCache(tmp_path / "state", "/data/task/")
    assert again.get("1", "stamp") == BAD
    assert again.get("2", "stamp") == Health()
    assert again.get("1", "other") is None
    assert again.get("3", "") is None
    assert HealthCache(tmp_path / "state", "/data/other").get("1", "stamp") is None


def test_other_checks_make_it_worthless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = HealthCache(tmp_path, "/data")
    cache.put("1", "stamp", BAD)
    cache.save()
    monkeypatch.setattr(health_cache, "_CHECKS", -1)
    assert HealthCache(tmp_path, "/data").get("1", "stamp") is None


@pytest.mark.parametrize("content", [b"", b"[]", b'{"episodes": {"1": 5}}', b"[" * 100_000, b"\xff"])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, content: bytes) -> None:
    cache = HealthCache(tmp_path, "/data")
    cache.put("1", "stamp", BAD)
    cache.save()
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    damaged = HealthCache(tmp_path, "/data")
    assert damaged.get("1", "stamp") is None
    damaged.put("1", "stamp", BAD)
    damaged.save()
    assert HealthCache(tmp_path, "/data").get("1", "stamp") == BAD


def test_a_file_that_changes_has_another_stamp(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"12")
    second.write_bytes(b"34")
    stamp = stamp_of([first, second])
    assert stamp
    assert stamp_of([second, first]) == stamp
    os.utime(second, ns=(5, 5))
    assert stamp_of([first, second]) != stamp
    assert stamp_of([first]) != stamp
    assert stamp_of([first, tmp_path / "gone"]) == ""
    assert stamp_of([]) == ""
