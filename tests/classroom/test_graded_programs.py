"""Answers that are whole programs, graded like a class's: a right one, a wrong one, and some that attack."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import inputs
import nbformat
import pytest
from nbformat import NotebookNode
from small_course import ROOT, Course, answer, hidden_gpu

from autograder.classroom.classroom import open_classroom
from autograder.classroom.execution.fork_server import ForkServer
from autograder.classroom.execution.replay import replay, task_of
from autograder.classroom.execution.task import TaskResult
from autograder.classroom.grade import grade
from autograder.classroom.results import class_results
from autograder.classroom.results.feedback import write_feedback
from autograder.cuda.programs.building.build import build_parts
from autograder.exercises.authoring.verify import read_mutant
from autograder.exercises.notebook.run_notebook import answers_of

pytestmark = inputs.grading

NOTEBOOK = ROOT / "solutions" / "programs" / "saxpy_main.ipynb"
MUTANTS = ROOT / "solutions" / "programs" / "mutants" / "saxpy_main"
POINTS = {
    "matches-numpy": 2,
    "computes-on-the-gpu": 1,
    "stays-in-bounds": 2,
    "uses-pointers-where-they-belong": 1,
    "frees-its-memory": 1,
    "waits-for-the-gpu": 0.5,
    "orders-its-streams": 0.5,
    "notices-errors": 2,
}


@pytest.fixture(scope="module")
def source() -> NotebookNode:
    read: NotebookNode = nbformat.read(NOTEBOOK, as_version=4)
    return read


@pytest.fixture(scope="module")
def right(source: NotebookNode) -> str:
    return answers_of(source)["%%cuda saxpy_main"]


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    build_parts()
    with hidden_gpu():
        server = ForkServer()
    yield server
    server.close()


def graded(server: ForkServer, source: NotebookNode, answer: str) -> tuple[TaskResult, NotebookNode]:
    """The notebook with this answer, graded with its hidden cases."""
    notebook = nbformat.from_dict(source)
    for cell in notebook.cells:
        if cell.source.startswith("%%cuda"):
            cell.source = f"%%cuda saxpy_main\n{answer}"
    result = server.run(task_of(notebook, "saxpy_main", 120))
    replay(notebook, result)
    return result, notebook


def points(graded_notebook: NotebookNode) -> dict[str, float]:
    """What each check that failed would have given."""
    failed: dict[str, float] = {}
    for cell in graded_notebook.cells:
        if any(output.output_type == "error" for output in cell.get("outputs", ())):
            name = cell.metadata.nbgrader.grade_id.removeprefix("saxpy_main-")
            failed[name] = POINTS[name]
    return failed


def test_the_solution_passes(server: ForkServer, source: NotebookNode, right: str) -> None:
    result, notebook = graded(server, source, right)
    assert result.sound and points(notebook) == {}


@pytest.mark.parametrize("name", ["frees_nothing", "asks_nothing", "on_the_host"])
def test_a_wrong_program_loses_what_its_check_gives(server: ForkServer, source: NotebookNode, name: str) -> None:
    mutant = read_mutant(MUTANTS / f"{name}.cu")
    result, notebook = graded(server, source, mutant.text)
    assert result.sound and mutant.check.replace("_", "-") in points(notebook)
    if name != "on_the_host":
        assert len(points(notebook)) == 1


#: What comes before `int main` and what at its beginning; the rest is the solution.
ATTACKS = {
    "a file of the owner's included": (f'#include "{ROOT}/solutions/programs/saxpy_main.ipynb"\n', ""),
    "a file of the owner's embedded": (f'const char stolen[] = {{\n#embed "{ROOT}/nbgrader_config.py"\n}};\n', ""),
    "machine code": ("", 'asm("nop");'),
    "a bomb for the compiler": ("int bomb[1 << 28] = {1};\n", "if (bomb[n_of(argv)]) return 3;"),
    "a loop without end": ("", "for (volatile int i = 0;; ++i);"),
    "a flood of text": ("", 'for (;;) puts("0");'),
    "an end at once": ("#include <unistd.h>\n", "_exit(0);"),
    "what it has no business with": (
        "#include <fcntl.h>\n#include <signal.h>\n#include <sys/wait.h>\n#include <unistd.h>\n",
        'kill(getppid(), 9); while (fork() > 0); open("stolen", O_CREAT | O_WRONLY, 0600);'
        ' for (int file = 3; file < 60; ++file) write(file, "garbage", 7);',
    ),
}


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_earns_nothing_and_is_no_fault_of_the_grader(
    server: ForkServer, source: NotebookNode, right: str, name: str
) -> None:
    before, inside = ATTACKS[name]
    before += "static int n_of(char** argv) { return atoi(argv[1]); }\n"
    answer = right.replace("int main(", f"{before}int main(").replace(
        "    if (argc != 4)", f"    {inside}\n    if (argc != 4)"
    )
    result, notebook = graded(server, source, answer)
    assert result.sound, result.broken
    assert "matches-numpy" in points(notebook) and sum(points(notebook).values()) >= 8
    assert "BEGIN SOLUTION" not in str(notebook.cells) or "BEGIN SOLUTION" in answer


@pytest.mark.rare
def test_a_class_is_graded_by_nbgrader_and_told(tmp_path: Path, source: NotebookNode, right: str) -> None:
    course = Course(tmp_path)
    course.add("programs", "saxpy_main", source)
    course.nbgrader(("generate_assignment", "programs"))
    wrong = read_mutant(MUTANTS / "frees_nothing.cu").text
    for student, text in {"ada": right, "bob": wrong, "eve": None}.items():
        notebook = course.released("programs", "saxpy_main")
        if text:
            answer(notebook, "saxpy_main", text)
        course.submit(student, "programs", "saxpy_main", notebook)
    room = open_classroom(course.root)
    with hidden_gpu():
        grade(room, "programs")
    scores = {row.student: (row.score, row.by_hand) for row in class_results.read_class(room, "programs")}
    assert scores == {"ada": (10, 0), "bob": (9, 0), "eve": (0, 0)}
    assert "nothing has freed x_gpu" in write_feedback(room, "programs", ["bob"])[0].read_text()
    assert "nothing has freed" not in write_feedback(room, "programs", ["ada"])[0].read_text()


def test_a_cell_that_asks_for_no_program_needs_none_of_it(source: NotebookNode) -> None:
    assert task_of(source, "saxpy_main", 20).has_program
    other = nbformat.read(ROOT / "solutions" / "threads" / "saxpy.ipynb", as_version=4)
    assert not task_of(other, "saxpy", 20).has_program
