"""Whether the numbers that a program prints are those that its kernels have left in memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: Numbers in a row that are looked for together: one alone may be anywhere by chance.
_TOGETHER = 8
#: What memory may hold.
_TYPES = ("f4", "i4", "f8", "i8", "f2", "i2", "i1")


def share_delivered(numbers: Sequence[float], left: Sequence[np.ndarray]) -> float:
    """Of each eight numbers in a row, the share that stands somewhere in memory in the same order.

    Args:
        numbers: what is printed.
        left: uint8 of (n,) each, what launches have left in memory that they have written, from a multiple of 8 bytes.

    Returns:
        From 0 to 1, for the type of numbers that fits best; 0 for fewer than eight numbers.
    """
    printed = np.array(numbers, np.float64)
    # Sums with factors that nobody can know stand for the eight numbers.
    factors = np.frombuffer(np.random.default_rng().bytes(8 * _TOGETHER), np.uint64) | np.uint64(1)
    best = 0.0
    for name in _TYPES:
        dtype = np.dtype(name)
        with np.errstate(over="ignore", invalid="ignore"):
            values = printed.astype(dtype)
        whole = (memory[: memory.size // dtype.itemsize * dtype.itemsize] for memory in left)
        there = [_sums(memory.view(dtype), factors) for memory in whole]
        if printed.size >= _TOGETHER and there:
            # A number that an integer cannot be is nowhere, and its neighbors with it. (A float is the nearest one.)
            can_be = (values == printed) | (dtype.kind == "f")
            had = np.lib.stride_tricks.sliding_window_view(can_be, _TOGETHER).all(1)
            best = max(best, float((np.isin(_sums(values, factors), np.concatenate(there)) & had).mean()))
    return best


def _sums(values: np.ndarray, factors: np.ndarray) -> np.ndarray:
    if values.size < _TOGETHER:
        return np.empty(0, np.uint64)
    bits = values.view(f"u{values.itemsize}").astype(np.uint64)
    sums: np.ndarray = (np.lib.stride_tricks.sliding_window_view(bits, _TOGETHER) * factors).sum(1, np.uint64)
    return sums
