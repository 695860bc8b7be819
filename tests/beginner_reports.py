"""What a student sees of a first try: a file in `tests/exercises/beginners/<exercise>/`, run in the released notebook.

A file holds the answer cells that the student wrote, each with its first line (`%%cuda saxpy`). The report beside it
(`.txt`) is all that the cells and the checks of these answers show; what several in a row say alike, such as that they
are blocked, stands there once, below their first lines. After a change of words, write the reports anew and read the
difference:

    python tests/beginner_reports.py [part of a path ...]
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.exercises.notebook.session import default as session
from autograder.exercises.notebook.shell import Output, fresh_shell

ROOT = Path(__file__).parents[1]
TRIES = sorted((ROOT / "tests" / "exercises" / "beginners").glob("*/*.cu"))
_CELL = re.compile(r"^(?=%%(?:cuda|values) )", re.MULTILINE)


def report_of(path: Path) -> str:
    """All that the notebook shows about the answers of the file at `path`, as it is kept."""
    parts = [text.split("\n", 1) for text in texts_of(path)]
    groups = groupby(parts, key=lambda part: part[1:])
    return "\n\n".join("\n".join([*(part[0] for part in alike), *rest]) for rest, alike in groups) + "\n"


def texts_of(path: Path) -> list[str]:
    """The same, without a GPU: what each cell, or check, shows."""
    answers = {cell.split("\n", 1)[0].rstrip(): cell for cell in _CELL.split(path.read_text()) if cell.strip()}
    names = {first.split()[1] for first in answers}
    finders = session._find_gpu, session._find_timer
    session._find_gpu = session._find_timer = lambda: None
    try:
        with fresh_shell() as shell:
            texts = []
            for source in _sources(path.parent.name):
                answer = answers.get(source.split("\n", 1)[0].rstrip())
                outputs = shell.run(answer or source) or []
                about = re.search(r'check\("(\w+)"', source)
                if answer or (about and about[1] in names):
                    texts += [text for output in outputs if (text := _text(output))]
    finally:
        session._find_gpu, session._find_timer = finders
    return texts


def _text(output: Output) -> str:
    """One output as text; a failed check's error only repeats the title of the report before it."""
    if output["output_type"] == "error":
        return "" if output["ename"] == "CheckFailed" else f"{output['ename']}: {output['evalue']}"
    text: str = output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
    return text.strip()


@cache
def _sources(exercise: str) -> tuple[str, ...]:
    (path,) = (ROOT / "exercises").glob(f"*/{exercise}.ipynb")
    return tuple(_code(nbformat.read(path, as_version=4)))


def _code(notebook: NotebookNode) -> Iterator[str]:
    return (cell.source for cell in notebook.cells if cell.cell_type == "code")


def main(parts: list[str]) -> None:
    for path in TRIES:
        if not parts or any(part in str(path) for part in parts):
            path.with_suffix(".txt").write_text(report_of(path))
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
