"""Moodle.

| | form | where that is written |
|---|---|---|
| download | `Ada Lovelace_1234567_assignsubmission_file/saxpy.ipynb`; since 4.1 without the last `_`; without \
the folder, as long as folders are switched off | its `mod/assign/feedback/file/importziplib.php` |
| table | "Import grades", CSV: users by e-mail address or ID number | its `grade/import/csv/classes/load_data.php` |
| feedback | "Upload multiple feedback files in a zip": paths begin with `name_number_assignsubmission_file_` | its \
`importziplib.php` |

The import ends at a user whom it does not know. It skips an empty field, and "0", without forgetting the user of the
line before, who then gets the score. Where a column becomes a new grade item, an empty cell counts as 0 and only `-` as
no grade; where it is one that exists, both do.
"""

from __future__ import annotations

import re

from ..names import Person
from . import Lms, Table

#: The name of a submission's file or folder.
SUBMISSION = re.compile(r"(?P<label>[^_]+)_(?P<participant>\d+)_assignsubmission_(?:file|onlinetext).*")
#: The import ends at a grade above this, unless the administrator has allowed more.
_MOST = 100


def _row(student: Person) -> tuple[str, ...]:
    return student.first_name, student.last_name, student.id, student.email


def _refusal(most: float, maximum: float) -> str:
    if most > _MOST:
        return (
            f"than Moodle imports, {_MOST}, unless its administrator allows grades above the maximum: it would import "
            "nothing"
        )
    return f"than its {maximum:g}, which Moodle cuts them to" if most > maximum else ""


def _feedback(origin: str, chapter: str) -> str:
    folder = re.match(r".+?_\d+_assignsubmission_(?:file|onlinetext)", origin)
    return f"{folder[0]}_/{chapter}-feedback.html" if folder else ""


LMS = Lms(
    "Moodle",
    submissions=(SUBMISSION,),
    namesakes="Collect it together with Moodle's grading worksheet, which says whose it is",
    table=Table(
        ("First name", "Last name", "ID number", "Email address"),
        _row,
        keys=("ID number", "Email address"),
        key=r"(?!0$).+",
        nothing="-",
        refusal=_refusal,
    ),
    feedback=_feedback,
)
