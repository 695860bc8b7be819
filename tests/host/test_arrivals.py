"""What arrives in memory of a launch's writes where a part of them is withheld."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.core.withheld_writes import WithheldWrites
from autograder.host.arrivals import arriving

HALVES = (WithheldWrites.ONE_HALF, WithheldWrites.OTHER_HALF)


def left(new: np.ndarray, part: WithheldWrites, written: slice = slice(None), launch: int = 0) -> np.ndarray:
    """What is left of `new`, which a launch has put in the place of -1."""
    old, mask = np.full_like(new, -1), np.zeros(new.size, bool)
    mask[written] = True
    item = new.itemsize
    bytes_left = arriving(old.view(np.uint8), new.view(np.uint8), np.repeat(mask, item), item, part, launch)
    return bytes_left.view(new.dtype)


def test_nothing_is_withheld_or_all() -> None:
    new = np.arange(8, dtype=np.int32)
    assert (left(new, WithheldWrites.NOTHING) == new).all() and (left(new, WithheldWrites.ALL) == -1).all()


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_each_element_is_in_one_half_and_gets_the_value_of_another_one(dtype: type) -> None:
    new: np.ndarray = np.arange(1000).astype(dtype)
    one, other = (left(new, part) != new for part in HALVES)
    assert (one ^ other).all() and 400 < one.sum() < 600
    for part in HALVES:
        assert sorted(left(new, part)) == sorted(new)


def test_flags_that_are_all_alike_stay() -> None:
    flags = np.ones(100, np.int32)
    assert all((left(flags, part) == 1).all() for part in HALVES)


def test_what_was_not_written_stays_and_is_no_value_for_others() -> None:
    new = np.arange(100, dtype=np.int32)
    for part in HALVES:
        got = left(new, part, slice(50, 100))
        assert (got[:50] == new[:50]).all() and (got[50:] >= 50).all()


def test_one_element_is_withheld_in_one_half_which_is_another_in_each_launch() -> None:
    one = np.ones(1, np.int32)
    halves = {tuple(int(left(one, part, launch=launch)[0]) for part in HALVES) for launch in range(20)}
    assert halves == {(-1, 1), (1, -1)}
