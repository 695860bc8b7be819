"""What of the elements that a program's kernels write is withheld, to see which results depend on it."""

from __future__ import annotations

from enum import IntEnum, auto


class WithheldWrites(IntEnum):
    """Nothing; all; or one half of them, chosen by chance, or the other half."""

    NOTHING = 0
    ALL = auto()
    ONE_HALF = auto()
    OTHER_HALF = auto()
