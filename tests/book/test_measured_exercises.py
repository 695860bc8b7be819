"""Do the measured numbers in the notebooks follow from the tables in book/data?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import inputs
import nbformat
import pytest

from autograder import Machine, Speed
from autograder.cuda.performance.measurements import read
from autograder.exercises.checks.prediction import Prediction
from autograder.exercises.notebook.session import default as session
from autograder.exercises.notebook.session import emulate

pytestmark = inputs.book

ROOT = Path(__file__).parents[2]
DATA = ROOT / "book" / "data"
SPEEDS = DATA / "speed_exercises_nvidia_h200.csv"
LADDER = DATA / "gemm_nvidia_h200.csv"
BOUNDS = DATA / "predict_the_bound_nvidia_h200.csv"
CEILINGS = {"memory": "copy of 1 GiB", "shared": "loads from shared memory", "arithmetic": "multiply-adds"}
UNITS = {"TFLOP/s": 1e12, "GB/s": 1e9}
#: At most this fraction of the measured factor may be needed: other GPUs have other ratios.
ROOM = 0.9


def declared(notebook: Path) -> dict[str, object]:
    """The names that the notebook's own Python cells define."""
    names: dict[str, object] = {}
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type == "code" and not cell.metadata.nbgrader.grade and not cell.source.startswith("%"):
            exec(compile(cell.source, notebook.name, "exec"), names)
    return names


GRADED = [path for path in sorted((ROOT / "solutions").glob("*/*.ipynb")) if ".is_faster_than(" in path.read_text()]


def speeds(notebook: Path) -> Iterator[Speed]:
    return (value for value in declared(notebook).values() if isinstance(value, Speed))


def test_every_exercise_that_is_graded_by_speed_was_measured() -> None:
    assert GRADED
    assert {row["exercise"] for row in read(SPEEDS)} == {path.stem for path in GRADED}


def ladder(kernel: str, n: int, m: str = "") -> float:
    """The time of a rung in milliseconds."""
    (row,) = (r for r in read(LADDER) if (r["kernel"], r["m"], r["n"]) == (kernel, m, str(n)))
    return float(row["median_ms"])


def reached(notebook: Path, speed: Speed) -> float:
    """How many times as fast as its baseline a good answer was, as measured."""
    mine = [row for row in read(SPEEDS) if (row["exercise"], row["answer"]) == (notebook.stem, "solution")]
    assert {row["baseline"] for row in mine} == {speed.baseline.name}
    assert {row["size"] for row in mine} == {" ".join(f"{word}={n}" for word, n in speed.size.items())}
    return min(float(row["times_as_fast"]) for row in mine)


@pytest.mark.parametrize("notebook", GRADED, ids=lambda path: path.stem)
def test_thresholds_leave_room(notebook: Path) -> None:
    for speed in speeds(notebook):
        best = reached(notebook, speed)
        assert speed.needed <= ROOM * best, f"{best} was measured"
        assert ROOM * best <= speed.good <= best, f"{best} was measured"


def published(notebook: Path, word: str) -> set[float]:
    """The numbers for "naive", "needed" or "good" in the table that the notebook shows to a student."""
    (cell,) = (c for c in nbformat.read(notebook, as_version=4).cells if "How fast is fast?" in c.source)
    (line,) = (line for line in cell.source.splitlines() if line.startswith(f"| {word}"))
    return {float(number) for number in line.split("|")[2].split(",")}


@pytest.mark.parametrize("word", ["naive", "needed", "good"])
@pytest.mark.parametrize("notebook", GRADED, ids=lambda path: path.stem)
def test_the_notebook_publishes_what_it_asks_for(notebook: Path, word: str) -> None:
    assert published(notebook, word) == {getattr(speed, word) for speed in speeds(notebook)}


def row_of(notebook: Path, answer: str) -> dict[str, str]:
    return next(row for row in read(SPEEDS) if (row["exercise"], row["answer"]) == (notebook.stem, answer))


@pytest.mark.parametrize("notebook", GRADED, ids=lambda path: path.stem)
def test_naive_is_the_baseline_itself_or_was_measured(notebook: Path) -> None:
    for speed in speeds(notebook):
        measured = 1.0 if speed.baseline.source else float(row_of(notebook, "naive")["times_as_fast"])
        assert speed.naive == pytest.approx(measured, rel=0.02)


def test_where_there_are_few_blocks_the_simple_kernel_is_as_fast_as_two_buffers() -> None:
    (notebook,) = (path for path in GRADED if path.stem == "gemm_double_buffered")
    simple, answer = (row_of(notebook, name) for name in ("naive", "solution"))
    assert float(simple["median_ms"]) == pytest.approx(float(answer["median_ms"]), abs=float(answer["spread_ms"]))


@pytest.fixture(scope="module")
def machine() -> Machine:
    """The notebook's machine; afterwards the session knows its kernels."""
    found = declared(ROOT / "solutions" / "measuring" / "predict_the_bound.ipynb")["h200"]
    assert isinstance(found, Machine)
    return found


@pytest.mark.parametrize("part", CEILINGS)
def test_the_ceilings_are_the_measured_ones(machine: Machine, part: str) -> None:
    (row,) = (r for r in read(DATA / "roofline_nvidia_h200.csv") if r["ceiling"] == CEILINGS[part])
    assert machine.name == row["device"]
    assert getattr(machine, part) == pytest.approx(float(row["rate"]) * UNITS[row["unit"]], rel=1e-6)


@pytest.mark.parametrize("kernel", ["scale_and_add", "polynomial", "gemm_tiled", "turn"])
def test_the_limit_explains_the_measured_time(machine: Machine, kernel: str) -> None:
    requested = session.exercise_named(kernel)
    assert isinstance(requested, Prediction)
    size, took = requested.measured
    if kernel == "gemm_tiled":
        assert took == ladder(kernel, size["n"], "16")
    else:
        (row,) = (r for r in read(BOUNDS) if r["kernel"] == kernel)
        assert (row["size"], took) == (f"n={size['n']}", float(row["median_ms"]))
    largest = requested.sizes[0]
    work = requested.work(largest, emulate)
    factor = 1e3 * requested.grows(**size) / requested.grows(**largest)
    least = factor * machine.times(work)[machine.limit(work)]
    assert least <= took <= 2 * least, f"{least} ms at least, and it took {took} ms"
