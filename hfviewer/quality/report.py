"""The checks as one page for people: self-contained HTML, for the screen and for paper.

Every text that comes from a file is escaped; nothing is loaded from anywhere.
"""

from __future__ import annotations

import datetime
import html
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.finding_codes import CODES, title_of
from hfviewer.core.text import printable
from hfviewer.core.time_text import format_duration, format_utc
from hfviewer.quality.batch import Outcome
from hfviewer.quality.lanes import COLUMNS, Lane, Place
from hfviewer.quality.profile import Limits, Profile
from hfviewer.quality.report_style import CSS, KIND_COLOURS, OTHER_COLOUR

_MOST_DETAILED = 100  # recordings with a section of their own
_MOST_FINDINGS = 300
_NAMES_PX, _LANE_PX, _AXIS_PX, _BAR_PX = 190, 34, 26, 16
_GAP_PX = 3.0
_SHAPES = {
    Severity.ERROR: '<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" />'
    '<path d="M5.5 5.5l5 5m0-5l-5 5" stroke="#fff" stroke-width="1.6"/>',
    Severity.WARNING: '<path d="M8 1.5L15.2 14.5H.8z" />'
    '<path d="M8 6v4m0 1.6v1.4" stroke="#fff" stroke-width="1.6"/>',
    Severity.INFO: '<circle cx="8" cy="8" r="7" />'
    '<path d="M8 7v5M8 4v1.6" stroke="#fff" stroke-width="1.6"/>',
}
_FINE = '<circle cx="8" cy="8" r="4" fill="#17703f"/>'
_COLOURS = {Severity.ERROR: "#b3261e", Severity.WARNING: "#855300", Severity.INFO: "#22609f"}


