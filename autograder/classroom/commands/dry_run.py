"""Walks a term's whole way with a sample student, in a copy of the course: before the term, does each step work?"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from nbgrader.api import Student

from ...cuda.errors import GraderFault, UsageError
from ...cuda.report.vocabulary import count
from ...exercises.authoring.nbgrader_app import RELEASED, SOURCE, CommandError, chapters, nbgrader
from ...exercises.authoring.preprocessors import LOAD, SEED_FILE
from ...exercises.authoring.repository import CONFIG, course_address, owner_problem, raw_address
from ...exercises.result import Outcome
from ..classroom import Classroom, open_classroom
from ..collecting.collect import collect, lines_of
from ..grade import grade
from ..lms import tables
from ..results import export
from ..results.feedback import read_student, write_feedback
from ..results.scores import read_recorded
from .doctor import Health
from .sample_class import SampleExercise

#: The sample student, and how Moodle names what they hand in.
_STUDENT, _FOLDER = "sample", "Sample Student_1_assignsubmission_file_"
_SECONDS = 30


class _StepFailed(Exception):
    """One step did not work; the message says why, and what to do."""


@dataclass(frozen=True)
class _Walk:
    """The course at `root`, and its copy, where the sample student is the class."""

    root: Path
    copy: Path

    def room(self) -> Classroom:
        return open_classroom(self.copy, f"sqlite:///{self.copy / 'gradebook.db'}")


def dry_run(root: Path) -> Iterator[Health]:
    """Walk the way of the course at `root`: nothing there is changed, and its gradebook is only opened.

    Raises:
        UsageError: there is no course at `root`.
    """
    if not chapters(root):
        raise UsageError(f"There is no course in {root}: run this in the folder that holds solutions/.")
    yield _tried("repository", lambda: _repository(root), needed=False)
    yield _tried("gradebook", lambda: _gradebook(root))
    with TemporaryDirectory(prefix="autograder-") as folder:
        walk = _Walk(root, Path(folder).resolve() / "course")
        ways: tuple[tuple[str, Callable[[_Walk], str]], ...] = (
            ("release", _release),
            ("collect", _collect),
            ("grade", _grade),
            ("feedback", _feedback),
            ("export", _export),
        )
        for what, step in ways:
            health = _tried(what, lambda step=step: step(walk))  # type: ignore[misc]
            yield health
            if not health.good:  # the others stand on it
                return
        yield _tried("Colab", lambda: _colab(walk), needed=False)


def _tried(what: str, step: Callable[[], str], needed: bool = True) -> Health:
    try:
        return Health(what, True, step(), needed)
    except (UsageError, CommandError, _StepFailed) as error:
        return Health(what, False, str(error), needed)
    except GraderFault as fault:
        return Health(what, False, f"the grader itself failed: {fault}", needed)


def _repository(root: Path) -> str:
    if problem := owner_problem(root):
        raise _StepFailed(problem)
    return course_address(root)


def _gradebook(root: Path) -> str:
    room = open_classroom(root)
    if not room.has_gradebook:
        return f"none yet; the first release makes {room.shown_url}"
    with room.gradebook() as gradebook:
        students = list(gradebook.students)
    return f"{room.shown_url}, with {count(len(students), 'student')}"


def _release(walk: _Walk) -> str:
    walk.copy.mkdir()
    shutil.copytree(walk.root / SOURCE, walk.copy / SOURCE)
    for name in (CONFIG, "nbgrader_config.py", SEED_FILE):
        if (walk.root / name).exists():
            shutil.copy(walk.root / name, walk.copy)
    db = f"--db=sqlite:///{walk.copy / 'gradebook.db'}"
    nbgrader(
        walk.copy, [("generate_assignment", chapter, "--force", db) for chapter in chapters(walk.copy)], disposable=True
    )
    released = sorted((walk.copy / RELEASED).glob("*/*.ipynb"))
    for path in released:
        original = walk.root / path.relative_to(walk.copy)
        if not original.exists() or original.read_bytes() != path.read_bytes():
            raise _StepFailed(f"{path.relative_to(walk.copy)} is not what {SOURCE}/ gives: run `autograder release`.")
    return f"{count(len(released), 'notebook')} of {count(len(chapters(walk.copy)), 'chapter')}"


def _collect(walk: _Walk) -> str:
    room = walk.room()
    with room.gradebook() as gradebook:
        gradebook.db.add(Student(id=_STUDENT, first_name="Sample", last_name="Student"))
        gradebook.db.commit()
    collected = 0
    for chapter in chapters(walk.copy):
        downloads = walk.copy / "downloads" / chapter / _FOLDER
        downloads.mkdir(parents=True)
        for path in sorted((walk.copy / RELEASED / chapter).glob("*.ipynb")):
            solved = SampleExercise(walk.copy, chapter, path.stem).solved()
            (downloads / path.name).write_text(json.dumps(solved), encoding="utf-8")
        done = collect(room, chapter, [downloads.parent])
        if done.left or done.unknown:
            raise _StepFailed("; ".join(list(lines_of(done))[1:]))
        collected += len(done.new)
    return f"{count(collected, 'notebook')} of a sample student who copied the solutions, as Moodle names them"


def _grade(walk: _Walk) -> str:
    room, tests = walk.room(), 0
    for chapter in chapters(walk.copy):
        grade(room, chapter)
        with room.gradebook() as gradebook:
            scores = read_recorded(gradebook, chapter)
        checks = [
            (exercise.name, check)
            for exercise in read_student(room, scores, chapter, _STUDENT)
            for check in exercise.checks
        ]
        for exercise, check in checks:
            if check.outcome is not Outcome.PASSED:
                raise _StepFailed(
                    f"the solution of {chapter}/{exercise} does not pass '{check.title}' here: run `autograder verify "
                    f"{SOURCE}/{chapter}/{exercise}.ipynb`, which says why."
                )
        tests += len(checks)
    return f"{count(tests, 'test')}, and the solutions pass them all"


def _feedback(walk: _Walk) -> str:
    room = walk.room()
    pages = [page for chapter in chapters(walk.copy) for page in write_feedback(room, chapter)]
    return count(len(pages), "page")


def _export(walk: _Walk) -> str:
    room = walk.room()
    columns = export.read_scores(room, ())
    for form in tables().values():
        export.grades_table(room, form, columns)
    points = sum(column.max_score for column in columns)
    return f"tables for {', '.join(tables())}: {count(len(columns), 'column')}, {points:g} points in all"


def _colab(walk: _Walk) -> str:
    """Do what Colab does with one notebook: open what is pushed, and run its first cell on a new machine."""
    if owner_problem(walk.root):
        raise _StepFailed("not tried, since the course has no repository yet.")
    path = min((walk.copy / RELEASED).glob("*/*.ipynb")).relative_to(walk.copy)
    address = raw_address(walk.root, str(path))
    try:
        with urlopen(address, timeout=_SECONDS) as answer:
            pushed = answer.read()
    except HTTPError as error:
        error.close()  # it holds the answer's body; Python 3.14 warns of one that nobody closed
        advice = "push the course, to a repository that is public"
        raise _StepFailed(f"{address} is not there ({error.code}): {advice}.") from None
    except OSError as error:
        why = error.reason if isinstance(error, URLError) else error
        raise _StepFailed(f"not tried, since this machine does not reach {address} ({why}).") from None
    if pushed != (walk.root / path).read_bytes():
        raise _StepFailed(f"{address} holds another version than {path} here: commit and push.")
    printed = _run_first_cell(json.loads(pushed), walk.copy / "colab")
    return f"{path} is what is here; its first cell says on a new machine: {printed}"


def _run_first_cell(notebook: dict[str, Any], folder: Path) -> str:
    """Run the first code cell in a new virtual environment; returns the last line that it printed."""
    cell = next("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
    program = cell.replace(LOAD, "import autograder")  # there is no IPython
    try:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
        python = [str(folder / "bin" / "python"), "-P", "-c", program]
        done = subprocess.run(python, cwd=folder, capture_output=True, text=True, timeout=10 * _SECONDS)
    except subprocess.CalledProcessError:
        raise _StepFailed("not tried, since Python's venv module does not work here.") from None
    except subprocess.TimeoutExpired:
        raise _StepFailed(f"the first cell of a notebook takes more than {10 * _SECONDS} s on a new machine.") from None
    last = ((done.stderr if done.returncode else done.stdout).strip().splitlines() or [""])[-1]
    if done.returncode:
        raise _StepFailed(f"the first cell of a notebook fails on a new machine: {last}")
    return last
