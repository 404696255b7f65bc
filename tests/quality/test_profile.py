from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from hfviewer.core.errors import UsageError
from hfviewer.core.finding import Finding, Severity
from hfviewer.quality import profile as profile_module
from hfviewer.quality.profile import Expectation, Limits, Profile, parse_profile, read_profile


def test_an_empty_profile_is_the_defaults() -> None:
    assert parse_profile({}) == Profile()


def test_what_the_module_and_the_readme_call_defaults_are_the_defaults() -> None:
    assert profile_module.__doc__ is not None
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    for text in (
        profile_module.__doc__.split("TOML.\n", 1)[1],
        readme.split("```toml\n", 1)[1].split("```", 1)[0],
    ):
        profile = parse_profile(tomllib.loads(text))
        assert profile.limits == Limits()
        assert (profile.reference, profile.max_sync_ms) == ("camera/front", 10)
        assert profile.expect == (
            Expectation(stream="camera/front", rate_hz=30, tolerance_percent=2, frames=600),
        )
        assert profile.severities == {"late_start": None}


def test_severities_are_changed_and_codes_turned_off() -> None:
    profile = parse_profile({"severity": {"late_start": "error", "host_clock": "off"}})
    findings = [
        Finding(code=code, severity=Severity.INFO, message="")
        for code in ("late_start", "host_clock", "early_end")
    ]
    told = [(f.code, f.severity) for f in profile.applied_to(findings)]
    assert told == [("late_start", Severity.ERROR), ("early_end", Severity.INFO)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[limit]", "limit is unknown. Known: limits, sync, expect, severity."),
        ("limits = 3", "limits must be a table."),
        ("[limits]\ndrift_ppm = -1", "limits.drift_ppm must be a number that is not negative, not -1."),
        ("[limits]\ndrift_ppm = true", "must be a number"),
        ("[limits]\ndrift_ppm = nan", "must be a number"),
        ("[limits]\ndrift_ppm = 'a'", "must be a number"),
        ("[sync]\nreference = 3", "sync.reference must be the name of a stream."),
        ("[expect]\nstream = 'a'", "is a table [[expect]] of its own."),
        ("[[expect]]\nrate_hz = 3", "must name its stream."),
        ("[[expect]]\nstream = 'a'\nrate = 3", "expect.rate is unknown."),
        ("[severity]\nlost = 'error'", "There is no code 'lost' (severity)."),
        ("[severity]\nlate_start = 'bad'", "severity.late_start is 'bad'."),
        ("[severity]\nlate_start = []", "severity.late_start is []."),
        ("[limits", "The profile is no TOML"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_profile(path)
    assert words in caught.value.line()
    assert str(path) in caught.value.line()
    assert "\n" not in caught.value.line()


def test_a_profile_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_profile(tmp_path / "none.toml")
    (tmp_path / "p.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="no TOML"):
        read_profile(tmp_path / "p.toml")
