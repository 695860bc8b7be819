"""Otter: an archive for `otter grade` and for Gradescope, and results that Otter's own classes read."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ...exercises.result import Outcome
from ..results.outcomes import GradedExercise
from . import Course, Place, archive, feedback, template
from .gradescope import contents, set_up

#: Otter's image has only some files of the archive when it is set up: among them, those whose names begin like this.
_EARLY = "requirements."


def results(exercise: GradedExercise) -> str:
    """Each check is a test file with one test case, in the form of Otter's `GradingResults.from_ottr_json`."""
    files = []
    for check in exercise.checks:
        case = {
            "name": check.title,
            "code": "",
            "hidden": check.hidden,
            "points": check.max_score,
            "success_message": None,
            "failure_message": None,
        }
        passed = check.outcome is Outcome.PASSED
        item = {"test_case": case, "passed": passed, "error": "" if passed else feedback(check)}
        files.append({"filename": check.name, "points": None, "test_case_results": [item]})
    return json.dumps({"test_file_results": files}, indent=1, ensure_ascii=False) + "\n"


def refused(sentence: str) -> str:
    case = {"name": sentence, "code": "", "hidden": False, "points": 0, "success_message": None}
    item = {"test_case": {**case, "failure_message": None}, "passed": False, "error": sentence}
    files = [{"filename": "not-graded", "points": None, "test_case_results": [item]}]
    return json.dumps({"test_file_results": files}, ensure_ascii=False) + "\n"


def _files(course: Course) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {}
    for item in course.assignments:
        inside = {
            "run_autograder": template("otter/run_autograder"),
            "setup.sh": template("otter/setup.sh") + set_up("/autograder/source/early", course.wheel[0]),
            "run_otter.py": template("otter/run_otter.py"),
            "otter_config.json": b"{}\n",
            "environment.yml": template("otter/environment.yml"),
            f"{_EARLY}zip": archive(contents(item, course.wheel)),
            "files/README.txt": template("otter/README.txt"),
            "tests/README.txt": template("otter/README.txt"),
        }
        packed = archive(inside, ("run_autograder", "setup.sh"))
        files |= {f"{item.name}/autograder.zip": packed, f"{item.name}/{item.name}.ipynb": item.notebook}
    return files


PLACE = Place(
    "Otter",
    results,
    refused,
    _files,
    next_step="Run `otter grade -a autograder.zip --image ubuntu:24.04` on a folder of notebooks, or upload the "
    "archive to Gradescope.",
)
