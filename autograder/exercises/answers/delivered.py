"""Whether the numbers that a program prints are those that its kernels have written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: Numbers in a row that are looked for together: one alone may be anywhere by chance.
_TOGETHER = 8
#: What memory may hold.
_TYPES = ("f4", "i4", "f8", "i8", "f2", "i2", "i1")


def share_delivered(numbers: Sequence[float], written: Sequence[np.ndarray]) -> float:
    """Of each eight numbers in a row, the share that was written in the same order, as often as it is printed.

    Args:
        numbers: what is printed.
        written: uint8 of (n,) each, the bytes that one launch after the other has written.

    Returns:
        From 0 to 1, for the type of numbers that fits best; 0 for fewer than eight numbers.
    """
    printed = np.array(numbers, np.float64)
    # Sums with factors that nobody can know stand for the eight numbers.
    factors = np.frombuffer(np.random.default_rng().bytes(8 * _TOGETHER), np.uint64) | np.uint64(1)
    best = 0.0
    for name in _TYPES if printed.size >= _TOGETHER else ():
        dtype = np.dtype(name)
        with np.errstate(over="ignore", invalid="ignore"):
            values = printed.astype(dtype)
        whole = [memory[: memory.size // dtype.itemsize * dtype.itemsize].view(dtype) for memory in written]
        there = _sums(np.concatenate([np.empty(0, dtype), *whole]), factors)
        # A number that an integer cannot be is nowhere, and its neighbors with it. (A float is the nearest one.)
        can_be = np.equal(values, printed) if dtype.kind == "i" else np.ones(printed.size, bool)
        had = np.asarray(np.lib.stride_tricks.sliding_window_view(can_be, _TOGETHER).all(1))
        wanted, times = np.unique(_sums(values, factors)[had], return_counts=True)
        known, often = np.unique(there[np.isin(there, wanted)], return_counts=True)
        found = np.minimum(times[np.isin(wanted, known)], often).sum()
        best = max(best, float(found) / had.size)
    return best


def _sums(values: np.ndarray, factors: np.ndarray) -> np.ndarray:
    if values.size < _TOGETHER:
        return np.empty(0, np.uint64)
    bits = values.view(f"u{values.itemsize}").astype(np.uint64)
    sums: np.ndarray = (np.lib.stride_tricks.sliding_window_view(bits, _TOGETHER) * factors).sum(1, np.uint64)
    return sums
