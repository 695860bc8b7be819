"""How fast are the answers to the exercises that are graded by speed, each beside the kernel that its notebook names?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_speed_exercises.py`. It writes
speed_exercises_<gpu>.csv beside itself: for each solution, and for each mutant that computes the right numbers in a
slow way, how many times as fast as its baseline it is. Sizes and baselines are those of the notebook's `Speed`, and
times are taken as `is_faster_than` takes them: single launches, each on fresh inputs, which the baseline gets too. A
row `naive` has the ladder's first kernel in the answer's place. tests/book/test_measured_exercises.py says how the
thresholds in the notebooks follow from this table and from the ladder's.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gemm_rungs import RUNGS
from measuring import Row, machine, write
from places import SOLUTIONS

from autograder import Speed
from autograder.cuda.backends import gpu
from autograder.cuda.core.launch import Launch, Series
from autograder.cuda.core.run import TimedRun
from autograder.cuda.core.setting import Setting, Size
from autograder.cuda.kernel import Kernel
from autograder.exercises.answers.answer import ValuesAnswer
from autograder.exercises.answers.trial import Trial, find_wrong_result
from autograder.exercises.declarations.declaration import Case, Exercise
from autograder.exercises.notebook.session import default as session

#: A mutant that one of these rejects, and no other check but that on speed, computes the right numbers.
ABOUT_TRAFFIC = {
    "loads_at_most",
    "stores_at_most",
    "shared_loads_at_most",
    "barriers_at_most",
    "is_coalesced",
    "has_no_bank_conflicts",
    "is_faster_than",
}
MUTANT_ROUNDS = 3


class Notebook:
    """An exercise notebook that is graded by speed: what it declares, and the texts of its answers."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.stem
        names: dict[str, Any] = {}
        self.answers = {"%%values": ""}
        for cell in json.loads(path.read_text())["cells"]:
            text = "".join(cell["source"])
            if cell["cell_type"] != "code" or cell["metadata"]["nbgrader"]["grade"] or text.startswith("%load_ext"):
                continue
            magic, _, body = text.partition("\n")
            if magic.startswith("%%"):
                self.answers[magic.split()[0]] = body
            else:
                exec(compile(text, path.name, "exec"), names)
        exercise = session.exercise_named(self.name)
        assert isinstance(exercise, Exercise), f"{path.name} declares no exercise {self.name}"
        self.exercise = exercise
        self.speeds = [value for value in names.values() if isinstance(value, Speed)]
        self.baseline = self.speeds[0].baseline
        self.size = self.speeds[0].size
        self._cases: dict[str, Case] = {}

    def mutants(self) -> Iterator[tuple[str, str, dict[str, str]]]:
        """The file's name, the check that rejects it and the answers, for each mutant that is right and slow."""
        for path in sorted((self.path.parent / "mutants" / self.name).iterdir()):
            first, second, *_ = path.read_text().split("\n")
            rejected = first.partition("rejected by:")[2].strip()
            perhaps = second.partition("perhaps also:")[2].replace(" ", "").split(",")
            if {rejected, *filter(None, perhaps)} <= ABOUT_TRAFFIC:
                magic = {".cu": "%%cuda", ".values": "%%values"}[path.suffix]
                yield path.name, rejected, {**self.answers, magic: path.read_text()}

    def case(self, answers: dict[str, str], size: Size, draw: int) -> Case:
        words = None
        if self.exercise.values:
            words = ValuesAnswer(answers["%%values"]).evaluate(self.exercise.values, size)
        key = f"{words} {size} {draw}"
        if key not in self._cases:  # the reference is slow
            self._cases[key] = self.exercise.build(size, words, draw)
        return self._cases[key]

    def launch(self, answers: dict[str, str], case: Case) -> Launch:
        source, kernel = answers["%%cuda"], self.exercise.kernel
        return Kernel(source, kernel).prepare(case.grid, case.block, case.launch_args(), case.shared_mem)


def median(timed: Sequence[TimedRun]) -> float:
    """The median of all but the first, which warms up."""
    return float(np.median([time for one in timed[1:] for time in one.times]))


