"""Are all answers of the course run with a bundle as they are in the classroom? And do some get the same points?

A notebook is run as a `Task`, which holds all that decides its result. So if the tasks are equal, the points are: that
is compared for every answer, and some are run.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import inputs
import nbformat
import pytest
from small_course import ROOT, hidden_gpu

from autograder.classroom.checking import check as checking
from autograder.classroom.checking.bundle import Bundle, Bundled, read_bundle
from autograder.classroom.classroom import read_exercises
from autograder.classroom.execution.replay import task_of
from autograder.classroom.places import places
from autograder.classroom.publishing import with_gradebook
from autograder.classroom.submission.exercise import Exercise
from autograder.classroom.submission.folder import SubmittedFolder
from autograder.exercises.authoring.nbgrader_app import chapters
from autograder.exercises.authoring.verify import find_exercises, find_mutants, magic_of
from autograder.exercises.notebook.run_notebook import answers_of, run

pytestmark = inputs.grading

EXERCISES = {path.stem: path for path in find_exercises(ROOT / "solutions")}
SETS = [json.loads(path.read_text()) for path in sorted((ROOT / "solutions").glob("unseen_*.json"))]
#: More bytes than GitHub stores as a secret.
MAX_SECRET = 48 * 1024
#: Answers that are run: solutions, mutants and answers that nobody had seen, of exercises with and without kernels.
RUN = ("saxpy", "missing_barrier", "branchless_sum")


@dataclass(frozen=True)
class Graded:
    """The exercises as the classroom has them, and a bundle of each, by name."""

    exercises: Mapping[str, Exercise]
    bundles: Mapping[str, Path]


def packed(names: Collection[str], folder: Path) -> Graded:
    """The exercises of the chapters `names`, and their bundles in `folder`."""
    exercises, bundles = {}, {}
    with with_gradebook(ROOT, names) as room:
        for chapter in names:
            for name, exercise in read_exercises(room, chapter).items():
                exercises[name], bundles[name] = exercise, folder / f"{name}.txt"
                bundle = Bundle({name: Bundled(chapter, exercise)}, room.cell_seconds)
                bundles[name].write_text(bundle.to_text())
    return Graded(exercises, bundles)


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    return packed(sorted({EXERCISES[name].parent.name for name in RUN}), tmp_path_factory.mktemp("bundles"))


def answers_to(name: str) -> Iterator[Mapping[str, str]]:
    """All answers to an exercise in the repository, each by the first lines of its cells: the solution first."""
    path = EXERCISES[name]
    solution = answers_of(nbformat.read(path, as_version=4))
    yield solution
    for mutant in find_mutants(path):
        yield {**solution, magic_of(mutant): mutant.read_text()}
    for answers in SETS:
        yield from ({**solution, **item["cells"]} for item in answers.get(name, {}).values())


def submit(folder: Path, name: str, answers: Mapping[str, str]) -> Path:
    """Write what a student hands in: the released notebook with these answers."""
    path = folder / f"{name}.ipynb"
    notebook = nbformat.read(ROOT / "exercises" / EXERCISES[name].parent.name / path.name, as_version=4)
    for cell in notebook.cells:
        first = cell.source.partition("\n")[0]
        if first in answers:
            cell.source = f"{first}\n{answers[first]}"
    nbformat.write(notebook, path)
    return path


@pytest.mark.rare
def test_every_answer_is_run_as_in_the_classroom(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    graded = packed(chapters(ROOT), tmp_path_factory.mktemp("bundles"))
    assert graded.exercises.keys() == EXERCISES.keys()
    compared = 0
    for name, exercise in graded.exercises.items():
        bundle = read_bundle(graded.bundles[name])
        assert len(graded.bundles[name].read_bytes()) < MAX_SECRET, name
        for answers in answers_to(name):
            path = submit(tmp_path, name, answers)
            mine = SubmittedFolder(tmp_path, {name: exercise}).rebuild(name)
            found, theirs = checking.rebuild(path, bundle)
            assert found == name and task_of(mine, name, 1).cells == task_of(theirs, name, 1).cells, answers
            points = [[cell.metadata.get("nbgrader") for cell in item.cells] for item in (mine, theirs)]
            assert points[0] == points[1]
            compared += 1
        path.unlink()
    assert compared > 3000


@pytest.mark.parametrize("name", RUN)
def test_some_answers_get_the_points_of_the_source_notebook(some: Graded, name: str, tmp_path: Path) -> None:
    source, bundle = nbformat.read(EXERCISES[name], as_version=4), read_bundle(some.bundles[name])
    several = list(answers_to(name))
    scores = []
    with hidden_gpu():
        for answers in [several[0], several[len(several) // 4], several[-1]]:
            results = run(source, answers)
            expected = sum(result.points for result in results if result.outcome == "passed")
            exercise = checking.check(submit(tmp_path, name, answers), bundle)
            assert exercise.score == pytest.approx(expected, abs=0.005)
            assert f'"score": {exercise.score}' in places()["json"].results(exercise)
            scores.append(exercise.score)
    assert scores[0] == exercise.max_score > min(scores)
