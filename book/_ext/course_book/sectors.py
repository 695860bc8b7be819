"""Which 32-byte sectors and 128-byte lines of global memory one request of a warp needs."""

from __future__ import annotations

from dataclasses import dataclass

from .counting import check_counts
from .traced import Request, Traced

SECTOR, LINE = 32, 128


@dataclass(frozen=True)
class Piece:
    """Bytes that some lanes ask for: an element, from its first byte, and its lanes."""

    start: int
    size: int
    index: int
    lanes: tuple[int, ...]


@dataclass(frozen=True)
class CacheLine:
    """128 bytes from byte `start` of the array; `sectors` are the numbers of those of its four that move."""

    start: int
    sectors: tuple[int, ...]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Sectors:
    """One request. `used` counts the bytes that at least one lane requested, `moved` those that were transferred."""

    request: Request
    lines: tuple[CacheLine, ...]
    count: int
    used: int
    moved: int


def from_trace(traced: Traced, request: Request) -> Sectors:
    """Return the sectors of one request, by the rule of the emulator's counts.

    Raises:
        ValueError: the array is not in global memory, the access is an atomic, or the whole kernel, drawn
            like this, would not give what the emulator counted.
    """
    if request.array.space == "shared":
        raise ValueError(f"'{request.array.name}' is shared memory, which has no sectors: use kernel-banks.")
    if request.action == "atomic":
        raise ValueError(f"'{request.array.name}' is updated by atomics, whose sectors the emulator does not count.")
    check_counts(traced)
    return divide(request)


def divide(request: Request) -> Sectors:
    """Return the lines, sectors and pieces of a request."""
    item = request.array.item
    wanted: dict[int, list[int]] = {}
    for lane, index in zip(request.lanes, request.indices, strict=True):
        wanted.setdefault(index, []).append(lane)
    pieces = [Piece(index * item, item, index, tuple(lanes)) for index, lanes in sorted(wanted.items())]
    # An element is never larger than 16 bytes and is aligned, so it lies in one sector.
    moved = sorted({piece.start // SECTOR for piece in pieces})
    lines = tuple(
        CacheLine(
            number * LINE,
            tuple(sector for sector in moved if sector * SECTOR // LINE == number),
            tuple(piece for piece in pieces if piece.start // LINE == number),
        )
        for number in sorted({sector * SECTOR // LINE for sector in moved})
    )
    return Sectors(request, lines, len(moved), item * len(pieces), SECTOR * len(moved))
