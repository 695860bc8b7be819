"""Run solution notebooks again and save their outputs: `python -m autograder.exercises.authoring.outputs PATH ...`"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import nbformat

from ..notebook.run_notebook import run_as_it_stands


def renew(paths: Iterable[Path]) -> None:
    """Run each of the notebooks at `paths`, and write its outputs into it.

    Raises:
        GraderFault: a cell ended in an error; that notebook stays as it is.
    """
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        run_as_it_stands(notebook)
        nbformat.write(notebook, path)


if __name__ == "__main__":
    renew(map(Path, sys.argv[1:]))
