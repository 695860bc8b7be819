"""The class report as data: scores from the gradebook, and what was odd about each submission."""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from ...cuda.report.vocabulary import count, printable
from ...exercises.authoring.nbgrader_app import SOURCE, SUBMITTED
from ..classroom import Classroom, Refused, find_folders
from ..collecting.origins import read_origins
from ..collecting.times import how_to_know_times, without_a_time
from ..collecting.uncollected import read_uncollected
from ..names import called, read_names, some_of, strangers
from ..submission.folder import misnamed
from ..submission.notes import QUIET, SETTLED, UNGRADED, UNREAD, Note, NoteKind, is_open
from .class_data import ExerciseScores, Ranked, ranked_findings, scores_by_exercise, slowest
from .class_grid import Cell, Line, late_students, legend, make_lines
from .class_results import read_class
from .copied import Copied, copies_of_ours, known_right, like_the_solution
from .outcomes import GradedExercise
from .similarity import Alike, alike_answers, given_texts

#: Most students that one list of the page names: of 300, it would hold little else.
_MOST = 30
_COLUMNS = ("student", "chapter", "exercise", "score", "max_score", "by_hand", "notes", "feedback", "late", "checks")


def to_csv(rows: Sequence[GradedExercise]) -> str:
    """One line for each row; all notes are in one field, separated by spaces, and all checks in one, each with its
    points or, until a person gives them, a `?`."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(map(harmless, _fields(row)) for row in rows)
    return out.getvalue()


@dataclass(frozen=True)
class Attention:
    """Something that needs a person's attention."""

    student: str
    notebook: str
    what: str
    why: str


@dataclass(frozen=True)
class ClassReport:
    """The report of a chapter: what needs attention comes first; of what is `settled`, a person need only know. `lines`
    are the students, by `exercises`, which have their points. `absent` are those who handed in nothing. `rows` has
    every student and exercise; `left`, the files that could not be collected, are no notebooks, were replaced, or
    have no exercise's name. `names` are those in the gradebook, by id."""

    attention: tuple[Attention, ...]
    settled: tuple[Attention, ...]
    exercises: Mapping[str, float]
    lines: tuple[Line, ...]
    scores: tuple[ExerciseScores, ...]
    findings: tuple[Ranked, ...]
    copied: tuple[Copied, ...]
    alike: tuple[Alike, ...]
    slowest: tuple[GradedExercise, ...]
    absent: tuple[str, ...]
    rows: tuple[GradedExercise, ...]
    left: tuple[GradedExercise, ...]
    names: Mapping[str, str]

    def called(self, student: str) -> str:
        """The student's name and id."""
        return called(student, self.names)

    def called_all(self, students: Sequence[str]) -> str:
        """The names and ids of several."""
        return ", ".join(map(self.called, students))

    @property
    def legend(self) -> str:
        """What the signs in the students' lines mean."""
        return legend(self.lines)

    def some_of(self, students: Sequence[str]) -> str:
        """The names of the first ones, with the ids of those who share a name: the students' table has all ids."""
        share = Counter(filter(None, self.names.values()))
        named = (self.names[s] if share[self.names.get(s, "")] == 1 else self.called(s) for s in students)
        return some_of(named, _MOST)


