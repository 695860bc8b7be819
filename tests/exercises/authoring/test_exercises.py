"""Is every exercise on disk proven? One test for each thing that `autograder verify` proves."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterable
from configparser import RawConfigParser
from copy import deepcopy
from pathlib import Path
from typing import Any

import inputs
import nbformat
import pytest
from course_book.whole_programs import has_program
from nbgrader.utils import is_solution

from autograder.cuda.compiler.engine import VARIABLE, Engine
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.exercises.authoring.verify import (
    MIN_MUTANTS,
    Proof,
    Result,
    find_exercises,
    find_mutants,
    find_variants,
    prove_compiles,
    prove_minimal,
    prove_mutant,
    prove_stub,
    prove_variant,
    read_mutant,
)
from autograder.exercises.declarations.declaration import Exercise
from autograder.exercises.notebook.run_notebook import answers_of, declared, run, run_as_it_stands
from autograder.exercises.result import Outcome, read_results

ROOT = Path(__file__).parents[3]
EXERCISES = find_exercises(ROOT / "solutions")
SANITIZE = ROOT / "tests" / "nbval_sanitize.cfg"
#: Patterns of what may differ between two runs, and what nbval puts in their place.
_RULES = RawConfigParser()
_RULES.read(SANITIZE)
MAY_DIFFER = [(_RULES[section]["regex"], _RULES[section]["replace"]) for section in _RULES.sections()]
#: Those that both engines run.
ANYWHERE = [path for path in EXERCISES if not has_program(path)]
each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda path: path.stem)


def answers_to(
    exercises: Iterable[Path], find: Callable[[Path], Iterable[Path]], nightly: Collection[str] = ()
) -> list[Any]:
    """Mutants or variants; those of the exercises `nightly` take long, and others stand for them."""
    return [
        pytest.param(
            exercise,
            answer,
            id=f"{exercise.stem}-{answer.stem}",
            marks=[pytest.mark.rare] if exercise.stem in nightly else [],
        )
        for exercise in exercises
        for answer in find(exercise)
    ]


MUTANTS = answers_to(EXERCISES, find_mutants)
#: Mutants that fail other checks in WebAssembly, and why. They earn no more points there.
OTHER_CHECKS_IN_WEBASSEMBLY = {
    "histogram_shared/one_bin_for_each_thread": (
        "in lockstep, four million switches of threads take longer than a launch may go on in which no thread ends"
    ),
}


VARIANTS = answers_to(EXERCISES, find_variants, {"ring_of_tiles"})


def must_be_proven(proof: Proof) -> None:
    if proof.result is Result.SKIPPED:
        pytest.skip(proof.why)
    assert proof.result is Result.PROVEN, f"{proof.what}: {proof.why}"


def test_exercises_are_found() -> None:
    assert len(EXERCISES) >= 3


def alike(value: Any) -> Any:
    """A cell's outputs without what may differ between two runs."""
    if isinstance(value, dict):
        return {key: alike(item) for key, item in value.items()}
    if isinstance(value, list):
        return [alike(item) for item in value]
    for pattern, common in MAY_DIFFER if isinstance(value, str) else ():
        value = re.sub(pattern, common, value)
    return value


@pytest.mark.sampled(one_in=5)
@pytest.mark.cached(*inputs.CHECKING, str(SANITIZE.relative_to(ROOT)))
@each_exercise
def test_solution_passes_and_prints_what_its_notebook_holds(exercise: Path) -> None:
    """nbval sees the same through a Jupyter kernel, of one notebook, or of all of them with --all."""
    holds = nbformat.read(exercise, as_version=4)
    notebook = deepcopy(holds)
    run_as_it_stands(notebook)
    for cell, before in zip(notebook.cells, holds.cells, strict=True):
        assert alike(cell.get("outputs")) == alike(before.get("outputs")), f"{cell.source}\n\nrun `make outputs`"
        results = read_results(cell.get("outputs", ()))
        assert all(result.outcome is Outcome.PASSED for result in results)
        assert bool(results) == bool(cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code")


@each_exercise
def test_points_of_checks_add_up_to_ten(exercise: Path) -> None:
    cells = (cell for cell in nbformat.read(exercise, as_version=4).cells if cell.cell_type == "code")
    marks = (cell.metadata.get("nbgrader", {}) for cell in cells)
    assert sum(mark["points"] for mark in marks if mark.get("grade")) == 10


@each_exercise
def test_the_first_cell_states_all_points(exercise: Path) -> None:
    cells = nbformat.read(exercise, as_version=4).cells
    points = sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in cells)
    assert f" · {points:g} points · about " in cells[0].source


