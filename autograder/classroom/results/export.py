"""Export to the LMS: a class's scores as the table that it imports, and feedback as the archive that it accepts.

A column of the LMS has a name of its own, often with a number. Given the table that it exports, we write that name.

Nobody may get another's score, whatever the instructor maps to what, so students whom the import could take for another
are left out of the table; the modules of `classroom/lms/` name the importers and their rules. All take numbers with a
point in any language, and UTF-8.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbgrader.api import Student

from ...cuda.errors import UsageError
from ...cuda.report.vocabulary import count
from ...exercises.authoring.nbgrader_app import AUTOGRADED
from ...exercises.files import write_bytes
from ..classroom import Classroom
from ..collecting.origins import read_origins
from ..collecting.uncollected import read_uncollected
from ..lms import Lms, Table, path_in_archive, systems
from ..names import Person, called, read_names, some_of, strangers, whole_name
from ..submission.notes import DOUBTFUL, METADATA, NoteKind
from ..tables import plain, read_table
from .class_report import harmless
from .feedback import feedback_path
from .lateness import with_old_penalties
from .scores import read_recorded

#: The most headings of a table that one line names, and students who are left out of it.
_MOST_COLUMNS, _MOST_LEFT_OUT = 8, 30


@dataclass(frozen=True)
class Chapter:
    """A chapter's column: the name of it in the LMS, its points, each graded student's score after penalties, and the
    chapter's own name."""

    column: str
    max_score: float
    scores: Mapping[str, float]
    name: str


@dataclass(frozen=True)
class Exported:
    """A table for an LMS: its text, the `chapters` with the scores in it, and by reason the students who are not."""

    text: str
    chapters: tuple[Chapter, ...]
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict)


def read_scores(room: Classroom, chapters: Sequence[str], exported: Path | None = None) -> list[Chapter]:
    """The columns of `chapters`, or of all that were graded; named as in the LMS's own table `exported`, where that
    has such a column.

    Raises:
        UsageError: nothing was graded, a chapter is not in the gradebook, or `exported` cannot be read.
    """
    header = read_table(exported).header if exported else ()
    found = []
    with room.gradebook() as gradebook:
        graded = {a.name: a for a in gradebook.assignments if any(s.notebooks for s in a.submissions)}
        if unknown := sorted(set(chapters) - set(graded)):
            known = ", ".join(sorted(graded)) or "none"
            raise UsageError(f"No {unknown[0]} was graded (there is: {known}): run `autograder grade {unknown[0]}`.")
        for name in chapters or sorted(graded):
            scores: dict[str, float] = defaultdict(float)
            for (student, _), recorded in read_recorded(gradebook, name).items():
                scores[student] += recorded.score - recorded.penalty
            scores = {student: score for student, score in scores.items() if was_graded(room, student, name)}
            found.append(Chapter(_column(name, header), graded[name].max_score, scores, name))
    if not found:
        raise UsageError("Nothing was graded yet: run `autograder grade <chapter>` first.")
    return found


def was_graded(room: Classroom, student: str, chapter: str) -> bool:
    """Whether a submission was graded; a due date of a student's own makes an entry in the gradebook before that."""
    return (room.root / AUTOGRADED / student / chapter).is_dir()


def _column(chapter: str, header: Sequence[str]) -> str:
    """The name of the chapter's column in `header`, which may continue with points and a number."""
    alike = _alike(chapter, header)
    return alike[0] if len(alike) == 1 else chapter


def _alike(chapter: str, header: Sequence[str]) -> list[str]:
    return [name for name in header if plain(re.split(r"[(\[|]", name)[0]) == plain(chapter)]


def without_a_column(chapters: Sequence[str], exported: Path) -> Iterator[str]:
    """A line for each of `chapters` that has no column, or several, in the LMS's own table `exported`.

    Raises:
        UsageError: it cannot be read.
    """
    header = read_table(exported).header
    some = ", ".join(header[:_MOST_COLUMNS]) + ", ..." * (len(header) > _MOST_COLUMNS)
    for chapter in chapters:
        if len(alike := _alike(chapter, header)) != 1:
            has = f"{len(alike)} columns" if alike else "no column"
            yield (
                f"{exported} has {has} for {chapter} (it has: {some}), so its column is called {chapter}. --like takes "
                "the grades as the LMS exports them, once the assignment is there; no list of people."
            )


