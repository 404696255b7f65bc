from __future__ import annotations

from hfviewer.codecs.video.in_flight import InFlight


def test_a_picture_waits_for_references_that_went_in_before_it_and_are_shown_after_it() -> None:
    owed = InFlight()
    for turn, packet in enumerate((10, 13, 12, 11)):  # I P B b, as decoded
        owed.put(packet, turn, is_reference=packet != 11)
    assert owed.came(10, 0) == []
    assert owed.is_settled(0)
    owed.came(11, 3)
    assert not owed.is_settled(3)
    owed.came(12, 2)
    owed.came(13, 1)
    assert owed.is_settled(3)


def test_a_picture_does_not_wait_for_those_that_no_other_needs() -> None:
    owed = InFlight()
    owed.put(0, 0, is_reference=False)
    owed.put(1, 1, is_reference=True)
    assert owed.came(1, 1) == []
    assert owed.is_settled(1)


def test_what_does_not_come_within_all_that_decoders_hold_is_written_off() -> None:
    owed = InFlight()
    for turn in range(40):
        owed.put(100 + turn, turn, is_reference=turn % 2 == 0)
    lost = [packet for turn in range(2, 40) for packet in owed.came(100 + turn, turn)]
    assert lost == [100]  # 101 is one that no other needs
    assert owed.silent == {100, 101}
    assert owed.is_settled(39)


def test_at_the_end_all_that_is_owed_is_written_off() -> None:
    owed = InFlight()
    owed.put(5, 0, is_reference=True)
    owed.put(6, 1, is_reference=False)
    assert owed.end() == [5]
    assert owed.silent == {5, 6}
    assert owed.is_settled(9)
    owed.clear()
    assert owed.silent == set()
