"""`%load_ext autograder`: the magics of a notebook, for IPython 7.34 (Colab) and later."""

from __future__ import annotations

from typing import Any

from ...cuda.compiler import zig
from ...cuda.core.launch import MAX_BLOCK, MAX_GRID, dims
from ...cuda.errors import CellError, UsageError
from ...cuda.report import MIME, Report, to_data, to_html, to_text
from .. import report
from .. import result as check_result
from ..declarations.program import ProgramExercise
from ..result import CheckResult
from .session import Session, default


def load(shell: Any, session: Session = default) -> None:
    """Give `shell` (IPython's InteractiveShell) the magics `%%cuda name` and `%%values name`, and
    show reports in it. Loading twice does nothing more."""
    from IPython.core.magic import no_var_expand

    # IPython would replace {x} and $x on a magic's line by the value of x: a name stays as typed.
    @no_var_expand
    def cuda(line: str, cell: str | None = None) -> None:
        """%%cuda name: the rest of the cell is CUDA C++, the answer to exercise `name`."""
        take_kernel(session, line, cell)

    @no_var_expand
    def values(line: str, cell: str | None = None) -> None:
        """%%values name: the rest of the cell is lines `word = expression` for exercise `name`."""
        take_values(session, line, cell)

    for function in (cuda, values):
        shell.register_magic_function(function, "line_cell", function.__name__)

    def show(shown: Report) -> None:
        shell.display_pub.publish(_shown(shown))

    def show_result(result: CheckResult, message: str | Report) -> None:
        bundle = {"text/plain": message} if isinstance(message, str) else _shown(message)
        shell.display_pub.publish({**bundle, check_result.MIME: result.to_data()})

    session.show, session.on_result = show, show_result


def _shown(shown: Report) -> dict[str, Any]:
    return {
        "text/plain": to_text(shown),
        "text/html": to_html(shown),
        MIME: to_data(shown),  # grading makes its pages from this
    }


def take_kernel(session: Session, line: str, cell: str | None) -> None:
    """Run a `%%cuda` cell: keep the text, compile it, and say how that went.

    Raises:
        CellError: `line` is not one name.
    """
    name = _name("cuda", line, cell)
    if isinstance(session.exercise_named(name), ProgramExercise):
        _take_program(session, name, cell or "")
        return
    answer = session.answer(name, cell or "")
    if (stub_line := answer.stub_line) is not None:
        print(report.unwritten(name, "cuda", stub_line))
    elif answer.errors:
        session.show(report.compile_report(name, answer.errors, answer.source))
    elif answer.warnings:
        session.show(report.warned(name, answer.warnings, answer.source))
    else:
        print(report.compiled(name))


def _take_program(session: Session, name: str, cell: str) -> None:
    """As `take_kernel`, where the exercise asks for a whole program."""
    answer = session.answer_program(name, cell)
    if (stub_line := answer.stub_line) is not None:
        print(report.unwritten(name, "cuda", stub_line))
    elif zig.problem():
        print(report.compiled(name))
    elif isinstance(answer.built, str):
        session.show(report.program_report(name, answer.built, answer.source))
    else:
        print(report.compiled(name))


def take_values(session: Session, line: str, cell: str | None) -> None:
    """Run a `%%values` cell: keep the lines, and say what they give.

    Raises:
        CellError: `line` is not one name.
    """
    name = _name("values", line, cell)
    answer = session.answer_values(name, cell or "")
    exercise = session.exercise_named(name)
    if (stub_line := answer.stub_line) is not None:
        print(report.unwritten(name, "values", stub_line))
    elif exercise is None:
        print(report.noted(name))
    else:
        size = exercise.sizes[-1]
        try:
            words = answer.evaluate(exercise.values, {**exercise.constants, **size})
            for word, limits in (("grid", MAX_GRID), ("block", MAX_BLOCK)):
                if word in words:
                    dims(word, words[word], limits)  # type: ignore[arg-type]  # it refuses fractions itself
            print(report.evaluated(name, words, size))
        except UsageError as error:
            session.show(report.values_report(name, str(error)))


def _name(magic: str, line: str, cell: str | None) -> str:
    if cell is None:
        raise CellError(f"Begin the cell with %%{magic} (two percent signs) and the exercise's name.")
    words = line.split()
    if len(words) != 1 or not words[0].isidentifier():
        given = f", not {line.strip()!r}" if words else ""
        raise CellError(f"After %%{magic} stands one word, the exercise's name{given}: %%{magic} histogram_shared")
    return words[0]
