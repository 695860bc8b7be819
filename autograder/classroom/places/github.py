"""GitHub Actions: a template repository for each exercise, whose workflow grades each push."""

from __future__ import annotations

import html
from collections.abc import Mapping

from ...exercises.result import Outcome
from ..results.outcomes import GradedExercise
from . import Assignment, Course, Place, below, feedback, notes, template
from .json import refused, results

_SIGNS = {Outcome.PASSED: "✅", Outcome.FAILED: "❌", Outcome.BLOCKED: "⏸️"}


def summary(exercise: GradedExercise) -> str:
    """The points and reports as a page of Markdown, in which nothing of a student's is markup."""
    lines = [f"## {html.escape(exercise.title)}: {exercise.score:g} of {exercise.max_score:g} points", ""]
    if about := notes(exercise):
        lines += [_quoted(about), ""]
    lines += ["| check | points | |", "|---|---|---|"]
    for check in exercise.checks:
        title = html.escape(check.title).replace("|", "&#124;")
        lines.append(f"| {title} | {check.score:g} of {check.max_score:g} | {_SIGNS.get(check.outcome, '')} |")
    for check in exercise.checks:
        if check.outcome is not Outcome.PASSED:
            lines += ["", f"### {html.escape(check.title)}", "", _quoted(feedback(check))]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>".replace("\n\n", "\n&nbsp;\n")  # an empty line would end the block


def secret_of(exercise: str) -> str:
    """The name of the secret that holds an exercise's bundle."""
    return f"BUNDLE_{exercise.upper()}"


def starter(item: Assignment, course: Course) -> dict[str, bytes]:
    """What students start from: the notebook, this package, and an environment in which both work."""
    name, wheel = course.wheel
    return {
        f"{item.name}.ipynb": item.notebook,
        "README.md": template("github/README.md", title=item.title, exercise=item.name),
        ".devcontainer/devcontainer.json": template("github/devcontainer.json", wheel=name, exercise=item.name),
        f".autograder/{name}": wheel,
        ".autograder/visible.txt": item.visible.to_text().encode(),
    }


def _files(course: Course) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {}
    for item in course.assignments:
        values = {"exercise": item.name, "secret": secret_of(item.name), "wheel": course.wheel[0]}
        workflow = {".github/workflows/grade.yml": template("github/grade.yml", **values)}
        files |= below(f"templates/{item.name}", {**starter(item, course), **workflow})
        files[f"secrets/{secret_of(item.name)}.txt"] = item.hidden.to_text().encode()
    return files


PLACE = Place(
    "GitHub",
    results,
    refused,
    _files,
    {"GITHUB_STEP_SUMMARY": summary},
    "Push each folder of templates/ as a template repository, and store each file of secrets/ as an organization "
    "secret of its name (`gh secret set NAME --org ORG < FILE`). Never push secrets/.",
)
