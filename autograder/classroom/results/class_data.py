"""A class's results as data: scores by exercise, findings by frequency."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...cuda.report import to_text
from ...cuda.report.kinds import term
from ...exercises.result import Outcome
from .outcomes import GradedExercise, is_stub

#: How many of the slowest notebooks are named.
SLOWEST = 10
#: The most characters of an example.
LONGEST = 1000
#: From how many students on, and from which share of those who wrote an answer, a mistake is the class's.
_FEWEST, _SHARE = 3, 1 / 3


@dataclass(frozen=True)
class ExerciseScores:
    """One exercise of the class: how many students handed in an answer, and their points."""

    name: str
    title: str
    written: int
    of: int
    max_score: float
    mean: float
    median: float
    full: int


@dataclass(frozen=True)
class Ranked:
    """One thing that went wrong, in words for people: how often, and with which students. `count` of the `of` students
    who wrote an answer have it; `example` is the report to the student `of_whom`."""

    exercise: str
    check: str
    finding: str
    count: int
    of: int
    students: tuple[str, ...]
    of_whom: str = ""
    example: str = ""

    @property
    def is_of_the_class(self) -> bool:
        """Whether so large a share of the students have it that the cause is more likely the course than they."""
        return self.count >= max(_FEWEST, self.of * _SHARE)


def scores_by_exercise(graded: Sequence[GradedExercise]) -> tuple[ExerciseScores, ...]:
    """One entry for each exercise, over those who wrote an answer."""
    found = []
    for name, everybody in sorted(_by_name(graded).items()):
        some = everybody[0]
        points = [exercise.score for exercise in everybody if not exercise.untouched]
        full = sum(exercise.score >= exercise.max_score for exercise in everybody)
        mean, median = (statistics.mean(points), statistics.median(points)) if points else (0.0, 0.0)
        found.append(ExerciseScores(name, some.title, len(points), len(everybody), some.max_score, mean, median, full))
    return tuple(found)


def ranked_findings(graded: Sequence[GradedExercise]) -> tuple[Ranked, ...]:
    """What failed or was forgotten, the most frequent first. A test that could not judge adds no finding of its own."""
    students: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    examples: dict[tuple[str, str, str], tuple[str, str]] = {}  # the first student, and the report
    wrote: dict[str, int] = defaultdict(int)
    for exercise in graded:
        wrote[exercise.name] += not exercise.untouched
        for check in exercise.checks:
            if check.outcome is Outcome.FAILED:
                kind = check.report.kinds[0] if check.report and check.report.kinds else ""
                key = (exercise.name, check.title, term(kind) if kind else "failed")
                students[key].append(exercise.student)
                if check.report:
                    examples.setdefault(key, (exercise.student, to_text(check.report)[:LONGEST]))
        for answer in exercise.answers:
            if not exercise.untouched and not exercise.unread and is_stub(answer):
                students[exercise.name, f"{answer.magic} is written", "left as the stub"].append(exercise.student)
            if answer.report and answer.report.kinds:
                key = (exercise.name, f"{answer.magic} compiles", term(answer.report.kinds[0]))
                students[key].append(exercise.student)
                examples.setdefault(key, (exercise.student, to_text(answer.report)[:LONGEST]))
    ranked = [
        Ranked(*key, len(who), wrote[key[0]], tuple(sorted(who)), *examples.get(key, ("", "")))
        for key, who in students.items()
    ]
    return tuple(sorted(ranked, key=lambda r: (-r.count, r.exercise, r.check, r.finding)))


def slowest(graded: Sequence[GradedExercise]) -> tuple[GradedExercise, ...]:
    """The notebooks that took longest."""
    return tuple(sorted((e for e in graded if e.seconds), key=lambda e: -e.seconds)[:SLOWEST])


def _by_name(graded: Iterable[GradedExercise]) -> dict[str, list[GradedExercise]]:
    found: dict[str, list[GradedExercise]] = defaultdict(list)
    for exercise in graded:
        found[exercise.name].append(exercise)
    return found
