"""What students of a chapter typically believe, with a wrong answer for each belief and what its report says: the
directive `misconceptions`.

Its content has a line for each: `missing_barrier/barrier_in_the_guard: Only threads that hold a number need to wait.`
The answers are those of `solutions/<chapter>/mutants`; `book/data/measure_misconceptions.py` has them judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from course_book.measured import load
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

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


class Misconceptions(SphinxDirective):
    """A list of a chapter's misconceptions. The argument is the chapter's key."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        folder = self.arguments[0].replace("-", "_")
        judged = {(row["chapter"], row["answer"]): row for row in load(JUDGED)}
        items = nodes.bullet_list()
        for line in self.content:
            answer, belief = read_misconception(line)
            row = judged.get((folder, answer))
            if row is None:
                raise self.error(f"{JUDGED} has no {folder} {answer}: run book/data/measure_misconceptions.py")
            words, problems = self.parse_inline(f"*{belief}* `{answer}` fails the check \u201c{row['check']}\u201d:")
            report = nodes.Text(f" {row['says']}")
            items += nodes.list_item("", nodes.paragraph("", "", *words, report), *problems)
        return [items]
