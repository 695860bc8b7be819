"""Make what a place takes, of the same notebooks from which a class is graded here: bundles, this package, scripts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat

from ..cuda.errors import UsageError
from ..exercises.authoring.leaks import every_solution_line, leaks_in
from ..exercises.authoring.nbgrader_app import RELEASED, CommandError, chapters, nbgrader
from ..exercises.authoring.preprocessors import course_seed
from ..exercises.authoring.publish import replace_folder
from ..exercises.authoring.repository import course_address
from .checking.bundle import Bundle, Bundled
from .classroom import Classroom, open_classroom, read_exercises
from .places import Assignment, Course, Place
from .results.outcomes import graded_exercise
from .submission.exercise import Exercise, read_releases

_BUILD = "import sys; from flit_core import buildapi; print(buildapi.build_wheel(sys.argv[1]))"


def publish_to(root: Path, place: Place, target: Path, only: Collection[str] = ()) -> int:
    """Make the folder `target` of the course at `root`, whole or not at all; return how many files it holds. A folder
    that was made here before is replaced, but for its `.git`.

    Args:
        only: these chapters alone; all of them if it is empty.

    Raises:
        UsageError: the place takes no files, the course has no such chapter or package, `target` holds something else,
            or a file would give a solution away.
    """
    if place.files is None:
        raise UsageError(f"{place.name} takes no files: `autograder check --format` writes its results.")
    if unknown := sorted(set(only) - set(chapters(root))):
        raise UsageError(f"The course has no chapter '{unknown[0]}' (it has: {', '.join(chapters(root)) or 'none'}).")
    with replace_folder(root, target) as staged, with_gradebook(root, only or chapters(root)) as room:
        assignments = [item for chapter in only or chapters(root) for item in _assignments(room, chapter)]
        _search(root, assignments)
        files = place.files(Course(assignments, _wheel(root), course_address(root)))
        for name, content in files.items():
            (staged / name).parent.mkdir(parents=True, exist_ok=True)
            (staged / name).write_bytes(content)
    return len(files)


@contextmanager
def with_gradebook(root: Path, names: Collection[str]) -> Iterator[Classroom]:
    """The course at `root` with a temporary gradebook, in which the chapters `names` are released.

    Raises:
        UsageError: nbgrader cannot release them.
    """
    with TemporaryDirectory(prefix="autograder-") as folder:
        db, options = f"sqlite:///{folder}/gradebook.db", ("--force", f"--CourseDirectory.release_directory={folder}")
        try:
            nbgrader(root, [("generate_assignment", name, f"--db={db}", *options) for name in names], disposable=True)
        except CommandError as error:
            raise UsageError(str(error)) from None
        yield open_classroom(root, db)


def _wheel(root: Path) -> tuple[str, bytes]:
    with TemporaryDirectory(prefix="autograder-") as folder:
        done = subprocess.run([sys.executable, "-c", _BUILD, folder], cwd=root, capture_output=True, text=True)
        if done.returncode:
            last = (done.stderr.strip() or "it printed nothing").splitlines()[-1]
            raise UsageError(f"The package in {root} cannot be built, which the place is to install: {last}")
        name = done.stdout.split()[-1]
        return name, Path(folder, name).read_bytes()


def _assignments(room: Classroom, chapter: str) -> Iterator[Assignment]:
    releases = read_releases(room.root, chapter)
    for name, exercise in read_exercises(room, chapter).items():
        path = room.root / RELEASED / chapter / f"{name}.ipynb"
        released = Exercise(nbformat.read(path, as_version=4), releases.get(name, ()))
        hidden, visible = (Bundle({name: Bundled(chapter, item)}, room.cell_seconds) for item in (exercise, released))
        title = graded_exercise(released.notebook, "", name, chapter).title
        yield Assignment(name, title, chapter, path.read_bytes(), visible, hidden)


def _search(root: Path, assignments: Collection[Assignment]) -> None:
    """Raises: UsageError: what is published gives something away: a solution to anybody, or a hidden test to
    students."""
    solutions, every = every_solution_line(root, hidden=False), every_solution_line(root)
    if seed := course_seed(root):
        every |= {str(seed)}
    for item in assignments:
        students = (item.notebook.decode(), *_texts(item.visible))
        graders = _texts(item.hidden)
        leaks = [
            line
            for lines, texts in ((every, students), (solutions, graders))
            for text in texts
            for line in leaks_in(text, lines)
        ]
        if leaks:
            raise UsageError(
                f"{RELEASED}/{item.chapter}/{item.name}.ipynb would give an answer away, so nothing was published: it "
                f"holds '{leaks[0]}'. Run `autograder release`, or take the line out."
            )


def _texts(bundle: Bundle) -> Iterator[str]:
    return (json.dumps(item.exercise.notebook) for item in bundle.exercises.values())
