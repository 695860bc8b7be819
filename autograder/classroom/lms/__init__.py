"""The LMSs: what each calls a submission in its downloads, which table of scores it imports, and how feedback returns.

Each is a module of this folder with an `LMS`, or an `Lms` that another package registers in the entry point group
`autograder.lms`. Imports `classroom/names.py` and `cuda/plugins.py`.
"""

from __future__ import annotations

import csv
import datetime
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from ...cuda.plugins import plugins
from ..names import Person


@dataclass(frozen=True)
class Table:
    """The table of scores that an LMS imports.

    Args:
        columns: the headings before the scores.
        row: the fields of a student in those columns.
        keys: those of `columns` by which the LMS may find a student.
        key: a pattern of the fields that it accepts there.
        nothing: a cell without a score.
        heading: the heading of a column of scores, of its name and maximum.
        quoting: as the module `csv` calls it.
        points_possible: whether a second line holds the maximum points.
        refusal: given the highest score and the maximum of a column, a clause about what the import does; "" if it
            accepts both.
    """

    columns: tuple[str, ...]
    row: Callable[[Person], tuple[str, ...]]
    keys: tuple[str, ...]
    key: str = r".+"
    nothing: str = ""
    heading: Callable[[str, float], str] = lambda name, points: name
    quoting: int = csv.QUOTE_MINIMAL
    points_possible: bool = False
    refusal: Callable[[float, float], str] = lambda most, maximum: ""


@dataclass(frozen=True)
class Listing:
    """A file in a download that lists whose each folder is.

    Args:
        name: the file's name.
        read: returns, by folder, the names of each submitter, the best first, and when the folder was submitted, if
            that is known; raises ValueError if the bytes are no such list.
    """

    name: str
    read: Callable[[bytes], Mapping[str, tuple[tuple[tuple[str, ...], ...], datetime.datetime | None]]]


@dataclass(frozen=True)
class Lms:
    """An LMS.

    Args:
        name: as people write it.
        submissions: patterns of the whole name that it gives the file or folder of a submission. Their groups are
            `label` (the student's name; `after_assignment` if the assignment's comes first) and, where the LMS gives
            them, `user` (the number of an account) or `participant` (another number), `date` and `late`.
        date: the time of submission that `date` holds, in the time of whoever downloads it; raises ValueError.
        receipt: a pattern of the name of the file that it adds to each submission.
        listing: the file that lists whose each folder is.
        namesakes: how to distinguish students of the same name, a clause.
        table: the table of scores that it imports.
        feedback: the path in the archive of feedback for a student's page, of the name that it gave the submission and
            the chapter; "" if the page cannot go there.
    """

    name: str
    submissions: tuple[re.Pattern[str], ...] = ()
    date: Callable[[str], datetime.datetime] | None = None
    receipt: re.Pattern[str] | None = None
    listing: Listing | None = None
    namesakes: str = ""
    table: Table | None = None
    feedback: Callable[[str, str], str] | None = None


@dataclass(frozen=True)
class SubmissionName:
    """A name made by an LMS: the student's name, the number that distinguishes students of the same name, the number of
    their account, and the date; "" for what is missing. The student's name may follow that of the assignment."""

    lms: Lms
    label: str
    number: str
    user: str
    date: str
    late: bool
    after_assignment: bool


@cache
def systems() -> dict[str, Lms]:
    """Return all LMSs, by the name of their module or entry point.

    Raises:
        UsageError: an installed package registers one that cannot be imported.
    """
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    ours: dict[str, Lms] = {name: importlib.import_module(f"{__name__}.{name}").LMS for name in names}
    return ours | plugins("lms")


def submission_name(name: str) -> SubmissionName | None:
    """Parse the name of a file or folder as that of a submission; None if no LMS made it.

    Students choose the end of a name. So if several patterns match, that counts in which the student's name ends first.
    """
    if not (found := list(_matches(name))):
        return None
    lms, match = min(found, key=lambda item: _label_end(item[1]))
    group = defaultdict(str, match.groupdict(""))
    user, after = group["user"], group["after_assignment"]
    number = user or group["participant"]
    return SubmissionName(lms, group["label"] or after, number, user, group["date"], bool(group["late"]), bool(after))


def _matches(name: str) -> Iterator[tuple[Lms, re.Match[str]]]:
    """Of each LMS, the match of its first pattern that fits."""
    for lms in systems().values():
        if found := next(filter(None, (pattern.fullmatch(name) for pattern in lms.submissions)), None):
            yield lms, found


def _label_end(match: re.Match[str]) -> int:
    return match.end("label" if "label" in match.re.groupindex else "after_assignment")


def tables() -> dict[str, Table]:
    """Return the tables of the LMSs that import scores, by their names in `systems`."""
    return {name: lms.table for name, lms in systems().items() if lms.table}


@cache
def listings() -> dict[str, Listing]:
    """Return the files that list whose each folder is, by their names."""
    return {lms.listing.name: lms.listing for lms in systems().values() if lms.listing}


def is_receipt(name: str) -> bool:
    """Whether an LMS adds a file of that name to each submission."""
    return any(lms.receipt and lms.receipt.fullmatch(name) for lms in systems().values())


def path_in_archive(origin: str, chapter: str) -> str:
    """Return the path in an archive of feedback for the submission that an LMS called `origin`; "" if no LMS accepts
    it."""
    found = submission_name(origin)
    return found.lms.feedback(origin, chapter) if found and found.lms.feedback else ""
