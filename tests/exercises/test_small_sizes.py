"""Small sizes: do each two small values come, and does an answer that is wrong in one of them lose points?"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice, product
from typing import Any

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.backends.emulator_sweep import run_each
from autograder.cuda.core.launch import Launch
from autograder.cuda.core.run import Run
from autograder.cuda.core.setting import Size
from autograder.exercises.answers.answer import KernelAnswer
from autograder.exercises.answers.tools import Tools
from autograder.exercises.checks.checker import Checker
from autograder.exercises.checks.history import History
from autograder.exercises.declarations.declaration import Case, Exercise, Output, declare
from autograder.exercises.declarations.domain import checked_domain, one_of, outside, power_of_two, whole
from autograder.exercises.declarations.draw import Draw
from autograder.exercises.declarations.small_sizes import small_sizes
from autograder.exercises.result import CheckFailed

DOMAINS: dict[str, Mapping[str, Any]] = {
    "line": {"n": whole(1, 5000), "block": whole(16, 1024, by=16)},
    "block": {"n": whole(1, "block"), "block": power_of_two(1, 1024)},
    "grid": {"n": whole(1, 3000), "d": whole(1, 32), "grid": whole(1, 8), "block": whole(32, 1024, by=32)},
    "matrix": {"M": whole(64, 192, by=64), "N": whole(4, 140, by=4), "block": one_of((16, 16), (8, 4), (4, 2))},
    "large": {"n": whole(700, 3000), "threads": power_of_two(256, 1024)},
}
each_domain = pytest.mark.parametrize("name", DOMAINS)
#: Pairs that have to come.
WANTED: dict[str, Sequence[Size]] = {
    "line": [{"n": 1, "block": 16}, {"n": 2, "block": 64}, {"n": 47, "block": 48}, {"n": 129, "block": 64}],
    "block": [{"n": 1, "block": 1}, {"n": 31, "block": 32}, {"n": 65, "block": 128}],
    "grid": [{"n": 5, "d": 2}, {"n": 3, "d": 4}, {"d": 17, "grid": 8}, {"grid": 3, "block": 96}, {"n": 1, "grid": 8}],
    "matrix": [{"M": 64, "N": 4}, {"M": 128, "N": 64}, {"N": 16, "block": (4, 2)}],
    "large": [{"n": 700, "threads": 256}],
}


def sizes_of(name: str) -> list[Size]:
    return list(small_sizes(name, checked_domain(name, DOMAINS[name])))


@each_domain
def test_each_two_small_values_come_and_all_are_in_the_domain(name: str) -> None:
    sizes = sizes_of(name)
    domain = checked_domain(name, DOMAINS[name])
    assert [outside(domain, size) for size in sizes] == [""] * len(sizes)
    for pair in WANTED[name]:
        assert any(size.items() >= pair.items() for size in sizes), pair
    for item, other in combinations(
        [word for word in domain if isinstance(domain[word].values({"block": 9})[0], int)], 2
    ):
        for a, b in product(range(1, 6), repeat=2):
            pair = {item: a, other: b}
            fits = all(domain[word].has(pair[word], pair) for word in pair if domain[word].needs <= pair.keys())
            assert not fits or any(size.items() >= pair.items() for size in sizes), pair


@each_domain
def test_they_are_few(name: str) -> None:
    sizes = sizes_of(name)
    assert len(sizes) == len({repr(size) for size in sizes})
    pairs = {pair for size in sizes for pair in combinations(size.items(), 2)}
    of_words = Counter((item[0], other[0]) for item, other in pairs)
    assert len(sizes) <= 1.3 * max(of_words.values())  # a size brings one pair of any two words


def test_a_single_word_has_its_small_values() -> None:
    assert [size["n"] for size in small_sizes("x", {"n": whole(3, 20)})] == [3, 4, 5, 6, 7, 8, 9, 15, 16, 17]


def test_the_same_sizes_come_in_any_process() -> None:
    text = (
        "from autograder.exercises.declarations.small_sizes import small_sizes\n"
        "from autograder.exercises.declarations.domain import whole\n"
        "print(list(small_sizes('x', dict(n=whole(1, 99), m=whole(2, 50), grid=whole(1, 8)))))"
    )
    reported = {subprocess.run([sys.executable, "-c", text], capture_output=True, check=True).stdout for _ in range(2)}
    assert len(reported) == 1


# ---- the checks ---------------------------------------------------------------------------------------------------


def case(draw: Draw, n: int, block: int) -> Case:
    values = draw.real(1, 2, n)
    return Case(-(-n // block), block, [values, Output(n, np.float32), n], [2 * values])


EXERCISE = declare("twice", case, [{"n": 40, "block": 32}], domain={"n": whole(1, 500), "block": whole(32, 256, by=32)})
RIGHT = "if (i < n) out[i] = 2 * in[i];"
#: What is wrong in the exercise's other cases, too, no one has to sweep for.
ALL_WRONG = "if (i < n) out[i] = in[i];"


def checker(body: str, sweep: Any = run_each, exercise: Exercise = EXERCISE) -> Checker:
    text = "\n__global__ void twice(const float* in, float* out, int n) {\n"
    text += f"int i = blockIdx.x * blockDim.x + threadIdx.x; {body}\n}}"
    return Checker(exercise, KernelAnswer(text), Tools(emulator.run, sweep=sweep, shrink=True), history=History())


#: Right but for one pair of sizes, by the check that fails, and what its report says.
RARE = {
    "a wrong number": (f"if (n == 2 && blockDim.x == 64) return; {RIGHT}", "matches_numpy", "n=2, grid=1, block=64"),
    "a wrong place": (
        f"if (n == 65 && blockDim.x == 64) out[n] = 0; {RIGHT}",
        "stays_in_bounds",
        "n=65, grid=2, block=64",
    ),
    "a misaligned place": (
        f"if (n % 2 && blockDim.x == 96 && !i) *(double*)(out + 1) = 0; {RIGHT}",
        "stays_in_bounds",
        "block=96",
    ),
    "no end": (f"while (n == 3 && blockDim.x == 32) {{}} {RIGHT}", "matches_numpy", "n=3, grid=1, block=32"),
    "a crash": (
        f"if (blockDim.x == 128 && 7 / (n - 4) == 99) return; {RIGHT}",
        "matches_numpy",
        "n=4, grid=1, block=128",
    ),
}


def reports(item: Checker) -> dict[str, tuple[bool, str]]:
    """Of each check that fails, whether it is blocked, and its report."""
    found = {}
    for check in ("matches_numpy", "stays_in_bounds"):
        try:
            getattr(item, check)()
        except CheckFailed as failure:
            found[check] = failure.blocked, str(failure)
    return found


@pytest.mark.sampled()
@inputs.checking
@pytest.mark.parametrize("name", RARE)
def test_what_is_wrong_in_one_pair_of_sizes_is_reported_as_ever(name: str) -> None:
    body, check, message = RARE[name]
    found = reports(checker(body))
    assert not found[check][0] and message in found[check][1]
    assert not reports(checker(body, sweep=None))


@inputs.checking
def test_a_right_answer_is_swept_once_for_both_checks() -> None:
    swept: list[int] = []

    def sweep(launches: Iterable[Launch]) -> Sequence[Run | None]:
        runs = run_each(islice(launches, 9))
        swept.append(len(runs))
        return runs

    assert not reports(checker(RIGHT, sweep))
    assert swept == [9]
    hidden = EXERCISE.hide(7)
    assert hidden.hidden.others and not reports(checker(RIGHT, sweep, hidden))
    assert swept == [9, 9]
    assert "matches_numpy" in reports(checker(ALL_WRONG, sweep))
    assert swept == [9, 9]
    assert not reports(checker(RIGHT, sweep, replace(EXERCISE, domain={})))
    assert swept == [9, 9]


@inputs.checking
def test_threads_that_end_before_a_barrier_are_no_matter_of_these_checks() -> None:
    body = f"if (i >= n) return; __syncthreads(); {RIGHT}"
    assert not reports(checker(body))
