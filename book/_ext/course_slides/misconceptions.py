"""What students of a chapter typically believe, with a wrong answer for each belief and what its report says.

The directive `misconceptions` (misconception_list.py) has a line for each:
`missing_barrier/barrier_in_the_guard: Only threads that hold a number need to wait.`
The answers are those of `solutions/<chapter>/mutants`; `book/data/measure_misconceptions.py` has them judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

JUDGED = "misconceptions_emulator.csv"
PAGE = Path(__file__).resolve().parents[2] / "appendix-lessons.md"
_DIRECTIVE = re.compile(r"^```\{misconceptions\} ([\w-]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Misconception(NamedTuple):
    """A belief, and the answer that follows from it: the file `<exercise>/<name>` in the mutants of a chapter."""

    answer: str
    belief: str


def read_misconception(line: str) -> Misconception:
    """Return what a line of the directive says.

    Raises:
        ValueError: it is no such line.
    """
    answer, colon, belief = line.partition(": ")
    if not colon or not re.fullmatch(r"\w+(/\w+)+", answer):
        raise ValueError(f"a misconception is 'exercise/answer: What the student believes.', not {line!r}")
    return Misconception(answer, belief)


def all_misconceptions() -> Iterator[tuple[str, Misconception]]:
    """Every misconception of the page on lessons, after the folder of its chapter in solutions/."""
    for chapter, lines in _DIRECTIVE.findall(PAGE.read_text(encoding="utf-8")):
        for line in lines.splitlines():
            yield chapter.replace("-", "_"), read_misconception(line)
