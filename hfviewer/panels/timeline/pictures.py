"""The timeline's pictures, painted anew only when what they show has changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QImage, QPixmap

from hfviewer.core.window import WindowGrid
from hfviewer.panels.theme import Tokens
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.body import Body, BodyKey
from hfviewer.panels.timeline.fonts import TimelineFonts
from hfviewer.panels.timeline.lane import Lane
from hfviewer.panels.timeline.names import NamesKey, names_picture
from hfviewer.panels.timeline.overview import paint_overview
from hfviewer.panels.timeline.strip import StripMarks


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """What is drawn.

    Args:
        lanes: from top to bottom.
        windows: of the recording.
        strip: what was found.
        tokens: of the theme.
        fonts: of the timeline.
    """

    lanes: Sequence[Lane]
    windows: WindowGrid
    strip: StripMarks
    tokens: Tokens
    fonts: TimelineFonts


class Pictures:
    """The newest picture of lanes and overview; every other one is forgotten."""

    def __init__(self) -> None:
        self._body: Body | None = None
        self._overview: tuple[object, QImage] | None = None
        self._names: tuple[NamesKey, QPixmap] | None = None
        self.bodies_painted = 0

    def body(self, key: BodyKey, content: Content) -> QImage:
        """Ruler, findings and lanes."""
        if self._body is None or self._body.key != key:
            self.bodies_painted += 1
            strip, tokens, fonts = content.strip, content.tokens, content.fonts
            self._body = Body(key, content.lanes, content.windows, strip, tokens, fonts)
        return self._body.image

    def overview(self, axis: TimeAxis, key: BodyKey, content: Content) -> QImage:
        """The strip of the whole recording.

        Args:
            axis: of the view.
            key: of the body; only what the overview shows as well counts.
            content: what is drawn.
        """
        tracks = len(key.layout.tracks)
        shown = (axis.span, axis.width_px, key.ratio, key.dark, key.findings, key.generation, tracks)
        if self._overview is None or self._overview[0] != shown:
            strip, tokens = content.strip, content.tokens
            image = paint_overview(axis.fitted(), content.lanes, strip, tokens, key.ratio, tracks)
            self._overview = (shown, image)
        return self._overview[1]

    def names(self, key: NamesKey, content: Content) -> QPixmap:
        """The column of names."""
        if self._names is None or self._names[0] != key:
            self._names = (key, names_picture(key, content.lanes, content.tokens, content.fonts))
        return self._names[1]
