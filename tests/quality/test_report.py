from __future__ import annotations

import datetime
import html
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np

from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.quality.batch import Options, Outcome, check_one, unreadable
from hfviewer.quality.check import check_recording
from hfviewer.quality.job import Job
from hfviewer.quality.lanes import COLUMNS, lanes_of
from hfviewer.quality.profile import Profile, parse_profile
from hfviewer.quality.report import report_html
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from hfviewer.readers.registry import open_recording
from tests.panels.fakes import FakeRecording, FakeStream, regular_ns
from tests.quality.test_deep import write
from tests.recordings import START_NS

NOW = datetime.datetime(2026, 3, 1, 12, 0, tzinfo=datetime.UTC)
NASTY = "<script>alert(1)</script>\"'&\x1b"


class Page(HTMLParser):
    """Tags that are open, everything that a browser would fetch, and the text."""

    VOID = frozenset({"meta", "img", "br", "rect", "line", "path", "circle"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.words: list[str] = []
        self.tags: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for key, value in attrs:
            if key in ("src", "href", "data", "xlink:href", "action"):
                self.fetched.append(value or "")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def checked(path: Path) -> Outcome:
    return check_one(Job(path=str(path)), Options(drawn=True, jobs=1))


def test_the_page_is_whole_fetches_nothing_and_tells_every_finding(tmp_path: Path) -> None:
    outcome = checked(write(tmp_path / "a.hfr", lost=[40, 41, 42, 90]))
    text = report_html([outcome], Profile(), made_at=NOW)
    page = Page(text)
    assert page.open == []
    assert all(link.startswith(("#", "data:image/jpeg;base64,")) for link in page.fetched)
    assert sum(link.startswith("data:") for link in page.fetched) == 4
    assert "script" not in page.tags
    assert not re.search(r"url\((?!#hatch\))|@import|https?:", text)
    told = " ".join(page.words)
    assert len(outcome.findings) >= 2
    for finding in outcome.findings:
        assert finding.message in told
        assert finding.evidence in told
    assert "−3" in told
    assert "late start ms" in told


def test_names_from_files_are_text_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.hfr"
    with HyperframeWriter(path, 100_000_000) as writer:
        writer.add_stream(
            StreamDescription(name=NASTY, kind=StreamKind.IMU, encoding="f64", channels=(Channel("x"),))
        )
        for index in range(50):
            if index != 20:
                writer.append(NASTY, START_NS + index * 10_000_000, np.zeros(1).tobytes(), sequence=index)
    text = report_html([checked(path)], Profile(), made_at=NOW)
    page = Page(text)
    assert "script" not in page.tags
    assert "\x1b" not in text
    assert html.escape("<script>alert(1)</script>") in text


def test_many_recordings_are_summed_up_and_those_that_cannot_be_opened_say_why(tmp_path: Path) -> None:
    from hfviewer.core.errors import DamagedRecordingError

    good, bad = checked(write(tmp_path / "a.hfr", count=40)), checked(write(tmp_path / "b.hfr", lost=[5]))
    broken = unreadable(Job(path="/c.hfr"), DamagedRecordingError("It is cut off.", remedy="Copy it again."))
    profile = parse_profile({"expect": [{"stream": "cam", "rate_hz": 30, "tolerance_percent": 2}]})
    page = Page(report_html([good, bad, broken], profile, made_at=NOW))
    told = " ".join(page.words)
    assert "2 of 3 with findings · 1 frames lost" in told
    assert "It is cut off. Copy it again." in told
    assert "demanded at 30 Hz ± 2 %" in told
    assert [link for link in page.fetched if link.startswith("#")] == ["#r1", "#r2", "#r3"]


def test_lanes_are_drawn_to_scale_and_no_gap_vanishes() -> None:
    stamps_ns = np.delete(regular_ns(100_000, 1_000_000), [30_000, 30_004, *range(70_000, 75_000)])
    recording = FakeRecording(FakeStream("imu", stamps_ns, sequence=np.arange(len(stamps_ns))))
    (lane,) = lanes_of(check_recording(recording))
    assert [gap.lost for gap in lane.gaps] == [2, 5000]
    assert abs(lane.gaps[0].start - 0.3 * COLUMNS) < 1
    assert abs(lane.gaps[1].start - 0.7 * COLUMNS) < 1
    assert abs(lane.gaps[1].end - 0.75 * COLUMNS) < 1
    assert sum(count for _, count, _ in lane.runs) == 950
    assert len(lane.runs) < 10


def test_a_recording_without_frames_has_no_lanes(tmp_path: Path) -> None:
    with HyperframeWriter(tmp_path / "a.hfr", 100_000_000) as writer:
        writer.add_stream(StreamDescription(name="a", kind=StreamKind.TEXT, encoding="json"))
    with open_recording(tmp_path / "a.hfr") as recording:
        assert lanes_of(check_recording(recording)) == ()
    Page(report_html([checked(tmp_path / "a.hfr")], Profile(), made_at=NOW))
