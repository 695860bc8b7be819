"""How often does comparing with numpy on a GPU reject a wrong kernel?

Run it on a machine with an NVIDIA GPU: `python book/data/measure_mutants.py`. For every exercise in
solutions/ it launches the solution and each known-wrong answer at the exercise's own sizes, with fresh
random inputs each time, compares with numpy as the exercise does, and writes mutants_<gpu>.csv beside
itself: `passes` of `runs` whole rounds (all sizes) were right.
"""

import csv
import datetime
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import numpy as np

from autograder import Kernel, UsageError, session
from autograder.backends import gpu
from autograder.checks.numerics import find_mismatch
from autograder.exercise import Case, Exercise, InOut, Output, tolerance
from autograder.notebook_run import answers_of
from autograder.run import Run
from autograder.values import parse_values

HERE = Path(__file__).resolve().parent
SOLUTIONS = HERE.parent.parent / "solutions"
ROUNDS = 30


def declared(notebook: Any, name: str) -> Exercise:
    """The exercise that the notebook's contract cell declares."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and re.search(rf'^exercise\("{name}"', cell.source, re.MULTILINE):
            exec(cell.source, {})
    exercise = session.default.exercise_named(name)
    assert exercise, f"{name} declares no exercise"
    return exercise


def mutants(notebook: Path) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Name, the sentence that must reject it, and what it answers, for each wrong answer."""
    for path in sorted((notebook.parent / "mutants" / notebook.stem).iterdir()):
        text = path.read_text()
        magic = "%%cuda" if path.suffix == ".cu" else "%%values"
        yield path.name, text.split("rejected by: ")[1].split()[0], {f"{magic} {notebook.stem}": text}


def right(exercise: Exercise, answers: Mapping[str, str], size: Mapping[str, Any], rng: np.random.Generator) -> bool:
    """Whether one launch on fresh inputs gives what numpy gives."""
    words = []
    try:
        if exercise.values:
            given = parse_values(answers[f"%%values {exercise.name}"], exercise.values, tuple(size))
            words = [SimpleNamespace(**given.evaluate(size))]
        case = exercise.case(rng, *words, **size)
        kernel = Kernel(answers[f"%%cuda {exercise.name}"], exercise.kernel)
        run = kernel.run_on_gpu(case.grid, case.block, case.launch_args(), case.shared_mem)
    except UsageError:
        return False  # a launch that no GPU takes
    return run.completed and as_expected(case, run)


def as_expected(case: Case, run: Run) -> bool:
    arrays = [a for a in case.args if isinstance(a, np.ndarray | Output | InOut)]
    outputs = [got for a, got in zip(arrays, run.outputs, strict=True) if isinstance(a, Output | InOut)]
    return not any(
        find_mismatch("", got, want, tolerance(want, got.dtype, case.terms), np.zeros(got.shape, bool))
        for got, want in zip(outputs, case.expected, strict=True)
    )


def rows() -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng()
    where = {
        "device": gpu.device_name(),
        "date": datetime.date.today().isoformat(),
        "script": f"book/data/{Path(__file__).name}",
    }
    for path in sorted(SOLUTIONS.glob("*/*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        exercise, solution = declared(notebook, path.stem), answers_of(notebook)
        candidates = [("solution", "", {}), *mutants(path)]
        for name, sentence, replaced in candidates:
            runs = passes = 0
            while runs < ROUNDS:
                runs += 1
                passes += all(right(exercise, {**solution, **replaced}, size, rng) for size in exercise.sizes)
                if runs == 3 and not passes:
                    break  # rejected each time, maybe by a time-out: three say it
            yield {
                "exercise": path.stem,
                "answer": name,
                "rejected_by": sentence,
                "runs": runs,
                "passes": passes,
                **where,
            }


def main() -> None:
    path = HERE / f"mutants_{re.sub(r'[^a-z0-9]+', '_', gpu.device_name().lower())}.csv"
    with path.open("w", newline="") as file:
        for row in rows():
            if file.tell() == 0:
                writer = csv.DictWriter(file, row, lineterminator="\n")
                writer.writeheader()
            writer.writerow(row)
            print(*list(row.values())[:5], flush=True)
            assert row["rejected_by"] or row["passes"] == row["runs"], "the solution must always pass"
    print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
