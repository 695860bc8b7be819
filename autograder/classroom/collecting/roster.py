"""Roster matching: which student and which exercise a downloaded notebook belongs to, by the names that an LMS and a
browser gave it.

Besides the names that the LMSs of `classroom/lms/` give, there are folders and archives that a teacher makes for each
student, and `Copy of saxpy.ipynb` or `saxpy (1).ipynb` of Colab and browsers.

A name is looked up among the students in the gradebook, as a whole: "Mary-Ada Smith" is not "Ada Smith", and
"mary_ada" is not "ada". A prefix that an LMS or a teacher put before all names (a group, an assignment) is recognized
when it precedes the names of two students. Students choose the end of a file's name and the folders within their own,
so the outermost name alone says whose a file is: otherwise one student could hand in for another.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..lms import submission_name
from ..lms.moodle import SUBMISSION
from ..names import Person

_IN_PARENTHESES = re.compile(r"\(([^()]+)\)$")
_COPY = r" ?\((\d{1,3})\)|-(\d{1,3})"  # the suffix that a browser or an LMS gives a second version
_MAX_NAME = 100  # bytes


class UnknownError(Exception):
    """A file matches no student, or several; the message says why, and what to do."""


@dataclass(frozen=True)
class Participant:
    """Whom Moodle's worksheet means by a number: the `student`, "" if nobody who is known, their `name` there, what the
    archive may call them (as `plain_name`), and the name of their team, if they have one."""

    student: str
    name: str
    labels: frozenset[str]
    team: str = ""


class Roster:
    """The students who may have handed something in.

    Args:
        people: the known students.
        words: names of the chapter and its exercises, which may stand beside a student's name.

    Attributes:
        participants: by the number in the names that Moodle gives, whom its worksheet means.
    """

    def __init__(self, people: Iterable[Person], words: Collection[str] = ()) -> None:
        self._known: dict[str, set[str]] = defaultdict(set)
        self._accounts: dict[str, set[str]] = defaultdict(set)  # by the number of their account in the LMS
        self._account_of: dict[str, str] = {}
        for who in people:
            names = (f"{who.first_name} {who.last_name}", f"{who.last_name} {who.first_name}")
            for text in (who.id, who.email, who.email.partition("@")[0], who.lms_number, *names, *who.former):
                if plain := plain_name(text):
                    self._known[plain].add(who.id)
            if who.lms_number:
                self._accounts[plain_name(who.lms_number)].add(who.id)
                self._account_of[who.id] = who.lms_number
        self._words = {plain_name(word) for word in words}
        self.participants: Mapping[str, Participant] = {}
        self._numbers: dict[str, set[str]] = defaultdict(set)
        self._after: dict[str, set[str]] = defaultdict(set)  # by prefix, the students whose names follow it

    def meet(self, parts: Sequence[str]) -> None:
        """Look at a file's names before the first `find`: only several files show that two students share a name (by
        their numbers), and which prefix all names have."""
        parsed = submission_name(parts[0])
        if parsed and parsed.number:
            self._numbers[parsed.label].add(parsed.number)
        text = parsed.label if parsed else _stem(parts[0])
        for before, rest in () if self._look_up(text) else _splits(text):
            if len(found := self._look_up(rest)) == 1 and re.search(r"[^\W\d]", rest):
                self._after[plain_name(before)] |= found

    def find(self, parts: Sequence[str]) -> str:
        """The id of the student who handed in a file: `parts` are the folders that contain it, and its name. An unknown
        student's id is the name found there.

        Raises:
            UnknownError: no student matches, or several do.
        """
        if student := self._by_worksheet(parts[0]):
            return student
        parsed, name = submission_name(parts[0]), self._name(parts)
        # A user's number is no id: the id of one student may be the number of another's account.
        found = self._accounts.get(plain_name(parsed.user), set()) if parsed else self._by_form(name.text)
        found = found or self._look_up(name.text)
        if len(found) > 1:
            how = f"{parsed.lms.namesakes}, or put" if parsed and parsed.lms.namesakes else "Put"
            raise UnknownError(f"'{name.text}' may be {_either(found)}. {how} it into a folder with the right id.")
        if found:
            return self._of_this_account(min(found), parsed.user if parsed else "")
        if not name.whole and (perhaps := self._within(name.text)):
            raise UnknownError(
                f"'{name.text}' may be {_either(perhaps)}, or the name of somebody else. Put it into a folder with the "
                "right id, or add who is missing to the gradebook (`nbgrader db student add`)."
            )
        if parsed and len(self._numbers[parsed.label]) > 1:
            raise UnknownError(
                f"Several students are called '{name.text}' there, and the gradebook knows none of them. "
                "Put the files of each into a folder with the student's id."
            )
        if not parsed and any(map(submission_name, parts[1:])):
            raise UnknownError(
                f"'{name.text}' is not in the gradebook, and a name within it may be by its author's own hand. If it "
                "is no student, collect what it holds by itself."
            )
        if not (parsed or len(parts) > 1) or (parsed and parsed.after_assignment and not name.whole):
            raise UnknownError("Its name does not say whose it is. Put it into a folder with the student's id.")
        if not is_fit(name.text):
            raise UnknownError(f"'{name.text}' cannot be a student's id. Rename the file or folder.")
        return name.text

    def _by_worksheet(self, part: str) -> str:
        """The student whom Moodle's worksheet means by the number in a name, if it also calls them so."""
        parsed = SUBMISSION.fullmatch(part)
        entry = self.participants.get(parsed["participant"]) if parsed else None
        return entry.student if parsed and entry and plain_name(parsed["label"]) in entry.labels else ""

    def _of_this_account(self, student: str, user: str) -> str:
        """`student`, unless `user`, the number of who handed in, is another's: anybody may take another's name."""
        if user and plain_name(self._account_of.get(student, user)) != plain_name(user):
            raise UnknownError(
                f"Its name is {student}'s, but its number {user} is not, which is {self._account_of[student]}. "
                f"If {student} handed it in, put it into a folder called {student}."
            )
        return student

    @staticmethod
    def origin(parts: Sequence[str]) -> str:
        """The name that an LMS made for a submission, "" if none did."""
        return parts[0] if submission_name(parts[0]) else ""

    def called(self, parts: Sequence[str]) -> str:
        """The part of a file's names where a student's name stands, known or not; "" if it can name no folder."""
        text = self._name(parts).text
        return text if is_fit(text) else ""

    def recognizes(self, part: str) -> bool:
        """Whether the name of a folder or a file may identify a student by itself."""
        text = _stem(part)
        return bool(submission_name(part) or self._by_form(text) or self._within(text))

    def _name(self, parts: Sequence[str]) -> _Name:
        parsed = submission_name(parts[0])
        text = unicodedata.normalize("NFC", parsed.label if parsed else _stem(parts[0])).strip()
        if parsed and parsed.after_assignment:
            before, _, rest = text.partition("_")
            found = _Name(rest or before, whole=True) if "_" not in rest else _Name(text, whole=False)
        elif self._look_up(text):
            return _Name(text, whole=True)
        else:
            found = _Name(text, whole=False)
        for before, rest in _splits(text):
            if self._is_shared_prefix(before):
                return _Name(rest, whole=True)
        for before, rest in _splits(re.sub(f"(?:{_COPY})$", "", text)):
            if not parsed and self._look_up(before) and plain_name(rest) in self._words:
                return _Name(before, whole=True)
        return found

    def _is_shared_prefix(self, before: str) -> bool:
        return plain_name(before) in self._words or len(self._after[plain_name(before)]) > 1

    def _by_form(self, text: str) -> set[str]:
        """The students that a name identifies by its form: name and id, perhaps with a number; an id in parentheses; a
        name or id between dashes with spaces around them."""
        for name, user in _splits(re.sub(r"_\d+$", "", text)):
            if both := self._look_up(name) & self._look_up(user):
                return both
        inside = _IN_PARENTHESES.search(text)
        alone = [inside[1]] if inside else text.split(" - ")
        return set().union(*map(self._look_up, alone))

    def _within(self, text: str) -> set[str]:
        """The students whose name is the longest part of `text` that is anybody's."""
        words = re.split(r"[_-]", text)
        for length in range(len(words), 0, -1):
            runs = ["".join(words[i : i + length]) for i in range(len(words) - length + 1)]
            found = [self._look_up(run) for run in runs if length == len(words) or re.search(r"[^\W\d]", run)]
            if any(found):
                return set().union(*found)
        return set()

    def _look_up(self, text: str) -> set[str]:
        return self._known.get(plain_name(text), set())


