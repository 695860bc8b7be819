"""What to say in the next lecture: the mistakes that most students make, each with an example without its author's
name, and the check that tells the students who know a chapter from those who don't."""

from __future__ import annotations

import csv
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...cuda.report import Report
from ...cuda.report.vocabulary import printable
from ...cuda.source.text import blank
from ...exercises.result import Outcome
from .class_data import Ranked, ranked_findings
from .feedback import shown_report
from .outcomes import GradedAnswer, GradedCheck, GradedExercise
from .page_progress import Progress
from .pages import write_page

#: How many mistakes one lecture has time for.
MISTAKES = 3
#: From which share of shared students on, two findings in one exercise have one cause.
_SAME = 0.8
#: A check divides a class if at least this many students, and this share of them, pass it, and as many fail it.
_FEWEST, _LEAST = 3, 0.1
#: What the report says to the wrong answers of the course's collection, below the course's folder.
_JUDGED = Path("book/data/misconceptions_emulator.csv")


@dataclass(frozen=True)
class Mistake:
    """A mistake that `found.count` students make: the shortest such answer without its comments, by line number in its
    cell, its report, and what students who make it often believe. `report` is None if the finding has none."""

    found: Ranked
    title: str
    lines: Mapping[int, str]
    report: Report | None
    beliefs: tuple[str, ...]

    @property
    def reported(self) -> frozenset[int]:
        """The lines that the report shows."""
        parts = self.report.parts if self.report else ()
        return frozenset(row.line for part in parts if not isinstance(part, str) for row in part)


@dataclass(frozen=True)
class Dividing:
    """The check whose result says most about the rest of a student's work: of `of` students, `passed` passed it. They
    have `with_it` of `rest` points on average in all other checks of the chapter, the others `without_it`."""

    exercise: str
    check: str
    passed: int
    of: int
    with_it: float
    without_it: float
    rest: float


@dataclass(frozen=True)
class Lecture:
    """What to say about a chapter in the next lecture. `written` is how many students wrote an answer, and `progress`
    what they did in the book's pages, as far as their files say."""

    written: int
    mistakes: tuple[Mistake, ...]
    dividing: Dividing | None
    progress: Progress | None = None


def make_lecture(graded: Sequence[GradedExercise], root: Path, progress: Progress | None = None) -> Lecture:
    """Choose from the graded exercises of one chapter.

    Args:
        root: the course's folder, whose list of misconceptions is used if it is there.
        progress: what students did in the book's pages, if their files are at hand.
    """
    wrote = [exercise for exercise in graded if exercise.is_read and not exercise.untouched]
    beliefs = read_beliefs(root)
    causes = [[_mistake(found, wrote, beliefs) for found in group] for group in _by_cause(ranked_findings(wrote))]
    mistakes = tuple(max(group, key=_has_picture) for group in causes)  # or the first
    return Lecture(len({exercise.student for exercise in wrote}), mistakes, find_dividing(wrote), progress)


