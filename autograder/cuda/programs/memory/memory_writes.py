"""What arrives in memory of what a launch has written there, where it is tried which results depend on that."""

from __future__ import annotations

from collections import deque

import numpy as np

from ...core.suppressed_writes import SuppressedWrites

#: Elements of memory that no parameter gives a type.
_WORD = 4
#: Most bytes that are stored of what launches have written: the last ones, and of places those that were written last.
_MOST_STORED = 1 << 26


class Delivered:
    """The bytes that launches have written, as they have arrived: of one launch after the other, and of one place after
    the other, since a program may launch for the last piece of its data first."""

    def __init__(self) -> None:
        self._in_time = deque[np.ndarray]()
        self._in_place: dict[str, tuple[np.ndarray, np.ndarray]] = {}  # what a place holds, and what of it was written
        self._size = self._placed = 0

    def add(self, place: str, memory: np.ndarray, written: np.ndarray) -> None:
        """Keep what `memory` holds, uint8 of (n,), at a place; `written`: bool of (n,), which of its bytes a launch has
        written."""
        if not written.any():
            return
        self._in_time.append(memory[written])
        self._size += self._in_time[-1].size
        while self._size > _MOST_STORED:
            self._size -= self._in_time.popleft().size
        if memory.size > _MOST_STORED:
            return
        held, known = self._in_place.pop(place, (memory[:0], written[:0]))
        if held.size != memory.size:
            self._placed += memory.size - held.size
            held, known = memory.copy(), written.copy()
        else:
            np.copyto(held, memory, where=written)
            known |= written
        self._in_place[place] = held, known
        while self._placed > _MOST_STORED:
            self._placed -= self._in_place.pop(next(iter(self._in_place)))[0].size

    def arrays(self) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
        """uint8 of (n,) each: what was written, in the order of launches, and in that of places."""
        return tuple(self._in_time), tuple(held[known] for _, (held, known) in sorted(self._in_place.items()))


def arriving(
    old: np.ndarray, new: np.ndarray, written: np.ndarray, item: int, suppressed: SuppressedWrites, launch: int
) -> np.ndarray:
    """Return the bytes that memory holds after a launch.

    An element of the suppressed half gets the value of another one of it. So a flag that a kernel raises, or one for
    each element, is not enough to let results depend on it: all flags are alike. Where there is no other one in the
    half, one of the other half serves; an element that is written alone stays as it was.

    Args:
        old, new: uint8 of (n,), before and after the launch.
        written: bool of (n,), which of them it has written.
        item: bytes of an element.
        launch: its number. Memory of one element belongs to another half in each launch.
    """
    if suppressed is SuppressedWrites.NOTHING:
        return new
    if suppressed is SuppressedWrites.ALL:
        return old
    item = _WORD if item < _WORD and not new.size % _WORD else item
    values, out = new.reshape(-1, item), new.reshape(-1, item).copy()
    half = np.random.default_rng(launch).integers(0, 2, len(values)) == (suppressed is SuppressedWrites.ONE_HALF)
    elements = written.reshape(-1, item).any(axis=1)
    chosen, others = np.flatnonzero(elements & half), np.flatnonzero(elements & ~half)
    if chosen.size > 1:
        out[chosen] = values[np.roll(chosen, 1)]
    elif chosen.size:
        out[chosen] = values[others[:1]] if others.size else old.reshape(-1, item)[chosen]
    return out.reshape(-1)
