"""Correct results: does every element of the outputs agree with numpy?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import DTypeLike

from .findings import Mismatch


def find_mismatch(
    name: str,
    got: np.ndarray,
    want: np.ndarray,
    tolerance: float,
    untouched: np.ndarray,
    read_first: int = 0,
    *,
    has_value: bool = False,
) -> list[Mismatch]:
    """One finding if `got` differs from `want`.

    Args:
        name: the output's name.
        got, want: arrays of the same shape.
        tolerance: how far an element may be from `want`; 0 means equality. NaN is always wrong.
        untouched: bools of the same shape: elements with the same bytes as before the launch.
        has_value: whether the elements had values before the launch.
        read_first: the line that reads the output before anything was written to it; 0 if none.
    """
    is_wrong = wrong_elements(got, want, tolerance)
    wrong = np.argwhere(is_wrong)
    if not len(wrong):
        return []
    first = _index(wrong[0])
    found = Mismatch(
        output=name,
        index=first,
        flat=int(np.flatnonzero(is_wrong)[0]),
        got="" if untouched[first] and not has_value else str(got[first]),
        expected=_expected(want[first], got[first]),
        wrong=len(wrong),
        size=got.size,
        low=first,
        high=_index(wrong[-1]),
        unwritten=0 if has_value else int((untouched & is_wrong).sum()),
        tolerance=tolerance,
        read_first=read_first,
        as_before=has_value and bool(untouched[first]),
    )
    return [found]


def _expected(want: np.generic, got: np.generic) -> str:
    """An expected number, in as many digits as the output's type has: the last digits of numpy's own result differ
    from one processor to another."""
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = want.astype(got.dtype)
    return str(want if rounded == got else rounded)


def wrong_elements(got: np.ndarray, want: np.ndarray, tolerance: float) -> np.ndarray:
    """Bools of the arrays' shape: true where `got` differs from `want` by more than `tolerance`, or is NaN."""
    # An untouched element is a signaling NaN, and numpy warns when it converts one.
    with np.errstate(invalid="ignore", over="ignore"):
        wrong: np.ndarray = got != want
        if tolerance > 0:
            wrong &= ~(np.abs(got.astype(np.float64) - want) <= tolerance)
    return wrong


def _index(row: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(i) for i in row)


def tolerance(want: np.ndarray, dtype: DTypeLike, terms: int) -> float:
    """How far an element of an output of `dtype` may be from `want`; 0 for ints."""
    if np.dtype(dtype).kind != "f":
        return 0.0
    finite = np.abs(want[np.isfinite(want)])
    return float(4 * np.finfo(dtype).eps * terms * max(1.0, float(finite.max(initial=0.0))))
