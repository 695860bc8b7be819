"""What do the course's own checks say of known-wrong answers?

Run it anywhere: `python book/data/measure_grading.py`. It takes two minutes and writes grading_emulator.csv
beside itself: for the solution of every exercise in solutions/ and for each known-wrong answer, the sentences that
fail (hidden cases among them) and the points of its ten that the answer still gets.
"""

import csv
import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from autograder.authoring.verify import find_exercises, find_mutants, read_mutant
from autograder.exercise.result import Outcome
from autograder.notebook.run_notebook import answers_of, run

HERE = Path(__file__).resolve().parent
SOLUTIONS = HERE.parents[1] / "solutions"


def rows() -> Iterator[dict[str, Any]]:
    for path in find_exercises(SOLUTIONS):
        notebook = nbformat.read(path, as_version=4)
        mutants = [read_mutant(mutant) for mutant in find_mutants(path)]
        names = dict.fromkeys(first.split()[1] for first in answers_of(notebook))
        right = [(name, "solution", "", {}) for name in names]
        wrong = [(m.path.parent.name, m.path.name, m.sentence, {m.magic: m.text}) for m in mutants]
        for name, answer, sentence, given in (*right, *wrong):
            results = run(notebook, given)
            failed = [r.check for r in results if r.outcome is Outcome.FAILED]
            yield {
                "chapter": path.parent.name,
                "exercise": name,
                "answer": answer,
                "rejected_by": sentence,
                "failed": " ".join(dict.fromkeys(failed)),
                "points": f"{sum(r.points for r in results if r.outcome is Outcome.PASSED):g}",
                "date": datetime.date.today().isoformat(),
                "script": f"book/data/{Path(__file__).name}",
            }


def main() -> None:
    found = list(rows())
    with (HERE / "grading_emulator.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, found[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    missed = [row["answer"] for row in found if bool(row["rejected_by"]) != bool(row["failed"])]
    print(f"wrote {len(found)} rows; judged wrongly: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
