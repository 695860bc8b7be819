"""Gradescope: an autograder's archive for each exercise, and results.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...exercises.result import Outcome
from ..results.outcomes import GradedCheck, GradedExercise
from . import Assignment, Course, Place, archive, feedback, notes, template

#: Where Gradescope unpacks the archive.
_SOURCE = "/autograder/source"


def results(exercise: GradedExercise) -> str:
    """Each check is a test that students see; the case that a check failed at, if the notebook does not show it, is a
    test without points that only instructors see."""
    tests = [test for check in exercise.checks for test in _tests(check)]
    document: dict[str, Any] = {"score": exercise.score, "execution_time": round(exercise.seconds), "tests": tests}
    if about := notes(exercise):
        document["output"] = about
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def refused(sentence: str) -> str:
    return json.dumps({"score": 0, "output": sentence}, ensure_ascii=False) + "\n"


def _tests(check: GradedCheck) -> list[dict[str, Any]]:
    passed = check.outcome is Outcome.PASSED
    shown: dict[str, Any] = {
        "name": check.title,
        "score": check.score,
        "max_score": check.max_score,
        "status": "passed" if passed else "failed",
        "output": feedback(check),
        "output_format": "text",
        "visibility": "visible",
    }
    if passed or not check.hidden or check.report is None:
        return [shown]
    case = {"name": f"{check.title} (hidden case)", "output": str(check.report), "output_format": "text"}
    return [shown, {**case, "status": "failed", "visibility": "hidden"}]


def set_up(folder: str, wheel: str) -> bytes:
    """The script that installs this package from `folder` and checks a notebook there once, so that what is compiled
    is there when the first submission comes."""
    return template("shared/setup.sh", folder=folder, wheel=wheel)


def contents(assignment: Assignment, wheel: tuple[str, bytes]) -> dict[str, bytes]:
    """What every archive holds: the bundle, this package, and a notebook to try it on."""
    return {
        "bundle.txt": assignment.hidden.to_text().encode(),
        "released.ipynb": assignment.notebook,
        wheel[0]: wheel[1],
    }


def _files(course: Course) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {}
    for item in course.assignments:
        scripts = {
            "run_autograder": template("gradescope/run_autograder"),
            "setup.sh": set_up(_SOURCE, course.wheel[0]),
        }
        packed = archive({**contents(item, course.wheel), **scripts}, tuple(scripts))
        files |= {f"{item.name}/autograder.zip": packed, f"{item.name}/{item.name}.ipynb": item.notebook}
    return files


PLACE = Place(
    "Gradescope",
    results,
    refused,
    _files,
    next_step="Upload each autograder.zip to a programming assignment, on the base image Ubuntu 24.04.",
)
