"""Text tables of IMU and GPS samples: a header line with a time column, one sample a line.

Comma, semicolon or white space between columns; ``# `` before the header is allowed. Units are taken from the
header where it names them (``[m s^-2]``), else from well-known column names, else left empty. `sequence` is
the row number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hfviewer.convert.files import names_in
from hfviewer.convert.source import Plan, PlannedStream, ProblemLog
from hfviewer.convert.tables import parse_table, read_table_lines, rows_stream
from hfviewer.core.errors import ConversionError
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.readers.base import Match

_SUFFIXES = (".txt", ".csv", ".tsv")
_HEAD_BYTES = 4096
_MOST_FILES = 200
_TIME = re.compile(r"(time|timestamp|timestamps|stamp|t)[ _]?(ns|us|ms|s|sec|seconds)?", re.IGNORECASE)
_UNIT = re.compile(r"(.*?)\s*[\[(]([^\])]*)[\])]", re.DOTALL)
_EXPONENTS = {"ns": 0, "us": 3, "µs": 3, "ms": 6, "s": 9, "sec": 9, "seconds": 9}
_KNOWN_UNITS = {
    "m/s^2": re.compile(r"(lin(ear)?)?acc(el(eration)?)?[xyz]|a[xyz]"),
    "rad/s": re.compile(r"(omega|gyro|angularvelocity|angvel)[xyz]|w[xyz]"),
    "deg": re.compile(r"lat(itude)?|lon(gitude)?|lng"),
    "m": re.compile(r"[xyz]|alt(itude)?|height|east|north|up"),
}


@dataclass(frozen=True)
class _Header:
    """A table's first line, understood.

    Args:
        delimiter: None: white space.
        time: which column is the time.
        exponent: its unit as a power of ten in ns; None where the header does not say.
        names: of all columns.
        units: of all columns, as far as known.
    """

    delimiter: str | None
    time: int
    exponent: int | None
    names: tuple[str, ...]
    units: tuple[str, ...]


class TextTablesImporter:
    """A folder of text tables, or one table."""

    name = "text_tables"
    layout = "IMU and GPS text tables (.txt or .csv with a header line that names a time column)"

    def sniff(self, path: Path) -> Match:
        return Match.BY_NAME if any(_sniff_header(file) for file in _tables_at(path)) else Match.NO

    def plan(self, path: Path) -> Plan:
        log = ProblemLog()
        notes: list[str] = []
        headers: dict[Path, _Header] = {}
        for file in _tables_at(path):
            header = _sniff_header(file)
            if header is None:
                notes.append(f"{file.name} was left out: it has no column of times.")
            else:
                headers[file] = header
        streams = [
            stream
            for (file, header), name in zip(headers.items(), _stream_names(list(headers)), strict=True)
            if (stream := _planned(file, header, name, log)) is not None
        ]
        if not streams:
            raise ConversionError("None of its tables has a row that can be read.", path=path)
        title = path.stem if path.is_file() else path.name
        return Plan(
            layout=self.name,
            title=title,
            source=f"Text tables: {title}",
            streams=tuple(streams),
            notes=tuple(notes),
            problems=log.problems(),
        )


def _tables_at(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.suffix.lower() in _SUFFIXES else []
    names = [name for name in names_in(path) if name.lower().endswith(_SUFFIXES)]
    return [file for name in names[:_MOST_FILES] if (file := path / name).is_file()]


def _sniff_header(file: Path) -> _Header | None:
    """The header of a table with times; None for anything else."""
    try:
        with file.open("rb") as opened:
            head = opened.read(_HEAD_BYTES).decode("utf-8-sig", errors="replace")
    except OSError:
        return None
    return parse_header(head.splitlines()[0]) if head.strip() else None


def parse_header(line: str) -> _Header | None:
    """Understand a header line; None where it names no time, or nothing else."""
    line = line.lstrip("#% ").rstrip()
    delimiter = next((sign for sign in ",;\t" if sign in line), None)
    cells = [cell.strip() for cell in line.split(delimiter)]
    names: list[str] = []
    units: list[str] = []
    for cell in cells:
        match = _UNIT.fullmatch(cell)
        names.append(match[1] if match else cell)
        units.append(_tidy_unit(match[2]) if match else "")
    time = next((i for i, name in enumerate(names) if _TIME.fullmatch(name)), None)
    if time is None or len(names) < 2:
        return None
    match = _TIME.fullmatch(names[time])
    unit = units[time] or (match[2] if match and match[2] else "")
    known = tuple(unit or _known_unit(name) for name, unit in zip(names, units, strict=True))
    return _Header(delimiter, time, _EXPONENTS.get(unit.lower()), tuple(names), known)


def _tidy_unit(unit: str) -> str:
    """``m s^-2`` → ``m/s^2``; others as they are."""
    match = re.fullmatch(r"(\S+) s\^-(\d)", unit.strip())
    if match is None:
        return unit.strip()
    return f"{match[1]}/s" if match[2] == "1" else f"{match[1]}/s^{match[2]}"


def _known_unit(name: str) -> str:
    plain = re.sub(r"[_ .]", "", name).lower()
    return next((unit for unit, pattern in _KNOWN_UNITS.items() if pattern.fullmatch(plain)), "")


def _stream_names(files: Sequence[Path]) -> list[str]:
    """``imu`` and ``gps`` where a table's name says so and only one does; else the name itself."""
    short = []
    for file in files:
        stem = file.stem.lower()
        short.append("imu" if "imu" in stem else "gps" if "gps" in stem or "gnss" in stem else file.stem)
    return [name if short.count(name) == 1 else file.stem for name, file in zip(short, files, strict=True)]


