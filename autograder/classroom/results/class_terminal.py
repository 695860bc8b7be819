"""The class report in a terminal: a table, and what needs attention, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from ...cuda.report.vocabulary import count, printable
from ..submission.notes import NoteKind
from .class_data import Ranked
from .class_grid import Line
from .class_report import Attention, ClassReport
from .outcomes import GradedExercise

#: The characters of a student's name that go before exercises' names, those of an exercise's that go before the rest of
#: a student's, and the fewest of a student's, whatever else there is.
_NAME, _HEADING, _FEWEST = 12, 7, 5
#: How many of the findings the terminal shows, and how many of the whole class first; the page has them all.
_FINDINGS, _OF_THE_CLASS = 10, 3


def score_table(exercises: Mapping[str, float], lines: Sequence[Line], width: int) -> Table:
    """Students by `exercises`, which have their points, in a terminal of `width` columns. Where that is too little,
    names are cut, those of students and those of exercises, but no points."""
    named, late = any(line.name for line in lines), any(line.late for line in lines)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    fixed = [*([[line.student for line in lines]] if named else []), ["total", *(line.total_text for line in lines)]]
    fixed += [[line.late for line in lines]] if late else []
    taken = sum(1 + max(map(len, texts), default=0) for texts in fixed)
    points = [max((len(line.cells[n].text) for line in lines), default=0) for n in range(len(exercises))]
    room = width - taken - sum(1 + most for most in points) - 1
    wide = width - taken - sum(1 + max(_HEADING, most) for most in points) - 1
    table.add_column("student", no_wrap=True, max_width=max(wide, min(room, _NAME), _FEWEST))
    if named:
        table.add_column("id", no_wrap=True)
    for (name, most), shown in zip(exercises.items(), points, strict=True):
        parts = name.replace("_", "_\n")
        table.add_column(_cut(f"{parts}\n/ {most:g}"), justify="right", min_width=shown)
    table.add_column(f"total\n/ {sum(exercises.values()):g}", justify="right", no_wrap=True)
    if late:
        table.add_column("late", no_wrap=True)
    for line in lines:
        who = (line.name or line.student, *([line.student] if named else []))
        points_of = (*(cell.text for cell in line.cells), line.total_text)
        table.add_row(*map(_cut, (*map(printable, who), *points_of, *([line.late] if late else []))))
    return table


def _cut(text: str) -> Text:
    """`text`, on one line however narrow the column is. Nothing in it is markup."""
    return Text(text, no_wrap=True, overflow="ellipsis")


def note_lines(rows: Sequence[GradedExercise]) -> tuple[str, ...]:
    """One line for each note, with the student and the notebook that it is about."""
    return tuple(printable(f"{row.student}, {row.name}: {note.in_full}") for row in rows for note in row.notes)


def report_lines(report: ClassReport) -> Iterator[str]:
    """What the signs in the table mean, what needs attention, and what else went wrong most often, a line each."""

    def line(item: Attention) -> str:
        where = ", ".join(filter(None, (report.called(item.student), item.notebook)))
        return printable(": ".join(filter(None, (item.what, where, item.why))))

    if report.legend:
        yield report.legend
    yield from map(line, report.attention)
    if report.absent:
        yield printable(f"{NoteKind.ABSENT}: {report.called_all(report.absent)}")
    yield from _copies(report)
    yield from map(line, report.settled)
    first = _of_the_class(report)
    for found in [found for found in report.findings if found not in first][:_FINDINGS]:
        yield printable(f"wrong, {found.count} of {found.of}: {found.check}: {found.finding}")


def first_lines(report: ClassReport) -> Iterator[str]:
    """What many of the class got wrong, a line each: it is read before the table, and explains much in it."""
    for found in _of_the_class(report):
        exercise = "" if found.check.startswith(found.exercise) else f"{found.exercise}, "
        what = f"{exercise}{found.check}: {found.finding}"
        yield printable(f"a mistake of the class, {found.count} of {found.of}: {what}")


def _of_the_class(report: ClassReport) -> list[Ranked]:
    return [found for found in report.findings if found.is_of_the_class][:_OF_THE_CLASS]


def _copies(report: ClassReport) -> Iterator[str]:
    """How many answers may be copies, and where to compare them; nothing if none may be."""
    ours = f"{count(len(report.copied), 'student')} with copies of the course's own files" if report.copied else ""
    alike = f"{count(len(report.alike), 'group')} of answers that are alike" if report.alike else ""
    if found := ", and ".join(filter(None, (ours, alike))):
        page = f"`autograder report {report.rows[0].chapter} --html FILE`"
        yield f"perhaps copied: {found}. {page} shows them side by side."
