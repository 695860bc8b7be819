"""What the LMS called each student's submission: feedback goes back under the same name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from ...cuda.errors import UsageError
from ...exercises.files import write_text
from ..classroom import Classroom

#: One file a chapter, below the course's root.
FOLDER = Path("_build") / "grading" / "origins"


def read_origins(room: Classroom, chapter: str) -> dict[str, str]:
    """By student, the name of a file or folder that the LMS made for a submission of theirs.

    Raises:
        UsageError: the list cannot be read.
    """
    path = room.root / FOLDER / f"{chapter}.json"
    try:
        found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({error}). Delete it, and collect again.") from None
    return found


def keep_origins(room: Classroom, chapter: str, found: Mapping[str, str]) -> None:
    """Keep what was `found`, beside what was found before.

    Raises:
        UsageError: the list cannot be read or written.
    """
    text = json.dumps(read_origins(room, chapter) | dict(found), indent=1, sort_keys=True)
    write_text(room.root / FOLDER / f"{chapter}.json", text + "\n")
