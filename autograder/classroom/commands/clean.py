"""Decides whether `make clean` may remove anything: can `make course` make everything here again?

    python -m autograder.classroom.commands.clean

Exits with code 0 if so, and otherwise with 1 and one sentence that names what it found.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from ...exercises.authoring.nbgrader_app import SUBMITTED
from ..collecting.uncollected import FOLDER as UNCOLLECTED
from ..collecting.uncollected import content_of
from .sample_class import GRADEBOOK, handed_in_by_sample, unknown_students

#: Gradebook entries that people make, not programs.
_BY_HAND = (
    "SELECT 1 FROM grade WHERE manual_score IS NOT NULL OR extra_credit IS NOT NULL",
    "SELECT 1 FROM comment WHERE manual_comment IS NOT NULL",
)


def work_to_preserve(root: Path) -> tuple[str, ...]:
    """Describe the class data in the folder `root` that can't be made again; empty if it is all the sample class's."""
    found = [f"{name}'s work" for name in unknown_students(root)] or _handed_in(root)
    if _graded_by_hand(root):
        found.append(f"scores or comments by hand in {GRADEBOOK}")
    if any(json.loads(path.read_text()) for path in (root / UNCOLLECTED).glob("*.json")):
        found.append(f"the list of what could not be collected in {UNCOLLECTED}")
    return tuple(found)


def in_short(found: Sequence[str]) -> str:
    """The first three of `found`, and how many more there are."""
    return ", ".join(found if len(found) <= 3 else (*found[:3], f"{len(found) - 3} more"))


def _handed_in(root: Path) -> list[str]:
    """Files below submitted/ that differ from the sample class's: a real student may be called ada, too."""
    sample, top = handed_in_by_sample(root), root / SUBMITTED
    paths = {str(path.relative_to(top)): path for path in sorted(top.glob("*/*/*.ipynb"))}
    return [f"{SUBMITTED}/{name}" for name, path in paths.items() if sample.get(name) != content_of(path)]


def _graded_by_hand(root: Path) -> bool:
    if not (root / GRADEBOOK).exists():
        return False
        # A gradebook whose creation was interrupted has no tables yet.
    with closing(sqlite3.connect(root / GRADEBOOK)) as gradebook, suppress(sqlite3.OperationalError):
        return any(gradebook.execute(query).fetchone() for query in _BY_HAND)
    return False


def main(root: Path) -> int:
    """Print what stops `make clean` in the folder `root`; return the exit code."""
    if not (found := work_to_preserve(root)):
        return 0
    print(
        f"Nothing was removed, since this folder holds files that cannot be made again ({in_short(found)}): move "
        f"{GRADEBOOK} and submitted/ to a safe place, or remove them yourself, and run `make clean` again.",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main(Path.cwd()))