def read_beliefs(root: Path) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """What students believe who fail a check, by exercise and by the check's title without the answer's name."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    path = root / _JUDGED
    if path.exists():
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        for row in csv.DictReader(lines):
            found[row["answer"].partition("/")[0], row["check"]].append(row["belief"])
    return {key: tuple(texts) for key, texts in found.items()}


def find_dividing(wrote: Iterable[GradedExercise]) -> Dividing | None:
    """The check with the highest item-rest correlation: between passing it, and the points of a student in all other
    checks of the chapter. None if no check has enough students on either side, or none correlates."""
    points: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
    passed: dict[tuple[str, str], dict[str, bool]] = defaultdict(dict)
    most: dict[tuple[str, str], float] = {}
    for exercise in wrote:
        for check in exercise.checks:
            key = (exercise.name, check.title)
            points[exercise.student][key] = check.score
            passed[key][exercise.student] = check.outcome is Outcome.PASSED
            most[key] = check.max_score
    found: list[tuple[float, Dividing]] = []
    for key, results in passed.items():
        rest = {who: sum(points[who].values()) - points[who][key] for who in results}
        sides = [[rest[who] for who, has in results.items() if has is side] for side in (True, False)]
        if min(map(len, sides)) < max(_FEWEST, _LEAST * len(results)) or len(set(rest.values())) == 1:
            continue
        correlation = float(np.corrcoef(list(results.values()), [rest[who] for who in results])[0, 1])
        with_it, without_it = map(statistics.mean, sides)
        others = sum(most.values()) - most[key]
        found.append((correlation, Dividing(*key, len(sides[0]), len(results), with_it, without_it, others)))
    best = max(found, key=lambda item: item[0], default=None)
    return best[1] if best and best[0] > 0 else None


def write_lecture(path: Path, chapter: str, lecture: Lecture, link: Callable[[str], str]) -> None:
    """Write the page of a lecture; `link` gives the address of the chapter that a text names, or "".

    Raises:
        UsageError: it cannot be written.
    """
    pictures = any(map(_has_picture, lecture.mistakes))
    write_page(path, "lecture.html", pictures=pictures, chapter=chapter, lecture=lecture, link=link)


def _has_picture(mistake: Mistake) -> bool:
    return mistake.report is not None and mistake.report.picture is not None


def _by_cause(ranked: Iterable[Ranked]) -> list[list[Ranked]]:
    """The mistakes most made, stubs left out: each as its findings, of which the first is the most frequent."""
    causes: list[list[Ranked]] = []
    for found in ranked:
        same = (group for group in causes if _overlap(found, group[0]) >= _SAME)
        if found.example:
            group = next(same, None)
            if group is None:
                causes.append(group := [])
            group.append(found)
    return causes[:MISTAKES]


def _overlap(found: Ranked, other: Ranked) -> float:
    """The share of the students with `found` whose same exercise has `other`, too."""
    return (found.exercise == other.exercise) * len({*found.students} & {*other.students}) / found.count


def _mistake(
    found: Ranked, wrote: Iterable[GradedExercise], beliefs: Mapping[tuple[str, str], tuple[str, ...]]
) -> Mistake:
    """`found` with the shortest of its answers."""
    examples = [
        (exercise, answer, report)
        for exercise in wrote
        if exercise.name == found.exercise and exercise.student in found.students
        for answer, report in _failing(exercise, found.check)
    ]
    exercise, answer, report = min(examples, key=lambda example: len(blank(example[1].text).split()))
    believed = next((texts for (name, check), texts in beliefs.items() if _fits(found, name, check)), ())
    lines = {1: answer.magic, **without_comments(answer.text)}
    return Mistake(found, exercise.title, lines, report and _anonymous(report, answer.text), believed)


def _failing(exercise: GradedExercise, check: str) -> Iterable[tuple[GradedAnswer, Report | None]]:
    """The answers of `exercise` that fail `check`, each with the report that students see."""
    for answer in exercise.answers:
        if f"{answer.magic} compiles" == check:
            yield answer, answer.report
    for failed in exercise.checks:
        if failed.title == check:
            yield _answer_of(exercise, failed), shown_report(failed)


def _answer_of(exercise: GradedExercise, check: GradedCheck) -> GradedAnswer:
    """The answer that `check` is about: the one that its title names, or the first."""
    name = check.title.partition(" ")[0]
    return next((answer for answer in exercise.answers if name in answer.magic.split()), exercise.answers[0])


def _fits(found: Ranked, exercise: str, check: str) -> bool:
    return found.exercise == exercise and found.check.endswith(f" {check}")


def without_comments(text: str) -> dict[int, str]:
    """The lines of a CUDA text below its cell's first line, by number, without comments, which may name their author,
    and without the lines that held nothing else."""
    lines = zip(text.rstrip().splitlines(), _without_comments_by_line(text), strict=False)
    return {number: plain for number, (line, plain) in enumerate(lines, 2) if plain or not line.strip()}


def _without_comments_by_line(text: str) -> list[str]:
    return [line.rstrip() for line in blank(text).splitlines()]


def _anonymous(report: Report, text: str) -> Report:
    """`report` whose lines of `text` have no comments."""
    plain = dict(zip(map(printable, text.splitlines()), _without_comments_by_line(text), strict=True))
    parts = tuple(
        part if isinstance(part, str) else tuple(replace(row, text=plain.get(row.text, row.text)) for row in part)
        for part in report.parts
    )
    return replace(report, parts=parts)
