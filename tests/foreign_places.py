"""Do the places' own programs read our results? `python tests/foreign_places.py OTTER [PRAIRIELEARN]`

OTTER is the Python of an environment with otter-grader and jsonschema, and PRAIRIELEARN a clone of PrairieLearn's
repository. Prints one line for each place.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.classroom.checking.bundle import Bundle
from autograder.classroom.places import Assignment, Course, places, template
from autograder.classroom.results.outcomes import GradedCheck, GradedExercise
from autograder.cuda.report import Report
from autograder.exercises.result import Outcome

_FAILED = Report("saxpy has no races: FAILED", "case n=3", ("Two threads write y[1].",))
EXERCISE = GradedExercise(
    "",
    "saxpy",
    "One thread for each number",
    checks=(
        GradedCheck("right", "saxpy matches numpy", Outcome.PASSED, False, None, 2.25, 2.25),
        GradedCheck("races", "saxpy has no races", Outcome.FAILED, False, _FAILED, 0.0, 1.5),
    ),
    score=2.25,
    max_score=3.75,
)
_READ_OTTER = "import dill, sys; r = dill.load(open(sys.argv[1], 'rb')); print(r.total, r.possible)"
_VALIDATE = "import json, jsonschema, sys; jsonschema.validate(*(json.load(open(p)) for p in sys.argv[1:]))"


def main(python: str, prairielearn: str = "") -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "ottr.json").write_text(places()["otter"].results(EXERCISE))
        (folder / "run_otter.py").write_bytes(template("otter/run_otter.py"))
        run(python, str(folder / "run_otter.py"), str(folder))
        print("Otter:", run(python, "-c", _READ_OTTER, str(folder / "results.pkl")), "points")
        if prairielearn:
            print("PrairieLearn:", question(python, Path(prairielearn), folder))


def question(python: str, repository: Path, folder: Path) -> str:
    """Validate a question's info.json by PrairieLearn's schema."""
    empty = Bundle({}, 1)
    course = Course([Assignment("saxpy", "One", "threads", b"", empty, empty)], ("a.whl", b""), "https://x.org/o/c")
    make = places()["prairielearn"].files
    assert make is not None
    (folder / "info.json").write_bytes(make(course)["questions/saxpy/info.json"])
    schema = repository / "apps/prairielearn/src/schemas/schemas/infoQuestion.json"
    run(python, "-c", _VALIDATE, str(folder / "info.json"), str(schema))
    keys = json.loads((folder / "info.json").read_text())
    return f"info.json is valid ({len(keys)} keys)"


def run(*command: str) -> str:
    """What a program prints.

    Raises:
        SystemExit: it failed.
    """
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[1]} failed: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout.strip()


if __name__ == "__main__":
    main(*sys.argv[1:])
