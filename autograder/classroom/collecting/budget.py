"""What all archives of a run may unpack to, so that no submission fills the disk, and none takes another's share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass
class Budget:
    """Bytes that archives may unpack to: `left` for all that are still to come, `each` for one of them."""

    left: int
    each: int

    @classmethod
    def shared(cls, total: int, sizes: Sequence[int]) -> Budget:
        """`total` bytes for archives that say that they unpack to `sizes`. Where that is more, the largest ones get
        equally much, and the others all that they need."""
        left = total
        for done, size in enumerate(sorted(sizes)):
            share = left // (len(sizes) - done)
            if size > share:
                return cls(total, share)
            left -= size
        return cls(total, total)
