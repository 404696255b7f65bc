"""Findings that a person has looked at and accepted, in a file of the user's own. No Qt.

One JSON file for each recording in the user's state folder, named after what was recorded and not after where
it lies, so that a copy and a later revision of a recording find it again. A change is made to what the file
holds at that moment, and the file is replaced as a whole: two viewers of one recording lose nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import msgspec

from hfviewer.core.finding import Finding
from hfviewer.core.recording import Recording
from hfviewer.core.stream import StreamKind
from hfviewer.core.whole_file import replace_file

VERSION = 1
_MOST_BYTES = 16 << 20


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """One finding that somebody accepted, in the keys of the command line's JSON.

    Args:
        code: of the finding.
        stream: of the finding; None for the whole recording.
        start_ns: of the finding.
        end_ns: of the finding.
        note: why it is fine.
        author: who said so.
        created_ns: when, since 1970 UTC.
    """

    code: str
    stream: str | None = None
    start_ns: int | None = None
    end_ns: int | None = None
    note: str = ""
    author: str = ""
    created_ns: int = 0

    @property
    def key(self) -> Key:
        return self.code, self.stream, self.start_ns, self.end_ns


Key = tuple[str, str | None, int | None, int | None]


class _File(msgspec.Struct, kw_only=True):
    version: int = VERSION
    recording: str = ""
    accepted: list[Accepted] = []


def key_of(finding: Finding) -> Key:
    """What a finding is known by; how it is worded may change from version to version."""
    return finding.code, finding.stream, finding.start_ns, finding.end_ns


def identity(recording: Recording) -> str:
    """What was recorded, as 32 hexadecimal digits: equal for copies and for revisions with other labels."""
    digest = hashlib.sha256()
    for name, stream in sorted(recording.streams.items()):
        if stream.description.kind is StreamKind.ANNOTATION:
            continue
        stamps = stream.timestamps_ns
        ends = (int(stamps[0]), int(stamps[-1])) if len(stamps) else ()
        digest.update(f"{name!r} {len(stamps)} {ends}\n".encode(errors="surrogatepass"))
    return digest.hexdigest()[:32]


class AcceptedFile:
    """The file of one recording. Slow: not for the GUI thread.

    Args:
        folder: where such files lie; made when something is written.
        recording_id: of `identity`.
        path: of the recording, for a person who reads the file.
    """

    def __init__(self, folder: Path, recording_id: str, path: str) -> None:
        self._file = folder / f"{recording_id}.json"
        self._recording = path

    @property
    def file(self) -> Path:
        return self._file

    def read(self) -> dict[Key, Accepted]:
        """What was accepted; a file that cannot be read counts as empty and is put aside before a change."""
        with contextlib.suppress(OSError, ValueError):
            return {one.key: one for one in self._decode()}
        return {}

    def add(self, *found: Accepted) -> None:
        """Accept findings, or give them another note.

        Raises:
            OSError: it cannot be written.
        """
        self._change(lambda known: known.update({one.key: one for one in found}))

    def remove(self, *keys: Key) -> None:
        """Take acceptance back.

        Raises:
            OSError: it cannot be written.
        """
        self._change(lambda known: [known.pop(key, None) for key in keys])

    def _decode(self) -> list[Accepted]:
        if self._file.stat().st_size > _MOST_BYTES:
            raise ValueError("too large")
        # DecodeError and a deep nesting's RecursionError are told the same way.
        try:
            found = msgspec.json.decode(self._file.read_bytes(), type=_File)
        except RecursionError as error:
            raise ValueError("nested too deep") from error
        if found.version > VERSION:
            raise ValueError(f"made by a later hfviewer (version {found.version})")
        return found.accepted

    def _change(self, change: object) -> None:
        try:
            known = {one.key: one for one in self._decode()}
        except FileNotFoundError:
            known = {}
        except ValueError:
            self._put_aside()
            known = {}
        assert callable(change)
        change(known)
        data = msgspec.json.format(
            msgspec.json.encode(_File(recording=self._recording, accepted=list(known.values())))
        )
        replace_file(self._file, data, make_folder=True)

    def _put_aside(self) -> None:
        """Keep what cannot be read under another name: it is the user's."""
        number = 1
        while (aside := self._file.with_suffix(f".damaged-{number}.json")).exists():
            number += 1
        self._file.rename(aside)
