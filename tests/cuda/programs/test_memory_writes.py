"""What arrives in memory of a launch's writes where a part of them is suppressed."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.cuda.core.suppressed_writes import SuppressedWrites
from autograder.cuda.programs.memory.memory_writes import Delivered, arriving

HALVES = (SuppressedWrites.ONE_HALF, SuppressedWrites.OTHER_HALF)


def left(new: np.ndarray, part: SuppressedWrites, written: slice = slice(None), launch: int = 0) -> np.ndarray:
    """What is left of `new`, which a launch has put in the place of -1."""
    old, mask = np.full_like(new, -1), np.zeros(new.size, bool)
    mask[written] = True
    item = new.itemsize
    bytes_left = arriving(old.view(np.uint8), new.view(np.uint8), np.repeat(mask, item), item, part, launch)
    return bytes_left.view(new.dtype)


def test_nothing_is_suppressed_or_all() -> None:
    new = np.arange(8, dtype=np.int32)
    assert (left(new, SuppressedWrites.NOTHING) == new).all() and (left(new, SuppressedWrites.ALL) == -1).all()


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_each_element_is_in_one_half_and_gets_the_value_of_another_one(dtype: type) -> None:
    new: np.ndarray = np.arange(1000).astype(dtype)
    entry, other = (left(new, part) != new for part in HALVES)
    assert (entry ^ other).all() and 400 < entry.sum() < 600
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


def test_one_element_is_suppressed_in_one_half_which_is_another_in_each_launch() -> None:
    entry = np.ones(1, np.int32)
    halves = {tuple(int(left(entry, part, launch=launch)[0]) for part in HALVES) for launch in range(20)}
    assert halves == {(-1, 1), (1, -1)}


@pytest.mark.parametrize("part", HALVES)
def test_an_element_that_is_alone_in_its_half_gets_a_value_of_the_other_half(part: SuppressedWrites) -> None:
    """A program that prints what memory held before would print no number that a kernel has written."""
    for launch in range(50):
        assert set(left(np.arange(2, dtype=np.int32), part, launch=launch)) <= {0, 1}


def test_what_was_written_is_kept_in_the_order_of_launches_and_of_places() -> None:
    delivered, memory, written = Delivered(), np.zeros(4, np.uint8), np.zeros(4, bool)
    for place, at, value in (("b", 2, 7), ("b", 1, 8), ("a", 0, 9), ("b", 2, 6)):
        memory[:], written[:] = 0, False
        memory[at], written[at] = value, True
        delivered.add(place, memory, written)
    in_time, in_place = delivered.arrays()
    assert np.concatenate(in_time).tolist() == [7, 8, 9, 6]
    assert np.concatenate(in_place).tolist() == [9, 8, 6]


def test_a_place_of_another_size_is_another_one() -> None:
    delivered = Delivered()
    for size in (2, 3):
        delivered.add("a", np.full(size, size, np.uint8), np.ones(size, bool))
    assert np.concatenate(delivered.arrays()[1]).tolist() == [3, 3, 3]
