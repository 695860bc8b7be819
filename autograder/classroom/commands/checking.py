"""The options of `autograder check` that grade a submitted notebook for a place such as Gradescope."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ...cuda.errors import UsageError
from ...exercises.commands.check import check_answers

if TYPE_CHECKING:
    from ..places import Place


def add_options(check: argparse.ArgumentParser) -> None:
    """Add them to the command `check`."""
    grading = check.add_argument_group("to grade a submitted notebook, or the one in a folder")
    grading.add_argument("--bundle", type=Path, metavar="FILE", help="the exercise, as `autograder publish` packs it")
    grading.add_argument("--format", metavar="PLACE", help="write the results in the form of this place, such as json")
    grading.add_argument("--output", type=Path, metavar="FILE", help="where to write them")
    check.set_defaults(command=_check)


def _check(options: argparse.Namespace) -> int:
    given = [options.bundle, options.format, options.output]
    if not any(given):
        return check_answers(options)
    if not all(given) or options.answers is not None or options.json:
        raise UsageError("To grade a notebook, name it, --bundle, --format and --output, and nothing else.")
    return _grade(options.notebook, options.bundle, place_named(options.format), options.output)


def _grade(path: Path, bundle: Path, place: Place, output: Path) -> int:
    from ...exercises.files import write_text
    from ..checking.bundle import read_bundle
    from ..checking.check import NotGradable, check

    try:
        graded = check(path, read_bundle(bundle))
    except NotGradable as problem:
        write_text(output, place.refused(str(problem)))
        raise
    write_text(output, place.results(graded))
    for variable, text in place.summaries.items():
        if file := os.environ.get(variable):
            with open(file, "a", encoding="utf-8") as summary:
                summary.write(text(graded))
    print(f"{graded.name}: {graded.score:g} of {graded.max_score:g} points. The results are in {output}.")
    return 0 if graded.score == graded.max_score else 1


def place_named(name: str) -> Place:
    """The place `name`.

    Raises:
        UsageError: there is none.
    """
    from ..places import places

    if name not in places():
        raise UsageError(f"'{name}' is none of the places: {', '.join(places())}.")
    return places()[name]