def grades_table(room: Classroom, form: Table, chapters: Sequence[Chapter]) -> Exported:
    """Return the table of an LMS: everybody in the gradebook whom it cannot mistake for somebody else."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=form.quoting)  # type: ignore[arg-type]
    marked = [c.column if re.search(r"[(\[|]", c.column) else form.heading(c.column, c.max_score) for c in chapters]
    writer.writerow([*form.columns, *marked])
    if form.points_possible:
        blank = [""] * (len(form.columns) - 1)
        writer.writerow(["    Points Possible", *blank, *(f"{chapter.max_score:g}" for chapter in chapters)])
    with room.gradebook() as gradebook:
        students = sorted(gradebook.students, key=lambda s: (s.last_name or "", s.first_name or "", s.id))
        unlisted = strangers(gradebook)
        left_out = {"not on your list of students": [item for item in students if item.id in unlisted]}
        listed = [item for item in students if item.id not in unlisted]
        rows = _rows(form, listed)
        left_out |= _without_a_key(form, listed, rows)
        gone = {student.id for several in left_out.values() for student in several}
        for student in listed:
            if student.id not in gone:
                scores = (chapter.scores.get(student.id) for chapter in chapters)
                cells = (form.nothing if score is None else f"{score:g}" for score in scores)
                writer.writerow([*map(harmless, rows[student.id]), *cells])
        named = {
            why: [called(s.id, {s.id: whole_name(s.first_name, s.last_name)}) for s in several]
            for why, several in left_out.items()
            if several
        }
    rest = (replace(c, scores={who: score for who, score in c.scores.items() if who not in gone}) for c in chapters)
    return Exported(out.getvalue(), tuple(rest), named)


def _rows(form: Table, students: Iterable[Student]) -> dict[str, tuple[str, ...]]:
    """By student, the columns before the scores. A second key that most students lack is left empty for all, so that
    nobody can import by it, and nobody is left out for it."""
    rows = {student.id: form.row(_person(student)) for student in students}
    places = [form.columns.index(key) for key in form.keys[1:]]
    unused = [place for place in places if 2 * sum(bool(row[place]) for row in rows.values()) <= len(rows)]
    return {who: tuple("" if place in unused else text for place, text in enumerate(row)) for who, row in rows.items()}


def _person(student: Student) -> Person:
    first, last = harmless(student.first_name or ""), harmless(student.last_name or "")
    return Person(student.id, first, last, student.email or "", student.lms_user_id or "")


def _without_a_key(
    form: Table, students: Sequence[Student], rows: Mapping[str, tuple[str, ...]]
) -> dict[str, list[Student]]:
    """By reason, those of `students` whom the system could not find by one of the `form`'s keys, or could take for
    another."""
    left_out: dict[str, list[Student]] = {}
    for key in form.keys:
        of = {who: row[form.columns.index(key)].strip() for who, row in rows.items()}
        how_often = Counter(text.casefold() for text in of.values())  # databases may not tell cases apart
        for student in students if any(of.values()) or key == form.keys[0] else ():
            text = of[student.id]
            if not re.fullmatch(form.key, text) or harmless(text) != text:
                left_out.setdefault(f"no usable '{key}'", []).append(student)
            elif how_often[text.casefold()] > 1:
                left_out.setdefault(f"another student has the same '{key}'", []).append(student)
    return left_out


def not_exported(exported: Exported, lms: Lms) -> Iterator[str]:
    """A line about who is not in the table, and one for each chapter with scores that `lms` would not take."""
    if exported.left_out:
        who = "; ".join(f"{some_of(several, _MOST_LEFT_OUT)}: {why}" for why, several in exported.left_out.items())
        yield (
            f"Not in the file, because {lms.name} could take them for somebody else: {who}. Complete your "
            "list and export again, or enter their scores by hand."
        )
    for chapter in exported.chapters:
        most = max(chapter.scores.values(), default=0.0)
        if lms.table and (refusal := lms.table.refusal(most, chapter.max_score)):
            yield f"{chapter.name}: {most:g} points are more {refusal}."


def with_stale_penalties(room: Classroom, chapters: Sequence[Chapter]) -> Iterator[str]:
    """Whose points or due dates changed after their penalty for being late was recorded: a line for each chapter.

    Raises:
        UsageError: the course's rule fails.
    """
    with room.gradebook() as gradebook:
        names = read_names(gradebook)
        for chapter in chapters:
            if students := [who for who in with_old_penalties(room, gradebook, chapter.name) if who in chapter.scores]:
                who = some_of(called(student, names) for student in students)
                yield (
                    f"{chapter.name}: {count(len(students), 'student')} with a penalty for being late that is out of "
                    f"date: {who}. Run `autograder grade {chapter.name}`, and this command again."
                )


def waiting(room: Classroom) -> list[str]:
    """Who has scores that a person still has to give, a line for each chapter."""
    with room.gradebook() as gradebook:
        by_chapter = {item.name: read_recorded(gradebook, item.name) for item in gradebook.assignments}
        names = read_names(gradebook)
    lines = []
    for chapter, scores in by_chapter.items():
        students = sorted({student for (student, _), recorded in scores.items() if recorded.by_hand})
        students = [student for student in students if was_graded(room, student, chapter)]
        if students:
            who = some_of(called(student, names) for student in students)
            lines.append(f"{chapter}: {count(len(students), 'student')} with answers that wait for a person: {who}.")
    return lines


def without_an_answer(room: Classroom, chapters: Sequence[Chapter]) -> Iterator[str]:
    """Whose scores lack a notebook that could not be read or is missing, an answer that may be meant, or another file:
    a line each, for each chapter."""
    with room.gradebook() as gradebook:
        names = read_names(gradebook)
    for chapter in chapters:
        unread, missing, doubtful = [], [], []
        for student in sorted(chapter.scores):
            paths = (room.root / AUTOGRADED / student / chapter.name).glob("*.ipynb")
            kinds = {kind for path in paths for kind in _kinds_of_notes(path)}
            unread += [student] if kinds & {NoteKind.UNREADABLE, NoteKind.NOT_COLLECTED} else []
            missing += [student] if NoteKind.MISSING in kinds else []
            doubtful += [student] if kinds & DOUBTFUL and chapter.scores[student] < chapter.max_score else []
        without = "counted without a notebook that"
        for students, why in (
            (unread, f"{without} could not be read"),
            (missing, f"{without} is missing"),
            (doubtful, "of whose answers it is in doubt which is meant"),
        ):
            if students:
                who = some_of(called(student, names) for student in students)
                yield f"{chapter.name}: {count(len(students), 'student')} {why}: {who}."
        files = read_uncollected(room, chapter.name)
        if left := sorted({item.student for item in files if item.student and item.kind == NoteKind.NOT_COLLECTED}):
            who = some_of(called(student, names) for student in left)
            yield f"{chapter.name}: {count(len(left), 'student')} with a file that could not be collected: {who}."


def _kinds_of_notes(path: Path) -> set[str]:
    try:
        metadata = json.loads(path.read_bytes())["metadata"].get(METADATA, {})
        return {note["kind"] for note in metadata.get("notes", ())}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return set()  # the class report says that it cannot be read


def pack_feedback(room: Classroom, chapter: str, path: Path) -> list[str]:
    """Pack the written feedback pages of `chapter` as the LMS takes them; return the students whose submission
    came under no name of an LMS that takes feedback, and whose pages are left out.

    Raises:
        UsageError: no page can be packed, or the archive cannot be written.
    """
    origins = read_origins(room, chapter)
    pages = {p.parent.name: p for p in (room.root / "feedback").glob(f"*/{chapter}.html")}
    named = {student: name for student in pages if (name := path_in_archive(origins.get(student, ""), chapter))}
    if not named:
        takers = " or ".join(lms.name for lms in systems().values() if lms.feedback)
        raise UsageError(
            f"No feedback on {chapter} can go back by an archive: it takes pages (`autograder feedback {chapter}`) of "
            f"students whose files were collected as {takers} named them."
        )
    packed = io.BytesIO()
    try:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for student, name in sorted(named.items()):
                archive.write(feedback_path(room, student, chapter), name)
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be packed ({error.strerror}).") from None
    write_bytes(path, packed.getvalue())
    return sorted(set(pages) - set(named))
