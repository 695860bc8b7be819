"""Answers in words as a table that a person fills in: one line for each different text, which may be many students'.

The table goes through a spreadsheet, which may change a text's line ends, quotes or first sign. So on the way back a
digest of the text tells it, and not the text.
"""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook

from ...cuda.compiler.cache import digest
from ...cuda.errors import UsageError
from ...cuda.report.vocabulary import count
from ...exercises.authoring.nbgrader_app import RELEASED, SOURCE
from ...exercises.files import write_text
from ..classroom import Classroom
from ..names import called, read_names, some_of
from ..submission.texts import is_task
from .class_report import harmless
from .class_results import read_class
from .outcomes import GradedText

_COLUMNS = (
    "exercise",
    "cell",
    "question",
    "text",
    "number",
    "students",
    "max_points",
    "points",
    "comment",
    "rubric",
    "text_id",
)
_NEEDED = ("exercise", "cell", "students", "points", "comment", "text_id")
_BETWEEN = "; "  # students


@dataclass
class Given:
    """What was read from a table: to how many answers points were given, how many of its lines have none yet, and what
    could not be taken, a line each."""

    answers: int = 0
    empty: int = 0
    left: list[str] = field(default_factory=list)


def write_texts(room: Classroom, chapter: str, path: Path) -> tuple[int, int]:
    """Write the table of all texts that wait for points; return how many answers and how many lines these are. Without
    any, nothing is written.

    Raises:
        UsageError: nothing was graded, or the file exists, which may hold points, or it cannot be written.
    """
    waiting: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    shown: dict[tuple[str, str, str], GradedText] = {}
    for (student, exercise, cell), text in _texts(room, chapter).items():
        if text.open:
            key = (exercise, cell, text_id(text.text))
            waiting[key].append(student)
            shown.setdefault(key, text)
    if not waiting:
        return 0, 0
    if path.exists():
        raise UsageError(f"{path} exists, and may hold points. Name another file, or delete it.")
    with room.gradebook() as gradebook:
        names = read_names(gradebook)
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_COLUMNS)
    previous = ("", "")
    for key, students in sorted(waiting.items(), key=lambda item: (item[0][:2], -len(item[1]), item[0][2])):
        exercise, cell, name = key
        who = _BETWEEN.join(called(student, names) for student in sorted(students))
        most = f"{shown[key].max_score:g}"
        first = previous != (exercise, cell)
        question = _question(room, chapter, exercise, cell) if first else ""
        rubric = _rubric(room, chapter, exercise, cell) if first else ""
        previous = (exercise, cell)
        shown_fields = (shown[key].text or "(nothing)", str(len(students)), who, most)
        table.writerow(map(harmless, (exercise, cell, question, *shown_fields, "", "", rubric, name)))
    write_text(path, "\ufeff" + out.getvalue())  # without the mark, Excel takes it for another encoding
    return sum(map(len, waiting.values())), len(waiting)


def give_points(room: Classroom, chapter: str, path: Path) -> Given:
    """Give the points and comments of a filled-in table, of students whose text is still the table's.

    Raises:
        UsageError: nothing was graded, or the file cannot be read or is no such table.
    """
    texts = _texts(room, chapter)
    done = Given()
    with room.gradebook() as gradebook:
        names = read_names(gradebook)
        ids = {called(student, names): student for student in names} | {student: student for student in names}
        for number, row in enumerate(_read(path), 2):
            where = f"line {number} ({row['exercise']})"
            try:
                points = _points(row, texts)
            except ValueError as error:
                done.left.append(f"{where}: {error}")
                continue
            if points is None:
                done.empty += 1
                continue
            unknown, changed = [], []
            for shown in filter(None, row["students"].split(_BETWEEN)):
                student = ids.get(shown, "")
                text = texts.get((student, row["exercise"], row["cell"]))
                if text is None:
                    unknown.append(shown)
                elif text_id(text.text) != row["text_id"]:
                    changed.append(shown)
                else:
                    _give(gradebook, chapter, row, student, points)
                    done.answers += 1
            if changed:
                done.left.append(f"{where}: the text has changed since: {some_of(changed)}. Write the table again.")
            if unknown:
                done.left.append(f"{where}: not among those who were graded: {some_of(unknown)}.")
        gradebook.db.commit()
    return done


