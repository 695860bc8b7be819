"""What became of the wrong answers that `autograder mutate` makes. The directive `mutation`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from html import escape

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from autograder.exercises.authoring.mutation.judged import ONE_IN

from . import measured
from .grading_tables import OURS
from .measured import Row
from .numbered_tables import numbered_table
from .trust_tables import MISSING

COUNTS, SURVIVORS = "mutation_emulator.csv", "mutation_survivors_emulator.csv"
_COLUMNS = ("killed", "equivalent", "alike", "survived")
_NEITHER = ("runs_on", "timed_out", "not_compiled")
_HEADS = ["in all", *_COLUMNS, "none of these", "survived, %"]


def _counts(rows: list[Row]) -> list[str]:
    """Return the sums of the columns. A mutant counts if it is a wrong answer that ended: killed or survived."""
    sums = {column: sum(int(row[column]) for row in rows) for column in _COLUMNS + _NEITHER}
    shown = [sum(sums.values()), *(sums[column] for column in _COLUMNS), sum(sums[column] for column in _NEITHER)]
    count = sums["killed"] + sums["survived"]
    return [*map(measured.spaced, shown), f"{100 * sums['survived'] / count:.1f}" if count else measured.UNKNOWN]


def _exercise(row: Row) -> str:
    """Chapter and name: two chapters have an exercise of the same name."""
    return f"{row['chapter']}: {row['exercise']}"


def _by(group: Callable[[Row], str], what: str) -> str:
    rows = measured.load(COUNTS)
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(group(row).replace("_", " "), []).append(row)
    body = "".join(measured.line(name, _counts(of_it)) for name, of_it in groups.items())
    return measured.table([what, *_HEADS], body + measured.line("all", _counts(rows)), _source())


def by_exercise() -> str:
    """By the answer that the mutants are made from."""
    return _by(_exercise, "answer")


def by_operator() -> str:
    """By what was changed."""
    return _by(lambda row: row["operator"], "operator")


def reasons() -> str:
    """Return why mutants survive."""
    found = Counter(row["reason"] for row in measured.load(SURVIVORS))
    body = "".join(measured.line(reason, [str(times)]) for reason, times in found.most_common())
    return measured.table(["reason", "mutants"], body, _source())


def survivors() -> str:
    """Return every mutant that no check rejects."""
    rows = measured.load(SURVIVORS)
    body = ""
    for row in rows:
        columns = (row["operator"].replace("_", " "), row["differs_in"], row["reason"])
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in columns)
        which = "" if row["answer"] == "solution" else f" ({row['answer']})"
        body += f"<tr><th>{escape(_exercise(row) + which)}, line {row['line']}</th>{cells}</tr>"
    table = measured.table(["answer", "operator", "differs in", "reason"], body, _source())
    return f"<details><summary>All {len(rows)} survivors</summary>{table}</details>"


def _source() -> str:
    rows = measured.load(COUNTS)
    judged = {_exercise(row) for row in rows}
    solutions = {_exercise(row) for row in measured.load(OURS) if row["answer"] == "solution"}
    if unknown := judged - solutions:
        raise ValueError(f"{COUNTS} is about {min(unknown)}, of which {OURS} has no solution: run its script again")
    of = f"{'all' if judged == solutions else f'{len(judged)} of the'} {len(solutions)} solutions"
    if variants := {(_exercise(row), row["answer"]) for row in rows} - {(name, "solution") for name in judged}:
        of += f", and one in {ONE_IN} of those of {len(variants)} other right answers"
    script = measured.script(rows[0]["script"])
    return f"Mutants of {of}, made and judged by {script}, {escape(rows[0]['date'])}."


TABLES: dict[str, Callable[[], str]] = {
    "exercises": by_exercise,
    "operators": by_operator,
    "reasons": reasons,
    "survivors": survivors,
}


class Mutation(SphinxDirective):
    """One of TABLES; the content is its caption. If its files are missing, a sentence says so."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        if self.arguments[0] not in TABLES:
            raise self.error(f"mutation has no table {self.arguments[0]!r}: it has {', '.join(TABLES)}")
        for file in (COUNTS, SURVIVORS, OURS):
            self.env.note_dependency(str(measured.DATA / file))
            if not (measured.DATA / file).exists():
                text = MISSING.format(file)
                return [nodes.paragraph(text, text)]
        return numbered_table(self, TABLES[self.arguments[0]]())