def must_be_right(what: str, case: Case, launch: Launch, timed: TimedRun) -> None:
    trial = Trial(case, launch, Setting({}), timed.run)
    assert trial.stopper is None, f"{what} stopped: {trial.stopper}"
    assert not find_wrong_result(trial), f"{what} gives a wrong result"


def race(notebook: Notebook, answers: dict[str, str], rounds: int, what: str) -> tuple[float, float, float]:
    """The medians of the answer's and of the baseline's times in milliseconds, and the answer's interquartile range."""
    cases = [notebook.case(answers, notebook.size, draw) for draw in range(1, rounds + 2)]
    launches = [notebook.launch(answers, case) for case in cases]
    return compare(notebook, cases, launches, what)


def compare(
    notebook: Notebook, cases: Sequence[Case], launches: Sequence[Launch], what: str
) -> tuple[float, float, float]:
    pairs = list(zip(cases, launches, strict=True))
    baselines = [notebook.baseline.prepare(case, notebook.size, own) for case, own in pairs]
    own, other = gpu.time([Series(launches), Series(baselines, cublas=not notebook.baseline.source)])
    for (case, launch), against, mine, theirs in zip(pairs, baselines, own, other, strict=True):
        must_be_right(what, case, launch, mine)
        must_be_right(notebook.baseline.name, case, against, theirs)
    low, high = np.percentile([time for one in own[1:] for time in one.times], [25, 75])
    return median(own), median(other), float(high - low)


def naive(notebook: Notebook) -> tuple[float, float, float]:
    """The chapter's simple kernel, with blocks of 16 x 16, in place of the answer."""
    rung = RUNGS[0]
    cases = [notebook.case(notebook.answers, notebook.size, draw) for draw in range(1, MUTANT_ROUNDS + 2)]
    words = rung.launch(notebook.size["M"], notebook.size["N"])
    launches = [Kernel(rung.source, rung.name).prepare(args=case.launch_args(), **words) for case in cases]
    return compare(notebook, cases, launches, rung.name)


def check_sizes(notebook: Notebook) -> None:
    """Check that the solution is right on this GPU at every size of the notebook."""
    for size in notebook.exercise.sizes:
        case = notebook.case(notebook.answers, size, 0)
        launch = notebook.launch(notebook.answers, case)
        must_be_right(f"the solution of {notebook.name} for {size}", case, launch, TimedRun(gpu.run(launch)))


def row(notebook: Notebook, answer: str, rejected: str, times: tuple[float, float, float] | None) -> Row:
    """`times` are those of `race`; None if the answer is wrong on this GPU."""
    own, other, spread = times or (np.nan, np.nan, np.nan)
    return {
        "exercise": notebook.name,
        "answer": answer,
        "rejected_by": rejected,
        "size": " ".join(f"{word}={value}" for word, value in notebook.size.items()),
        "baseline": notebook.baseline.name,
        "median_ms": f"{own:.4f}",
        "spread_ms": f"{spread:.4f}",
        "baseline_ms": f"{other:.4f}",
        "times_as_fast": f"{other / own:.3f}",
    }


def rows() -> Iterator[Row]:
    for path in sorted(SOLUTIONS.glob("*/*.ipynb")):
        if ".is_faster_than(" not in path.read_text():
            continue
        notebook = Notebook(path)
        check_sizes(notebook)
        for _ in range(2):  # twice: how far do two measurements differ?
            times = race(notebook, notebook.answers, notebook.speeds[0].rounds, notebook.name)
            yield row(notebook, "solution", "", times)
        yield row(notebook, "naive", "", naive(notebook))
        for file, rejected, answers in notebook.mutants():
            try:
                yield row(notebook, file, rejected, race(notebook, answers, MUTANT_ROUNDS, file))
            except AssertionError as error:
                print(error)
                yield row(notebook, file, rejected, None)


def main() -> None:
    write("speed_exercises", rows(), machine())


if __name__ == "__main__":
    main()
