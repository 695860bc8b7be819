"""Moodle's grading worksheet, a table that it offers beside an assignment's archive (`mod/assign/gradingtable.php`).

A line's "Identifier" is a word and the number that stands in the archive's names (`mod/assign/classes/downloader.php`):

| what is handed in | name in the archive |
|---|---|
| by one student | `Ada Okafor_2200_assignsubmission_file` |
| without names, if marked blindly | `Participant_2200_assignsubmission_file` |
| by a team | `Team 1_77_assignsubmission_file`, with the number of the team |
| by a team, until Moodle 4.0 | `Team 1-Ada Okafor_2200_assignsubmission_file`, of one member |

So the worksheet tells apart whom names do not: students of one name, those without a name, the members of a team.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..classroom import date_of
from ..lms.moodle import SUBMISSION
from ..names import Person
from ..submission.plain_files import MAX_FILE_BYTES, UnreadableError, read_plain
from ..tables import parse_table, plain
from .roster import Participant, plain_name

_NUMBER, _WHEN, _NAME, _TEAM = "Identifier", "Last modified (submission)", "Full name", "Group"
_KEYS = ("ID number", "Username", "Email address", "Email")
#: How Moodle writes a time after the day of the week: as people of both sides of the Atlantic do, or with 24 hours.
_FORMS = ("%d %B %Y, %I:%M %p", "%B %d, %Y, %I:%M %p", "%d %B %Y, %H:%M")
_NOT_A_WORKSHEET = f"it is no notebook, and no grading worksheet of Moodle's: that has '{_NUMBER}' and '{_WHEN}'"


@dataclass(frozen=True)
class Entry:
    """A line of a worksheet: its number and the word before it, what it says of the student, "" where it says nothing,
    and when they handed in, in UTC, if they did."""

    number: str
    word: str
    name: str
    keys: tuple[str, ...]
    team: str
    when: datetime.datetime | None


@dataclass(frozen=True)
class Worksheet:
    """A worksheet: its entries, and the fields that hold no time that is known."""

    name: str
    entries: tuple[Entry, ...]
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
    entries, unread = [], []
    for line in table.lines:
        match = re.fullmatch(r"(.*?)(\d+)", line.fields.get(plain(_NUMBER), ""))
        if not match:
            continue
        text = line.fields.get(plain(_WHEN), "")
        try:
            when = _time(text) if text not in ("", "-") else None
        except ValueError:
            when = None
            unread.append(text)
        keys = filter(None, (line.fields.get(plain(key), "") for key in _KEYS))
        name, team = (line.fields.get(plain(key), "") for key in (_NAME, _TEAM))
        entries.append(Entry(match[2], match[1], name, tuple(keys), "" if team == "-" else team, when))
    return Worksheet(path.name, tuple(entries), tuple(unread))


def _time(text: str) -> datetime.datetime:
    for form in _FORMS:
        try:
            when = datetime.datetime.strptime(re.sub(r"^\w+, ", "", text), form)
            return when.astimezone(datetime.UTC)
        except (ValueError, OverflowError):
            continue
    return date_of(text).replace(tzinfo=datetime.UTC)


def participants_in(worksheets: Iterable[Worksheet], people: Sequence[Person]) -> dict[str, Participant]:
    """By their numbers, those whom the worksheets name; their `student` is the one of `people` of that id, e-mail
    address or, if nobody shares it, name."""
    by_key, by_name = defaultdict(set), defaultdict(set)
    for who in people:
        for key in filter(None, (who.id, who.email)):
            by_key[key.casefold()].add(who.id)
        by_name[plain_name(f"{who.first_name} {who.last_name}")].add(who.id)
    found = {}
    for sheet in worksheets:
        names = Counter(plain_name(entry.name) for entry in sheet.entries)
        students = {}
        for entry in sheet.entries:
            name = plain_name(entry.name)
            meant = [by_key[key.casefold()] for key in entry.keys if by_key.get(key.casefold())]
            meant = meant or [by_name[name] if name and names[name] == 1 else set()]
            students[entry.number] = min(meant[0]) if len(set().union(*meant)) == 1 else ""
        times = Counter(students.values())
        for entry in sheet.entries:
            student = students[entry.number] if times[students[entry.number]] == 1 else ""
            labels = frozenset(filter(None, map(plain_name, (entry.name, entry.word))))
            found[entry.number] = Participant(student, entry.name or entry.word, labels, entry.team)
    return found


def names_for(part: str, participants: Mapping[str, Participant]) -> list[str]:
    """The name `part` of a submission as it is, or, if it is of a team, one such name for each member."""
    match = SUBMISSION.fullmatch(part)
    if not match:
        return [part]
    label, entry = plain_name(match["label"]), participants.get(match["participant"])
    teams = {plain_name(other.team) for other in participants.values()} - {""}
    if entry and entry.team and label in {plain_name(entry.team) + mine for mine in entry.labels}:
        team = plain_name(entry.team)
    elif label in teams:
        team = label
    else:
        return [part]
    rest = part[match.end("participant") :]
    members = ((number, other) for number, other in participants.items() if plain_name(other.team) == team)
    return [f"{other.name.replace('_', ' ').strip()}_{number}{rest}" for number, other in members]
