from __future__ import annotations

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from hfviewer.core.stream import StreamKind
from hfviewer.panels.header import AGE_RIGHT, AGE_WIDTH, HEIGHT, HeaderContent, PanelHeader
from hfviewer.panels.standing import AgeBadge, Standing
from hfviewer.panels.theme import DARK, Theme
from tests.panels.making import show


def header(qtbot: QtBot, width: int = 600, name: str = "camera/front") -> PanelHeader:
    made = PanelHeader(
        name=name,
        kind=StreamKind.IMAGE,
        widest_number="1957",
        widest_timestamp="65.510 s",
        badges=(),
        theme=Theme(),
    )
    show(qtbot, made, width, HEIGHT)
    return made


def content(number: int, age: AgeBadge, timestamp: str = "52.685 s") -> HeaderContent:
    return HeaderContent(str(number), 1957, timestamp, age)


def age(standing: Standing, text: str) -> AgeBadge:
    return AgeBadge(standing, text, "", is_number=text.endswith("ms"))


def part(image: QImage, left: int, right: int) -> list[str]:
    return [image.pixelColor(x, y).name() for x in range(left, right) for y in range(image.height())]


def test_a_shorter_number_moves_nothing_to_its_right(qtbot: QtBot) -> None:
    made = header(qtbot)
    fresh = age(Standing.FRESH, "20.7 ms")
    made.set_content(content(1576, fresh))
    long = made.grab().toImage()
    made.set_content(content(7, fresh))
    short = made.grab().toImage()
    changed = [
        x for x in range(600) if any(long.pixelColor(x, y) != short.pixelColor(x, y) for y in range(HEIGHT))
    ]
    assert changed
    assert max(changed) - min(changed) < 32  # four digits


def test_the_age_badge_stays_in_its_place_whatever_it_says(qtbot: QtBot) -> None:
    made = header(qtbot)
    ground = DARK.bg2.name()
    for badge in (
        age(Standing.FRESH, "0.0 ms"),
        age(Standing.MISSING, "99999.9 ms"),
        age(Standing.ENDED, "ended"),
        age(Standing.LOADING, "loading −1234"),
    ):
        made.set_content(content(1, badge))
        image = made.grab().toImage()
        right = 600 - AGE_RIGHT
        assert image.pixelColor(right - 3, HEIGHT // 2).name() != ground
        assert image.pixelColor(right - AGE_WIDTH + 3, HEIGHT // 2).name() != ground
        assert image.pixelColor(right + 1, HEIGHT // 2).name() == ground
        assert image.pixelColor(right - AGE_WIDTH - 2, HEIGHT // 2).name() == ground


@pytest.mark.parametrize("standing", [Standing.LOADING, Standing.BEFORE, Standing.FRESH, Standing.ENDED])
def test_only_recorded_trouble_is_red_or_amber(qtbot: QtBot, standing: Standing) -> None:
    made = header(qtbot)
    made.set_content(content(1, age(standing, "loading −3")))
    quiet = part(made.grab().toImage(), 600 - AGE_RIGHT - AGE_WIDTH, 600 - AGE_RIGHT)
    assert not {
        DARK.error.name(),
        DARK.warning.name(),
        DARK.error_ground.name(),
        DARK.warning_ground.name(),
    } & set(quiet)
    for loud, ground in ((Standing.MISSING, DARK.error_ground), (Standing.LATE, DARK.warning_ground)):
        made.set_content(content(1, age(loud, "50.0 ms")))
        assert ground.name() in part(made.grab().toImage(), 600 - AGE_RIGHT - AGE_WIDTH, 600 - AGE_RIGHT)


def test_late_and_missing_differ_in_shape_not_only_in_colour(qtbot: QtBot) -> None:
    made = header(qtbot)
    shapes = []
    for standing, colour in ((Standing.LATE, DARK.warning), (Standing.MISSING, DARK.error)):
        made.set_content(content(1, age(standing, "50.0 ms")))
        image = made.grab().toImage()
        left = 600 - AGE_RIGHT - AGE_WIDTH + 5
        shapes.append(
            [
                image.pixelColor(x, y).name() == colour.name()
                for y in range(7, 21)
                for x in range(left, left + 14)
            ]
        )
    assert sum(a != b for a, b in zip(*shapes, strict=True)) > 20


def test_buttons_show_only_while_the_panel_is_hot_and_then_move_nothing(qtbot: QtBot) -> None:
    made = header(qtbot)
    extra = QToolButton()
    made.add_button(extra)
    made.set_content(content(1576, age(Standing.FRESH, "20.7 ms")))
    cold = made.grab().toImage()
    assert not extra.isVisible()
    made.set_hot(True)
    assert extra.isVisible()
    hot = made.grab().toImage()
    assert part(cold, 0, 300) == part(hot, 0, 300)


def test_a_narrow_header_gives_up_its_time_then_its_number_but_never_its_age(qtbot: QtBot) -> None:
    made = header(qtbot, width=180)
    made.add_badge("damaged", "The end of this stream is missing.")
    made.set_content(content(1576, age(Standing.MISSING, "218.4 ms")))
    image = made.grab().toImage()
    assert DARK.error_ground.name() in part(image, 180 - AGE_RIGHT - AGE_WIDTH, 180 - AGE_RIGHT)
    assert DARK.t1.name() in part(image, 0, 60) or DARK.image.name() in part(image, 0, 60)


def test_what_it_says_is_said_to_a_screen_reader_too(qtbot: QtBot) -> None:
    made = header(qtbot)
    made.set_content(content(1576, age(Standing.MISSING, "218.4 ms")))
    assert made.accessibleName() == "camera/front, frame 1576 of 1957, 52.685 s, 218.4 ms"


@pytest.mark.parametrize("width", [180, 250, 600])
def test_a_name_of_one_letter_shows(qtbot: QtBot, width: int) -> None:
    image, without = (header(qtbot, width, name).grab().toImage() for name in ("p", " "))
    lit = [x for x in range(30, 45) if any(image.pixel(x, y) != without.pixel(x, y) for y in range(HEIGHT))]
    assert len(lit) >= 4
