"""Classroom 50: a template repository and an autograder for each exercise, and result.json.

Classroom 50 takes integers, so its points are hundredths of ours.
"""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Mapping
from typing import Any

from ...exercises.result import Outcome
from ..results.outcomes import GradedExercise
from . import Course, Place, below, feedback, template
from .github import starter

_SCHEMA = "classroom50/result/v1"
#: By the key of result.json, the variable in which the runner names the value.
_GIVEN = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "owner": "OWNER",
    "assignment_type": "ASSIGNMENT_TYPE",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
}


def results(exercise: GradedExercise) -> str:
    """Each check is a test, with what the student reads of it in the field `output`."""
    tests = [
        {
            "test-name": check.title,
            "passed": check.outcome is Outcome.PASSED,
            "score": _hundredths(check.score),
            "max-score": _hundredths(check.max_score),
            "output": feedback(check),
        }
        for check in exercise.checks
    ]
    return _document(tests)


def refused(sentence: str) -> str:
    return _document([{"test-name": sentence, "passed": False, "score": 0, "max-score": 0}])


def _document(tests: list[dict[str, Any]]) -> str:
    given = {key: os.environ.get(variable, "") for key, variable in _GIVEN.items()}
    document = {
        "schema": _SCHEMA,
        **given,
        "review": os.environ.get("REVIEW_URL") or given["commit"],
        "datetime": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _hundredths(points: float) -> int:
    return round(points * 100)


def _files(course: Course) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {}
    name, wheel = course.wheel
    for item in course.assignments:
        slug = item.name.replace("_", "-")
        grader = {
            "autograder.py": template("classroom50/autograder.py", wheel=name, exercise=item.name),
            "visible.txt": item.visible.to_text().encode(),
            name: wheel,
        }
        files |= below(f"templates/{slug}", starter(item, course))
        files |= below(f"autograders/{slug}", grader)
        files[f"secrets/{slug}.txt"] = item.hidden.to_text().encode()
    return files


PLACE = Place(
    "Classroom 50",
    results,
    refused,
    _files,
    next_step="Push each folder of templates/ as a template repository, and copy autograders/ into your classroom's "
    "folder. Never push secrets/: a self-hosted runner may name its own copy of a file in AUTOGRADER_BUNDLE.",
)
