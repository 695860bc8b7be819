"""The command `check`: checks answers to an exercise of the course, written in an editor in place of its notebook."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...cuda.errors import UsageError

if TYPE_CHECKING:
    from ..notebook.run_notebook import TestResult

#: Where an answer cell begins.
_CELL = re.compile(r"^(?=%%(?:cuda|values) )", re.MULTILINE)


def add_command(commands: Any) -> argparse.ArgumentParser:
    """Add it to argparse's `commands`, and return it."""
    check: argparse.ArgumentParser = commands.add_parser(
        "check", help="check answers to an exercise that are written in a file"
    )
    check.add_argument("notebook", type=Path, help="of the course; its Python is executed")
    check.add_argument(
        "answers",
        nargs="?",
        help="a file with the answer cells, each with its first line (%%%%cuda NAME); - reads them",
    )
    check.add_argument(
        "--json",
        action="store_true",
        help="print one document: {cells: [text], what the answers' cells show, checks: [{grade_id, points, answer, "
        "check, outcome, report}]}",
    )
    check.set_defaults(command=check_answers)
    return check


def check_answers(options: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        UsageError: no answers are given, or they are not this notebook's.
    """
    if options.answers is None:
        raise UsageError("Name a file with answers, or grade the notebook itself with --bundle and --format.")
    cells: list[str] = []
    results = list(_results(options.notebook, _read_answers(options.answers), cells))
    if options.json:
        print(json.dumps({"cells": cells, "checks": [asdict(result) for result in results]}, ensure_ascii=False))
    else:
        print("\n\n".join([*cells, *(result.report for result in results)]))
    return 0 if all(result.outcome == "passed" for result in results) else 1


def _read_answers(file: str) -> dict[str, str]:
    """Return the texts of answer cells, by their first lines."""
    from ...cuda.source.gather import read_file

    text = sys.stdin.read() if file == "-" else read_file(Path(file))
    before, *cells = _CELL.split(text) if _CELL.match(text) else [text]
    if before.strip() or not cells:
        raise UsageError(f"{file} must begin with the first line of an answer cell, such as %%cuda saxpy.")
    parted = (cell.partition("\n") for cell in cells)
    return {" ".join(first.split()): rest for first, _, rest in parted}


def _results(path: Path, answers: dict[str, str], cells: list[str]) -> Iterator[TestResult]:
    """Return the results of the checks of these answers, which take the place of the notebook's. What their own cells
    show is added to `cells`."""
    import nbformat

    from ..notebook.run_notebook import answers_of, run

    try:
        notebook = nbformat.read(path, as_version=4)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not a notebook"
        raise UsageError(f"{path} cannot be read: {why}.") from None
    known = answers_of(notebook)
    if unknown := min(answers.keys() - known.keys(), default=""):
        raise UsageError(f"{path} has no cell that begins with {unknown}, but one with {' and '.join(known)}.")
    names = {first.split()[1] for first in answers}

    def show(first: str, text: str) -> None:
        if text and first in answers:
            cells.append(text)

    with redirect_stdout(sys.stderr):  # what the notebook's cells print
        results = run(notebook, answers, show)
    return (result for result in results if result.answer in names)
