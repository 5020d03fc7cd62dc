# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of network architectures: what a file's two hashes stand for.

A network looks at the board twice, once from each side. Each view lights one input per man; the
rows of the lit inputs add up to an accumulator. Both accumulators, the mover's first, are squeezed
into bytes and go through three dense layers, of which there is one stack per number of men.

    inputs -> width ┐                             ┌─ forwarded output ─┐
                    ├─ transform -> fc0 -> activation -> fc1 -> clip -> fc2 -> + -> positional
    inputs -> width ┘
    inputs -> 8 PSQT sums, (mover's - other's) / 2                                -> psqt

A header names a family and a width, nothing else, so an architecture is a family at a width.
"""

from enum import Enum
from typing import NamedTuple

SQUARES, FILES = 64, 8
KINGS_APART, KINGS_TOGETHER, NO_KINGS = 2, 1, 0
PLAIN_PLANES = 10  # five kinds of men, own and other
ROTATE_BOARD, MIRROR_BOARD = 63, 56
HALF_OF_THE_KING_SQUARES = SQUARES // 2
# Of a mirrored view: e to h.
FILES_OF_THE_KINGS = FILES // 2
FIRST_FILE_OF_THE_KINGS = FILES - FILES_OF_THE_KINGS

MEN_BUCKETS = 8
MEN_PER_BUCKET = 4
# Parts of one in a network's raw integers.
OUTPUT_SCALE = 16

PADDING = 32  # the inputs of a dense layer are stored in multiples of it
WIDTH_STEP = 64
MAX_WIDTH = 4096

# `stockfish` of families that no Stockfish has.
NO_STOCKFISH = "none"

VERSION_HALFKP = 0x7AF32F16
VERSION_STACKS = 0x7AF32F20

_U32 = 0xFFFFFFFF
_INPUT_HASH = 0xEC42E90D
_DENSE_HASH = 0xCC03DAE4
_CLIP_HASH = 0x538D24C7


class Transform(Enum):
    """How an accumulator of 16-bit sums becomes bytes."""

    CLIPPED = "clipped"  # clip(sum, 0, 127): `width` bytes a side
    PAIRWISE = "pairwise"  # clip(sum[i]) * clip(sum[i + width/2]) // 128: half as many


class FeatureSet(NamedTuple):
    """Which input a man lights: the king's bucket, the kind of man, the square.

    For a side's view, squares are xored with `black_flip` if the side is Black. If `mirrored`, and
    that side's king then stands on files a to d, squares are also xored with 7, which leaves 32
    king squares, counted from h8 = 0 along the rank to e8 = 3, then h7 … e1 = 31. That count is the
    king's bucket, unless squares share buckets: then `king_regions` has the bucket of each. The
    input is

        king's bucket * per_king + first + plane * 64 + square

    where the planes are own pawn, other's pawn, own knight, … other's queen; then, if
    `king_planes` is 2, own king and other's king, if 1 one plane for both, if 0 kings light
    nothing.
    """

    name: str
    file_hash: int
    king_buckets: int
    king_planes: int
    first: int
    black_flip: int
    mirrored: bool
    king_regions: tuple[int, ...] = ()

    @property
    def planes(self) -> int:
        """Blocks of 64 inputs that a king's square has."""
        return PLAIN_PLANES + self.king_planes

    @property
    def per_king(self) -> int:
        """Inputs that a king's bucket has, with the unused one where squares start at 1."""
        return self.first + self.planes * SQUARES

    @property
    def inputs(self) -> int:
        """All inputs: rows of the feature transformer."""
        return self.king_buckets * self.per_king

    def king_squares(self, bucket: int) -> list[int]:
        """Where the own king of a bucket may stand, as its side sees the board."""
        if not self.mirrored:
            return [bucket]
        regions = self.king_regions or range(self.king_buckets)
        return [
            SQUARES - 1 - number // FILES_OF_THE_KINGS * FILES - number % FILES_OF_THE_KINGS
            for number, region in enumerate(regions)
            if region == bucket
        ]


