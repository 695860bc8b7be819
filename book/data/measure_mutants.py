"""How many known-wrong answers are rejected by comparing with numpy on a GPU, and by compute-sanitizer?

Run it on a machine with an NVIDIA GPU, CuPy, numpy, nbformat and the CUDA toolkit: `python
book/data/measure_mutants.py`. It takes some 20 minutes. For every exercise in solutions/, or only for those that are
named (`... downsample any_above`), it takes the solution and each known-wrong answer, and writes beside itself:

  mutants_<gpu>.csv            `passes` of `runs` rounds (all sizes, fresh random inputs each time) gave what numpy
                               gives, by the tolerance of the exercise; a wrong answer that fails three rounds out of
                               three is not tried again
  mutants_sanitizer_<gpu>.csv  what each tool of compute-sanitizer made of a launch at the exercise's first size:
                               "reports" if it reported anything, "nothing", "time out", or "does not run" where NVRTC
                               or CUDA refuse the answer; `says` are the first lines of the reports
"""

import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path

import nbformat
import numpy as np
from cupy.cuda import nvrtc as cupy_nvrtc
from measuring import Row, machine, write
from places import DATA, SOLUTIONS, chosen
from sanitizer import TOOLS, compiled, under_all, version, write_launch

from autograder import Kernel, UsageError
from autograder.cuda.backends import gpu
from autograder.cuda.core.numerics import find_mismatch, tolerance
from autograder.cuda.core.run import Run
from autograder.cuda.core.setting import Size
from autograder.cuda.performance import measurements
from autograder.exercises.declarations.declaration import Case, Exercise, InOut, Output
from autograder.exercises.declarations.domain import words_of
from autograder.exercises.declarations.values import parse_values
from autograder.exercises.notebook.run_notebook import answers_of, declared

ROUNDS, JOBS = 30, 12
SHARES = 3  # processes for each tool
PATIENCE = 15  # seconds


def mutants(folder: Path, name: str) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """File, the check that must reject it, and what it answers, for each wrong answer to exercise `name`."""
    for path in sorted(folder.iterdir()):
        text = path.read_text()
        magic = "%%cuda" if path.suffix == ".cu" else "%%values"
        yield path.name, text.split("rejected by: ")[1].split()[0], {f"{magic} {name}": text}


def made(exercise: Exercise, answers: Mapping[str, str], size: Size, draw: int) -> Case:
    """The launch for these answers at one size; each `draw` has inputs of its own.

    Raises:
        UsageError: a launch that no GPU takes.
    """
    words = None
    if exercise.values:
        sized = words_of(size)
        words = parse_values(answers[f"%%values {exercise.name}"], exercise.values, tuple(sized)).evaluate(sized)
    return exercise.build(size, words, draw)


def right(exercise: Exercise, answers: Mapping[str, str], size: Size, draw: int) -> bool:
    """Whether one launch gives what numpy gives."""
    try:
        case = made(exercise, answers, size, draw)
        kernel = Kernel(answers[f"%%cuda {exercise.name}"], exercise.kernel)
        run = kernel.run_on_gpu(case.grid, case.block, case.launch_args(), case.shared_mem)
    except UsageError:
        return False
    return run.completed and as_expected(case, run)


def as_expected(case: Case, run: Run) -> bool:
    arrays = [a for a in case.args if isinstance(a, np.ndarray | Output | InOut)]
    outputs = [got for a, got in zip(arrays, run.outputs, strict=True) if isinstance(a, Output | InOut)]
    return not any(
        find_mismatch("", got, want, tolerance(want, got.dtype, case.terms), np.zeros(got.shape, bool))
        for got, want in zip(outputs, case.expected, strict=True)
    )


#: Exercise, file, the check that must reject it, and all answers of the notebook with this one in it.
Answer = tuple[Exercise, str, str, dict[str, str]]


def answers_to(path: Path) -> Iterator[Answer]:
    """Every solution of a notebook, and every wrong answer to it, except for answers that are values alone, or whole
    programs."""
    notebook = nbformat.read(path, as_version=4)
    solution = answers_of(notebook)
    exercises = declared(notebook).exercises
    names = dict.fromkeys(first.split()[1] for first in solution)
    for name in names:
        if f"%%cuda {name}" not in solution:
            continue
        exercise = exercises[name]
        if not isinstance(exercise, Exercise):
            continue
        folder = path.parent / "mutants" / path.stem
        wrong = mutants(folder / name if len(names) > 1 else folder, name)
        for answer, check, replaced in [("solution", "", {}), *wrong]:
            yield exercise, answer, check, {**solution, **replaced}


