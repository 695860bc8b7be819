"""Feedback: one page for each student and chapter, made from reports and not from notebooks."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ...cuda.errors import UsageError
from ...cuda.report import Report
from ...cuda.report.chapters import chapters
from ...cuda.report.parts import Row
from ...exercises.authoring.nbgrader_app import AUTOGRADED
from ...exercises.result import Outcome
from ..classroom import Classroom
from ..execution.replay import hidden_report
from ..names import called, read_names
from .outcomes import GradedAnswer, GradedCheck, GradedExercise, read_exercise, with_scores
from .pages import write_page
from .scores import Scores, read_recorded

FEEDBACK = "feedback"
#: How a check ended, for people.
_WORDS = {
    Outcome.PASSED: "passed",
    Outcome.FAILED: "failed",
    Outcome.BLOCKED: "cannot be judged yet",
    Outcome.FAULT: "graded by hand",
}


@dataclass(frozen=True)
class Line:
    """A line of an answer, and what the reports say happened there."""

    number: int
    text: str
    annotations: tuple[str, ...]


def feedback_path(room: Classroom, student: str, chapter: str) -> Path:
    """The path of a student's page."""
    return room.root / FEEDBACK / student / f"{chapter}.html"


def write_feedback(room: Classroom, chapter: str, students: Collection[str] = (), book: str = "") -> tuple[Path, ...]:
    """Write the page of each of `students`, or of everybody whose `chapter` was graded.

    Args:
        book: the address of the rendered book, to which the pages link; no links if it is empty.

    Raises:
        UsageError: one of `students` was not graded, nobody was, a graded notebook cannot be read, or a page cannot
            be written.
    """
    graded = {path.parent.name for path in (room.root / AUTOGRADED).glob(f"*/{chapter}") if path.is_dir()}
    if unknown := sorted(set(students) - graded):
        raise UsageError(f"{unknown[0]} has no graded {chapter}: run `autograder grade {chapter}` first.")
    if not graded:
        raise UsageError(f"Nobody's {chapter} was graded: run `autograder grade {chapter}` first.")
    written = []
    with room.gradebook() as gradebook:
        scores, names = read_recorded(gradebook, chapter), read_names(gradebook)
    for student in sorted(students or graded):
        exercises = tuple(read_student(room, scores, chapter, student))
        path = feedback_path(room, student, chapter)
        write_feedback_page(path, called(student, names), chapter, exercises, lambda text: address_of(book, text))
        written.append(path)
    return tuple(written)


def write_feedback_page(
    path: Path, student: str, chapter: str, exercises: Sequence[GradedExercise], link: Callable[[str], str]
) -> None:
    """Write the page of one `student`, as people call them; `link` gives the address of the chapter that a text names,
    or "".

    Raises:
        UsageError: it cannot be written.
    """
    write_page(
        path,
        "feedback.html",
        student=student,
        chapter=chapter,
        exercises=exercises,
        score=sum(exercise.score - exercise.penalty for exercise in exercises),
        max_score=sum(exercise.max_score for exercise in exercises),
        final=all(exercise.final for exercise in exercises),
        lines=lines_of,
        shown=shown_report,
        together=shown_together,
        runs=in_runs,
        pictures=_has_pictures(exercises),
        link=link,
        Outcome=Outcome,
        words=_WORDS,
    )


def read_student(
    room: Classroom, scores: Mapping[tuple[str, str], Scores], chapter: str, student: str
) -> Iterator[GradedExercise]:
    """A student's graded notebooks with their `scores` (as `read_recorded` gives them), except for exercises that no
    longer exist.

    Raises:
        UsageError: one cannot be read.
    """
    for path in sorted((room.root / AUTOGRADED / student / chapter).glob("*.ipynb")):
        recorded = scores.get((student, path.stem))
        if recorded is None:
            continue
        try:
            yield with_scores(read_exercise(path, student), recorded)
        except (OSError, ValueError):
            raise UsageError(unreadable(path.relative_to(room.root), chapter)) from None


def unreadable(path: Path, chapter: str) -> str:
    """What to say about a graded notebook that is damaged."""
    return f"{path} cannot be read. Run `autograder grade {chapter}`, which writes it again."


def shown_report(check: GradedCheck) -> Report | None:
    """What a student sees of why a test failed: nothing of a case that the notebook does not show."""
    return hidden_report(check.title) if check.hidden else check.report


def shown_together(checks: Sequence[GradedCheck]) -> list[tuple[GradedCheck, ...]]:
    """Those of `checks` that did not pass, in order; those that cannot be judged for the same reason are together."""
    groups: dict[object, list[GradedCheck]] = {}
    for check in checks:
        if check.outcome is not Outcome.PASSED:
            report = shown_report(check)
            together = check.outcome is Outcome.BLOCKED and report and not report.picture and not check.comment
            reason = (report.where, report.parts, report.hint, report.read) if report and together else check.name
            groups.setdefault(reason, []).append(check)
    return [tuple(group) for group in groups.values()]


def in_runs(checks: Sequence[GradedCheck]) -> Iterator[tuple[GradedCheck, ...]]:
    """All `checks`, in order; those in a row that cannot be judged are together."""
    for outcome, run in groupby(checks, lambda check: check.outcome):
        several = tuple(run)
        yield from [several] if outcome is Outcome.BLOCKED else [(check,) for check in several]


def _has_pictures(exercises: Sequence[GradedExercise]) -> bool:
    reports = (shown_report(check) for exercise in exercises for check in exercise.checks)
    return any(report and report.picture for report in reports)


def lines_of(exercise: GradedExercise, answer: GradedAnswer) -> tuple[Line, ...]:
    """An answer's lines, numbered as in its cell, with what the reports say happened there."""
    annotations: dict[int, list[str]] = {}
    reports = [answer.report, *(shown_report(s) for s in exercise.checks if _is_about(s, answer))]
    for report in filter(None, reports):
        for part in report.parts:
            for row in () if isinstance(part, str) else part:
                annotation = _annotation(row, report)
                if annotation not in annotations.setdefault(row.line, []):
                    annotations[row.line].append(annotation)
    texts = [answer.magic, *answer.text.rstrip().split("\n")]
    return tuple(Line(i, text, tuple(annotations.get(i, ()))) for i, text in enumerate(texts, 1))


def _annotation(row: Row, report: Report) -> str:
    who = " ".join(row.who.split())
    return f"{report.title.partition(':')[0]}: {who}" if who else row.note or report.title


def _is_about(check: GradedCheck, answer: GradedAnswer) -> bool:
    return answer.magic.startswith("%%cuda ") and check.title.split()[0] == answer.magic.split()[1]


def address_of(book: str, text: str) -> str:
    """The address of the chapter of the book that `text` names ("Chapter 3, ..."); "" where there is none."""
    found = re.match(r"Chapter (\d+)", text)
    pages = [c.page for c in chapters().values() if c.number == int(found[1])] if found and book else []
    return f"{book.rstrip('/')}/{pages[0]}.html" if pages else ""