def _planned(file: Path, header: _Header, name: str, log: ProblemLog) -> PlannedStream | None:
    lines = read_table_lines(file, name, file.name, log)
    if lines is None:
        return None
    if lines and lines[0][0] == 1:  # a header without # before it
        lines = lines[1:]
    exponent, guess = header.exponent, ""
    if exponent is None:
        exponent, unit = _guess_exponent(lines, header)
        guess = f" The header names no unit of time; its size says {unit}."
    columns = [
        i for i in range(len(header.names)) if i != header.time and header.names[i].lower() not in ("dt", "")
    ]
    table = parse_table(
        lines,
        delimiter=header.delimiter,
        columns=len(header.names),
        values=columns,
        time=header.time,
        time_exponent=exponent,
        on_bad=lambda number: log.add(name, "cannot be read", f"{file.name} line {number}"),
    )
    if not len(table.rows):
        log.add(name, "has no row that can be read", file.name)
        return None
    units = {header.units[i] for i in columns}
    dropped = " Column dt, the step to the row before, was left out." if "dt" in header.names else ""
    axes = " Axes x forward, y left, z up." if name == "imu" and "kitti" in file.stem.lower() else ""
    description = StreamDescription(
        name=name,
        kind=StreamKind.IMU if units & {"m/s^2", "rad/s"} else StreamKind.SIGNAL,
        encoding="f64",
        channels=tuple(Channel(header.names[i], header.units[i]) for i in columns),
        clock=Clock.HOST,
        note=f"From {file.name}; values as they are.{axes}{dropped}{guess}",
    )
    return rows_stream(description, table, file.name)


def _guess_exponent(lines: Sequence[tuple[int, str]], header: _Header) -> tuple[int, str]:
    """Unit of a time column that does not say it, from the size of its first time."""
    for _, line in lines[:100]:
        cells = line.split(header.delimiter)
        try:
            size = abs(float(cells[header.time]))
        except (ValueError, IndexError):
            continue
        # Seconds since 1970 have 10 digits until the year 2286.
        for bound, exponent, unit in ((1e17, 0, "nanoseconds"), (1e14, 3, "microseconds"), (1e11, 6, "ms")):
            if size >= bound:
                return exponent, unit
        break
    return 9, "seconds"
