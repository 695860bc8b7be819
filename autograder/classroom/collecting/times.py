"""When submissions came, where no name in a download says so: Moodle's grading worksheet does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from nbgrader.api import MissingEntry

from ...exercises.authoring.nbgrader_app import SUBMITTED
from ..classroom import Classroom, Refused, find_folders
from ..lms.moodle import SUBMISSION
from .place import stamp
from .roster import Participant
from .worksheet import Worksheet


def stamp_from(
    room: Classroom,
    chapter: str,
    worksheets: Sequence[Worksheet],
    participants: Mapping[str, Participant],
    origins: Mapping[str, str],
) -> Iterator[str]:
    """Write the times in `worksheets` beside what was collected; yield the students who have theirs from there. A
    line is theirs by the number in the name that Moodle gave their submission, or, if it had none, as by hand, by who
    it is.

    Args:
        participants: by number, those in the worksheets.
        origins: by student, the name that the LMS gave their submission.

    Raises:
        OSError: a time cannot be written.
    """
    folders = dict(found for found in find_folders(room, chapter, ()) if not isinstance(found, Refused))
    numbers = {student: _number(origin) for student, origin in origins.items()}
    stamped = {}
    for sheet in worksheets:
        of = {entry.number: participants[entry.number].student for entry in sheet.entries}
        is_of_another = any(numbers.get(student, "") not in ("", number) for number, student in of.items())
        owners = {number: student for student, number in numbers.items() if number}
        for entry in sheet.entries:
            student = owners.get(entry.number, "") or ("" if is_of_another else of[entry.number])
            if entry.when and student in folders:
                stamped[student] = entry.when
    for student, when in sorted(stamped.items()):
        stamp(folders[student], when)
        yield student


def _number(origin: str) -> str:
    match = SUBMISSION.fullmatch(origin)
    return match["participant"] if match else ""


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


def how_to_know_times(chapter: str, students: Collection[str], origins: Mapping[str, str]) -> str:
    """What an instructor does about `students` whose submissions have no time."""
    ways = []
    if any(_number(origins.get(student, "")) for student in students):
        ways.append(f"collect Moodle's grading worksheet (`autograder collect {chapter} FILE.csv`)")
    if not all(_number(origins.get(student, "")) for student in students):
        ways.append(f"write the time into {SUBMITTED}/<student>/{chapter}/timestamp.txt, as 2026-03-01 12:00 UTC")
    return f"If that matters, {', or '.join(ways)}, and grade again."
