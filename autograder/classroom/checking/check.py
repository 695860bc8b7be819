"""Grades one notebook as `autograder grade` does one of a class: rebuilt from its bundle, run in the sandbox."""

from __future__ import annotations

from pathlib import Path

from nbformat import NotebookNode
from nbgrader.preprocessors import IgnorePattern
from nbgrader.utils import is_grade

from ...cuda.errors import GraderFault, UsageError
from ..execution import local
from ..execution.replay import replay, score_of, task_of
from ..results.outcomes import GradedExercise, graded_exercise, with_scores
from ..results.scores import CellScore, Scores
from ..submission.cells import read_cells
from ..submission.folder import SubmittedFolder
from ..submission.notes import add_notes
from ..submission.plain_files import UnreadableError
from ..submission.submission import Submission
from .bundle import Bundle


class NotGradable(UsageError):
    """What was submitted cannot be graded; the message, for its author, says why and what to do."""


def check(path: Path, bundle: Bundle) -> GradedExercise:
    """Grade the notebook at `path`; or, if that is the folder of a submission, the one in it that answers the bundle's
    only exercise.

    Returns:
        The exercise with the points of its checks. Nobody's name is in it, and no penalty.

    Raises:
        NotGradable: there is no such notebook.
        UsageError: this machine cannot keep in what runs in a notebook; the message says what to do.
        GraderFault: the grader failed in a check, so that no score would be fair.
    """
    name, notebook = rebuild(path, bundle)
    result = local.execute(task_of(notebook, name, bundle.cell_seconds))
    replay(notebook, result)
    # As nbgrader_config.py has it: checks speak through exceptions, so what stderr says costs no points.
    notebook, _ = IgnorePattern(enabled=True, pattern=r"\A").preprocess(notebook, {})
    exercise = graded_exercise(notebook, "", name, bundle.exercises[name].chapter)
    if exercise.faults:
        which, trace = next(iter(exercise.faults.items()))
        raise GraderFault(f"test '{which}' of {name} ended in {trace.strip().splitlines()[-1]}. Grade it again.")
    return with_scores(exercise, _scores(notebook))


def rebuild(path: Path, bundle: Bundle) -> tuple[str, NotebookNode]:
    """Return the exercise that `path` answers, and the notebook to run: the bundle's with the submitted answers.

    Raises:
        NotGradable: there is no such notebook. UsageError: `path` is a folder, and the bundle holds several exercises.
    """
    if path.is_dir():
        if len(bundle.exercises) > 1:
            raise UsageError(f"{path} is a folder, and the bundle holds several exercises: name one notebook.")
        exercises = {name: item.exercise for name, item in bundle.exercises.items()}
        (name,) = exercises
        return name, SubmittedFolder(path, exercises).rebuild(name)
    try:
        cells = read_cells(path)
        name = bundle.find(cells, path.stem)
    except UnreadableError as error:
        raise NotGradable(f"{path.name} could not be read: {error}. Save it again and submit it again.") from None
    except UsageError as error:
        raise NotGradable(str(error)) from None
    notebook, notes = Submission(bundle.exercises[name].exercise, cells).rebuild()
    add_notes(notebook, notes)
    return name, notebook


def _scores(notebook: NotebookNode) -> Scores:
    """The points that the run gives. What a person grades, such as an answer in words, is not among them."""
    cells = [cell for cell in notebook.cells if is_grade(cell) and cell.cell_type == "code"]
    earned = [(cell.metadata.nbgrader, score_of(cell)) for cell in cells]
    grades = tuple(
        CellScore(given.grade_id, score, float(given.points), False) for given, score in earned if score is not None
    )
    return Scores(sum(grade.max_score for grade in grades), 0.0, grades, {})
