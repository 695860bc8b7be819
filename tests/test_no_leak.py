"""Is there a solution anywhere outside solutions/?"""

from __future__ import annotations

from pathlib import Path

from autograder.exercises.authoring.leaks import every_solution_line, find_leaks, solution_lines

ROOT = Path(__file__).parents[1]
BOOK_SOURCES = {".md", ".cu", ".ipynb", ".py", ".html", ".txt", ".csv"}


def leaks(solution: set[str], folder: Path, suffixes: set[str]) -> list[str]:
    """Each line of `solution` that is in a file below `folder`, as "file: line"."""
    files = sorted(p for p in folder.rglob("*") if p.suffix in suffixes and p.is_file())
    return [f"{path.relative_to(folder)}: {line}" for path, line in find_leaks(solution, files)]


def test_no_solution_in_the_released_notebooks() -> None:
    assert not leaks(every_solution_line(ROOT), ROOT / "exercises", {".ipynb"})


def test_nothing_but_notebooks_is_released() -> None:
    """nbgrader copies whatever else lies beside them in solutions/, such as an exam with its answers."""
    assert not [path for path in (ROOT / "exercises").rglob("*") if path.is_file() and path.suffix != ".ipynb"]


def test_no_solution_in_the_book() -> None:
    assert not leaks(every_solution_line(ROOT), ROOT / "book", BOOK_SOURCES)


def test_a_leak_of_any_solution_is_seen(tmp_path: Path) -> None:
    notebooks = sorted((ROOT / "solutions").glob("*/*.ipynb"))
    assert notebooks
    for notebook in notebooks:
        lines = solution_lines(notebook)
        (tmp_path / "leaked.ipynb").write_text(notebook.read_text())
        assert len(leaks(lines, tmp_path, {".ipynb"})) == len(lines), notebook
        assert not leaks(lines, tmp_path, {".md"})
