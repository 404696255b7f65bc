"""Forks children that commit to a file without end, and kills each of them at a moment asked for.

Run as a program: one line ``PATH COMMITS DELAY_MICROSECONDS`` in, one line out with the last revision that
the child's `commit_changes` returned (0: none). A child is killed so long after so many commits: however slow
the machine is, it gets to commit. Importing once and forking makes a kill cost milliseconds.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time
from pathlib import Path

from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.readers.hyperframe.commit import ChangeMode, StreamChange, commit_changes
from hfviewer.readers.hyperframe.payload import NewFrame
from hfviewer.readers.hyperframe.reader import HyperframeReader

TRACK = StreamDescription(name="annotations/kill", kind=StreamKind.ANNOTATION, encoding="json")


def frames_of(revision: int) -> list[bytes]:
    """The payloads that a child stores as a revision: from the number alone, so that anyone can check."""
    rng = random.Random(revision)
    count = rng.randrange(1, 40)
    return [
        json.dumps({"revision": revision, "frame": i, "fill": "x" * rng.randrange(4000)}).encode()
        for i in range(count)
    ]


def commit_forever(path: str, out: int) -> None:
    with HyperframeReader().open(Path(path)) as recording:
        revision = recording.header.revision
        mode = ChangeMode.REPLACE if TRACK.name in recording.streams else ChangeMode.ADD
    while True:
        payloads = frames_of(revision + 1)
        frames = [NewFrame(timestamp_ns=1000 + i, payload=payload) for i, payload in enumerate(payloads)]
        change = StreamChange(description=TRACK, frames=frames, mode=mode)
        revision = commit_changes(path, expected_revision=revision, streams=[change])
        os.write(out, revision.to_bytes(4, "little"))
        mode = ChangeMode.REPLACE


def kill_one(path: str, commits: int, delay_us: int) -> int:
    """Start a child, kill it a while after some commits, and return the last revision that it committed."""
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(inward)
        try:
            commit_forever(path, outward)
        finally:
            os._exit(1)
    os.close(outward)
    data = b""
    while len(data) < 4 * commits and (part := os.read(inward, 1 << 16)):
        data += part
    time.sleep(delay_us / 1e6)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    while select.select([inward], [], [], 0)[0] and (part := os.read(inward, 1 << 16)):
        data += part
    os.close(inward)
    if not os.WIFSIGNALED(status):
        raise RuntimeError("the child ended by itself")
    return int.from_bytes(data[-4:], "little")


def main() -> None:
    for line in sys.stdin:
        path, commits, delay_us = line.rsplit(" ", 2)
        sys.stdout.write(f"{kill_one(path, int(commits), int(delay_us))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
