"""``hfviewer check``: what is wrong with a recording, or with many."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from pathlib import Path

from hfviewer.cli.common import add_episode, add_json, add_revision, print_json, print_line, print_table
from hfviewer.cli.progress import progress_bar
from hfviewer.core.errors import HfviewerError, UsageError, WriteError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.finding_codes import title_of
from hfviewer.core.text import counted, printable
from hfviewer.core.whole_file import replace_file
from hfviewer.quality.batch import Options, Outcome, check_many, check_one, unreadable
from hfviewer.quality.job import Job, jobs_in
from hfviewer.quality.junit import junit_xml
from hfviewer.quality.profile import Profile, read_profile
from hfviewer.quality.report import report_html

HELP = "Lost, late, doubled and disordered frames, clock faults and sync errors, of one recording or many."

_MOST_LINES = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", metavar="PATH", nargs="+", help="recordings, and folders of recordings or episodes"
    )
    add_revision(parser)
    add_episode(parser)
    parser.add_argument("--deep", action="store_true", help="decode every frame as well")
    parser.add_argument("--reference", metavar="STREAM", help="whose frames the others are compared with")
    parser.add_argument("--profile", metavar="FILE.toml", help="thresholds, and what is demanded; see README")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes to work on; default: all processors")
    parser.add_argument("--report", metavar="OUT.html", help="write a page for people")
    parser.add_argument("--junit", metavar="OUT.xml", help="write a test report for build servers")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.jobs is not None and args.jobs < 1:
        raise UsageError("--jobs must be at least 1.")
    _must_end(args.report, "--report", (".html", ".htm"))
    _must_end(args.junit, "--junit", (".xml",))
    profile = Profile() if args.profile is None else read_profile(args.profile)
    options = Options(
        profile=profile,
        reference=args.reference,
        deep=args.deep,
        jobs=args.jobs,
        drawn=args.report is not None,
    )
    if len(args.paths) > 1 and (args.episode is not None or args.revision is not None):
        raise UsageError("--episode and --revision go with one PATH.")
    if len(args.paths) == 1:
        try:
            jobs, many = jobs_in(args.paths[0], revision=args.revision, episode=args.episode)
        except UsageError:
            raise
        except HfviewerError as error:
            return _cannot_be_read(Job(path=args.paths[0]), error, args)
        if not many:
            return _run_one(jobs[0], options, args)
        rows: list[Job | Outcome] = list(jobs)
    else:
        rows = [row for path in args.paths for row in _rows_at(path)]
    return _run_many(rows, options, args)


def _run_one(job: Job, options: Options, args: argparse.Namespace) -> int:
    try:
        with progress_bar("Decoding", "frames") as update:
            outcome = check_one(job, options, progress=update)
    except UsageError:
        raise
    except HfviewerError as error:
        return _cannot_be_read(job, error, args)
    _write_reports([outcome], options.profile, args)
    if args.json:
        print_json(outcome.document)
    else:
        _print_one(outcome)
    return int(outcome.verdict != "ok")


def _cannot_be_read(job: Job, error: HfviewerError, args: argparse.Namespace) -> int:
    """The one recording asked for cannot be opened: exit code 2; with ``--json`` there is a document, too."""
    if not args.json:
        raise error
    print_json(unreadable(job, error).document)
    sys.stderr.write(f"hfviewer: {printable(error.line())}\n")
    return 2


def _rows_at(path: str) -> list[Job | Outcome]:
    try:
        return list(jobs_in(path)[0])
    except HfviewerError as error:
        return [unreadable(Job(path=path), error)]


def _run_many(rows: list[Job | Outcome], options: Options, args: argparse.Namespace) -> int:
    jobs = [row for row in rows if isinstance(row, Job)]
    outcomes: list[Outcome] = []
    with progress_bar("Checking", "frames") as update:
        checked = check_many(jobs, options, progress=update)
        for row in rows:
            outcome = next(checked) if isinstance(row, Job) else row
            outcomes.append(outcome)
    _write_reports(outcomes, options.profile, args)
    if args.json:
        print_json({"recordings": [outcome.document for outcome in outcomes]})
    else:
        _print_many(outcomes)
    return int(any(outcome.verdict != "ok" for outcome in outcomes))


def _must_end(path: str | None, option: str, suffixes: tuple[str, ...]) -> None:
    """A report overwrites an earlier one, so what it is written to must not be mistaken for a recording."""
    if path is None:
        return
    if not path.lower().endswith(suffixes):
        raise UsageError(f"{option} must name a file that ends in {suffixes[0]}.", path=path)
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):  # said before the work, not after it
        raise WriteError("The report cannot be written: there is no such folder.", path=path)


def _write_reports(outcomes: list[Outcome], profile: Profile, args: argparse.Namespace) -> None:
    if args.report is not None:
        now = datetime.datetime.now().astimezone()
        _write(args.report, report_html(outcomes, profile, made_at=now).encode())
    if args.junit is not None:
        _write(args.junit, junit_xml(outcomes))


def _write(path: str, content: bytes) -> None:
    """Write a report in one step.

    Raises:
        WriteError: it cannot be written.
    """
    try:
        replace_file(Path(path), content)
    except OSError as error:
        raise WriteError(f"The report cannot be written ({error.strerror}).", path=path) from error


def _print_one(outcome: Outcome) -> None:
    document = outcome.document
    print_line(outcome.job.title)
    header = ("stream", "frames", "rate, Hz", "lost", "gaps", "doubled", "repeated", "late", "longest, ms")
    rows: list[tuple[str, ...]] = [header]
    for stream in document["streams"]:
        longest = stream["interval_ns"]["max"]
        rows.append(
            (
                stream["name"],
                str(stream["frame_count"]),
                "–" if stream["rate_hz"] is None else f"{stream['rate_hz']:.2f}",
                str(stream["missing_frames"]),
                str(len(stream["gaps"]) + stream["gaps_left_out"]),
                str(stream["duplicate_timestamps"]),
                str(stream["duplicate_frames"]),
                str(stream["out_of_order"]),
                "–" if longest is None else f"{longest / 1e6:.1f}",
            )
        )
    print_table(rows, right=range(1, len(header)))
    if document["sync"]:
        print_line()
        print_line(f"sync against {document['reference']}, ms:")
        print_table(
            [
                ("stream", "median", "p95", "p99", "max"),
                *(
                    (
                        error["stream"],
                        *(f"{error[f'{key}_ns'] / 1e6:.2f}" for key in ("median", "p95", "p99", "max")),
                    )
                    for error in document["sync"]
                ),
            ],
            right=range(1, 5),
        )
    print_line()
    for finding in outcome.findings[:_MOST_LINES]:
        print_line(_finding_line(finding))
    if len(outcome.findings) > _MOST_LINES:
        print_line(f"… and {len(outcome.findings) - _MOST_LINES} more; --json has all.")
    print_line("Nothing is wrong." if not outcome.findings else _summary(outcome))


def _finding_line(finding: Finding) -> str:
    named = finding.stream is None or finding.message.startswith(f"{finding.stream}:")
    stream = "" if named else f"{finding.stream}: "
    evidence = f" ({finding.evidence})" if finding.evidence else ""
    return f"{finding.severity}: {title_of(finding.code)}: {stream}{finding.message}{evidence}"


def _summary(outcome: Outcome) -> str:
    told = [
        counted(outcome.count_of(severity), word)
        for severity, word in (
            (Severity.ERROR, "error"),
            (Severity.WARNING, "warning"),
            (Severity.INFO, "remark"),
        )
        if outcome.count_of(severity)
    ]
    lost = f"; {counted(outcome.frames_lost, 'frame')} lost" if outcome.frames_lost else ""
    return f"{', '.join(told)}{lost}."


def _print_many(outcomes: list[Outcome]) -> None:
    rows: list[tuple[str, ...]] = [("verdict", "errors", "warnings", "lost", "recording", "")]
    rows += [
        (
            outcome.verdict,
            str(outcome.count_of(Severity.ERROR)),
            str(outcome.count_of(Severity.WARNING)),
            str(outcome.frames_lost),
            outcome.job.title,
            outcome.document.get("problem", ""),
        )
        for outcome in outcomes
    ]
    print_table(rows, right=range(1, 4))
    bad = sum(outcome.verdict != "ok" for outcome in outcomes)
    unreadable_count = sum(outcome.verdict == "unreadable" for outcome in outcomes)
    print_line()
    told = f", {unreadable_count} of them cannot be opened" if unreadable_count else ""
    print_line(f"{counted(len(outcomes), 'recording')}, {bad} with findings{told}.")
