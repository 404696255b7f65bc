"""The menu of a stream in the list: its panel, stepping, and the correction of a guess."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from hfviewer.app.panel_area import PanelArea
from hfviewer.core.errors import HfviewerError, WriteError
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.model.workspace import Workspace

_IMU = ("accel_x", "accel_y", "accel_z", "gyro_x", "gyro_y", "gyro_z")


@dataclass(frozen=True, slots=True)
class Reading:
    """Another way to understand the payloads of a stream whose file does not say.

    Args:
        text: for a person.
        kind: of its frames.
        encoding: of its payloads.
        fields: of points.
        channels: of samples, with their units.
    """

    text: str
    kind: StreamKind
    encoding: str
    fields: tuple[str, ...] = ()
    channels: tuple[Channel, ...] = ()

    def applied_to(self, description: StreamDescription) -> StreamDescription:
        """The description with this reading in place of the guess."""
        return replace(
            description,
            kind=self.kind,
            encoding=self.encoding,
            fields=self.fields,
            channels=self.channels,
            guessed=False,
            note="Set by a person; the file did not say.",
        )


READINGS = (
    Reading("Picture (JPEG)", StreamKind.IMAGE, "jpeg"),
    Reading("Picture (PNG)", StreamKind.IMAGE, "png"),
    Reading("Depth (16-bit PNG)", StreamKind.DEPTH, "png16"),
    Reading("Points x y z intensity", StreamKind.POINTS, "f32", fields=("x", "y", "z", "intensity")),
    Reading("Points x y z", StreamKind.POINTS, "f32", fields=("x", "y", "z")),
    Reading(
        "IMU, 6 × float32 (acceleration, angular rate)",
        StreamKind.IMU,
        "f32",
        channels=tuple(Channel(name, "m/s^2" if name.startswith("accel") else "rad/s") for name in _IMU),
    ),
    Reading("Pose, 4×4 float32", StreamKind.POSE, "matrix44_f32"),
    Reading("Text (JSON)", StreamKind.TEXT, "json"),
    Reading("Bytes", StreamKind.UNKNOWN, "bytes"),
)


class StreamMenu(QObject):
    """Pops up over the stream list.

    Args:
        workspace: what is open.
        area: the panels.
        parent: owns the menu.
    """

    corrected = Signal(int)  # the revision that the correction was written as
    failed = Signal(object)  # HfviewerError

    def __init__(self, workspace: Workspace, area: PanelArea, parent: QWidget) -> None:
        super().__init__(parent)
        self._workspace, self._area, self._parent = workspace, area, parent

    def pop_up(self, stream: str, where: QPoint) -> None:
        """Show the menu of a stream at a place on the screen."""
        recording = self._workspace.recording
        if recording is None:
            return
        menu = QMenu(self._parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._area.is_open(stream):
            menu.addAction("Close panel").triggered.connect(lambda: self._area.close_panel(stream))
        else:
            menu.addAction("Open panel").triggered.connect(lambda: self._area.open_panel(stream))
        menu.addAction("Step by this stream").triggered.connect(lambda: self._workspace.focus(stream))
        description = recording.streams[stream].description
        if description.guessed:
            readings = menu.addMenu("This stream holds")
            for reading in READINGS:
                action = readings.addAction(reading.text)
                action.setCheckable(True)
                action.setChecked(
                    (reading.kind, reading.encoding) == (description.kind, description.encoding)
                )
                action.triggered.connect(self._corrector(stream, reading))
        menu.popup(where)

    def correct(self, stream: str, reading: Reading) -> None:
        """Write into the recording what a stream holds, as a new revision; in the background."""
        recording = self._workspace.recording
        if recording is None:
            return
        description = reading.applied_to(recording.streams[stream].description)
        path, revision = recording.description.path, recording.description.revision
        # Not a daemon: a commit that has begun is carried out, also while the application ends.
        threading.Thread(
            target=self._write, args=(path, stream, description, revision), name="correction"
        ).start()

    def _corrector(self, stream: str, reading: Reading) -> Callable[[], None]:
        return lambda: self.correct(stream, reading)

    def _write(self, path: str, stream: str, description: StreamDescription, revision: int | None) -> None:
        # Imported here: the window must be on screen before codecs are loaded.
        from hfviewer.readers.hyperframe.commit import correct_description

        outcome: int | HfviewerError
        try:
            outcome = correct_description(path, stream, description, expected_revision=revision)
        except HfviewerError as error:
            outcome = error
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the user must hear of it
            problem = f"The correction cannot be written ({type(error).__name__}: {error})."
            outcome = WriteError(problem, remedy="The recording is as it was.", path=path)
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            if isinstance(outcome, int):
                self.corrected.emit(outcome)
            else:
                self.failed.emit(outcome)
