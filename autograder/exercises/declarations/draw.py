"""The values of a case's arrays, drawn in one of several kinds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

#: Kinds of data: all over the range; its lower or upper half only (all negative, all positive; sums that grow); its
#: ends and 0 only; one value everywhere; the first third of each row and nine of ten of the rest the same (of floats 0,
#: where that is in the range: whoever skips zeros may part from the lanes and threads that don't, and whoever looks
#: only at the first ones misses the others; of these, half of a matrix's columns have smaller ones, which somebody may
#: take for exact in a type of fewer bits; a number alone is one of the others).
KINDS = ("any", "low", "high", "extreme", "equal", "skewed")
#: Where anything may come, integers are no larger, for a reader to follow; the other kinds fill the range.
SMALL = 999
#: Floats are drawn in steps of one over this: sums and products of as many as a case has are exact in any order, and so
#: need no tolerance, though they are no integers.
STEPS = 64
#: Where nearly all floats are 0, half of the others have more bits than a half has room for.
BITS = 12
#: The number of adjacent columns that have smaller ones: what a matrix product of a warp takes at once.
COLUMNS = 8

Shape = int | tuple[int, ...]


class Draw:
    """Draws the values of one case.

    Args:
        rng: where they come from.
        kind: one of `KINDS`.
        other: chooses one element of each array, which then is another one than without it; None: none is.
    """

    def __init__(self, rng: np.random.Generator, kind: str = "any", other: np.random.Generator | None = None) -> None:
        self._rng, self.kind, self._other = rng, kind, other
        self._arrays = 0

    def whole(self, low: int, high: int, shape: Shape, dtype: DTypeLike = np.int32) -> Any:
        """Integers from `low` to `high`, both included: an array of `shape` and `dtype`, for () a scalar."""
        if self.kind == KINDS[0]:
            low, high = max(low, min(-SMALL, high)), min(high, max(SMALL, low))
        return np.asarray(self._drawn(low, high, shape), dtype)[()]

    def real(self, low: float, high: float, shape: Shape, dtype: DTypeLike = np.float32) -> Any:
        """Multiples of 1/64 from `low` to `high`, both included, so that rounding changes no sum of them: an array of
        `shape` and `dtype`, for () a scalar. Where nearly all are 0, some of the others are a little more or less."""
        most = 0 if low <= 0 <= high and shape != () else None
        drawn = self._drawn(round(low * STEPS), round(high * STEPS), shape, most) / STEPS
        if self.kind == "skewed" and most == 0 and np.dtype(dtype).itemsize >= 4:
            for array in drawn if drawn.ndim == 2 and len(drawn) == 2 else [drawn]:
                self._refine(array, high)
        return np.asarray(drawn, dtype)[()]

    def element_of(self, values: ArrayLike) -> Any:
        """Return an element of `values`, such as a limit that some element equals: a scalar of their dtype."""
        return self._rng.choice(np.ravel(values))

    def some(self, part: float, shape: Shape) -> np.ndarray:
        """Bools of `shape`, of which about `part` are true."""
        return self._rng.random(shape) < part

    def _refine(self, array: np.ndarray, high: float) -> None:
        """Give half of `array`'s elements other than 0 a last bit that a half has no room for, if it had room so far.
        No element of a product of the first two arrays has two such factors: sums of it would not be exact."""
        last = 2.0 ** (math.floor(math.log2(high)) - BITS)
        which = self._arrays
        self._arrays += 1
        if which < 2 and STEPS * last < 1:
            along = np.moveaxis(array, 0 if which else -1, 0)[which::2]
            along += np.where(along == 0, 0, np.where(along < high, last, -last))

    def _drawn(self, low: int, high: int, shape: Shape, most: int | None = None) -> np.ndarray:
        middle, rng = (low + high) // 2, self._rng
        match self.kind:
            case "low":
                drawn = rng.integers(low, max(low, middle - 1), shape, endpoint=True)
            case "high":
                drawn = rng.integers(min(middle + 1, high), high, shape, endpoint=True)
            case "extreme":
                drawn = rng.choice(_ends(low, high), shape)
            case "equal":
                drawn = np.full(shape, rng.choice(_ends(low, high)))
            case "skewed":
                same = rng.integers(low, high, endpoint=True)
                where = rng.random(shape) < 0.9
                if np.ndim(where):
                    where[..., : where.shape[-1] // 3] = True
                others: np.ndarray = rng.integers(low, high, shape, endpoint=True)
                if most is not None and np.ndim(others) > 1 and len(others) > 2:  # a matrix, not two vectors
                    others = np.fix(others / (1 + np.arange(others.shape[-1]) // COLUMNS % 2))
                drawn = np.where(where, same if most is None else most, others)
            case _:
                drawn = rng.integers(low, high, shape, endpoint=True)
        if self._other and np.size(drawn) > 1:
            element = self._other.integers(drawn.size)
            drawn.flat[element] = low if drawn.flat[element] != low else high
        return np.asarray(drawn)


def _ends(low: int, high: int) -> Sequence[int]:
    return sorted({low, min(low + 1, high), max(high - 1, low), high, *([0] if low <= 0 <= high else [])})
