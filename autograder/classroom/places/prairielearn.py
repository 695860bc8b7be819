"""PrairieLearn: a question with an external grader for each exercise, the grader's image, and results.json."""

from __future__ import annotations

import html
import json
import uuid
from collections.abc import Mapping
from dataclasses import replace

from ...cuda.report import to_html
from ...cuda.report.chapters import chapters
from ...exercises.result import Outcome
from ..results.feedback import shown_report, shown_together
from ..results.outcomes import GradedExercise
from . import Assignment, Course, Place, below, feedback, notes, template

#: PrairieLearn takes results of at most a megabyte. A page with pictures may be larger; the text says the same.
_MAX_HTML = 600_000
#: Seconds that a grading job may take.
_TIMEOUT = 300


def results(exercise: GradedExercise) -> str:
    """The score is a fraction; each check is a test with its points; `html` is what the question shows of the reports,
    without pictures that move, since a question's page runs no script of ours."""
    tests = [
        {
            "name": check.title,
            "points": check.score,
            "max_points": check.max_score,
            "output": "" if check.outcome is Outcome.PASSED else feedback(check),
        }
        for check in exercise.checks
    ]
    document = {
        "gradable": True,
        "score": exercise.score / exercise.max_score if exercise.max_score else 0.0,
        "message": notes(exercise),
        "html": _html(exercise),
        "tests": tests,
    }
    return json.dumps(document, ensure_ascii=False) + "\n"


def refused(sentence: str) -> str:
    """Costs no attempt."""
    return json.dumps({"gradable": False, "format_errors": [html.escape(sentence)]}, ensure_ascii=False) + "\n"


def _html(exercise: GradedExercise) -> str:
    shown = (shown_report(group[0]) for group in shown_together(exercise.checks))
    text = "".join(to_html(replace(report, picture=None)) for report in shown if report)
    return text if len(text) <= _MAX_HTML else ""


def image_of(address: str) -> str:
    """The name of the grader's image: the owner of the repository at `address`, as Docker Hub spells names."""
    owner = address.rstrip("/").split("/")[-2].lower()
    return f"{owner}/cooperating-threads-grader"


def _info(assignment: Assignment, course: Course) -> bytes:
    titles = {key.replace("-", "_"): chapter.title for key, chapter in chapters().items()}
    info = {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{course.address}#{assignment.name}")),
        "type": "v3",
        "title": assignment.title,
        "topic": titles.get(assignment.chapter, assignment.chapter),
        "singleVariant": True,
        "showCorrectAnswer": False,
        "partialCredit": True,
        "gradingMethod": "External",
        "externalGradingOptions": {
            "image": image_of(course.address),
            "entrypoint": "/grader/run.sh",
            "timeout": _TIMEOUT,
        },
    }
    return (json.dumps(info, indent=2, ensure_ascii=False) + "\n").encode()


def _files(course: Course) -> Mapping[str, bytes]:
    name, wheel = course.wheel
    image = {
        "Dockerfile": template("prairielearn/Dockerfile", wheel=name, image=image_of(course.address)),
        "run.sh": template("prairielearn/run.sh"),
        "released.ipynb": course.assignments[0].notebook,
        "bundle.txt": course.assignments[0].visible.to_text().encode(),
        name: wheel,
    }
    files = dict(below("image", image))
    for item in course.assignments:
        question = {
            "info.json": _info(item, course),
            "question.html": template("prairielearn/question.html", exercise=item.name, title=html.escape(item.title)),
            "tests/bundle.txt": item.hidden.to_text().encode(),
            f"clientFilesQuestion/{item.name}.ipynb": item.notebook,
        }
        files |= below(f"questions/{item.name}", question)
    return files


PLACE = Place(
    "PrairieLearn",
    results,
    refused,
    _files,
    next_step="Build and push the image as its Dockerfile says, and copy questions/ into your course.",
)
