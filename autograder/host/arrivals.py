"""What arrives in memory of what a launch has written there, where it is tried which results depend on that."""

from __future__ import annotations

from collections import deque

import numpy as np

from ..core.withheld_writes import WithheldWrites

#: Elements of memory that no parameter gives a type.
_WORD = 4
#: Most bytes that are kept of what launches have written: the last ones.
_KEPT = 1 << 26


class Delivered:
    """The bytes that launches have written, as they have arrived: of one array after the other."""

    def __init__(self) -> None:
        self.arrays = deque[np.ndarray]()
        self._size = 0

    def add(self, memory: np.ndarray, written: np.ndarray) -> None:
        """Keep what `memory` holds, uint8 of (n,); `written`: bool of (n,), which of its bytes a launch has written."""
        if not written.any():
            return
        self.arrays.append(memory[written])
        self._size += self.arrays[-1].size
        while self._size > _KEPT:
            self._size -= self.arrays.popleft().size


def arriving(
    old: np.ndarray, new: np.ndarray, written: np.ndarray, item: int, withheld: WithheldWrites, launch: int
) -> np.ndarray:
    """The bytes that memory holds after a launch.

    An element of the half that is withheld gets the value of another one of it. So a flag that a kernel raises, or one
    for each element, is not enough to let results depend on it: all flags are alike. Where there is no other one, the
    element stays as it was.

    Args:
        old, new: uint8 of (n,), before and after the launch.
        written: bool of (n,), which of them it has written.
        item: bytes of an element.
        launch: its number. Memory of one element belongs to another half in each launch.
    """
    if withheld is WithheldWrites.NOTHING:
        return new
    if withheld is WithheldWrites.ALL:
        return old
    item = _WORD if item < _WORD and not new.size % _WORD else item
    values, out = new.reshape(-1, item), new.reshape(-1, item).copy()
    half = np.random.default_rng(launch).integers(0, 2, len(values)) == (withheld is WithheldWrites.ONE_HALF)
    chosen = np.flatnonzero(written.reshape(-1, item).any(axis=1) & half)
    out[chosen] = values[np.roll(chosen, 1)] if chosen.size > 1 else old.reshape(-1, item)[chosen]
    return out.reshape(-1)
