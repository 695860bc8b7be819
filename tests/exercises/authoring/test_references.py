"""Is the numpy reference of each contract right, over its whole domain? A second, plain one says the same."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import numpy as np
import pytest
from plain_references import PLAIN, PROGRAMS

from autograder.exercises.authoring.verify import find_exercises
from autograder.exercises.checks.prediction import Prediction
from autograder.exercises.declarations.declaration import Case, Exercise, InOut, Output
from autograder.exercises.declarations.domain import words_of
from autograder.exercises.declarations.program import ProgramExercise
from autograder.exercises.declarations.sizes import effort_of
from autograder.exercises.notebook.run_notebook import declared

ROOT = Path(__file__).parents[3]
#: Each draws other cases than a release does.
SEEDS = (1, 2)
#: Loops over more than this take too long.
MOST = 300_000


@cache  # by the one process that runs these tests, where all would otherwise while they collect them
def all_exercises() -> dict[str, Exercise | Prediction | ProgramExercise]:
    return {
        name: exercise
        for path in find_exercises(ROOT / "solutions")
        for name, exercise in declared(nbformat.read(path, as_version=4)).exercises.items()
    }


def exercises() -> dict[str, Exercise]:
    return {name: exercise for name, exercise in all_exercises().items() if isinstance(exercise, Exercise)}


def programs() -> dict[str, ProgramExercise]:
    return {name: exercise for name, exercise in all_exercises().items() if isinstance(exercise, ProgramExercise)}


def test_every_exercise_has_a_plain_reference() -> None:
    requested, written = {*exercises(), *programs()}, {*PLAIN, *PROGRAMS}
    missing, left_over = requested - written, written - requested
    assert not missing, (
        f"write each of {missing} again in plain loops, in tests/exercises/authoring/plain_references.py"
    )
    assert not left_over, f"tests/exercises/authoring/plain_references.py still has {left_over}"


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("name", sorted(PLAIN))
def test_two_references_agree_over_the_domain(name: str) -> None:
    exercise = exercises()[name]
    sizes = {repr(size): size for seed in SEEDS for size in (*exercise.sizes, *exercise.hide(seed).hidden.others)}
    tried = 0
    for size in sizes.values():
        if effort_of(words_of(size)) > MOST:
            continue
        case = exercise.build(size, {"grid": 1, "block": 1, "shared_mem": 0} if exercise.values else None)
        plainly = _plain(name, case, words_of(size))
        for buffer, want, plain in zip(case.written, case.expected, plainly, strict=True):
            reported = f"{name}, {dict(size)}"
            exact = np.array_equal(want, np.asarray(want).astype(buffer.before().dtype))
            assert exact or case.terms, f"{reported}: sums that round differ by order, so the case must give `terms`"
            np.testing.assert_allclose(
                want, np.asarray(plain, np.float64), rtol=0 if exact else 1e-12, err_msg=reported
            )
        tried += 1
    assert tried > 8


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_two_references_of_a_program_agree_over_the_domain(name: str) -> None:
    exercise = programs()[name]
    sizes = [size for seed in SEEDS for size in (*exercise.sizes, *exercise.hide(seed).hidden.others)]
    assert len(sizes) > 8
    for size in sizes:
        case = exercise.build(size)
        assert list(case.prints) == PROGRAMS[name](*case.arguments), f"{name}, {dict(size)}"
        assert all(float(number) == float(f"{number:g}") for number in case.prints), "printf writes no more digits"


def _plain(name: str, case: Case, size: dict[str, Any]) -> list[Any]:
    """What the plain reference says."""
    launch = SimpleNamespace(grid=case.grid, block=case.block)
    words = {"threads": size.get("grid", 1) * size.get("block", 1) if isinstance(size.get("block", 1), int) else 0}
    words |= {"grid": launch.grid, "block": launch.block} | {w: v for w, v in size.items() if w in ("t", "threads")}
    return PLAIN[name](*(_numbers(arg) for arg in case.args), **words)


def _numbers(arg: Any) -> Any:
    if isinstance(arg, Output):
        return None
    given = np.asarray(arg.before() if isinstance(arg, InOut) else arg)
    return given.tolist()
