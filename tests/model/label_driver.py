"""Labels a recording without end, by the real history, journal and store, until it is killed.

Run as a program: one line ``PATH JOURNAL SEED STEPS DELAY_MICROSECONDS`` in, one line of JSON out: the state
that the last acknowledged step left, and the one that the step under way would leave. It is killed so long
after so many steps.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time
import zlib
from pathlib import Path
from typing import Any

from hfviewer.core import edits
from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.annotation_json import annotation_to_json
from hfviewer.core.edits import Edge, Edit
from hfviewer.core.errors import UsageError
from hfviewer.model.label_history import DO, REDO, UNDO, LabelHistory
from hfviewer.model.label_keeper import LabelKeeper
from hfviewer.readers.annotations import annotation_store
from hfviewer.readers.episodes.annotation_store import EpisodeStore
from hfviewer.readers.hyperframe.identity import identity_of
from hfviewer.readers.registry import open_recording
from tests.labels import SECOND_NS, START_NS, label

NOW_NS = 1_750_000_000_000_000_000


def digest(state: AnnotationSet) -> int:
    """A number that differs where states do."""
    values = [annotation_to_json(a) for a in sorted(state, key=lambda a: a.id)]
    return zlib.crc32(json.dumps([values, repr(state.schema)]).encode())


def keeper_of(path: Path, journal: Path) -> LabelKeeper:
    if path.suffix == ".parquet":
        identity = {"frame_count": 0, "first_ns": None, "last_ns": None}
        return LabelKeeper(lambda: EpisodeStore(path), journal, identity)
    with open_recording(path) as recording:
        identity = identity_of(recording)

        def make() -> Any:
            return annotation_store(recording)

        return LabelKeeper(make, journal, identity)


def random_edit(rng: random.Random, state: AnnotationSet) -> Edit | None:
    known = sorted(state.by_id)
    some = rng.sample(known, min(len(known), rng.randrange(1, 3)))
    start = rng.randrange(20)
    try:
        match rng.randrange(6):
            case 0 | 1:
                fresh_id = f"{rng.getrandbits(64):016x}"
                track = rng.choice(["drive", "events"])
                return edits.add(
                    state, [label(fresh_id, start / 10, start / 10 + 1, track=track, note="n" * start)]
                )
            case 2:
                return edits.remove(state, some) if some else None
            case 3 if some:
                edge = Edge(START_NS + start * SECOND_NS)
                return edits.retime(state, some[0], edge, Edge(edge.at_ns + SECOND_NS), now_ns=NOW_NS)
            case 4 if some:
                return edits.relabel(state, some, rng.choice(["walk", "run", "sit"]), now_ns=NOW_NS)
            case 5 if some:
                return edits.change_attributes(state, some, now_ns=NOW_NS, note=f"note {start}")
    except UsageError:
        return None
    return None


def step(rng: random.Random, keeper: LabelKeeper, history: LabelHistory, out: int) -> None:
    """One edit, undo, redo or commit: announced, made safe, acknowledged."""
    what, edit = DO, None
    roll = rng.random()
    if roll < 0.15:
        os.write(out, b"%d\n" % digest(history.state))
        keeper.commit(history.state)
        os.write(out, b"ok\n")
        return
    try:
        if roll < 0.3:
            what, edit = UNDO, history.undo()
        elif roll < 0.4:
            what, edit = REDO, history.redo()
        else:
            found = random_edit(rng, history.state)
            if found is None:
                return
            edit = history.do(found)
    except UsageError:
        return
    os.write(out, b"%d\n" % digest(history.state))
    keeper.record([(what, edit)])
    os.write(out, b"ok\n")


def label_forever(path: Path, journal: Path, seed: int, out: int) -> None:
    rng = random.Random(seed)
    keeper = keeper_of(path, journal)
    history = keeper.open().history
    os.write(out, b"%d\nok\n" % digest(history.state))
    while True:
        step(rng, keeper, history, out)


def kill_one(path: Path, journal: Path, seed: int, steps_first: int, delay_us: int) -> dict[str, int | None]:
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(inward)
        try:
            label_forever(path, journal, seed, outward)
        finally:
            os._exit(1)
    os.close(outward)
    data = b""
    # Once it has opened the recording, and made so many edits, however slow the machine is.
    while data.count(b"ok\n") <= steps_first and (part := os.read(inward, 1 << 16)):
        data += part
    time.sleep(delay_us / 1e6)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    while select.select([inward], [], [], 0)[0] and (part := os.read(inward, 1 << 16)):
        data += part
    os.close(inward)
    if not os.WIFSIGNALED(status):
        raise RuntimeError("the child ended by itself")
    acknowledged: int | None = None
    under_way: int | None = None
    steps = 0
    for line in data.decode().splitlines():
        if line == "ok":
            acknowledged, under_way = under_way, None
            steps += 1
        else:
            under_way = int(line)
    return {"acknowledged": acknowledged, "under_way": under_way, "steps": steps}


def main() -> None:
    for line in sys.stdin:
        path, journal, seed, steps_first, delay_us = line.rsplit(" ", 4)
        result = kill_one(Path(path), Path(journal), int(seed), int(steps_first), int(delay_us))
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
