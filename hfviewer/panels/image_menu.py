"""What the menu and the sliders of a camera's panel offer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QAction

from hfviewer.panels.adjust_card import Adjustment
from hfviewer.panels.image_look import SecondCamera, SecondMode

if TYPE_CHECKING:
    from hfviewer.panels.image import ImagePanel

_SIZES = (1, 2, 3, 4, 6)


def image_actions(panel: ImagePanel) -> list[QAction]:
    """The entries that only cameras have."""
    frame = panel.shown_frame
    deep = frame is not None and frame.pixels.dtype == np.uint16
    return [
        panel.menu_entry(
            panel.tr("Straightened (lens distortion taken out)"),
            lambda: panel.set_straight(not panel.straight),
            checked=panel.straight,
            enabled=panel.can_straighten,
        ),
        panel.menu_entry(panel.tr("Brightness, contrast, gamma…"), panel.show_adjustments),
        panel.menu_entry(panel.tr("Levels from this frame"), panel.take_levels, enabled=deep),
        panel.menu_entry(
            panel.tr("Levels: all of 16 bits"), lambda: panel.set_levels(0, 65535), enabled=deep
        ),
        _overlay_menu(panel),
        _second_menu(panel),
    ]


def _overlay_menu(panel: ImagePanel) -> QAction:
    entries = [
        panel.menu_entry(panel.tr("Nothing"), partial(panel.set_overlay, ""), checked=not panel.overlay_of)
    ]
    entries += [
        panel.menu_entry(name, partial(panel.set_overlay, name), checked=name == panel.overlay_of)
        for name in panel.overlay_choices()
    ]
    if len(entries) == 1:
        why = panel.tr("The calibration connects no points with this camera")
        entries.append(panel.menu_entry(why, lambda: None, enabled=False))
    entries += [
        panel.menu_entry(
            panel.tr("Points of {size} px").format(size=size),
            partial(panel.set_point_px, size),
            checked=panel.overlays.point_px == size,
            enabled=bool(panel.overlay_of),
        )
        for size in _SIZES
    ]
    entries.append(
        panel.menu_entry(
            panel.tr("Colours from this frame"), panel.refit_overlay, enabled=bool(panel.overlay_of)
        )
    )
    return panel.submenu(panel.tr("Lay over it"), entries)


def _second_menu(panel: ImagePanel) -> QAction:
    second = panel.second
    entries = [panel.menu_entry(panel.tr("None"), partial(panel.set_second, None), checked=second is None)]
    for name in panel.other_cameras():
        chosen = SecondCamera(name) if second is None else replace(second, stream=name)
        entries.append(
            panel.menu_entry(
                name,
                partial(panel.set_second, chosen),
                checked=second is not None and second.stream == name,
            )
        )
    entries += [
        panel.menu_entry(
            panel.tr(mode.value.capitalize()),
            partial(_set_mode, panel, mode),
            checked=second is not None and second.mode is mode,
            enabled=second is not None,
        )
        for mode in SecondMode
    ]
    return panel.submenu(panel.tr("Second camera"), entries)


def _set_mode(panel: ImagePanel, mode: SecondMode) -> None:
    if panel.second is not None:
        panel.set_second(replace(panel.second, mode=mode))


def adjustments(panel: ImagePanel) -> list[Adjustment]:
    """The sliders that make sense for what is shown now."""
    tone = panel.tone
    rows = [
        Adjustment(
            panel.tr("Brightness"),
            panel.tr("Lighter or darker; the stored values stay as they are"),
            -100,
            100,
            tone.brightness,
            0,
            lambda value: f"{value:+d}",
            lambda value: panel.set_tone(replace(panel.tone, brightness=value)),
        ),
        Adjustment(
            panel.tr("Contrast"),
            panel.tr("More or less of a difference between light and dark"),
            -100,
            100,
            tone.contrast,
            0,
            lambda value: f"{value:+d}",
            lambda value: panel.set_tone(replace(panel.tone, contrast=value)),
        ),
        Adjustment(
            panel.tr("Gamma"),
            panel.tr("Above 1 lifts the dark, below 1 the light"),
            20,
            500,
            round(tone.gamma * 100),
            100,
            lambda value: f"{value / 100:.2f}",
            lambda value: panel.set_tone(replace(panel.tone, gamma=value / 100)),
        ),
    ]
    frame, levels = panel.shown_frame, panel.levels
    if frame is not None and frame.pixels.dtype == np.uint16 and levels is not None:
        rows += [
            Adjustment(
                panel.tr("Black at"),
                panel.tr("The stored value that is shown as black"),
                0,
                65534,
                levels[0],
                levels[0],
                str,
                lambda value: _set_level(panel, low=value),
            ),
            Adjustment(
                panel.tr("White at"),
                panel.tr("The stored value that is shown as white"),
                1,
                65535,
                levels[1],
                levels[1],
                str,
                lambda value: _set_level(panel, high=value),
            ),
        ]
    if panel.second is not None and panel.second.mode is SecondMode.BLEND:
        rows.append(
            Adjustment(
                panel.tr("Second camera"),
                panel.tr("How much of the second camera shows"),
                0,
                100,
                round(panel.second.share * 100),
                50,
                lambda value: f"{value} %",
                lambda value: panel.with_share(value / 100),
            )
        )
    return rows


def _set_level(panel: ImagePanel, *, low: int | None = None, high: int | None = None) -> None:
    """The other one gives way, so that black stays below white."""
    if panel.levels is None:
        return
    if low is not None:
        panel.set_levels(low, max(panel.levels[1], low + 1))
    elif high is not None:
        panel.set_levels(min(panel.levels[0], high - 1), high)