HALFKP = FeatureSet("HalfKP", 0x5D69D5B8, SQUARES, NO_KINGS, 1, ROTATE_BOARD, False)
HALFKA = FeatureSet("HalfKA", 0x5F134CB8, SQUARES, KINGS_APART, 0, MIRROR_BOARD, False)
# The trainer keeps an input free before each king square's block, as HalfKP does.
HALFKA_TRAINER = HALFKA._replace(name="HalfKA+1", first=1)
HALFKA_V2 = FeatureSet("HalfKAv2", 0x5F234CB8, SQUARES, KINGS_TOGETHER, 0, MIRROR_BOARD, False)
HALFKA_V2_HM = FeatureSet(
    "HalfKAv2_hm", 0x7F234CB8, HALF_OF_THE_KING_SQUARES, KINGS_TOGETHER, 0, MIRROR_BOARD, True
)
# Kings are at home on the first two ranks; there each square has a bucket of its own. From h8.
_KING_REGIONS = (
    *(0, 0, 1, 1),
    *(0, 0, 1, 1),
    *(2, 2, 3, 3),
    *(2, 2, 3, 3),
    *(4, 4, 5, 5),
    *(6, 6, 7, 7),
    *(8, 9, 10, 11),
    *(12, 13, 14, 15),
)
# Squares of one region touch each other, so both kings are never in it: one plane is enough.
HALFKA_V2_HM_REGIONS = HALFKA_V2_HM._replace(
    name="HalfKAv2_hm_r16",
    file_hash=0x6B636F72,
    king_buckets=max(_KING_REGIONS) + 1,
    king_regions=_KING_REGIONS,
)