def read_report(room: Classroom, chapter: str) -> ClassReport:
    """The report of one chapter.

    Raises:
        UsageError: nothing of this chapter was graded yet.
    """
    rows = read_class(room, chapter)
    graded = [row for row in rows if row.is_read]
    with room.gradebook() as gradebook:
        names, unlisted = read_names(gradebook), strangers(gradebook)
        exercises = [(n.name, n.max_score) for n in gradebook.find_assignment(chapter).notebooks]
        late = late_students(gradebook, chapter)
    folders = tuple(find_folders(room, chapter, ()))
    refused = [found for found in folders if isinstance(found, Refused)]
    given = dict(found for found in folders if not isinstance(found, Refused))
    uncollected = read_uncollected(room, chapter)
    left = [_look_at(item.student, NoteKind(item.kind), str(item), item.exercise) for item in uncollected]
    left += _unmatched(room, given, rows, [name for name, _ in exercises])
    handed_in = {found.student for found in refused} | {row.student for row in rows}
    untimed = _untimed(room, chapter)
    notes = list(_attention(rows, refused))
    settled = (*_earlier(rows), *(item for item in notes if item.what in SETTLED))
    notes = [item for item in notes if item.what not in SETTLED]
    unlisted |= handed_in - names.keys()
    unknown = _unknown(room, chapter, handed_in, unlisted)
    attention = (*left, *untimed, *notes, *_incomplete(rows), *unknown)
    rows += tuple(
        GradedExercise(student, name, max_score=points, notes=(note,), chapter=chapter)
        for student, note in _without_rows(names, left, refused)
        if student not in {row.student for row in rows}
        for name, points in exercises
    )
    order = dict(sorted(exercises))
    cells = {(row.student, row.name): cell_of(row, row.untouched and not row.unread) for row in rows}
    texts = given_texts(room, chapter)
    absent = sorted({row.student for row in rows if {note.kind for note in row.notes} == {NoteKind.ABSENT}})
    others = known_right(room.root / SOURCE)
    return ClassReport(
        attention,
        settled,
        order,
        make_lines(cells, tuple(order), names, late, {item.student for item in attention if item.what in UNGRADED}),
        scores_by_exercise(graded),
        ranked_findings(graded),
        copies_of_ours(graded, texts, others),
        (*like_the_solution(graded, texts, others), *alike_answers(graded, texts)),
        slowest(graded),
        tuple(absent),
        tuple(
            replace(row, late=late.get(row.student, ""))
            for row in sorted(rows, key=lambda row: (row.student, row.name))
        ),
        tuple(_row_of(item, chapter) for item in left),
        names,
    )


def _row_of(item: Attention, chapter: str) -> GradedExercise:
    notes = (Note(NoteKind(item.what), printable(item.why)),)
    return GradedExercise(item.student, item.notebook, notes=notes, chapter=chapter)


def cell_of(row: GradedExercise, empty: bool = False) -> Cell:
    """A row as a cell of the grid; `empty` says that all answers were left so."""
    nothing = any(note.kind in (NoteKind.MISSING, NoteKind.ABSENT) for note in row.notes)
    oddities = ", ".join(sorted({note.kind.value for note in row.notes if note.kind not in QUIET}))
    ungraded = is_open(row.notes, row.score, row.max_score)
    return Cell(None if nothing and not row.score else row.score, row.penalty, row.by_hand, oddities, empty, ungraded)


def _look_at(student: str, kind: NoteKind, why: str, notebook: str = "") -> Attention:
    return Attention(student, notebook, kind.value, why)


def _attention(rows: Sequence[GradedExercise], refused: Sequence[Refused]) -> Iterator[Attention]:
    """Who could not be graded, and what was odd about what the others handed in."""
    yield from (_look_at(found.student, NoteKind.NOT_GRADED, found.why) for found in refused)
    known = {found.student for found in refused}
    for row in rows:
        for note in row.notes:
            covered = note.kind in QUIET or note.kind is NoteKind.NOT_COLLECTED  # by itself, where it was collected
            if not covered and row.student not in known:
                yield _look_at(row.student, note.kind, note.in_full, row.name)


def _incomplete(rows: Sequence[GradedExercise]) -> Iterator[Attention]:
    """Who handed in some of the notebooks only, and who handed in all of them and has no point."""
    lost = {*UNREAD, NoteKind.ABSENT, NoteKind.NOT_GRADED}
    for student, several in groupby(rows, lambda row: row.student):
        of_exercise = list(several)
        missing = [row.name for row in of_exercise if NoteKind.MISSING in {note.kind for note in row.notes}]
        if 0 < len(missing) < len(of_exercise):
            why = f"Handed in: {len(of_exercise) - len(missing)} of {count(len(of_exercise), 'notebook')}."
            yield _look_at(student, NoteKind.MISSING, why, some_of(missing))
        if not any(row.score for row in of_exercise) and lost.isdisjoint(
            note.kind for row in of_exercise for note in row.notes
        ):
            empty = all(row.untouched for row in of_exercise)
            why = "all was left empty" if empty else "nothing that was written earned a point"
            yield _look_at(student, NoteKind.NO_POINTS, f"Everything was handed in, but {why}.")


