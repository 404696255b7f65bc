"""What the menu and the sliders of a camera's panel offer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QAction

from hfviewer.panels.adjust_card import Adjustment
from hfviewer.panels.image_look import SecondCamera, SecondMode
from hfviewer.panels.menus import MenuMaker

if TYPE_CHECKING:
    from hfviewer.panels.image import ImagePanel

_SIZES = (1, 2, 3, 4, 6)


def image_actions(panel: ImagePanel) -> list[QAction]:
    """The entries that only cameras have."""
    make, tr = MenuMaker(panel), panel.tr
    frame = panel.shown_frame
    deep = frame is not None and frame.pixels.dtype == np.uint16
    return [
        make.entry(
            tr("Straightened"),
            lambda: panel.set_straight(not panel.straight),
            checked=panel.straight,
            enabled=panel.can_straighten,
            hint=tr("Take the lens distortion out, as far as the calibration knows it"),
        ),
        make.entry(
            tr("Brightness, contrast, gamma…"),
            panel.show_adjustments,
            hint=tr("Sliders on the picture; the stored values stay as they are"),
        ),
        make.entry(
            tr("Levels from this frame"),
            panel.take_levels,
            enabled=deep,
            hint=tr("Black and white from the middle 99 % of the values on screen"),
        ),
        make.entry(tr("Levels: all of 16 bits"), lambda: panel.set_levels(0, 65535), enabled=deep),
        _overlay_menu(panel, make),
        _second_menu(panel, make),
    ]


def _overlay_menu(panel: ImagePanel, make: MenuMaker) -> QAction:
    tr, names = panel.tr, panel.overlay_choices()
    entries = [
        make.choice(
            tr("Stream"),
            [(tr("Nothing"), ""), *((name, name) for name in names)],
            panel.overlay_of,
            panel.set_overlay,
        )
    ]
    if not names:
        entries.append(make.entry(tr("The calibration connects no points with this camera"), enabled=False))
    sizes = [(tr("{size} px").format(size=size), size) for size in _SIZES]
    entries.append(make.choice(tr("Size of points"), sizes, panel.overlays.point_px, panel.set_point_px))
    entries.append(
        make.entry(
            tr("Colours from this frame"),
            panel.refit_overlay,
            enabled=bool(panel.overlay_of),
            hint=tr("The range of distances that the colours stand for"),
        )
    )
    return make.submenu(tr("Lay over it"), entries)


def _second_menu(panel: ImagePanel, make: MenuMaker) -> QAction:
    tr, second = panel.tr, panel.second

    def choose(name: str) -> None:
        if not name:
            panel.set_second(None)
        else:
            panel.set_second(SecondCamera(name) if second is None else replace(second, stream=name))

    def set_mode(mode: SecondMode) -> None:
        if panel.second is not None:
            panel.set_second(replace(panel.second, mode=mode))

    cameras = [(tr("None"), ""), *((name, name) for name in panel.other_cameras())]
    entries = [make.choice(tr("Camera"), cameras, "" if second is None else second.stream, choose)]
    if second is not None:
        modes = [(tr(mode.value.capitalize()), mode) for mode in SecondMode]
        entries.append(make.choice(tr("How"), modes, second.mode, set_mode))
    return make.submenu(tr("Second camera"), entries)


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