class LayerShape(NamedTuple):
    """A dense layer: how many inputs mean something, and how many outputs there are."""

    inputs: int
    outputs: int

    @property
    def padded_inputs(self) -> int:
        """Columns that the file stores: the inputs, up to a multiple of 32."""
        return -(-self.inputs // PADDING) * PADDING


class Architecture(NamedTuple):
    """Everything that decides a network's arithmetic, and the hashes by which files name it.

    `hidden` are the outputs of fc0 and fc1. With `forwarded`, the last output of fc0 skips the
    other layers and is added to the result, as x * 9600 // 8128 truncated toward zero; fc1 does not
    see it. With `squared`, fc1 sees the squares min(127, x * x >> 19) of fc0's outputs first, then
    their clipped values clip(x >> 6, 0, 127); without it the clipped values alone. fc2 has the
    clipped outputs of fc1 as inputs and one output.
    """

    features: FeatureSet
    version: int
    width: int
    psqt_buckets: int
    stacks: int
    transform: Transform
    hidden: tuple[int, int]
    squared: bool
    forwarded: bool
    stockfish: str

    @property
    def inputs(self) -> int:
        """Rows of the feature transformer."""
        return self.features.inputs

    @property
    def name(self) -> str:
        """For people and for file names of compiled objects: unique among architectures."""
        first, second = self.hidden
        sides = "x2" if self.transform is Transform.CLIPPED else ""
        middle = f"{first - 1}+1" if self.forwarded else f"{first}"
        middle = f"({middle})x2" if self.squared else middle
        return f"{self.features.name}-{self.inputs}-{self.width}{sides}-{middle}-{second}-1"

    @property
    def transformed(self) -> int:
        """Bytes that both accumulators together give to fc0."""
        return self.width * 2 if self.transform is Transform.CLIPPED else self.width

    @property
    def activated(self) -> int:
        """Outputs of fc0 that fc1 sees through an activation: all but the forwarded one."""
        return self.hidden[0] - self.forwarded

    @property
    def layers(self) -> tuple[LayerShape, LayerShape, LayerShape]:
        """fc0, fc1 and fc2."""
        seen_by_fc1 = self.activated * 2 if self.squared else self.activated
        return (
            LayerShape(self.transformed, self.hidden[0]),
            LayerShape(seen_by_fc1, self.hidden[1]),
            LayerShape(self.hidden[1], 1),
        )

    @property
    def transformer_hash(self) -> int:
        """The hash before the feature transformer."""
        return self.features.file_hash ^ self.width * 2

    @property
    def stack_hash(self) -> int:
        """The hash before each stack of layers. It knows neither the transform nor the squares."""
        running = _INPUT_HASH ^ self.width * 2
        for outputs in self.hidden:
            running = _dense_hash(running, outputs) + _CLIP_HASH & _U32
        return _dense_hash(running, 1)

    @property
    def file_hash(self) -> int:
        """The hash in the header."""
        return self.transformer_hash ^ self.stack_hash

    def at_width(self, width: int) -> "Architecture":
        """The same family with accumulators of another width."""
        return self._replace(width=width)


def _dense_hash(previous: int, outputs: int) -> int:
    return (_DENSE_HASH + outputs & _U32) ^ previous >> 1 ^ previous << 31 & _U32


_SINGLE_STACK = Architecture(
    features=HALFKP,
    version=VERSION_HALFKP,
    width=256,
    psqt_buckets=0,
    stacks=1,
    transform=Transform.CLIPPED,
    hidden=(32, 32),
    squared=False,
    forwarded=False,
    stockfish="12, 13",
)
_HALFKA_V2 = Architecture(
    features=HALFKA_V2,
    version=VERSION_STACKS,
    width=512,
    psqt_buckets=MEN_BUCKETS,
    stacks=MEN_BUCKETS,
    transform=Transform.CLIPPED,
    hidden=(16, 32),
    squared=False,
    forwarded=False,
    stockfish="14",
)
_HALFKA_V2_HM = _HALFKA_V2._replace(
    features=HALFKA_V2_HM, width=1024, hidden=(8, 32), stockfish="14.1"
)
SQUARED = _HALFKA_V2_HM._replace(
    transform=Transform.PAIRWISE,
    hidden=(16, 32),
    squared=True,
    forwarded=True,
    stockfish="15.1 and later",
)
UNSQUARED = SQUARED._replace(squared=False, stockfish="15")
# Kingcobra's own: half as many rows, so that there may be twice as many neurons.
REGIONS = SQUARED._replace(features=HALFKA_V2_HM_REGIONS, stockfish=NO_STOCKFISH)

# Every family at a width, mostly that of its best-known network; a header may name another one.
# Families that share their hashes are told apart by what follows in the file, in this order.
ARCHITECTURES = (
    _SINGLE_STACK,
    _SINGLE_STACK._replace(features=HALFKA, stockfish=NO_STOCKFISH),
    _SINGLE_STACK._replace(features=HALFKA_TRAINER, stockfish=NO_STOCKFISH),
    _HALFKA_V2,
    _HALFKA_V2_HM,
    SQUARED,
    UNSQUARED,
    REGIONS,
)


def is_possible_width(width: int) -> bool:
    """Whether accumulators may be that wide."""
    return 0 < width <= MAX_WIDTH and width % WIDTH_STEP == 0


def architectures_of(file_hash: int, transformer_hash: int) -> list[Architecture]:
    """All architectures whose files carry these two hashes: none for an unknown network, two for
    HalfKA's two sizes and for the families with and without squares."""
    found = []
    for family in ARCHITECTURES:
        width, odd = divmod(transformer_hash ^ family.features.file_hash, 2)
        if odd or not is_possible_width(width):
            continue
        architecture = family.at_width(width)
        if architecture.file_hash == file_hash:
            found.append(architecture)
    return found


def bucket_of(men: int, stacks: int) -> int:
    """The stack and PSQT column for a position with that many men, kings included."""
    return (men - 1) // MEN_PER_BUCKET if stacks > 1 else 0
