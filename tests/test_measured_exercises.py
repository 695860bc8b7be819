"""Do the numbers in the notebooks that were measured follow from the tables in book/data?"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder import Machine, Speed
from autograder.prediction import Prediction
from autograder.session import default as session
from autograder.session import emulate

ROOT = Path(__file__).parents[1]
SPEEDS = ROOT / "book" / "data" / "speed_exercises_nvidia_h200.csv"
BOUNDS = ROOT / "book" / "data" / "predict_the_bound_nvidia_h200.csv"
#: What a good solution reached, a threshold may ask for so much less of it: other GPUs have other ratios.
ROOM = 0.9


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def declared(notebook: Path) -> dict[str, Any]:
    """The names that the notebook's own cells of Python define."""
    names: dict[str, Any] = {}
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type == "code" and not cell.metadata.nbgrader.grade and not cell.source.startswith("%"):
            exec(compile(cell.source, notebook.name, "exec"), names)
    return names


GRADED = [path for path in sorted((ROOT / "solutions").glob("*/*.ipynb")) if ".is_faster_than(" in path.read_text()]


def speeds(notebook: Path) -> Iterator[Speed]:
    return (value for value in declared(notebook).values() if isinstance(value, Speed))


def test_every_exercise_that_is_graded_by_speed_was_measured() -> None:
    assert GRADED
    assert {row["exercise"] for row in rows(SPEEDS)} == {path.stem for path in GRADED}


@pytest.mark.parametrize("notebook", GRADED, ids=lambda path: path.stem)
def test_thresholds_leave_room(notebook: Path) -> None:
    own = [row for row in rows(SPEEDS) if row["exercise"] == notebook.stem]
    for speed in speeds(notebook):
        assert {row["rival"] for row in own} == {speed.rival.name}
        assert {row["size"] for row in own} == {" ".join(f"{word}={n}" for word, n in speed.size.items())}
        solution = min(float(row["times_as_fast"]) for row in own if row["answer"] == "solution")
        assert speed.needed <= ROOM * solution, f"{solution} was measured"
        assert 0.9 * solution <= speed.good <= solution, f"{solution} was measured"


@pytest.fixture(scope="module")
def bounds() -> dict[str, dict[str, str]]:
    return {row["what"]: row for row in rows(BOUNDS)}


@pytest.fixture(scope="module")
def machine() -> Machine:
    """The notebook's; its kernels are known to the session then."""
    found = declared(ROOT / "solutions" / "measuring" / "predict_the_bound.ipynb")["h200"]
    assert isinstance(found, Machine)
    return found


@pytest.mark.parametrize("part", ["memory", "shared", "arithmetic"])
def test_the_ceilings_are_the_measured_ones(machine: Machine, bounds: dict[str, dict[str, str]], part: str) -> None:
    assert machine.name == bounds[part]["device"]
    assert getattr(machine, part) == float(bounds[part]["per_second"])


@pytest.mark.parametrize("kernel", ["scale_and_add", "polynomial", "tiled_product", "turn"])
def test_the_limit_explains_the_measured_time(machine: Machine, bounds: dict[str, dict[str, str]], kernel: str) -> None:
    asked = session.exercise_named(kernel)
    assert isinstance(asked, Prediction)
    size, took = asked.measured
    assert bounds[kernel]["size"] == " ".join(f"{word}={n}" for word, n in size.items())
    assert took == float(bounds[kernel]["median_ms"])
    largest = asked.sizes[0]
    work = asked.work(largest, emulate)
    factor = 1e3 * asked.grows(**size) / asked.grows(**largest)
    least = factor * machine.times(work)[machine.limit(work)]
    assert least <= took <= 1.6 * least, f"{least} ms at least, and it took {took} ms"
