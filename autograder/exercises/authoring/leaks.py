"""Finds what students must not get: the lines of solutions, hidden cells and rubrics, in any file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import nbformat

from .nbgrader_app import SOURCE

_SOLUTION = re.compile(r"BEGIN SOLUTION[^\n]*\n(.*?)[^\n]*END SOLUTION", re.DOTALL)
_HIDDEN = re.compile(r"BEGIN HIDDEN TESTS[^\n]*\n(.*?)[^\n]*END HIDDEN TESTS", re.DOTALL)
_RUBRIC = re.compile(r"BEGIN MARK SCHEME[^\n]*\n(.*?)[^\n]*END MARK SCHEME", re.DOTALL)
#: Shorter lines, such as `__syncthreads();` or `sum += x;`, say nothing about one exercise.
_REVEALING = 28
#: Lines that are common in all texts on CUDA.
_IDIOMS = {
    "inti=blockIdx.x*blockDim.x+threadIdx.x;",
    "intx=threadIdx.x,y=threadIdx.y;",
    "intstride=gridDim.x*blockDim.x;",
    "for(inti=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=stride)",
    "size_tbytes=n*sizeof(float);",
    "CHECK(cudaDeviceSynchronize());",
}


def solution_lines(notebook: Path, *, hidden: bool = True) -> set[str]:
    """What gives the answers of a source notebook away: the telling lines of its solutions, rubrics and, with `hidden`,
    hidden cells, without spaces."""
    cells = nbformat.read(notebook, as_version=4).cells
    kinds = (_SOLUTION, _RUBRIC, _HIDDEN) if hidden else (_SOLUTION, _RUBRIC)
    regions = (r for cell in cells for kind in kinds for r in kind.findall(cell.source))
    return set().union(*map(_revealing_lines, regions))


def find_leaks(lines: set[str], files: Iterable[Path]) -> list[tuple[Path, str]]:
    """Each of `files` that holds one of `lines`, with that line."""
    texts = ((path, path.read_text(encoding="utf-8", errors="replace")) for path in files)
    return [(path, line) for path, text in texts for line in leaks_in(text, lines)]


def leaks_in(text: str, lines: set[str]) -> list[str]:
    """Those of `lines` that `text` holds, sorted."""
    # A notebook is JSON: its line ends and quotes are escaped.
    lean = re.sub(r"\s+", "", text).replace("\\n", "").replace('\\"', '"')
    return [line for line in sorted(lines) if line in lean]


def every_solution_line(root: Path, *, hidden: bool = True) -> set[str]:
    """The lines of all solutions of the course at `root`, as `solution_lines` gives them."""
    return set().union(*(solution_lines(path, hidden=hidden) for path in sorted((root / SOURCE).glob("*/*.ipynb"))))


def _revealing_lines(text: str) -> set[str]:
    """The code and the comments in `text` that could give an answer away, without spaces."""
    parts = (part for line in text.splitlines() for part in line.split("//"))
    lean = (re.sub(r"\s+", "", part) for part in parts)
    return {part for part in lean if len(part) >= _REVEALING} - _IDIOMS
