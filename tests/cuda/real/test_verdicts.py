"""Is the table of real kernels still about the exercises that there are, and about the points of their checks?"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[3]
#: What was expected of a kernel: all points, or fewer, since it is right but not as the task asks, or wrong.
KINDS = {"right", "reduced", "wrong"}


def rows() -> list[dict[str, str]]:
    with (ROOT / "tests/cuda/real/verdicts.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@cache
def points_of(exercise: str) -> Mapping[str, float]:
    """The points of each check of the exercise's notebook, by the end of its grade id (such as "has-no-races")."""
    (path,) = (ROOT / "solutions").glob(f"*/{exercise}.ipynb")
    cells = (cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code")
    graded = (cell.metadata.get("nbgrader", {}) for cell in cells)
    return {
        cell["grade_id"].removeprefix(f"{exercise}-"): float(cell["points"]) for cell in graded if cell.get("grade")
    }


@pytest.mark.parametrize("exercise", sorted({row["exercise"] for row in rows()}))
def test_the_points_are_those_of_the_checks(exercise: str) -> None:
    points = points_of(exercise)
    for row in rows():
        if row["exercise"] == exercise:
            lost = [*row["failed"].split(), *row["blocked"].split()]
            assert float(row["points"]) == sum(points.values()) - sum(points[check] for check in lost), row
            assert points.keys() >= set(row["expected_to_fail"].split()), row
            assert row["expected"] in KINDS, row


def test_no_kernel_is_judged_twice() -> None:
    named = [(row["exercise"], row["repository"], row["path"], row["kernel"]) for row in rows()]
    assert len(named) == len(set(named))
