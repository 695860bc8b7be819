"""No place in particular: results as JSON for other programs, and one bundle of all exercises."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ..checking.bundle import Bundle
from ..results.outcomes import GradedExercise
from . import Course, Place, feedback, notes


def results(exercise: GradedExercise) -> str:
    """`{exercise, chapter, score, max_score, seconds, notes, checks: [{name, title, outcome, hidden, score, max_score,
    output}]}`, with points as numbers."""
    checks = [
        {
            "name": check.name,
            "title": check.title,
            "outcome": check.outcome,
            "hidden": check.hidden,
            "score": check.score,
            "max_score": check.max_score,
            "output": feedback(check),
        }
        for check in exercise.checks
    ]
    document = {
        "exercise": exercise.name,
        "chapter": exercise.chapter,
        "score": exercise.score,
        "max_score": exercise.max_score,
        "seconds": round(exercise.seconds, 2),
        "notes": notes(exercise),
        "checks": checks,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def refused(sentence: str) -> str:
    return json.dumps({"refused": sentence}, ensure_ascii=False) + "\n"


def _files(course: Course) -> Mapping[str, bytes]:
    exercises = {name: item for each in course.assignments for name, item in each.hidden.exercises.items()}
    seconds = max(item.hidden.cell_seconds for item in course.assignments)
    name, wheel = course.wheel
    return {"bundle.txt": Bundle(exercises, seconds).to_text().encode(), name: wheel}


PLACE = Place(
    "JSON",
    results,
    refused,
    _files,
    next_step="Keep bundle.txt where students cannot read it: it holds the hidden tests.",
)
