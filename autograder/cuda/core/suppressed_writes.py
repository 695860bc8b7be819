"""Which writes of a program's kernels are suppressed, to see which results depend on them."""

from __future__ import annotations

from enum import IntEnum, auto


class SuppressedWrites(IntEnum):
    """Of the elements that kernels write, nothing; all; one half, chosen by chance, or the other half."""

    NOTHING = 0
    ALL = auto()
    ONE_HALF = auto()
    OTHER_HALF = auto()
