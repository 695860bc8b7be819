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


def solution_lines(notebook: Path) -> set[str]:
    """What gives the answers of a source notebook away: the telling lines of its solutions, hidden cells and rubrics,
    without spaces."""
    cells = nbformat.read(notebook, as_version=4).cells
    regions = (r for cell in cells for kind in (_SOLUTION, _HIDDEN, _RUBRIC) for r in kind.findall(cell.source))
    return set().union(*map(_revealing_lines, regions))


def find_leaks(lines: set[str], files: Iterable[Path]) -> list[tuple[Path, str]]:
    """Each of `files` that holds one of `lines`, with that line."""
    found = []
    for path in files:
        text = re.sub(r"\s+", "", path.read_text(encoding="utf-8", errors="replace"))
        # A notebook is JSON: its line ends and quotes are escaped.
        lean = text.replace("\\n", "").replace('\\"', '"')
        found += [(path, line) for line in sorted(lines) if line in lean]
    return found


def every_solution_line(root: Path) -> set[str]:
    """The lines of all solutions of the course at `root`."""
    return set().union(*map(solution_lines, sorted((root / SOURCE).glob("*/*.ipynb"))))


def _revealing_lines(text: str) -> set[str]:
    """The code and the comments in `text` that could give an answer away, without spaces."""
    parts = (part for line in text.splitlines() for part in line.split("//"))
    lean = (re.sub(r"\s+", "", part) for part in parts)
    return {part for part in lean if len(part) >= _REVEALING} - _IDIOMS
