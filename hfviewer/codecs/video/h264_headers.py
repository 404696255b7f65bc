"""What H.264 headers say about the order of decoding (ITU-T H.264, 7.3.2 and 7.3.3)."""

from __future__ import annotations

from dataclasses import dataclass

from hfviewer.codecs.video.bits import BitReader, HeaderError

SLICE, PARTITION_A, IDR_SLICE, SEQUENCE_SET, PICTURE_SET = 1, 2, 5, 7, 8
_WITH_CHROMA_FORMAT = frozenset({44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244})
_MOST_SETS = 255
_P, _B, _SP, _SI = 0, 1, 3, 4
_FORGET_ALL = 5  # memory_management_control_operation


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceSet:
    """Fields of a sequence parameter set, named as in the standard.

    Args:
        frame_num_bits: log2 of MaxFrameNum.
        poc_lsb_bits: log2 of MaxPicOrderCntLsb; 0 for other types of picture order.
        poc_type: pic_order_cnt_type.
        delta_always_zero: delta_pic_order_always_zero_flag.
        gaps_allowed: gaps_in_frame_num_value_allowed_flag: left-out pictures are part of the plan.
        frames_only: frame_mbs_only_flag.
        separate_planes: separate_colour_plane_flag.
        chroma: ChromaArrayType is not 0.
    """

    frame_num_bits: int
    poc_lsb_bits: int
    poc_type: int
    delta_always_zero: bool
    gaps_allowed: bool
    frames_only: bool
    separate_planes: bool
    chroma: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSet:
    """Fields of a picture parameter set, named as in the standard."""

    sequence_set: int
    bottom_field_order: bool
    default_counts: tuple[int, int]
    weighted: bool
    weighted_b: bool
    redundant: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceHead:
    """What the first slice of a picture says.

    Args:
        is_idr: nothing before it is needed by it or by anything after it.
        is_reference: others may be predicted from it.
        frame_num: counts reference pictures, modulo `modulus`.
        modulus: MaxFrameNum.
        gaps_allowed: see `SequenceSet`.
        is_field: half of a picture.
        forgets_all: after it counting begins again, as after an IDR picture.
    """

    is_idr: bool
    is_reference: bool
    frame_num: int
    modulus: int
    gaps_allowed: bool
    is_field: bool
    forgets_all: bool


def sequence_set(data: bytes) -> tuple[int, SequenceSet]:
    """Number and fields of a sequence parameter set (7.3.2.1.1), unescaped.

    Raises:
        HeaderError: it is damaged.
    """
    bits = BitReader(data[1:])
    profile = bits.bits(8)
    bits.skip(16)
    number = bits.unsigned(31)
    chroma_format, separate_planes = 1, False
    if profile in _WITH_CHROMA_FORMAT:
        chroma_format = bits.unsigned(3)
        separate_planes = chroma_format == 3 and bits.flag()
        bits.unsigned(6)  # bit depths
        bits.unsigned(6)
        bits.skip(1)
        if bits.flag():
            for i in range(12 if chroma_format == 3 else 8):
                if bits.flag():
                    _skip_scaling_list(bits, 16 if i < 6 else 64)
    frame_num_bits = bits.unsigned(12) + 4
    poc_type = bits.unsigned(2)
    poc_lsb_bits = bits.unsigned(12) + 4 if poc_type == 0 else 0
    delta_always_zero = False
    if poc_type == 1:
        delta_always_zero = bits.flag()
        bits.signed()
        bits.signed()
        for _ in range(bits.unsigned(255)):
            bits.signed()
    bits.unsigned(16)  # max_num_ref_frames
    gaps_allowed = bits.flag()
    bits.unsigned(2**16)  # width and height
    bits.unsigned(2**16)
    return number, SequenceSet(
        frame_num_bits=frame_num_bits,
        poc_lsb_bits=poc_lsb_bits,
        poc_type=poc_type,
        delta_always_zero=delta_always_zero,
        gaps_allowed=gaps_allowed,
        frames_only=bits.flag(),
        separate_planes=separate_planes,
        chroma=chroma_format != 0 and not separate_planes,
    )


def picture_set(data: bytes) -> tuple[int, PictureSet]:
    """Number and fields of a picture parameter set (7.3.2.2), unescaped.

    Raises:
        HeaderError: it is damaged, or uses slice groups, which nothing else does either.
    """
    bits = BitReader(data[1:])
    number, sequence = bits.unsigned(_MOST_SETS), bits.unsigned(31)
    bits.skip(1)
    bottom_field_order = bits.flag()
    if bits.unsigned(7):
        raise HeaderError("Slice groups are not understood.")
    default_counts = (bits.unsigned(31) + 1, bits.unsigned(31) + 1)
    weighted, weighted_b = bits.flag(), bits.bits(2) == 1
    for _ in range(3):
        bits.signed()
    bits.skip(2)
    return number, PictureSet(
        sequence_set=sequence,
        bottom_field_order=bottom_field_order,
        default_counts=default_counts,
        weighted=weighted,
        weighted_b=weighted_b,
        redundant=bits.flag(),
    )