@pytest.mark.parametrize("chapter", sorted({exercise.parent for exercise in EXERCISES}), ids=lambda path: path.name)
def test_each_chapter_asks_for_one_explanation(chapter: Path) -> None:
    """Its solution has a rubric, a line for each point, and what students get has neither."""
    found = []
    for path in sorted(chapter.glob("*.ipynb")):
        given = nbformat.read(ROOT / "exercises" / chapter.name / path.name, as_version=4)
        released = {cell.id: cell for cell in given.cells}
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown" and is_solution(cell):  # an answer in words
                found.append(cell.metadata.nbgrader.points)
                assert cell.source.count("\n- 1 point: ") == cell.metadata.nbgrader.points
                assert released[cell.id].source == "YOUR ANSWER HERE"
    assert found == [2]


@inputs.checking
@each_exercise
def test_stub_scores_nothing(exercise: Path) -> None:
    must_be_proven(prove_stub(nbformat.read(exercise, as_version=4)))


@pytest.mark.sampled(by=lambda exercise: exercise.parent)
@inputs.checking
@each_exercise
def test_solution_has_only_barriers_that_some_case_needs(exercise: Path) -> None:
    for proof in prove_minimal(nbformat.read(exercise, as_version=4)):
        must_be_proven(proof)


@each_exercise
def test_each_kernel_is_checked_for_its_barriers(exercise: Path) -> None:
    """Also where no barrier is needed: an answer may have one."""
    notebook = nbformat.read(exercise, as_version=4)
    for name, declared_as in declared(notebook).exercises.items():
        if isinstance(declared_as, Exercise) and f"%%cuda {name}" in answers_of(notebook):
            checks = "".join(cell.source for cell in notebook.cells if cell.source.startswith(f'check("{name}")'))
            assert ".reaches_every_barrier()" in checks or '.does_without("barriers")' in checks


@each_exercise
def test_there_are_enough_mutants(exercise: Path) -> None:
    assert len(find_mutants(exercise)) >= MIN_MUTANTS


def test_the_course_s_mutants_name_all_that_fails_by_the_table() -> None:
    """The table is measured, the mutants' first lines are written by hand, and a push runs only some mutants."""
    lines = (ROOT / "book/data/grading_emulator.csv").read_text().splitlines()
    table = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    rows = {(row["exercise"], row["answer"]): row for row in table if row["answer"] != "solution"}
    files = [file for path in EXERCISES for file in find_mutants(path)]
    mutants = {(file.parent.name, file.name): read_mutant(file) for file in files}
    unequal = rows.keys() ^ mutants.keys()
    assert not unequal, f"run book/data/measure_grading.py with the names of these exercises: {sorted(unequal)}"
    for key, mutant in mutants.items():
        assert rows[key]["rejected_by"] == mutant.check, key
        assert mutant.check in rows[key]["failed"].split(), key
        assert {*rows[key]["failed"].split()} <= {mutant.check, *mutant.perhaps}, key


# tests/exercises/report/test_beginners.py has a wrong answer to each exercise.
@pytest.mark.sampled(by=lambda mutant: read_mutant(mutant).check)
@inputs.checking
@pytest.mark.parametrize(("exercise", "mutant"), MUTANTS)
def test_mutant_is_rejected(exercise: Path, mutant: Path) -> None:
    must_be_proven(prove_mutant(nbformat.read(exercise, as_version=4), read_mutant(mutant)))


@pytest.mark.sampled()
@inputs.checking
@pytest.mark.parametrize(("exercise", "mutant"), answers_to(ANYWHERE, find_mutants, {"ring_of_tiles"}))
def test_webassembly_rejects_it_alike(exercise: Path, mutant: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a page, and on a laptop where native code does not run."""
    monkeypatch.setenv(VARIABLE, Engine.WEBASSEMBLY)
    proof = prove_mutant(nbformat.read(exercise, as_version=4), read_mutant(mutant))
    if why := OTHER_CHECKS_IN_WEBASSEMBLY.get(f"{exercise.stem}/{mutant.stem}"):
        assert proof.result is Result.REFUTED, why
    else:
        must_be_proven(proof)


@pytest.mark.rare  # of the engine, kernels of the corpus stand for them
@inputs.checking
@pytest.mark.parametrize("exercise", ANYWHERE, ids=lambda path: path.stem)
def test_webassembly_accepts_the_solution(exercise: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, Engine.WEBASSEMBLY)
    assert {result.outcome for result in run(nbformat.read(exercise, as_version=4))} == {Outcome.PASSED}


@pytest.mark.sampled(one_in=20)
@inputs.checking
@pytest.mark.parametrize(("exercise", "variant"), VARIANTS)
def test_variant_passes(exercise: Path, variant: Path) -> None:
    must_be_proven(prove_variant(nbformat.read(exercise, as_version=4), variant))


@pytest.mark.sampled(among="arch")
@inputs.nvrtc_of_exercises
@pytest.mark.parametrize("arch", nvrtc.ARCHS)
@each_exercise
def test_solution_compiles_for(exercise: Path, arch: str) -> None:
    must_be_proven(prove_compiles(nbformat.read(exercise, as_version=4), arch))
