"""Is there a solution anywhere outside solutions/?"""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.exercises.authoring.leaks import find_leaks, solution_lines

ROOT = Path(__file__).parents[1]
BOOK_SOURCES = {".md", ".cu", ".ipynb", ".py", ".html", ".txt", ".csv"}


def leaks(solution: set[str], folder: Path, suffixes: set[str]) -> list[str]:
    """Each line of `solution` that is in a file below `folder`, as "file: line"."""
    files = sorted(p for p in folder.rglob("*") if p.suffix in suffixes and p.is_file())
    return [f"{path.relative_to(folder)}: {line}" for path, line in find_leaks(solution, files)]


NOTEBOOKS = sorted((ROOT / "solutions").glob("*/*.ipynb"))


def test_there_are_exercises() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_solution_in_the_released_notebooks(notebook: Path) -> None:
    assert not leaks(solution_lines(notebook), ROOT / "exercises", {".ipynb"})


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_solution_in_the_book(notebook: Path) -> None:
    assert not leaks(solution_lines(notebook), ROOT / "book", BOOK_SOURCES)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_leak_is_seen(notebook: Path, tmp_path: Path) -> None:
    lines = solution_lines(notebook)
    if not lines:
        pytest.skip("every line of this solution is a common idiom")
    (tmp_path / "leaked.ipynb").write_text(notebook.read_text())
    assert len(leaks(lines, tmp_path, {".ipynb"})) == len(lines)
    assert not leaks(lines, tmp_path, {".md"})
