"""Findings about runs of frames that all have the same wrong with them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.finding import Finding
from hfviewer.core.finding_codes import severity_of

_MOST_RUNS = 20  # of one stream and code, each with a finding of its own; the rest share one


def runs_of(marked: NDArray[np.bool_]) -> list[range]:
    """Where consecutive entries are True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(np.int8)))
    return [range(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def run_findings(
    code: str,
    stream: str,
    table_ns: NDArray[np.int64],
    runs: list[range],
    *,
    message: Callable[[range], str],
    message_of_rest: Callable[[int, int], str],
    evidence: Callable[[range], str],
) -> list[Finding]:
    """One finding for each run of frames; of many runs, the last share one.

    Args:
        code: of all of them.
        stream: its name.
        table_ns: int64[n], its timestamps.
        runs: indices of frames, in order.
        message: about one run.
        message_of_rest: about how many frames, in how many runs.
        evidence: of a run; for the rest, of the first of them.
    """
    told = [(run, message(run), evidence(run)) for run in runs[:_MOST_RUNS]]
    rest = runs[_MOST_RUNS:]
    if rest:
        whole = range(rest[0].start, rest[-1].stop)
        told.append((whole, message_of_rest(sum(map(len, rest)), len(rest)), evidence(rest[0])))
    return [
        Finding(
            code=code,
            severity=severity_of(code),
            stream=stream,
            start_ns=int(table_ns[run[0]]),
            end_ns=int(table_ns[run[-1]]),
            first_frame=run[0],
            last_frame=run[-1],
            message=text,
            evidence=said,
        )
        for run, text, said in told
    ]
