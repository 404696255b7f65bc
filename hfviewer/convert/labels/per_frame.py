"""For training: the label of every frame of a stream, one column per track."""

from __future__ import annotations

import csv
import io

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.time_text import exact_seconds

BETWEEN = "|"


def labels_of_frames(
    annotations: AnnotationSet, track: str, stream: str, timestamps_ns: NDArray[np.int64]
) -> list[str]:
    """The labels of a track on each frame of a stream; several are joined by ``|``, none is empty.

    A label that is anchored to this very stream lies on the frames it names, whatever their stamps; others
    lie on the frames whose stamps are not before their start and not after their end. An instant between two
    frames lies on the one on screen then.

    Args:
        annotations: all of them.
        track: to look at.
        stream: name of the stream.
        timestamps_ns: its stamps, sorted.
    """
    count = len(timestamps_ns)
    found: list[list[str]] = [[] for _ in range(count)]
    for a in annotations.on_track(track):
        if a.stream == stream and a.first_frame is not None and a.last_frame is not None:
            first, stop = a.first_frame, min(a.last_frame + 1, count)
        else:
            first = int(timestamps_ns.searchsorted(a.start_ns, "left"))
            stop = int(timestamps_ns.searchsorted(a.end_ns, "right"))
            if stop <= first and a.is_instant and stop > 0:
                first = stop - 1
        for index in range(first, stop):
            if a.label not in found[index]:
                found[index].append(a.label)
    return [BETWEEN.join(labels) for labels in found]


def encode_per_frame(
    annotations: AnnotationSet, stream: str, timestamps_ns: NDArray[np.int64], start_ns: int
) -> bytes:
    """CSV: index, stamp and seconds of every frame, then the labels of each track."""
    tracks = annotations.track_names
    columns = [labels_of_frames(annotations, track, stream, timestamps_ns) for track in tracks]
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["frame_index", "timestamp_ns", "seconds", *tracks])
    for index, stamp_ns in enumerate(timestamps_ns.tolist()):
        cells = (column[index] for column in columns)
        writer.writerow([index, stamp_ns, exact_seconds(stamp_ns - start_ns), *cells])
    return out.getvalue().encode()
