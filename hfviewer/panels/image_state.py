"""How a camera is looked at, as a layout keeps it: plain values out, and in again with nothing believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hfviewer.panels.image_look import SecondCamera, SecondMode, Tone

if TYPE_CHECKING:
    from hfviewer.panels.image import ImagePanel

_MOST_POINT_PX = 12


def state_of(panel: ImagePanel) -> dict[str, object]:
    """Plain values that JSON has."""
    tone, second = panel.tone, panel.second
    state: dict[str, object] = {
        "straight": panel.straight,
        "overlay": panel.overlay_of,
        "point_px": panel.overlays.point_px,
        "tone": [tone.brightness, tone.contrast, tone.gamma],
    }
    if second is not None:
        state["second"] = [second.stream, second.mode.value, second.share]
    return state


def tone_in(state: dict[str, object], otherwise: Tone) -> Tone:
    """Brightness, contrast and gamma; ``otherwise`` where they make no sense."""
    match state.get("tone"):
        case [int(brightness), int(contrast), float() | int() as gamma] if (
            abs(brightness) <= 100 and abs(contrast) <= 100 and 0.2 <= gamma <= 5
        ):
            return Tone(brightness, contrast, float(gamma))
    return otherwise


def second_in(
    state: dict[str, object], known: list[str], otherwise: SecondCamera | None
) -> SecondCamera | None:
    """The second camera, if it is one of those that are known."""
    match state.get("second"):
        case [str(stream), str(mode), float() | int() as share] if (
            stream in known and mode in list(SecondMode) and 0 <= share <= 1
        ):
            return SecondCamera(stream, SecondMode(mode), float(share))
    return otherwise


def overlay_in(state: dict[str, object], known: list[str], otherwise: str) -> str:
    """The stream that is laid over, if it is one of those that can be."""
    overlay = state.get("overlay")
    return overlay if isinstance(overlay, str) and overlay in known else otherwise


def point_px_in(state: dict[str, object], otherwise: int) -> int:
    """The size of an overlay's points."""
    size = state.get("point_px")
    return size if isinstance(size, int) and 1 <= size <= _MOST_POINT_PX else otherwise
