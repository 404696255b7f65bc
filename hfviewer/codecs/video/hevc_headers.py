"""What HEVC headers say about which pictures must be there (ITU-T H.265, 7.3.2 and 7.3.6)."""

from __future__ import annotations

from dataclasses import dataclass

from hfviewer.codecs.video.bits import BitReader, HeaderError

SEQUENCE_SET, PICTURE_SET = 33, 34
_IDR = (19, 20)
_MOST_PICTURES = 16  # in the decoder at once
_MOST_SETS = 64

Deltas = tuple[tuple[int, bool], ...]
"""Pictures by the distance of their order count, and whether the present picture itself uses them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceSet:
    """Fields of a sequence parameter set.

    Args:
        poc_bits: log2 of MaxPicOrderCntLsb.
        separate_planes: separate_colour_plane_flag.
        reference_sets: the short-term reference picture sets that slices choose from.
        long_term: None where there are no long-term references; else those to choose from, as (order count,
            used).
    """

    poc_bits: int
    separate_planes: bool
    reference_sets: tuple[Deltas, ...]
    long_term: tuple[tuple[int, bool], ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSet:
    """Fields of a picture parameter set."""

    sequence_set: int
    output_flag: bool
    extra_bits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceHead:
    """What the first slice of a picture says.

    Args:
        kind: nal_unit_type.
        layer: TemporalId.
        poc_lsb: its order count, modulo `modulus`.
        modulus: MaxPicOrderCntLsb.
        short_term: the pictures to keep, by distance.
        long_term: more pictures to keep, as (order count, used, whether that is the whole count or its lower
            part); a whole count is a distance below the picture's own.
    """

    kind: int
    layer: int
    poc_lsb: int
    modulus: int
    short_term: Deltas
    long_term: tuple[tuple[int, bool, bool], ...]

    @property
    def is_idr(self) -> bool:
        return self.kind in _IDR

    @property
    def is_entry(self) -> bool:
        """Decoding may begin here (IRAP)."""
        return 16 <= self.kind <= 23

    @property
    def is_leading(self) -> bool:
        """Shown before the entry that it follows; it may need pictures before that (RASL)."""
        return self.kind in (8, 9)

    @property
    def counts(self) -> bool:
        """Whether the next picture's order count is told from this one's (8.3.1)."""
        return self.layer == 0 and not (6 <= self.kind <= 9) and not (self.kind < 16 and self.kind % 2 == 0)


def order_count(head: SliceHead, last: int) -> int:
    """The whole order count of a picture (8.3.1): as near as can be to that of an earlier one."""
    half = head.modulus // 2
    return last + (head.poc_lsb - last + half - 1) % head.modulus - half + 1


def sequence_set(data: bytes) -> tuple[int, SequenceSet]:
    """Number and fields of a sequence parameter set (7.3.2.2.1), unescaped.

    Raises:
        HeaderError: it is damaged.
    """
    bits = BitReader(data[2:])
    bits.skip(4)
    layers = bits.bits(3)
    bits.skip(1)
    _skip_profile(bits, layers)
    number = bits.unsigned(15)
    separate_planes = bits.unsigned(3) == 3 and bits.flag()
    bits.unsigned(2**16)  # width and height
    bits.unsigned(2**16)
    if bits.flag():
        for _ in range(4):
            bits.unsigned(2**16)
    bits.unsigned(8)  # bit depths
    bits.unsigned(8)
    poc_bits = bits.unsigned(12) + 4
    for _ in range(layers + 1 if bits.flag() else 1):
        for _ in range(3):
            bits.unsigned(2**32)
    for _ in range(6):
        bits.unsigned(64)  # block sizes and depths
    if bits.flag() and bits.flag():
        _skip_scaling_lists(bits)
    bits.skip(2)
    if bits.flag():
        bits.skip(8)
        bits.unsigned(64)
        bits.unsigned(64)
        bits.skip(1)
    count = bits.unsigned(_MOST_SETS)
    sets: list[Deltas] = []
    for index in range(count):
        sets.append(_reference_set(bits, index, count, sets))
    long_term: tuple[tuple[int, bool], ...] | None = None
    if bits.flag():
        long_term = tuple((bits.bits(poc_bits), bits.flag()) for _ in range(bits.unsigned(32)))
    return number, SequenceSet(
        poc_bits=poc_bits,
        separate_planes=separate_planes,
        reference_sets=tuple(sets),
        long_term=long_term,
    )


def picture_set(data: bytes) -> tuple[int, PictureSet]:
    """Number and fields of a picture parameter set (7.3.2.3.1), unescaped.

    Raises:
        HeaderError: it is damaged.
    """
    bits = BitReader(data[2:])
    number, sequence = bits.unsigned(63), bits.unsigned(15)
    bits.skip(1)
    return number, PictureSet(sequence_set=sequence, output_flag=bits.flag(), extra_bits=bits.bits(3))


def slice_head(
    data: bytes, pictures: dict[int, PictureSet], sequences: dict[int, SequenceSet]
) -> SliceHead | None:
    """The head of a picture's first slice (7.3.6.1), unescaped; None for another slice.

    Args:
        data: of the unit; its first few hundred bytes are enough.
        pictures: picture parameter sets by number.
        sequences: sequence parameter sets by number.

    Raises:
        HeaderError: it is damaged, or its parameter sets are not there.
    """
    kind, layer = data[0] >> 1 & 63, (data[1] & 7) - 1
    bits = BitReader(data[2:])
    if not bits.flag():
        return None
    if 16 <= kind <= 23:
        bits.skip(1)
    picture = pictures.get(bits.unsigned(63))
    sequence = None if picture is None else sequences.get(picture.sequence_set)
    if picture is None or sequence is None:
        raise HeaderError("Its parameter sets are missing.")
    bits.skip(picture.extra_bits)
    bits.unsigned(2)  # slice_type
    bits.skip(picture.output_flag + 2 * sequence.separate_planes)
    poc_lsb, short_term = 0, Deltas()
    long_term: tuple[tuple[int, bool, bool], ...] = ()
    if kind not in _IDR:
        poc_lsb = bits.bits(sequence.poc_bits)
        short_term = _short_term(bits, sequence.reference_sets)
        long_term = _long_term(bits, sequence, poc_lsb)
    return SliceHead(
        kind=kind,
        layer=layer,
        poc_lsb=poc_lsb,
        modulus=1 << sequence.poc_bits,
        short_term=short_term,
        long_term=long_term,
    )


def _short_term(bits: BitReader, sets: tuple[Deltas, ...]) -> Deltas:
    if not bits.flag():
        return _reference_set(bits, len(sets), len(sets), sets)
    if not sets:
        raise HeaderError("It chooses from no reference picture sets.")
    index = bits.bits((len(sets) - 1).bit_length())
    if index >= len(sets):
        raise HeaderError("It chooses a reference picture set that is not there.")
    return sets[index]


def _long_term(bits: BitReader, sequence: SequenceSet, poc_lsb: int) -> tuple[tuple[int, bool, bool], ...]:
    """Long-term references (7.3.6.1 and 8.3.2)."""
    if sequence.long_term is None:
        return ()
    choices = sequence.long_term
    chosen = bits.unsigned(_MOST_PICTURES) if choices else 0
    total = chosen + bits.unsigned(_MOST_PICTURES)
    found: list[tuple[int, bool, bool]] = []
    cycles = 0
    for i in range(total):
        if i < chosen:
            index = bits.bits((len(choices) - 1).bit_length())
            if index >= len(choices):
                raise HeaderError("It chooses a long-term reference that is not there.")
            lsb, used = choices[index]
        else:
            lsb, used = bits.bits(sequence.poc_bits), bits.flag()
        whole = bits.flag()
        if i in (0, chosen):
            cycles = 0
        if whole:
            cycles += bits.unsigned(2**32)
        distance = poc_lsb - lsb + (cycles << sequence.poc_bits)
        found.append((distance if whole else lsb, used, whole))
    return tuple(found)


def _reference_set(
    bits: BitReader, index: int, count: int, earlier: list[Deltas] | tuple[Deltas, ...]
) -> Deltas:
    """A short-term reference picture set (7.3.7), as the standard derives it (7.4.8)."""
    if index and bits.flag():
        return _predicted_set(bits, index, count, earlier)
    negative, positive = bits.unsigned(_MOST_PICTURES), bits.unsigned(_MOST_PICTURES)
    deltas: list[tuple[int, bool]] = []
    for sign, number in ((-1, negative), (1, positive)):
        at = 0
        for _ in range(number):
            at += sign * (bits.unsigned(2**15) + 1)
            deltas.append((at, bits.flag()))
    return tuple(deltas)


def _predicted_set(
    bits: BitReader, index: int, count: int, earlier: list[Deltas] | tuple[Deltas, ...]
) -> Deltas:
    """A set told by its difference from another. Its order matters for the one that is told by it."""
    back = bits.unsigned(_MOST_SETS) + 1 if index == count else 1
    if back > index:
        raise HeaderError("Its reference picture set builds on one that is not there.")
    base = earlier[index - back]
    negative = bits.flag()
    step = bits.unsigned(2**15) + 1
    step = -step if negative else step
    kept: list[tuple[int, bool]] = []
    for delta, _ in (*base, (0, False)):
        used = bits.flag()
        if used or bits.flag():
            kept.append((delta + step, used))
    if len(kept) > _MOST_PICTURES:
        raise HeaderError("It keeps more pictures than any decoder can.")
    before = sorted((delta for delta in kept if delta[0] < 0), reverse=True)
    return (*before, *sorted(delta for delta in kept if delta[0] > 0))


def _skip_profile(bits: BitReader, layers: int) -> None:
    """profile_tier_level (7.3.3)."""
    bits.skip(96)
    present = [(bits.flag(), bits.flag()) for _ in range(layers)]
    if layers:
        bits.skip(2 * (8 - layers))
    for profile, level in present:
        bits.skip(88 * profile + 8 * level)


def _skip_scaling_lists(bits: BitReader) -> None:
    """scaling_list_data (7.3.4)."""
    for size in range(4):
        for _ in range(0, 6, 3 if size == 3 else 1):
            if not bits.flag():
                bits.unsigned(6)
                continue
            if size > 1:
                bits.signed()
            for _ in range(min(64, 1 << (4 + (size << 1)))):
                bits.signed()
