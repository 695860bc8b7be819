"""Is there a solution anywhere outside solutions/?"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
REGION = re.compile(r"BEGIN SOLUTION[^\n]*\n(.*?)[^\n]*END SOLUTION", re.DOTALL)
BOOK_SOURCES = {".md", ".cu", ".ipynb", ".py", ".html", ".txt"}
#: Shorter lines, such as `__syncthreads();` or `sum += x;`, say nothing about one exercise.
TELLING = 28
#: Lines that are common in all texts on CUDA.
IDIOMS = {
    "inti=blockIdx.x*blockDim.x+threadIdx.x;",
    "intx=threadIdx.x,y=threadIdx.y;",
    "intstride=gridDim.x*blockDim.x;",
    "for(inti=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=stride)",
}


def telling_lines(text: str) -> set[str]:
    """The code and the comments in `text` that could give an answer away, without spaces."""
    parts = (part for line in text.splitlines() for part in line.split("//"))
    lean = (re.sub(r"\s+", "", part) for part in parts)
    return {part for part in lean if len(part) >= TELLING} - IDIOMS


def solution_lines(notebook: Path) -> set[str]:
    cells = nbformat.read(notebook, as_version=4).cells
    regions = (region for cell in cells for region in REGION.findall(cell.source))
    return set().union(*map(telling_lines, regions))


def leaks(solution: set[str], folder: Path, suffixes: set[str]) -> list[str]:
    """Each line of `solution` that is in a file below `folder`, as "file: line"."""
    found = []
    for path in sorted(p for p in folder.rglob("*") if p.suffix in suffixes and p.is_file()):
        text = re.sub(r"\s+", "", path.read_text(errors="replace"))
        # A notebook is JSON: its line ends and quotes are escaped.
        lean = text.replace("\\n", "").replace('\\"', '"')
        found += [f"{path.relative_to(folder)}: {line}" for line in sorted(solution) if line in lean]
    return found


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
