"""How much of what is copied can kernels hide?"""

from __future__ import annotations

import random
from itertools import product

import pytest

from autograder.cuda.programs.timeline import most_hidden


def by_cuts(copies: list[int], rooms: list[int], beside: list[list[int]]) -> int:
    """The same by the smallest cut, all of which are looked at."""
    least = sum(copies)
    for cut in product([False, True], repeat=len(copies)):
        kernels = {k for c, inside in enumerate(cut) if inside for k in beside[c]}
        outside = sum(size for size, inside in zip(copies, cut, strict=True) if not inside)
        least = min(least, outside + sum(rooms[k] for k in kernels))
    return least


@pytest.mark.parametrize("seed", range(60))
def test_it_is_the_most_there_can_be(seed: int) -> None:
    rng = random.Random(seed)
    copies = [rng.randrange(9) for _ in range(rng.randrange(1, 7))]
    rooms = [rng.randrange(12) for _ in range(rng.randrange(1, 6))]
    beside = [[k for k in range(len(rooms)) if rng.random() < 0.4] for _ in copies]
    named = {f"copy {c}": [f"kernel {k}" for k in kernels] for c, kernels in enumerate(beside)}
    sizes = {f"copy {c}": size for c, size in enumerate(copies)}
    room = {f"kernel {k}": size for k, size in enumerate(rooms)}
    assert most_hidden(sizes, room, named) == by_cuts(copies, rooms, beside)


def test_one_kernel_hides_no_more_than_it_works_on() -> None:
    copies = {f"copy {number}": 4 for number in range(10)}
    assert most_hidden(copies, {"kernel": 8}, {copy: ["kernel"] for copy in copies}) == 8