def against_numpy(path: Path) -> list[Row]:
    """`runs` and `passes` of every answer to a notebook."""
    found: list[Row] = []
    for exercise, answer, check, answers in answers_to(path):
        runs = passes = 0
        while runs < ROUNDS:
            runs += 1
            passes += all(right(exercise, answers, size, runs) for size in exercise.sizes)
            if runs == 3 and not passes:
                break  # rejected each time, maybe by a timeout: three rounds are enough
        about = {"exercise": exercise.name, "answer": answer, "rejected_by": check}
        found.append({**about, "runs": runs, "passes": passes})
        print(*found[-1].values(), flush=True)
    gpu.close()
    return found


def by_sanitizer(paths: list[Path], folder: Path) -> Iterator[Row]:
    """Each tool's result for every answer to these notebooks."""
    answers = [answer for path in paths for answer in answers_to(path)]

    def written(numbered: tuple[int, Answer]) -> Path | None:
        number, (exercise, answer, _, texts) = numbered
        # A report names the file, which identifies the answer.
        path = folder / f"{number}-{re.sub(r'[^a-z0-9_]', '-', answer.partition('.')[0])}.json"
        text = texts[f"%%cuda {exercise.name}"]
        try:
            case = made(exercise, texts, exercise.sizes[0], 1)
            launch = Kernel(text, exercise.kernel).prepare(case.grid, case.block, case.launch_args(), case.shared_mem)
            write_launch(path, compiled(f"{path.stem}.cu", text, exercise.kernel), launch)
        except (UsageError, cupy_nvrtc.NVRTCError):
            return None
        return path

    with ThreadPoolExecutor() as pool:
        launches = list(pool.map(written, enumerate(answers)))
    done = under_all([path for path in launches if path], TOOLS[1:], SHARES)
    # Beside so many others a launch may take long: those that did not end get more time, beside few.
    slow = {launch for (_, launch), one in done.items() if one["outcome"] == "time out"}
    done |= under_all([path for path in launches if path and str(path) in slow], TOOLS[1:], SHARES, PATIENCE)
    nothing = {"outcome": "does not run", "says": ""}
    for (exercise, answer, check, _), path in zip(answers, launches, strict=True):
        seen = {tool: done.get((tool, str(path)), nothing) for tool in TOOLS[1:]}
        yield {
            "exercise": exercise.name,
            "answer": answer,
            "rejected_by": check,
            **{tool: one["outcome"] for tool, one in seen.items()},
            "says": "; ".join(dict.fromkeys(one["says"] for one in seen.values() if one["says"]))[:200],
        }


def keep(name: str, rows: Iterable[Row], only: Collection[str]) -> None:
    """Write the table of `rows`. If they are of some exercises only, all others keep theirs of this GPU's table."""
    where = machine() if name == "mutants" else {"sanitizer": version(), **machine()}
    by_exercise: dict[object, list[Mapping[str, object]]] = {}
    file = DATA / measurements.file_name(name, where["device"])
    for several in (measurements.rows(file) if only else [], rows):
        by_exercise |= {exercise: list(its) for exercise, its in groupby(several, itemgetter("exercise"))}
    write(name, chain.from_iterable(by_exercise.values()), where)


def main() -> None:
    named = chosen()
    paths = [path for path in sorted(SOLUTIONS.glob("*/*.ipynb")) if not named or path.stem in named]
    with tempfile.TemporaryDirectory() as folder:
        keep("mutants_sanitizer", by_sanitizer(paths, Path(folder)), named)
    with ProcessPoolExecutor(JOBS) as pool:
        found = [row for rows in pool.map(against_numpy, paths) for row in rows]
    keep("mutants", found, named)
    failed = [row["exercise"] for row in found if not row["rejected_by"] and int(row["passes"]) < int(row["runs"])]
    assert not failed, f"a solution must always pass: {failed}"


if __name__ == "__main__":
    main()
