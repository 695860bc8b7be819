"""When hand-ins came, where no name in a download says so. Moodle's grading worksheet does, a table that it offers
beside the archive (`mod/assign/feedback/offline`): its "Identifier" has the number that stands in the archive's names.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import MissingEntry

from ..classroom import Classroom, Refused, date_of, find_folders
from ..nbgrader_app import SUBMITTED
from ..submission.plain_files import MAX_FILE_BYTES, UnreadableError, read_plain
from ..tables import parse_table, plain
from .place import stamp
from .roster import LMS_NAMES

_NUMBER, _WHEN = "Identifier", "Last modified (submission)"
#: How Moodle writes a time behind the day of the week: as people of both sides of the Atlantic do, or with 24 hours.
_FORMS = ("%d %B %Y, %I:%M %p", "%B %d, %Y, %I:%M %p", "%d %B %Y, %H:%M")
_NOT_A_WORKSHEET = f"it is no notebook, and no grading worksheet of Moodle's: that has '{_NUMBER}' and '{_WHEN}'"


@dataclass(frozen=True)
class Worksheet:
    """A worksheet: by Moodle's number, the time of handing in, in UTC; and the fields that hold none that is known."""

    name: str
    times: Mapping[str, datetime.datetime]
    unread: tuple[str, ...]


def read_worksheet(path: Path) -> Worksheet:
    """The worksheet at `path`.

    Raises:
        ValueError: it is none; the message says why.
    """
    try:
        table = parse_table(read_plain(path, MAX_FILE_BYTES))
    except UnreadableError as error:
        raise ValueError(str(error)) from None
    if not (table.heading([_NUMBER]) and table.heading([_WHEN])):
        raise ValueError(_NOT_A_WORKSHEET)
    times, unread = {}, []
    for line in table.lines:
        number = re.search(r"\d+$", line.fields.get(plain(_NUMBER), ""))
        text = line.fields.get(plain(_WHEN), "")
        if number and text not in ("", "-"):
            try:
                times[number[0]] = _time(text)
            except ValueError:
                unread.append(text)
    return Worksheet(path.name, times, tuple(unread))


def _time(text: str) -> datetime.datetime:
    for form in _FORMS:
        try:
            when = datetime.datetime.strptime(re.sub(r"^\w+, ", "", text), form)
            return when.astimezone(datetime.UTC)
        except (ValueError, OverflowError):
            continue
    return date_of(text).replace(tzinfo=datetime.UTC)


def stamp_from(
    room: Classroom, chapter: str, worksheets: Sequence[Worksheet], origins: Mapping[str, str]
) -> Iterator[str]:
    """Write the times in `worksheets` beside what was collected; yield the students who have theirs from there.

    Args:
        origins: by student, the name that the LMS gave their hand-in.

    Raises:
        OSError: a time cannot be written.
    """
    times = {number: when for sheet in worksheets for number, when in sheet.times.items()}
    folders = dict(found for found in find_folders(room, chapter, ()) if not isinstance(found, Refused))
    for student, origin in sorted(origins.items()):
        when = times.get(_number(origin))
        if when and student in folders:
            stamp(folders[student], when)
            yield student


def _number(origin: str) -> str:
    said = LMS_NAMES["Moodle"].fullmatch(origin)
    return said["participant"] if said else ""


def without_a_time(room: Classroom, chapter: str) -> list[str]:
    """Who handed in `chapter`, without a time, though it has a due date."""
    with room.gradebook() as gradebook:
        try:
            if gradebook.find_assignment(chapter).duedate is None:
                return []
        except MissingEntry:
            return []
    folders = (found for found in find_folders(room, chapter, ()) if not isinstance(found, Refused))
    return [student for student, folder in folders if room.timestamp(folder) is None]


def how_to_tell_times(chapter: str, students: Collection[str], origins: Mapping[str, str]) -> str:
    """What an instructor does about `students` whose hand-ins have no time."""
    ways = []
    if any(_number(origins.get(student, "")) for student in students):
        ways.append(f"collect Moodle's grading worksheet (`autograder collect {chapter} FILE.csv`)")
    if not all(_number(origins.get(student, "")) for student in students):
        ways.append(f"write the time into {SUBMITTED}/<student>/{chapter}/timestamp.txt, as 2026-03-01 12:00 UTC")
    return f"If that matters, {', or '.join(ways)}, and grade again."