def report_html(outcomes: Sequence[Outcome], profile: Profile, *, made_at: datetime.datetime) -> str:
    """The whole page.

    Args:
        outcomes: checked with `Options.drawn`, so that they carry lanes and pictures.
        profile: what they were held against.
        made_at: told at the top.
    """
    bad = [outcome for outcome in outcomes if outcome.verdict != "ok"]
    title = "Check of " + (
        _text(outcomes[0].job.title) if len(outcomes) == 1 else f"{len(outcomes)} recordings"
    )
    detailed = ([*bad, *(o for o in outcomes if o.verdict == "ok")])[:_MOST_DETAILED]
    numbers = {id(outcome): number for number, outcome in enumerate(outcomes, 1)}
    parts = [
        f"<h1>{title}</h1>",
        f'<p class="quiet">{made_at:%Y-%m-%d %H:%M} · {len(bad)} of {len(outcomes)} with findings ·'
        f" {sum(o.frames_lost for o in outcomes)} frames lost</p>",
        _summary(outcomes),
        *(_section(outcome, numbers[id(outcome)]) for outcome in detailed),
        _left_out(len(outcomes) - len(detailed)),
        _thresholds(profile, outcomes),
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{CSS}</style></head><body>\n'
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _summary(outcomes: Sequence[Outcome]) -> str:
    rows = [
        (
            f'<a href="#r{number}">{_text(outcome.job.title)}</a>',
            _verdict(outcome),
            _number(outcome.count_of(Severity.ERROR)),
            _number(outcome.count_of(Severity.WARNING), "odd"),
            _number(outcome.frames_lost),
            f"{outcome.lost_share * 100:.2f} %" if outcome.frames_lost else "–",
        )
        for number, outcome in enumerate(outcomes, 1)
    ]
    head = ("Recording", "Verdict", "Errors", "Warnings", "Frames lost", "Time lost")
    return _table(head, rows, right=(2, 3, 4, 5))


def _section(outcome: Outcome, number: int) -> str:
    document = outcome.document
    parts = [f'<section id="r{number}"><h2>{_text(outcome.job.title)}</h2>', f"<p>{_verdict(outcome)}</p>"]
    if outcome.verdict == "unreadable":
        return "".join([*parts, f"<p>{_text(document.get('problem', ''))}</p></section>"])
    start_ns = outcome.start_ns
    if start_ns is not None:
        length = format_duration(outcome.length_ns)
        parts.append(f'<p class="quiet">{length} from {format_utc(start_ns)} ({start_ns} ns)</p>')
    parts += [_lanes(outcome), _streams(document["streams"])]
    if document["sync"]:
        parts += [
            f"<h3>Time to the nearest frame of {_text(document['reference'])}, ms</h3>",
            _sync(document),
        ]
    parts.append(_findings(outcome))
    if outcome.places:
        parts.append("<h3>Longest gaps of cameras</h3>" + _places(outcome.places, start_ns or 0))
    return "".join([*parts, "</section>"])


def _lanes(outcome: Outcome) -> str:
    """All lanes to scale; a gap is hatched from the last frame before it to the first one after."""
    if not outcome.lanes:
        return ""
    height = _LANE_PX * len(outcome.lanes) + _AXIS_PX
    width = _NAMES_PX + COLUMNS + 20
    parts = [
        f'<svg class="lanes" viewBox="0 0 {width} {height}" role="img" aria-label="Frames over time">',
        '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"'
        ' patternTransform="rotate(45)"><rect width="6" height="6" fill="#fbe0dd"/>'
        '<rect width="2.5" height="6" fill="#b3261e"/></pattern></defs>',
        *_axis(outcome.length_ns, height),
    ]
    for row, lane in enumerate(outcome.lanes):
        parts.append(_lane(lane, row * _LANE_PX))
    return "".join([*parts, "</svg>"])


def _lane(lane: Lane, top: int) -> str:
    colour = KIND_COLOURS.get(lane.kind, OTHER_COLOUR)
    bar = top + 14
    name = lane.name if len(lane.name) <= 27 else f"{lane.name[:13]}…{lane.name[-13:]}"
    parts = [
        f'<line x1="0" x2="{_NAMES_PX + COLUMNS + 20}" y1="{top + _LANE_PX}" y2="{top + _LANE_PX}"'
        ' stroke="#e0e6ed"/>',
        f'<text x="10" y="{bar + 12}" fill="{colour}" class="b">{_text(name)}'
        f"<title>{_text(lane.name)}</title></text>",
    ]
    parts += [
        f'<rect x="{_NAMES_PX + first}" y="{bar}" width="{count}" height="{_BAR_PX}" fill="{colour}"'
        f' fill-opacity="{0.25 + 0.15 * level:.2f}"/>'
        for first, count, level in lane.runs
    ]
    for column in lane.marks:
        x = _NAMES_PX + column
        parts.append(f'<path d="M{x:.1f} {bar - 1}l3 -5h-6z" fill="#855300"/>')
    for gap in lane.gaps:
        x, wide = _NAMES_PX + gap.start, max(_GAP_PX, gap.end - gap.start)
        parts.append(
            f'<rect x="{x:.1f}" y="{bar}" width="{wide:.1f}" height="{_BAR_PX}" fill="url(#hatch)"'
            f' stroke="#b3261e" stroke-width="0.6"/>'
            f'<text x="{x + wide / 2:.1f}" y="{bar - 2}" text-anchor="middle" fill="#b3261e"'
            f' class="b">−{gap.lost}</text>'
        )
    return "".join(parts)


def _axis(length_ns: int, height: int) -> Iterable[str]:
    seconds = max(length_ns, 1) / 1e9
    step = next((s for s in _steps() if seconds / s <= 10), seconds)
    count = int(seconds / step)
    for tick in range(count + 1):
        x = _NAMES_PX + tick * step / seconds * COLUMNS
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{height - _AXIS_PX}" stroke="#ebeff4"/>'
        yield (
            f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle" fill="#535e6c">{tick * step:g} s</text>'
        )


def _steps() -> Iterable[float]:
    for power in range(-3, 7):
        for step in (1, 2, 5):
            yield step * 10.0**power


def _streams(streams: Sequence[dict[str, Any]]) -> str:
    head: tuple[str, ...] = ("Stream", "Frames", "Rate, Hz", "Period, ms", "Lost", "Gaps", "Same stamp")
    head += ("Repeated", "Late", "p99, ms", "Longest, ms")
    rows = [
        (
            _text(stream["name"]),
            str(stream["frame_count"]),
            _decimal(stream["rate_hz"], 1, 3),
            _decimal(stream["period_ns"], 1e6, 3),
            _number(stream["missing_frames"]),
            _number(len(stream["gaps"]) + stream["gaps_left_out"]),
            _number(stream["duplicate_timestamps"], "odd"),
            _number(stream["duplicate_frames"], "odd"),
            _number(stream["out_of_order"], "odd"),
            _decimal(stream["interval_ns"]["p99"], 1e6, 1),
            _decimal(stream["interval_ns"]["max"], 1e6, 1),
        )
        for stream in streams
    ]
    return _table(head, rows, right=range(1, len(head)))


def _sync(document: dict[str, Any]) -> str:
    rows = [
        (
            _text(error["stream"]),
            *(_decimal(error[f"{key}_ns"], 1e6, 2) for key in ("median", "p95", "p99", "max")),
        )
        for error in document["sync"]
    ]
    return _table(("Stream", "Median", "p95", "p99", "Max"), rows, right=range(1, 5))


def _findings(outcome: Outcome) -> str:
    if not outcome.findings:
        return '<p class="ok">Nothing is wrong.</p>'
    start_ns = outcome.start_ns
    rows = [
        (
            _tag(finding.severity, title_of(finding.code)),
            _text(finding.stream or "–"),
            _when(finding, start_ns),
            _text(finding.message),
            f'<span class="quiet">{_text(finding.evidence)}</span>',
        )
        for finding in outcome.findings[:_MOST_FINDINGS]
    ]
    more = len(outcome.findings) - _MOST_FINDINGS
    rest = f'<p class="quiet">… and {more} more.</p>' if more > 0 else ""
    head = ("Finding", "Stream", "At, s", "What", "Evidence")
    return "<h3>Findings</h3>" + _table(head, rows, right=(2,)) + rest


def _when(finding: Finding, start_ns: int | None) -> str:
    if finding.start_ns is None or start_ns is None:
        return "–"
    return f"{(finding.start_ns - start_ns) / 1e9:.3f}"


def _places(places: Sequence[Place], start_ns: int) -> str:
    return f'<div class="places">{"".join(_place(place, start_ns) for place in places)}</div>'


def _place(place: Place, start_ns: int) -> str:
    at = (place.start_ns - start_ns) / 1e9
    pair = "".join(
        [
            _figure(place.before, f"#{place.before_frame}, the last one before"),
            f'<div class="hole">−{place.lost}</div>',
            _figure(place.after, f"#{place.before_frame + 1}, the first one after"),
        ]
    )
    return (
        f'<div class="place"><b>{_text(place.stream)}</b> at {at:.3f} s'
        f'<div class="quiet">{_text(place.evidence)}</div><div class="pair">{pair}</div></div>'
    )


def _figure(jpeg: str, caption: str) -> str:
    picture = (
        f'<img alt="" src="data:image/jpeg;base64,{jpeg}">'
        if jpeg
        else '<div class="none">cannot be decoded</div>'
    )
    return f"<figure>{picture}<figcaption>{_text(caption)}</figcaption></figure>"


def _thresholds(profile: Profile, outcomes: Sequence[Outcome]) -> str:
    limits = "".join(
        f"<dt>{f.name.replace('_', ' ')}</dt><dd>{getattr(profile.limits, f.name):g}</dd>"
        for f in fields(Limits)
    )
    demanded = "".join(
        f"<dt>{_text(e.stream)}</dt><dd>{_demand(e.rate_hz, e.tolerance_percent, profile)}</dd>"
        for e in profile.expect
    )
    sync = "none" if profile.max_sync_ms is None else f"{profile.max_sync_ms:g}"
    used = sorted({f.code for o in outcomes for f in o.findings} & set(CODES), key=list(CODES).index)
    codes = "".join(
        f"<dt>{_text(CODES[code].title)}</dt><dd>{_text(CODES[code].meaning)}</dd>" for code in used
    )
    meaning = f"<h3>What the findings mean</h3><dl>{codes}</dl>" if codes else ""
    return (
        "<section><h2>Thresholds</h2><dl><dt>gap</dt><dd>a jump of the counter, the recorder's own count, or"
        " more than 1.5 periods that the frames behind do not make up for</dd>"
        f"{limits}<dt>sync max ms</dt><dd>{sync}</dd>{demanded}</dl>{meaning}</section>"
    )


def _demand(rate_hz: float | None, tolerance: float | None, profile: Profile) -> str:
    if rate_hz is None:
        return "demanded"
    allowed = profile.limits.rate_tolerance_percent if tolerance is None else tolerance
    return f"demanded at {rate_hz:g} Hz ± {allowed:g} %"


def _left_out(count: int) -> str:
    return "" if count <= 0 else f'<p class="quiet">{count} more recordings are in the table above only.</p>'


def _verdict(outcome: Outcome) -> str:
    if outcome.verdict == "unreadable":
        return _tag(Severity.ERROR, "cannot be opened")
    for severity, one in ((Severity.ERROR, "error"), (Severity.WARNING, "warning")):
        count = outcome.count_of(severity)
        if count:
            return _tag(severity, f"{count} {one}{'' if count == 1 else 's'}")
    return f'<span class="tag ok"><svg viewBox="0 0 16 16">{_FINE}</svg>ok</span>'


def _tag(severity: Severity, text: str) -> str:
    shape = f'<svg viewBox="0 0 16 16" fill="{_COLOURS[severity]}">{_SHAPES[severity]}</svg>'
    return f'<span class="tag {severity}">{shape}{_text(text)}</span>'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Iterable[int]) -> str:
    """Rows of HTML, escaped by whoever made them."""
    numbers = set(right)

    def cells(row: Sequence[str], kind: str) -> str:
        return "".join(
            f"<{kind}{' class=n' if i in numbers else ''}>{cell}</{kind}>" for i, cell in enumerate(row)
        )

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return f"<table><thead><tr>{cells(head, 'th')}</tr></thead><tbody>{body}</tbody></table>"


def _number(value: int, look: str = "bad") -> str:
    return f'<span class="{look}">{value}</span>' if value else "0"


def _decimal(value: float | None, unit: float, digits: int) -> str:
    return "–" if value is None else f"{value / unit:.{digits}f}"


def _text(value: object) -> str:
    return html.escape(printable(str(value)))
