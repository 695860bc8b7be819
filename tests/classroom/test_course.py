"""The steps of `make course`: what is up to date is skipped, and a failure says why."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import inputs
import pytest
from rich.console import Console

from autograder.classroom.commands import course
from autograder.classroom.commands.course import Advance, Step
from autograder.cuda.errors import UsageError
from autograder.exercises.authoring.nbgrader_app import CommandError, run_command

pytestmark = inputs.grading


@contextmanager
def no_display(title: str) -> Iterator[Advance]:
    yield lambda done, total: None


class Counted:
    """A step that writes what it read, and counts how often it ran."""

    def __init__(self, root: Path) -> None:
        self.root, self.runs, self.console = root, 0, Console(quiet=True)
        (root / "source").mkdir()
        (root / "source" / "a").write_text("1")

    def work(self, root: Path, advance: Advance) -> None:
        advance(1, 2)
        self.runs += 1
        (root / "made").mkdir(exist_ok=True)
        (root / "made" / "a").write_text((root / "source" / "a").read_text())
        (root / "needed").write_text("")

    def run(self, backend: str = "emulator") -> int:
        step = Step("a step", ("source", "absent"), ("made",), ("needed",), self.work)
        course._run_step(self.console, no_display, self.root, step, backend)
        return self.runs


def test_a_step_runs_again_only_when_something_changed(tmp_path: Path) -> None:
    step = Counted(tmp_path)
    assert (step.run(), step.run()) == (1, 1)
    (tmp_path / "source" / "a").write_text("2")
    assert (step.run(), step.run()) == (2, 2)
    (tmp_path / "made" / "a").write_text("edited by hand")
    assert (step.run(), step.run()) == (3, 3)
    (tmp_path / "needed").unlink()
    assert (step.run(), step.run()) == (4, 4)
    assert (step.run("a GPU"), step.run("a GPU")) == (5, 5)
    (tmp_path / "_build" / "course-stamps.json").write_text("{")
    assert (step.run("a GPU"), step.run("a GPU")) == (6, 6)


def test_a_step_that_failed_runs_again(tmp_path: Path) -> None:
    def fail(root: Path, advance: Advance) -> None:
        raise CommandError("`sphinx`", "\n".join(f"line {i}" for i in range(100)))

    step = Step("Book", (), (), (), fail)
    for _ in range(2):
        with pytest.raises(UsageError, match=r"Book: `sphinx` failed:\nline 70\n") as caught:
            course._run_step(Console(quiet=True), no_display, tmp_path, step, "")
        assert str(caught.value).endswith("line 99")


def test_a_book_with_a_warning_is_not_taken_as_it_is_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Sphinx would take it, which warns of a page when it reads it."""
    program = tmp_path / "jupyter-book"
    program.write_text('#!/bin/sh\nmkdir -p _build/.doctrees _build/html\necho "$*"\nexit 1\n')
    program.chmod(0o755)
    monkeypatch.setattr(course, "_JUPYTER_BOOK", program)
    with pytest.raises(UsageError, match=r"Book: .*failed:\nbuild . -W --keep-going"):
        course.make_book(tmp_path)
    assert (tmp_path / "_build" / "html").exists() and not (tmp_path / "_build" / ".doctrees").exists()


@pytest.mark.parametrize("error", ["autograder.cuda.errors.GraderFault", "OSError"])
def test_of_a_fault_in_the_books_build_only_its_sentence_is_shown(
    error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "jupyter-book"
    program.write_text(f"#!/bin/sh\necho reading; echo '{error}: [Errno 28] The disk is full.'; echo Thanks; exit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(course, "_JUPYTER_BOOK", program)
    with pytest.raises(UsageError, match=r"^Book: .*failed:\n\[Errno 28\] The disk is full\.$"):
        course.make_book(tmp_path)


def test_a_book_without_what_checks_exercises_says_so_and_is_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where npm's packages could not be installed: they may be there the next time."""
    program = tmp_path / "jupyter-book"
    lacks = 'echo "Exercises cannot be checked in the page: npm-cli.js failed: [no answer]"'
    program.write_text(f"#!/bin/sh\nmkdir -p _build/html\ntouch _build/html/index.html\n{lacks}\n")
    program.chmod(0o755)
    monkeypatch.setattr(course, "_JUPYTER_BOOK", program)
    for _ in range(2):
        course._run_step(Console(), no_display, tmp_path, course._BOOK, "")
        message = capsys.readouterr().out
        assert "cannot be checked in the page: npm-cli.js failed: [no answer] `make course` tries again." in message
    course._run_step(
        Console(), no_display, tmp_path, course._BOOK, "", retries=False
    )  # nor for each test that needs the book
    assert capsys.readouterr().out == "Book: up to date\n"
    program.write_text("#!/bin/sh\n")
    for _ in range(2):
        course._run_step(Console(), no_display, tmp_path, course._BOOK, "")
    assert "Book: up to date" in capsys.readouterr().out


def test_a_real_class_keeps_its_gradebook() -> None:
    assert "Exercises and sample class" in [step.title for step in course._steps(False, print)]
    assert [s.title for s in course._steps(True, print)] == ["Exercises", "Book"]


def test_outside_a_course(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no course"):
        course.make_course(tmp_path)


def test_a_missing_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "solutions" / "words").mkdir(parents=True)
    (tmp_path / "solutions" / "words" / "one.ipynb").write_text("{}")
    monkeypatch.setattr(course, "_JUPYTER_BOOK", tmp_path / "nothing")
    with pytest.raises(UsageError, match="jupyter-book is missing"):
        course.make_course(tmp_path)


def test_a_command_reports_each_line_and_its_failure(tmp_path: Path) -> None:
    seen: list[str] = []
    run_command(tmp_path, "`echo`", ["sh", "-c", "echo one; echo two >&2"], seen.append)
    assert seen == ["one\n", "two\n"]
    with pytest.raises(CommandError, match=r"`echo` failed:\nwhy"):
        run_command(tmp_path, "`echo`", ["sh", "-c", "echo why; exit 3"], seen.append)
