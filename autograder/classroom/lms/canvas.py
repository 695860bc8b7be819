"""Canvas.

| | form | where that is written |
|---|---|---|
| download | `lovelaceada_LATE_12345_678901_saxpy-1.ipynb`, `LATE_anon_k7Qx2_678901_saxpy.ipynb` | its \
`lib/content_zipper.rb` |
| table | "Import" in Grades: the columns of its own export, and a row with the points possible | its \
`lib/gradebook_importer.rb` |
| feedback | "Upload submissions": names as downloaded, of which it reads the numbers of user and file | |

The import reads the digits at the start of `ID`. If nobody in the course has that number, it looks for the SIS ids and
then for anybody of that name. So we write no SIS id, and no name that anybody has.
"""

from __future__ import annotations

import re

from ..names import Person
from . import Lms, Table

_ANONYMOUS = re.compile(r"(?:(?P<late>LATE)_)?(?P<label>anon_[^_]+)_(?:\d+_.+|(?:text|link)\.html)")
_NAMED = re.compile(
    r"(?P<label>[^_]+)(?:_(?P<late>LATE))?_(?!20\d\d_[01]?\d_)(?P<user>\d+)_(?:\d+_.+|(?:text|link)\.html)"
)  # but not a date


def _row(student: Person) -> tuple[str, ...]:
    name = ", ".join(filter(None, (student.last_name, student.first_name)))
    return f"{name} ({student.id})".lstrip(), student.lms_number, "", "", ""


def _feedback(origin: str, chapter: str) -> str:
    numbers = re.match(r"(?:LATE_)?(?:anon_[^_]+|[^_]+(?:_LATE)?_\d+)_\d+_", origin)
    return f"{numbers[0]}{chapter}-feedback.html" if numbers else ""


LMS = Lms(
    "Canvas",
    submissions=(_ANONYMOUS, _NAMED),
    table=Table(
        ("Student", "ID", "SIS User ID", "SIS Login ID", "Section"),
        _row,
        keys=("ID",),
        key=r"[1-9]\d*",
        points_possible=True,
    ),
    feedback=_feedback,
)
