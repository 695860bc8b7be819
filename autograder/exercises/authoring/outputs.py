"""Run solution notebooks again and save their outputs: `python -m autograder.exercises.authoring.outputs [NAME ...]`"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from pathlib import Path

import nbformat

from ...cuda.errors import UsageError
from ..notebook.run_notebook import run_as_it_stands
from .verify import find_exercises


def renew(paths: Iterable[Path]) -> None:
    """Run each of the notebooks at `paths`, and write its outputs into it.

    Raises:
        GraderFault: a cell ended in an error; that notebook stays as it is.
    """
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        run_as_it_stands(notebook)
        nbformat.write(notebook, path)


def chosen(solutions: Path, names: Collection[str]) -> list[Path]:
    """Return the notebooks in the folder `solutions` of the exercises `names`, or all if there are no names.

    Raises:
        UsageError: there is no exercise of a name.
    """
    found = find_exercises(solutions)
    if unknown := sorted({*names} - {path.stem for path in found}):
        raise UsageError(f"There is no exercise {unknown[0]} in {solutions.name}/: give its name without the chapter.")
    return [path for path in found if not names or path.stem in names]


if __name__ == "__main__":
    try:
        renew(chosen(Path("solutions"), sys.argv[1:]))
    except UsageError as error:
        sys.exit(str(error))
