"""The list of students from an LMS's Names and Role Provisioning Service into the gradebook."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...cuda.errors import UsageError
from ..classroom import Classroom
from ..names import some_of
from ..students import Listed, take_table
from ..tables import Line, Table, clean, plain
from .connection import save_accounts
from .service import RefusedError, Service

_MEDIA_TYPE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
#: The headings of a table with what the service reports of a member, each with the service's own word.
_FIELDS = {
    "ID number": "lis_person_sourcedid",
    "Email address": "email",
    "First name": "given_name",
    "Last name": "family_name",
    "Full name": "name",
}
_IDS = ("ID number", "Email address")


@dataclass(frozen=True)
class Member:
    """Somebody in the LMS's course: the id of the account, what is known of the person, by heading, and whether they
    are a student there, and still active."""

    account: str
    fields: Mapping[str, str]
    is_student: bool
    is_active: bool

    @property
    def name(self) -> str:
        """What to call the person."""
        whole = self.fields["Full name"] or f"{self.fields['First name']} {self.fields['Last name']}".strip()
        return whole or self.fields["Email address"] or self.account


def read_members(service: Service, url: str) -> list[Member]:
    """All members of the course whose members are at `url`, each account once.

    Raises:
        UsageError: the LMS refuses, or its answer holds no members.
    """
    found: dict[str, Member] = {}
    try:
        for page in service.pages(url, _MEDIA_TYPE):
            for entry in page["members"]:
                member = _member(entry)
                found.setdefault(member.account, member)
    except RefusedError as error:
        raise UsageError(f"{url} answers {error.status} ({error}): copy the address again.") from None
    except (LookupError, TypeError, AttributeError):
        raise UsageError(f"{url} does not list members as LTI 1.3 does: copy the address again.") from None
    return list(found.values())


def _member(entry: Any) -> Member:
    fields = {heading: clean(str(entry.get(name) or "")) for heading, name in _FIELDS.items()}
    roles = {str(role).rpartition("#")[2].rpartition("/")[2] for role in entry["roles"]}
    is_active = str(entry.get("status") or "Active").rpartition("#")[2].rpartition("/")[2] == "Active"
    return Member(str(entry["user_id"]), fields, "Learner" in roles and "Instructor" not in roles, is_active)


def take_members(room: Classroom, members: Iterable[Member]) -> Listed:
    """Add the active students among `members` to the gradebook, as `take_table` does, and save whose account is whose.

    Raises:
        UsageError: there is no student, or the LMS shares nothing by which to know them.
    """
    members = list(members)
    students = [member for member in members if member.is_student and member.is_active]
    if not students:
        raise UsageError("The LMS lists no active student in this course: check the number of the course.")
    if not any(2 * sum(bool(member.fields[name]) for member in students) > len(students) for name in _IDS):
        raise UsageError(
            "The LMS shares neither the ID numbers nor the e-mail addresses of most students: allow one of them in "
            "the tool's privacy settings there."
        )
    lines = [Line(0, {plain(heading): text for heading, text in member.fields.items()}) for member in students]
    done = take_table(room, Table((*_FIELDS,), tuple(lines)), "The LMS's list")
    done.no_students += [member.name for member in members if not member.is_student]
    taken = {*done.new, *done.changed, *done.unchanged}
    accounts: dict[str, list[Member]] = defaultdict(list)
    for member in students:
        if (student := member.fields[done.column]) in taken:
            accounts[student].append(member)
    save_accounts(room.root, {who: several[0].account for who, several in accounts.items() if len(several) == 1})
    done.left += _lines_about(members, accounts, done.column)
    return done


def _lines_about(members: Iterable[Member], accounts: Mapping[str, list[Member]], column: str) -> Iterator[str]:
    if gone := [member.name for member in members if member.is_student and not member.is_active]:
        yield f"no longer active in the LMS, so neither added nor sent scores: {some_of(gone)}."
    if shared := [several[0].name for several in accounts.values() if len(several) > 1]:
        yield (
            f"two accounts in the LMS with one {column}, so no scores are sent to either: {some_of(shared)}. Remove "
            "one of them from the course there, and run the command again."
        )
