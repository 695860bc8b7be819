"""What the notebook of an exercise states of itself, and which exercises a chapter has."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

_ROOT = Path(__file__).parents[3]
TOC = _ROOT / "_toc.yml"


class Stated(NamedTuple):
    """An exercise's title, the points of its tests, and the minutes of its first cell."""

    title: str
    points: float
    minutes: int


def exercises_of(folder: str) -> dict[str, Path]:
    """Return the notebook of each exercise page in the folder exercises/<folder>, in the order of _toc.yml."""
    pages = re.findall(rf"- file: (exercises/{folder}/\w+)$", TOC.read_text(), re.MULTILINE)
    return {page: _ROOT / f"{page}.ipynb" for page in pages}


def stated(path: Path) -> Stated:
    """Return what the notebook at `path` states.

    Raises:
        ValueError: it has no title, or states no minutes.
    """
    cells = json.loads(path.read_text())["cells"]
    head = "".join(cells[0]["source"])
    title, minutes = re.match(r"# (.+)", head), re.search(r"(\d+) minutes", head)
    if not title or not minutes:
        raise ValueError(f"{path}: the first cell must hold '# title' and '... minutes'")
    points = sum(cell["metadata"].get("nbgrader", {}).get("points", 0) for cell in cells)
    return Stated(title[1], points, int(minutes[1]))
