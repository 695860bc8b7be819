"""Which of the course's own checks reject known-wrong answers?

Run it anywhere: `python book/data/measure_grading.py`. It takes half an hour and writes grading_emulator.csv beside
itself, or only the rows of the exercises that are named (`... downsample two_streams`): for the solution of every
exercise in solutions/ and for each known-wrong answer, the checks that fail (including hidden cases) and how many of
its ten points the answer still gets. That takes too long for each build of the book, so the file is kept; `autograder
verify` checks again whether each answer fails as it must.
"""

import os
from collections.abc import Iterator, Mapping
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import nbformat
from places import DATA, SOLUTIONS, chosen

from autograder.cuda.performance import measurements
from autograder.exercises.authoring.verify import find_exercises, find_mutants, read_mutant
from autograder.exercises.notebook.run_notebook import answers_of, run
from autograder.exercises.result import Outcome


def answers() -> Iterator[tuple[Path, str, str, str, dict[str, str]]]:
    """Each answer: its notebook, its exercise, its file, the check that must reject it, and its cells."""
    for path in find_exercises(SOLUTIONS):
        for name in dict.fromkeys(first.split()[1] for first in answers_of(nbformat.read(path, as_version=4))):
            yield path, name, "solution", "", {}
        for file in find_mutants(path):
            mutant = read_mutant(file)
            yield path, file.parent.name, file.name, mutant.check, {mutant.magic: mutant.text}


def row_of(path: Path, name: str, answer: str, check: str, given: dict[str, str]) -> dict[str, Any]:
    """The row of one answer."""
    results = run(nbformat.read(path, as_version=4), given)
    failed = [r.check for r in results if r.outcome is Outcome.FAILED]
    return {
        "chapter": path.parent.name,
        "exercise": name,
        "answer": answer,
        "rejected_by": check,
        "failed": " ".join(dict.fromkeys(failed)),
        "points": f"{sum(r.points for r in results if r.outcome is Outcome.PASSED):g}",
    }


def main() -> None:
    file, named, all_answers = DATA / "grading_emulator.csv", chosen(), list(answers())
    before = {key_of(row): row for row in measurements.rows(file)} if named else {}
    asked = [one for one in all_answers if not named or one[0].stem in named]
    with Pool(os.cpu_count()) as processes:
        found = processes.starmap(row_of, asked, chunksize=1)
    rows = before | {key_of(row): row for row in found}
    order = [(path.parent.name, name, answer) for path, name, answer, _, _ in all_answers]
    measurements.write(file, [rows[key] for key in order], measurements.origin("book/data/measure_grading.py"))
    missed = [row["answer"] for row in found if bool(row["rejected_by"]) != bool(row["failed"])]
    print(f"judged {len(found)} answers; wrongly: {', '.join(missed) or 'none'}")


def key_of(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return row["chapter"], row["exercise"], row["answer"]


if __name__ == "__main__":
    main()
