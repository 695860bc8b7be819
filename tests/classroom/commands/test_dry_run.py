"""Break one step of a term at a time: does `autograder doctor --course` say what to do about it?"""

from __future__ import annotations

import http.server
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import inputs
import nbformat
import pytest
import yaml
from small_course import Course, source_notebook

from autograder import cli
from autograder.classroom.commands.doctor import Health
from autograder.classroom.commands.dry_run import _colab, _tried, _Walk, dry_run
from autograder.cuda.errors import UsageError

pytestmark = inputs.grading


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course of one exercise whose first cell needs nothing, released."""
    course = Course(tmp_path_factory.mktemp("made"))
    notebook = source_notebook()
    notebook.cells.insert(0, nbformat.v4.new_code_cell("print('The course is set up.')", id="set-up"))
    course.add("words", "one", notebook)
    course.nbgrader(("generate_assignment", "words"))
    return course


@pytest.fixture
def pushed(made: Course, tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """That course, and the folder of a web server to which it was pushed."""
    root, served = tmp_path / "course", tmp_path / "served"
    shutil.copytree(made.root, root)
    branch = served / "owner" / "name" / "raw" / "main"
    shutil.copytree(root / "exercises", branch / "exercises")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(served)))
    threading.Thread(target=server.serve_forever).start()
    config = yaml.safe_load((root / "_config.yml").read_text())
    config["repository"]["url"] = f"http://127.0.0.1:{server.server_port}/owner/name"
    (root / "_config.yml").write_text(yaml.safe_dump(config))
    yield root, branch
    server.shutdown()
    server.server_close()


def steps(root: Path) -> dict[str, Health]:
    return {health.what: health for health in dry_run(root)}


@pytest.mark.rare
def test_each_step_is_walked_and_the_course_stays_as_it_was(pushed: tuple[Path, Path]) -> None:
    root, _ = pushed
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    message = {what: health.message for what, health in steps(root).items() if health.good}
    assert list(message) == ["repository", "gradebook", "release", "collect", "grade", "feedback", "export", "Colab"]
    assert message["grade"] == "2 tests, and the solutions pass them all"
    assert message["export"] == "tables for blackboard, canvas, moodle: 1 column, 4 points in all"
    assert message["Colab"].endswith("is what is here; its first cell says on a new machine: The course is set up.")
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def a_wrong_solution(root: Path, pushed: Path) -> None:
    edit(root / "solutions" / "words" / "one.ipynb", "right first\\n", "false\\n")


def an_old_release(root: Path, pushed: Path) -> None:
    edit(root / "exercises" / "words" / "one.ipynb", "An exercise", "An older exercise")


def nothing_pushed(root: Path, pushed: Path) -> None:
    shutil.rmtree(pushed)


def an_old_push(root: Path, pushed: Path) -> None:
    edit(pushed / "exercises" / "words" / "one.ipynb", "An exercise", "An older exercise")


def a_cell_that_fails(root: Path, pushed: Path) -> None:
    for folder in (root, pushed):
        edit(
            folder / "exercises" / "words" / "one.ipynb", "print('The course is set up.')", "raise ValueError('broken')"
        )


def no_network(root: Path, pushed: Path) -> None:
    edit(root / "_config.yml", "http://127.0.0.1:", "http://127.0.0.1:1/")


@pytest.mark.parametrize(
    ("break_it", "advice"),
    [
        (nothing_pushed, "is not there (404): push the course, to a repository that is public."),
        (an_old_push, "holds another version than exercises/words/one.ipynb here: commit and push."),
        (no_network, "not tried, since this machine does not reach http://127.0.0.1:1/"),
        pytest.param(
            a_cell_that_fails,
            "the first cell of a notebook fails on a new machine: ValueError: broken",
            marks=pytest.mark.rare,  # makes an environment, as the walk does
        ),
    ],
)
def test_what_colab_would_not_open(
    pushed: tuple[Path, Path], break_it: Callable[[Path, Path], None], advice: str
) -> None:
    root, _ = pushed
    break_it(*pushed)
    health = _tried("Colab", lambda: _colab(_Walk(root, root)))
    assert not health.good and advice in health.message


@pytest.mark.rare
def test_an_old_release_is_told(pushed: tuple[Path, Path]) -> None:
    an_old_release(*pushed)
    last = list(dry_run(pushed[0]))[-1]
    assert (last.what, last.good, last.needed) == ("release", False, True)
    assert last.message == "exercises/words/one.ipynb is not what solutions/ gives: run `autograder release`."


@pytest.mark.rare
def test_a_solution_that_fails_here_is_told(
    pushed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    a_wrong_solution(*pushed)
    monkeypatch.chdir(pushed[0])
    assert cli.main(["doctor", "--course"]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("MISSING grade: the solution of words/one does not pass 'first holds right' here: run ")
    with pytest.raises(UsageError, match="There is no course"):
        list(dry_run(pushed[1]))
