"""Every colour of the application, once for each theme. No other file holds a colour of its own."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor

from hfviewer.core.finding import Severity
from hfviewer.core.stream import StreamKind


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tokens:
    """The colours of one theme, named for what they are used for.

    Args:
        dark: True for the dark theme.
        bg0: ground of the window, plots and inputs.
        bg1: panel bodies.
        bg2: headers, toolbar, status bar.
        bg3: badges, hover, key caps.
        bg4: the selected segment.
        line: hairlines and grids.
        line2: input borders and separators.
        t1: main text.
        t2: second text.
        t3: quiet text; never on ``bg4``.
        off: disabled icons, never text to be read.
        accent: focus, selection, in/out range, toggled on; nothing else.
        on_accent: text and icons on ``accent``.
        accent_ground: ground of a selected row or a toggled button.
        playhead: line and flag of the playhead only.
        error: octagon.
        error_ground: ground of a badge that says error.
        warning: triangle.
        warning_ground: ground of a badge that says warning.
        info: disc.
        info_ground: ground of a badge that says info.
        fine: small plain dot.
        image: kind colour of cameras.
        depth: kind colour of depth.
        points: kind colour of point clouds.
        signal: kind colour of IMU and signals.
        position: kind colour of poses.
        bus: kind colour of text, annotations and everything else.
        axis: x, y, z in plots, on ``bg0``.
        series: further curves after x, y, z, on ``bg0``.
        labels: fills of the labels 1 to 9.
        on_label: text on a label's fill.
        picture: ground of picture areas; the same in both themes.
    """

    dark: bool
    bg0: QColor
    bg1: QColor
    bg2: QColor
    bg3: QColor
    bg4: QColor
    line: QColor
    line2: QColor
    t1: QColor
    t2: QColor
    t3: QColor
    off: QColor
    accent: QColor
    on_accent: QColor
    accent_ground: QColor
    playhead: QColor
    error: QColor
    error_ground: QColor
    warning: QColor
    warning_ground: QColor
    info: QColor
    info_ground: QColor
    fine: QColor
    image: QColor
    depth: QColor
    points: QColor
    signal: QColor
    position: QColor
    bus: QColor
    axis: tuple[QColor, QColor, QColor]
    series: tuple[QColor, ...]
    labels: tuple[QColor, ...]
    on_label: QColor
    picture: QColor

    @property
    def card(self) -> QColor:
        """Ground of cards over pictures."""
        return with_alpha(self.bg0, 0.93)


_LABELS = tuple(
    QColor(code)
    for code in (
        "#7FB6FF",
        "#FFB454",
        "#F59AB5",
        "#C6A5FF",
        "#6FD6C4",
        "#D6DB6A",
        "#A8B3C4",
        "#FFE08A",
        "#D7A98C",
    )
)

DARK = Tokens(
    dark=True,
    bg0=QColor("#0B0E13"),
    bg1=QColor("#12161D"),
    bg2=QColor("#191F28"),
    bg3=QColor("#232B36"),
    bg4=QColor("#2E3846"),
    line=QColor("#262F3B"),
    line2=QColor("#3A4656"),
    t1=QColor("#E8ECF2"),
    t2=QColor("#B0BAC7"),
    t3=QColor("#8C98A8"),
    off=QColor("#566273"),
    accent=QColor("#6C9CFF"),
    on_accent=QColor("#0B1020"),
    accent_ground=QColor("#1D2B4A"),
    playhead=QColor("#FFFFFF"),
    error=QColor("#FF6B63"),
    error_ground=QColor("#3A1B1D"),
    warning=QColor("#F2B84B"),
    warning_ground=QColor("#3A2E17"),
    info=QColor("#8DB4E8"),
    info_ground=QColor("#1C2A3C"),
    fine=QColor("#4FC48E"),
    image=QColor("#58C7E8"),
    depth=QColor("#C4ABFF"),
    points=QColor("#8FD16A"),
    signal=QColor("#F08CBF"),
    position=QColor("#D9BE86"),
    bus=QColor("#7088DC"),
    axis=(QColor("#FF8A80"), QColor("#8FD16A"), QColor("#7FB0FF")),
    series=(QColor("#D9BE86"), QColor("#C4ABFF"), QColor("#58C7E8"), QColor("#F08CBF"), QColor("#B0BAC7")),
    labels=_LABELS,
    on_label=QColor("#0B1020"),
    picture=QColor("#05070A"),
)

LIGHT = Tokens(
    dark=False,
    bg0=QColor("#DDE2E9"),
    bg1=QColor("#F7F9FB"),
    bg2=QColor("#EBEFF4"),
    bg3=QColor("#E0E6ED"),
    bg4=QColor("#CFD7E1"),
    line=QColor("#CFD7E1"),
    line2=QColor("#AEB9C6"),
    t1=QColor("#161B22"),
    t2=QColor("#3E4957"),
    t3=QColor("#535E6C"),
    off=QColor("#8A95A3"),
    accent=QColor("#2459C8"),
    on_accent=QColor("#FFFFFF"),
    accent_ground=QColor("#D9E4FB"),
    playhead=QColor("#161B22"),
    error=QColor("#B3261E"),
    error_ground=QColor("#FBE0DD"),
    warning=QColor("#855300"),
    warning_ground=QColor("#FBEBCB"),
    info=QColor("#22609F"),
    info_ground=QColor("#DDEAF8"),
    fine=QColor("#17703F"),
    image=QColor("#0B6E8C"),
    depth=QColor("#6A40C4"),
    points=QColor("#3B6E12"),
    signal=QColor("#B0266F"),
    position=QColor("#7A5A12"),
    bus=QColor("#4455B8"),
    # The pastel axis colours of the dark theme fall below 2 : 1 on a light plot, so these are their dark kin.
    axis=(QColor("#B3382F"), QColor("#3B6E12"), QColor("#2459C8")),
    series=(QColor("#7A5A12"), QColor("#6A40C4"), QColor("#0B6E8C"), QColor("#B0266F"), QColor("#3E4957")),
    labels=_LABELS,
    on_label=QColor("#0B1020"),
    picture=QColor("#05070A"),
)


def kind_colour(tokens: Tokens, kind: StreamKind) -> QColor:
    """Colour of a kind of stream; always shown beside its icon."""
    match kind:
        case StreamKind.IMAGE:
            return tokens.image
        case StreamKind.DEPTH:
            return tokens.depth
        case StreamKind.POINTS:
            return tokens.points
        case StreamKind.IMU | StreamKind.SIGNAL | StreamKind.MATRIX:
            return tokens.signal
        case StreamKind.POSE:
            return tokens.position
        case _:
            return tokens.bus


def severity_colour(tokens: Tokens, severity: Severity) -> QColor:
    """Colour of a severity; always shown with its shape."""
    return {Severity.ERROR: tokens.error, Severity.WARNING: tokens.warning, Severity.INFO: tokens.info}[
        severity
    ]


def kind_icon(kind: StreamKind) -> str:
    """Name of the icon of a kind of stream."""
    match kind:
        case StreamKind.IMU | StreamKind.SIGNAL | StreamKind.MATRIX:
            return "signal"
        case StreamKind.POSE:
            return "position"
        case _:
            return kind.value


def with_alpha(colour: QColor, share: float) -> QColor:
    """The colour, opaque to that share (0 … 1)."""
    faded = QColor(colour)
    faded.setAlphaF(share)
    return faded