def _earlier(rows: Sequence[GradedExercise]) -> Iterator[Attention]:
    """One for each exercise that was released again after students had begun to write."""
    found = Counter(row.name for row in rows for note in row.notes if note.kind is NoteKind.EARLIER)
    for notebook, number in sorted(found.items()):
        yield _look_at("", NoteKind.EARLIER, f"{count(number, 'submission')}, graded with the current one.", notebook)


def _untimed(room: Classroom, chapter: str) -> Iterator[Attention]:
    """One for all those of whom nobody can say whether they came late."""
    if students := without_a_time(room, chapter):
        how = how_to_know_times(chapter, students, read_origins(room, chapter))
        yield _look_at("", NoteKind.NO_TIME, f"{count(len(students), 'student')}, not counted as late. {how}")


def _unknown(
    room: Classroom, chapter: str, students: Collection[str], unlisted: Collection[str]
) -> Iterator[Attention]:
    """Those of `students` whom no list of students has."""
    for student in sorted(students):
        if student in unlisted:
            folder = room.root / SUBMITTED / student / chapter
            yield _look_at(student, NoteKind.UNKNOWN, _WHO if folder.exists() else _WHOSE.format(shlex.quote(student)))


def _without_rows(
    students: Collection[str], left: Sequence[Attention], refused: Sequence[Refused]
) -> Iterator[tuple[str, Note]]:
    """Students who may have no score at all, once each, with the reason."""
    nothing = Note(NoteKind.NOT_COLLECTED, "Nothing of it could be collected.")
    why = dict.fromkeys(students, Note(NoteKind.ABSENT, "Nothing was handed in."))
    why |= {item.student: nothing for item in left if item.student in students and item.what == NoteKind.NOT_COLLECTED}
    why |= {found.student: Note(NoteKind.NOT_GRADED, found.why) for found in refused}
    yield from why.items()


def _unmatched(
    room: Classroom, folders: Mapping[str, Path], rows: Sequence[GradedExercise], exercises: Sequence[str]
) -> Iterator[Attention]:
    """Notebooks beside the graded ones whose names are no exercise's."""
    notes = [(row.student, note) for row in rows for note in row.notes if note.kind is NoteKind.RENAMED]
    for student, folder in folders.items():
        for path in misnamed(folder, [f"{name}.ipynb" for name in exercises]):
            if not any(who == student and note.text.startswith(f"{printable(path.name)} was ") for who, note in notes):
                why = f"{path.relative_to(room.root)} has no exercise's name. If it is meant, rename it to one of "
                yield _look_at(student, NoteKind.NOT_GRADED, f"{why}{', '.join(sorted(exercises))}.")


_WHO = (
    "Only the folder says who this is. If its name is wrong, rename it and grade again; if not, add who is meant "
    "with a name (`nbgrader db student add`)."
)


_WHOSE = (
    "The folder is gone, but a person gave points or comments. Give them to whoever it is, and remove this student "
    "(`nbgrader db student remove {} --force`)."
)


_SIGNS = "=+@\uff1d\uff0b\uff20\uff0d-"  # of a formula; the hyphen is last, for the pattern


def harmless(field: str) -> str:
    """`field`, made text for a spreadsheet: a formula could send the neighboring fields away. In many countries a
    semicolon begins a field; in East Asia, a full-width sign begins a formula. Nor is there anything for a terminal."""
    field = "".join(sign if sign in "\n\t" else printable(sign) for sign in field)
    field = re.sub(rf";(?=\s*[{_SIGNS}])", "; '", field)
    return f"'{field}" if field.lstrip().startswith(tuple(_SIGNS)) or field[:1] in ("\t", "\n") else field


def _fields(row: GradedExercise) -> tuple[str, ...]:
    notes = " ".join(note.in_full for note in row.notes)
    feedback = str(row.feedback) if row.feedback else ""
    numbers = (f"{row.score:g}", f"{row.max_score:g}", str(row.by_hand))
    checks = "; ".join(f"{g.cell} {'?' if g.by_hand else f'{g.score:g}'}/{g.max_score:g}" for g in row.grades)
    return row.student, row.chapter, row.name, *numbers, notes, feedback, row.late, checks
