"""Blackboard.

| | form | where that is written |
|---|---|---|
| download | `Memory_ada_attempt_2026-01-30-15-00-00_saxpy.ipynb`, and a `.txt` of that name without the last part | \
"Download assignments" in its help for instructors |
| table | "Work offline", "Upload": users by `Username`, every field in quotes | its help for instructors |
| feedback | none | |

The import accepts no table in which a username is missing, and skips those not enrolled.
"""

from __future__ import annotations

import csv
import datetime
import re

from ..names import Person
from . import Lms, Table


def _date(text: str) -> datetime.datetime:
    return datetime.datetime.strptime(text, "%Y-%m-%d-%H-%M-%S")


def _row(student: Person) -> tuple[str, ...]:
    return student.last_name, student.first_name, student.id


LMS = Lms(
    "Blackboard",
    submissions=(re.compile(r"(?P<after_assignment>.+?)_attempt_(?P<date>\d{4}(?:-\d\d){5})(?:_.*|\.txt)?"),),
    date=_date,
    receipt=re.compile(r".+_attempt_\d{4}(?:-\d\d){5}\.txt"),
    table=Table(
        ("Last Name", "First Name", "Username"),
        _row,
        keys=("Username",),
        heading=lambda name, points: f"{name} [Total Pts: {points:g} Score]",
        quoting=csv.QUOTE_ALL,
    ),
)
