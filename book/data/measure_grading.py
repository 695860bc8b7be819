"""Which of the course's own checks reject known-wrong answers?

Run it anywhere: `python book/data/measure_grading.py`. It takes two minutes and writes grading_emulator.csv
beside itself: for the solution of every exercise in solutions/ and for each known-wrong answer, the checks that
fail (including hidden cases) and how many of its ten points the answer still gets. That takes too long for each build
of the book, so the file is kept; `autograder verify` checks again whether each answer fails as it must.
"""

from collections.abc import Iterator
from typing import Any

import nbformat
from places import DATA, SOLUTIONS

from autograder.authoring.verify import find_exercises, find_mutants, read_mutant
from autograder.exercise.result import Outcome
from autograder.notebook.run_notebook import answers_of, run
from autograder.performance import measurements


def rows() -> Iterator[dict[str, Any]]:
    for path in find_exercises(SOLUTIONS):
        notebook = nbformat.read(path, as_version=4)
        mutants = [read_mutant(mutant) for mutant in find_mutants(path)]
        names = dict.fromkeys(first.split()[1] for first in answers_of(notebook))
        right: list[tuple[str, str, str, dict[str, str]]] = [(name, "solution", "", {}) for name in names]
        wrong = [(m.path.parent.name, m.path.name, m.check, {m.magic: m.text}) for m in mutants]
        for name, answer, check, given in (*right, *wrong):
            results = run(notebook, given)
            failed = [r.check for r in results if r.outcome is Outcome.FAILED]
            yield {
                "chapter": path.parent.name,
                "exercise": name,
                "answer": answer,
                "rejected_by": check,
                "failed": " ".join(dict.fromkeys(failed)),
                "points": f"{sum(r.points for r in results if r.outcome is Outcome.PASSED):g}",
            }


def main() -> None:
    found = list(rows())
    origin = measurements.origin("book/data/measure_grading.py")
    measurements.write(DATA / "grading_emulator.csv", found, origin)
    missed = [row["answer"] for row in found if bool(row["rejected_by"]) != bool(row["failed"])]
    print(f"wrote {len(found)} rows; judged wrongly: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