def text_id(text: str) -> str:
    """What tells a text from others, whatever its spaces and line ends. No spreadsheet takes it for a number."""
    return f"t{digest(' '.join(text.split()))[:12]}"


def lines_of(done: Given) -> Iterator[str]:
    """What was done, and one line for each thing that could not be."""
    empty = f" {count(done.empty, 'line')} without points." if done.empty else ""
    yield f"{count(done.answers, 'answer')} got points.{empty}"
    yield from (f"not taken: {line}" for line in done.left)


def _texts(room: Classroom, chapter: str) -> dict[tuple[str, str, str], GradedText]:
    """By student, exercise and cell, all answers in words that were graded."""
    graded = read_class(room, chapter)
    return {(item.student, item.name, text.name): text for item in graded for text in item.texts}


def _question(room: Classroom, chapter: str, exercise: str, cell: str) -> str:
    """The question: the cell above the answer, or a task itself; "" if there is none."""
    above = ""
    for item in _cells(room.root / RELEASED / chapter / f"{exercise}.ipynb"):
        if item.metadata.get("nbgrader", {}).get("grade_id") == cell:
            return str(item.source) if is_task(item) else above
        above = item.source
    return ""


def _rubric(room: Classroom, chapter: str, exercise: str, cell: str) -> str:
    """The model answer and what earns each point, as they stand in `solutions/`; "" if that has no such cell."""
    cells = _cells(room.root / SOURCE / chapter / f"{exercise}.ipynb")
    sources = [c.source for c in cells if c.metadata.get("nbgrader", {}).get("grade_id") == cell]
    lines = "\n".join(sources).split("\n")
    return "\n".join(line for line in lines if not line.startswith(("### BEGIN", "### END", "=== BEGIN", "=== END")))


def _cells(path: Path) -> Sequence[NotebookNode]:
    try:
        cells: Sequence[NotebookNode] = nbformat.read(path, as_version=4).cells
    except (OSError, ValueError):
        return ()
    return cells


def _points(row: Mapping[str, str], texts: Mapping[tuple[str, str, str], GradedText]) -> float | None:
    """The points of a line; None if nobody has filled it in.

    Raises:
        ValueError: it cannot be taken, and why.
    """
    written = row["points"].strip()
    if not written:
        if row["comment"].strip():
            raise ValueError("it has a comment, but no points. Give points, too.")
        return None
    cell = (row["exercise"], row["cell"])
    most = next((text.max_score for (_, *key), text in texts.items() if tuple(key) == cell), None)
    if most is None:
        raise ValueError(f"nobody was graded for the text '{row['cell']}'.")
    try:
        points = float(written.replace(",", "."))
    except ValueError:
        points = math.nan
    if not 0 <= points <= most:
        raise ValueError(f"its points, {written}, are not a number from 0 to {most:g}.")
    return points


def _give(gradebook: Gradebook, chapter: str, row: Mapping[str, str], student: str, points: float) -> None:
    grade = gradebook.find_grade(row["cell"], row["exercise"], chapter, student)
    grade.manual_score, grade.needs_manual_grade = points, False
    if comment := row["comment"].strip():
        gradebook.find_comment(row["cell"], row["exercise"], chapter, student).manual_comment = comment


def _read(path: Path) -> Sequence[Mapping[str, str]]:
    """The lines of a table, in the encoding and with the separator that a spreadsheet gave it."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}).") from None
    try:
        text = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")  # Excel's "CSV", as against its "CSV UTF-8"
    head = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count), restval="")
    if missing := [name for name in _NEEDED if name not in (rows.fieldnames or ())]:
        raise UsageError(f"{path} is not a table of `autograder texts`: it has no column '{missing[0]}'.")
    try:
        return [row for row in rows if any(row[name] for name in _NEEDED)]
    except csv.Error as error:
        raise UsageError(f"{path} cannot be read ({error}).") from None
