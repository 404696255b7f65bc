from __future__ import annotations

import threading

from hfviewer.panels.once import Once


def test_it_is_made_once_and_all_who_ask_get_the_same() -> None:
    once: Once[object] = Once()
    made: list[object] = []
    found: list[object] = []
    gate = threading.Event()

    def make() -> object:
        assert gate.wait(10)
        made.append(object())
        return made[-1]

    threads = [threading.Thread(target=lambda: found.append(once.get(make))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert once.known is None  # never waits
    gate.set()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert found == made * 4
    assert once.known is made[0]


def test_what_cannot_be_had_is_not_tried_again() -> None:
    once: Once[int] = Once()
    assert once.get(lambda: None) is None
    assert once.tried
    assert once.get(lambda: 3) is None
