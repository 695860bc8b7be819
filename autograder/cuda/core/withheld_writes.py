"""What of a program's kernels is withheld, to see which results depend on it."""

from __future__ import annotations

from enum import IntEnum, auto


class WithheldWrites(IntEnum):
    """Of the elements that kernels write, nothing; all; one half, chosen by chance, or the other half."""

    NOTHING = 0
    ALL = auto()
    ONE_HALF = auto()
    OTHER_HALF = auto()
