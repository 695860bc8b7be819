"""The list of students: from the table that an LMS exports into the gradebook.

| system | table | headings |
|---|---|---|
| Moodle | Participants, or Grades, "Export" | `First name`, `Last name`, `ID number`, `Username`, `Email address` |
| Canvas | Grades, "Export" | `Student` (`Lovelace, Ada`), `ID`, `SIS User ID`, `SIS Login ID` |
| Canvas | New Analytics, "Class Roster" | `Student Name` (`Ada Lovelace`), `Student ID`, `Student SIS ID`, `Email` |
| Blackboard | "Download Grades" | `Last Name`, `First Name`, `Username`, `Student ID`; UTF-16 with tabs |
| nbgrader | `nbgrader db student import` | `id`, `first_name`, `last_name`, `email`, `lms_user_id` |

Canvas's `ID` and `Student ID` are the number of an account, by which it also names files, and no id of the university.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..cuda.errors import UsageError
from ..cuda.report.vocabulary import count
from .classroom import Classroom
from .collecting.roster import is_fit
from .names import some_of, whole_name
from .tables import Line, Table, plain, read_table

#: What may name a student's folder, the best first.
_IDS = (
    "id",
    "ID number",
    "SIS User ID",
    "Student SIS ID",
    "Username",
    "SIS Login ID",
    "Student ID",
    "Email address",
    "Email",
)
#: What else the gradebook keeps of a student, by its name for it; of `_WHOLE`, a whole name in one field.
_FIELDS = {
    "first_name": ("First name",),
    "last_name": ("Last name", "Surname"),
    "email": ("Email address", "Email"),
    "lms_user_id": ("lms_user_id",),
}
_WHOLE = ("Student", "Student Name", "Full name")
#: Where Canvas's table has one of the first, the others are the number of an account.
_CANVAS, _CANVAS_NUMBERS = ("SIS User ID", "Student SIS ID", "SIS Login ID"), ("ID", "Student ID")
#: Lines of Canvas's that are nobody's: the points, and a pretended student.
_NOBODY = ("Points Possible", "Student, Test", "Test Student")


@dataclass
class Listed:
    """What became of a table.

    Args:
        column: the heading of the ids.
        new, changed, unchanged: ids.
        no_students: the names of people whose role is another one.
        left: why lines could not be used, and what to do, a line each.
    """

    column: str
    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    no_students: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Entry:
    """A student in a table: the line (0 if it is from no file), the id, and what else the gradebook keeps, without what
    is empty."""

    line: int
    id: str
    known: Mapping[str, str]

    @property
    def name(self) -> str:
        name = whole_name(self.known.get("first_name"), self.known.get("last_name"))
        return name or self.known.get("email") or self.id

    def __str__(self) -> str:
        return f"line {self.line} ({self.name})" if self.line else self.name


def take_students(room: Classroom, path: Path) -> Listed:
    """Add the students in the table at `path` to the gradebook, and update those who are there.

    Raises:
        UsageError: the file cannot be read, or has no ids.
    """
    return take_table(room, read_table(path), path)


def take_table(room: Classroom, table: Table, source: Path | str) -> Listed:
    """Add the students in `table`, which is from `source`, to the gradebook, and update those who are there. What the
    table does not say stays as it is there.

    Raises:
        UsageError: it has no ids.
    """
    lines = [line for line in table.lines if _is_of_a_person(line)]
    if not lines:
        raise UsageError(f"{source} names nobody: export it again.")
    done = Listed(_id_column(table, lines, source))
    lines = list(_in_the_role(lines, done))
    entries = _usable([_entry(line, table, done.column) for line in lines], done)
    with room.gradebook() as gradebook:
        there = {student.id: student for student in gradebook.students}
        owners = {student.email.casefold(): student.id for student in there.values() if student.email}
        for entry in _under_their_id(entries, owners, done):
            student = there.get(entry.id)
            if student is not None and all(getattr(student, name) == text for name, text in entry.known.items()):
                done.unchanged.append(entry.id)
                continue
            (done.new if student is None else done.changed).append(entry.id)
            gradebook.update_or_create_student(entry.id, **entry.known)
    return done


def lines_of(done: Listed, source: Path | str) -> Iterator[str]:
    """What became of the table from `source`, and one line for each thing that needs attention."""
    yield (
        f"{source}: {count(len(done.new), 'student')} new, {len(done.changed)} changed, "
        f"{len(done.unchanged)} unchanged. Their ids are of the column '{done.column}'."
    )
    if done.no_students:
        yield f"no students, by their role: {some_of(done.no_students)}."
    yield from done.left


def _id_column(table: Table, lines: Sequence[Line], source: Path | str) -> str:
    """The heading of the column that names folders: the best one that is filled in for most."""
    numbers = {plain(name) for name in _CANVAS_NUMBERS if table.heading(_CANVAS)}
    for name in _IDS:
        filled = sum(bool(line.fields.get(plain(name))) for line in lines)
        if plain(name) not in numbers and 2 * filled > len(lines):
            return table.heading([name])
    raise UsageError(
        f"{source} has no column of ids (it has: {', '.join(filter(None, table.header))}). It needs one such as "
        f"{', '.join(_IDS[:5])}: export the table with it, or call a column `id`."
    )


def _is_of_a_person(line: Line) -> bool:
    return bool(_known(line, False) or _first(line, _IDS)) and _first(line, _WHOLE) not in _NOBODY


def _in_the_role(lines: Iterable[Line], done: Listed) -> Iterator[Line]:
    """The lines of students, if a column distinguishes them from teachers."""
    lines = list(lines)
    roles = [next((line.fields[name] for name in ("roles", "role") if line.fields.get(name)), "") for line in lines]
    has_roles = any("student" in role.casefold() for role in roles)
    for line, role in zip(lines, roles, strict=True):
        if has_roles and "student" not in role.casefold():
            done.no_students.append(f"{_Entry(line.number, '', _known(line, False)).name} ({role or 'no role'})")
        else:
            yield line


def _entry(line: Line, table: Table, column: str) -> _Entry:
    return _Entry(line.number, line.fields.get(plain(column), ""), _known(line, bool(table.heading(_CANVAS))))


def _known(line: Line, is_canvas: bool) -> dict[str, str]:
    fields = dict(_FIELDS)
    if is_canvas:
        fields["lms_user_id"] += _CANVAS_NUMBERS
    known = {field_name: _first(line, names) for field_name, names in fields.items()}
    if not known["first_name"] and not known["last_name"]:
        whole = _first(line, _WHOLE)
        last, comma, first = whole.partition(", ")
        if not comma:
            first, _, last = whole.rpartition(" ")
        known |= {"first_name": first, "last_name": last}
    return {field_name: text for field_name, text in known.items() if text}


def _first(line: Line, names: Iterable[str]) -> str:
    return next((text for name in names if (text := line.fields.get(plain(name), ""))), "")


def _usable(entries: Sequence[_Entry], done: Listed) -> list[_Entry]:
    """Those of `entries` with an id that names a folder and is nobody else's. The same student may stand there twice,
    as in several sections."""
    of: dict[str, list[_Entry]] = defaultdict(list)
    for entry in entries:
        of[entry.id].append(entry)
    if nobody := of.pop("", []):
        done.left.append(f"no {done.column}: {some_of(nobody)}. Write it there, and import again.")
    unfit = [several[0] for student, several in of.items() if not is_fit(student)]
    if unfit:
        done.left.append(f"cannot name a folder: the {done.column} of {some_of(unfit)}. Use another one.")
    twice = [several for several in of.values() if any(listed.known != several[0].known for listed in several)]
    if twice:
        shared = [entry for several in twice for entry in several]
        done.left.append(
            f"one {done.column} for several people: {some_of(shared)}. Neither was taken: fix that there, "
            "and import again."
        )
    return [several[0] for several in of.values() if several[0] not in unfit and several not in twice]


def _under_their_id(entries: Iterable[_Entry], owners: Mapping[str, str], done: Listed) -> Iterator[_Entry]:
    """Those of `entries` whose e-mail address is nobody else's in the gradebook, which has its `owners`."""
    others = []
    for entry in entries:
        owner = owners.get(entry.known.get("email", "").casefold(), entry.id)
        if owner == entry.id:
            yield entry
        else:
            others.append(f"{entry.name} is {owner} there and {entry.id} here")
    if others:
        done.left.append(
            f"in the gradebook under another id, by the e-mail address: {some_of(others)}. They are not added again: "
            "give them the gradebook's ids there, in a table in a column `id`, and import again."
        )