def slice_head(data: bytes, pictures: dict[int, PictureSet], sequences: dict[int, SequenceSet]) -> SliceHead:
    """The head of a slice (7.3.3), unescaped.

    Args:
        data: of the unit; its first few hundred bytes are enough.
        pictures: picture parameter sets by number.
        sequences: sequence parameter sets by number.

    Raises:
        HeaderError: it is damaged, or its parameter sets are not there.
    """
    is_reference, kind = data[0] >> 5 & 3 != 0, data[0] & 31
    bits = BitReader(data[1:])
    bits.unsigned(2**20)  # first_mb_in_slice
    slice_type = bits.unsigned(9) % 5
    picture = pictures.get(bits.unsigned(_MOST_SETS))
    sequence = None if picture is None else sequences.get(picture.sequence_set)
    if picture is None or sequence is None:
        raise HeaderError("Its parameter sets are missing.")
    if sequence.separate_planes:
        bits.skip(2)
    frame_num = bits.bits(sequence.frame_num_bits)
    is_field = not sequence.frames_only and bits.flag()
    if is_field:
        bits.skip(1)
    if kind == IDR_SLICE:
        bits.unsigned(2**16)
    _skip_order(bits, picture, sequence, is_field=is_field)
    return SliceHead(
        is_idr=kind == IDR_SLICE,
        is_reference=is_reference,
        frame_num=frame_num,
        modulus=1 << sequence.frame_num_bits,
        gaps_allowed=sequence.gaps_allowed,
        is_field=is_field,
        forgets_all=is_reference
        and kind != IDR_SLICE
        and _forgets_all(bits, slice_type, picture, chroma=sequence.chroma),
    )


def _skip_order(bits: BitReader, picture: PictureSet, sequence: SequenceSet, *, is_field: bool) -> None:
    """Picture order count, redundant_pic_cnt."""
    if sequence.poc_type == 0:
        bits.skip(sequence.poc_lsb_bits)
        if picture.bottom_field_order and not is_field:
            bits.signed()
    if sequence.poc_type == 1 and not sequence.delta_always_zero:
        bits.signed()
        if picture.bottom_field_order and not is_field:
            bits.signed()
    if picture.redundant:
        bits.unsigned(127)


def _forgets_all(bits: BitReader, slice_type: int, picture: PictureSet, *, chroma: bool) -> bool:
    """Whether the marking of references (7.3.3.3) of a picture that is not IDR holds operation 5."""
    counts = picture.default_counts
    if slice_type == _B:
        bits.skip(1)
    if slice_type in (_P, _SP, _B) and bits.flag():
        first = bits.unsigned(31) + 1
        counts = (first, bits.unsigned(31) + 1 if slice_type == _B else counts[1])
    lists = {_P: 1, _SP: 1, _B: 2}.get(slice_type, 0)
    for _ in range(lists):
        if bits.flag():
            _skip_modification(bits)
    if (picture.weighted and slice_type in (_P, _SP)) or (picture.weighted_b and slice_type == _B):
        _skip_weights(bits, counts[:lists], chroma=chroma)
    if not bits.flag():
        return False
    for _ in range(66):
        operation = bits.unsigned(6)
        if operation == 0:
            return False
        if operation == _FORGET_ALL:
            return True
        bits.unsigned(2**17)
        if operation == 3:
            bits.unsigned(2**17)
    raise HeaderError("There is no end to its marking of references.")


def _skip_modification(bits: BitReader) -> None:
    for _ in range(66):
        if bits.unsigned(5) == 3:
            return
        bits.unsigned(2**17)
    raise HeaderError("There is no end to its list of references.")


def _skip_weights(bits: BitReader, counts: tuple[int, ...], *, chroma: bool) -> None:
    bits.unsigned(7)
    if chroma:
        bits.unsigned(7)
    for count in counts:
        for _ in range(count):
            if bits.flag():
                bits.signed()
                bits.signed()
            if chroma and bits.flag():
                for _ in range(4):
                    bits.signed()


def _skip_scaling_list(bits: BitReader, size: int) -> None:
    last = following = 8
    for _ in range(size):
        if following:
            following = (last + bits.signed()) % 256
        last = following or last
