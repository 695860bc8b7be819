"""Do the numbers that a program prints stand in memory that its kernels have written?"""

from __future__ import annotations

import numpy as np
import pytest

from autograder.exercises.answers.delivered import share_delivered

NUMBERS = np.random.default_rng(1).permutation(100)


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i1", "i2", "i4", "i8"])
def test_numbers_of_every_type_are_found(dtype: str) -> None:
    memory = np.concatenate([[7, 7, 7], NUMBERS, [7]]).astype(dtype).view(np.uint8)
    assert share_delivered([float(n) for n in NUMBERS], [memory]) == 1


@pytest.mark.parametrize("pieces", [4, 25, 50])
def test_small_pieces_are_found_that_were_written_one_after_the_other(pieces: int) -> None:
    parts = [piece.astype(np.float32).view(np.uint8) for piece in np.split(NUMBERS, pieces)]
    assert share_delivered([float(n) for n in NUMBERS], parts) == 1


def test_what_is_printed_more_often_than_it_was_written_is_not_found() -> None:
    memory = NUMBERS[:20].astype(np.float32).view(np.uint8)
    assert share_delivered([float(n) for n in NUMBERS[:20]] * 5, [memory]) == pytest.approx(13 / 93)


@pytest.mark.parametrize(
    "memory",
    [
        np.empty(0, np.float32),
        np.arange(7, dtype=np.float32),
        NUMBERS[::-1].astype(np.float32),
        np.sort(NUMBERS).astype(np.float32),
        np.ones(100, np.float32),
    ],
)
def test_other_numbers_and_other_orders_are_not_found(memory: np.ndarray) -> None:
    assert share_delivered([float(n) for n in NUMBERS], [memory.view(np.uint8)]) == 0


def test_a_fraction_is_the_nearest_float() -> None:
    memory = (NUMBERS / np.float32(10)).astype(np.float32)
    assert share_delivered([float(f"{number:g}") for number in memory], [memory.view(np.uint8)]) == 1


def test_numbers_that_a_type_does_not_have_are_not_found_by_it() -> None:
    fractions = [float(n) + 0.25 for n in NUMBERS]
    assert share_delivered(fractions, [NUMBERS.astype(np.int32).view(np.uint8)]) == 0
    assert share_delivered([float(n) + 256 for n in NUMBERS], [NUMBERS.astype(np.int8).view(np.uint8)]) == 0


def test_there_may_be_nothing_to_look_for() -> None:
    memory = [np.ones(8, np.uint8)]
    assert [share_delivered(*given) for given in (([], []), ([1.0] * 9, []), ([1.0], memory))] == [0, 0, 0]


def test_a_number_that_is_none_spoils_its_neighbors_alone() -> None:
    memory = NUMBERS.astype(np.float32).view(np.uint8)
    printed = [float("nan") if i == 50 else float(n) for i, n in enumerate(NUMBERS)]
    assert share_delivered(printed, [memory]) == pytest.approx(85 / 93)
