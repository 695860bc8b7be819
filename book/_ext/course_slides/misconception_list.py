"""The directive `misconceptions`: a chapter's, each with the report on the wrong answer that follows from it."""

from __future__ import annotations

from course_book.measured import load
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from .misconceptions import JUDGED, read_misconception


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