def submitted_at(parts: Sequence[str]) -> datetime.datetime | None:
    """Return when a file was submitted, in this machine's time, if the LMS put it into a name."""
    found = submission_name(parts[0])
    if not (found and found.date and found.lms.date):
        return None
    try:
        when = found.lms.date(found.date)
    except ValueError:
        return None
    return when if 1970 < when.year < 9999 else None  # a student may write any date, and files take not all


def is_late(parts: Sequence[str]) -> bool:
    """Whether the LMS put into a name that the file came late."""
    parsed = submission_name(parts[0])
    return bool(parsed and parsed.late)


def numbers_of(names: Iterable[str]) -> list[str]:
    """The numbers that an LMS gave to the people after whom it made `names`, each once, sorted. More than one are
    several people's."""
    return sorted({found.number for found in map(submission_name, names) if found and found.number})


def exercise_named(name: str, exercises: Collection[str]) -> str | None:
    """The exercise that a file's name holds, the longest if there are several; None if there is none."""
    fitting = [e for e in exercises if re.search(rf"(?<![^\W_]){re.escape(e)}(?![^\W_])", _stem(name))]
    return max(fitting, key=len, default=None)


def copy_number(name: str) -> int:
    """The number that a browser or an LMS gave a second version: 2 for "saxpy (2).ipynb" and "saxpy-2.ipynb"."""
    found = re.search(f"(?:{_COPY})$", _stem(name))
    return int(found[1] or found[2]) if found else 0


@dataclass(frozen=True)
class _Name:
    """What may be a student's name; `whole` if it holds nothing else."""

    text: str
    whole: bool


def _splits(text: str) -> list[tuple[str, str]]:
    """`text` split in two at each of its separators, the longest second part first."""
    return [(text[: mark.start()], text[mark.end() :]) for mark in re.finditer(r"[_-]", text)]


def _either(students: Collection[str]) -> str:
    return " or ".join(sorted(students))


def _stem(name: str) -> str:
    return re.sub(r"(\.ipynb(\.txt|\.json)?|\.zip)$", "", name, flags=re.I)


def plain_name(text: str) -> str:
    """`text` without what systems change in a name: case, accents, spaces and punctuation."""
    split = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in split.casefold() if sign.isalnum())


def is_fit(student: str) -> bool:
    """Whether the id can name a folder, and is harmless in a page, a table or a shell."""
    fit = all(sign.isalnum() or sign in " ._-@,'()" for sign in student)
    return fit and student[:1].isalnum() and len(student.encode()) <= _MAX_NAME and not student.endswith((".", " "))
