"""How often does comparing with numpy on a GPU reject a wrong kernel?

Run it on a machine with an NVIDIA GPU: `python book/data/measure_mutants.py`. It takes a few minutes. For
every exercise in solutions/, JOBS notebooks at a time, it launches the solution and each known-wrong answer
at the exercise's own sizes, with fresh random inputs each time, compares with numpy as the exercise does, and
writes mutants_<gpu>.csv beside itself: `passes` of `runs` whole rounds (all sizes) were right. A wrong answer
that fails three rounds out of three is not tried again.
"""

import csv
import datetime
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
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
ROUNDS, JOBS = 30, 12


def declared(notebook: Any, name: str) -> Exercise:
    """The exercise that the notebook's contract cell declares."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and re.search(rf'^exercise\("{name}"', cell.source, re.MULTILINE):
            exec(cell.source, {})
    exercise = session.default.exercise_named(name)
    assert exercise, f"{name} declares no exercise"
    return exercise


def mutants(folder: Path, name: str) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """File, the sentence that must reject it, and what it answers, for each wrong answer to exercise `name`."""
    for path in sorted(folder.iterdir()):
        text = path.read_text()
        magic = "%%cuda" if path.suffix == ".cu" else "%%values"
        yield path.name, text.split("rejected by: ")[1].split()[0], {f"{magic} {name}": text}


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


def of_notebook(path: Path) -> list[dict[str, Any]]:
    rng, found = np.random.default_rng(), []
    notebook = nbformat.read(path, as_version=4)
    solution = answers_of(notebook)
    names = dict.fromkeys(first.split()[1] for first in solution)
    for name in names:
        exercise, folder = declared(notebook, name), path.parent / "mutants" / path.stem
        wrong = mutants(folder / name if len(names) > 1 else folder, name)
        for answer, sentence, replaced in [("solution", "", {}), *wrong]:
            runs = passes = 0
            while runs < ROUNDS:
                runs += 1
                passes += all(right(exercise, {**solution, **replaced}, size, rng) for size in exercise.sizes)
                if runs == 3 and not passes:
                    break  # rejected each time, maybe by a time-out: three say it
            about = {"exercise": name, "answer": answer, "rejected_by": sentence}
            found.append({**about, "runs": runs, "passes": passes})
            print(*found[-1].values(), flush=True)
    gpu.close()
    return found


def main() -> None:
    where = {
        "device": gpu.device_name(),
        "date": datetime.date.today().isoformat(),
        "script": f"book/data/{Path(__file__).name}",
    }
    path = HERE / f"mutants_{re.sub(r'[^a-z0-9]+', '_', where['device'].lower())}.csv"
    with ProcessPoolExecutor(JOBS) as pool:
        found = [row for rows in pool.map(of_notebook, sorted(SOLUTIONS.glob("*/*.ipynb"))) for row in rows]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*found[0], *where], lineterminator="\n")
        writer.writeheader()
        writer.writerows({**row, **where} for row in found)
    failed = [row["exercise"] for row in found if not row["rejected_by"] and row["passes"] < row["runs"]]
    assert not failed, f"a solution must always pass: {failed}"
    print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
