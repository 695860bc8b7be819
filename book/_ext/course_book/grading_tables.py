"""How well wrong answers are detected: by the course's checks, numpy on a GPU, and compute-sanitizer. The directive
`grading`.

Three files of book/data have a row for each wrong answer and each solution: grading_emulator.csv
(measure_grading.py), mutants_<gpu>.csv and mutants_sanitizer_<gpu>.csv (measure_mutants.py). The first has all of
them; answers written since a GPU was last at hand have no row in the others, and the tables say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from itertools import groupby

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from . import measured
from .numbered_tables import numbered_table
from .trust_tables import MISSING, TOOLS

OURS, NUMPY, SANITIZER = "grading_emulator.csv", "mutants_nvidia_h200.csv", "mutants_sanitizer_nvidia_h200.csv"
_FILES = (OURS, NUMPY, SANITIZER)


@dataclass(frozen=True)
class Answer:
    """Each judge's verdict on one answer; `check` is the one that must reject it ("" for a solution).

    `right` of `runs` rounds on a GPU agreed with numpy; `tools` of compute-sanitizer reported something, and under
    those in `stopped` it did not end. An answer that was never run on the GPU has no `runs`.
    """

    chapter: str
    exercise: str
    name: str
    check: str
    failed: tuple[str, ...]
    points: float
    runs: int
    right: int
    tools: frozenset[str]
    stopped: frozenset[str]

    @property
    def numpy(self) -> str:
        """How often comparing with numpy rejects it: "always", "sometimes" or "never"; "" if nobody has tried."""
        if not self.runs:
            return ""
        return "always" if not self.right else "never" if self.right == self.runs else "sometimes"


def answers() -> list[Answer]:
    """Return all answers that are launched, in the order of the course's own file.

    Raises:
        ValueError: the GPU's files are not about the same answers, or about deleted ones.
    """
    numpy, sanitizer = ({(row["exercise"], row["answer"]): row for row in measured.load(file)} for file in _FILES[1:])
    ours = measured.load(OURS)
    if numpy.keys() != sanitizer.keys():
        raise ValueError(f"{NUMPY} and {SANITIZER} are about different answers: run measure_mutants.py again")
    if gone := numpy.keys() - {(row["exercise"], row["answer"]) for row in ours}:
        exercise, answer = min(gone)
        raise ValueError(
            f"{OURS} has no {answer} of {exercise}: run measure_grading.py {exercise}. If that answer was deleted or "
            f"renamed, delete its rows in {NUMPY} and {SANITIZER}: a new name gets them later, by a job that runs "
            "measure_mutants.py on a GPU."
        )
    launched = {(row["chapter"], row["exercise"]) for row in ours if row["answer"].endswith(".cu")}
    found = []
    for row in ours:
        key = row["exercise"], row["answer"]
        if (row["chapter"], row["exercise"]) not in launched:
            continue  # its answers are numbers, not kernels
        outcomes = sanitizer.get(key, {})
        tools, stopped = (
            frozenset(tool for tool in TOOLS if outcomes.get(tool) == outcome) for outcome in ("reports", "time out")
        )
        runs, right = (int(numpy[key][column]) if key in numpy else 0 for column in ("runs", "passes"))
        about = (row["chapter"], *key, row["rejected_by"], tuple(row["failed"].split()), float(row["points"]))
        found.append(Answer(*about, runs, right, tools, stopped))
    return found


_RUN = "run on the GPU"
_COLUMNS: dict[str, Callable[[list[Answer]], int]] = {
    "in all": len,
    "our checks": lambda rows: sum(bool(row.failed) for row in rows),
    _RUN: lambda rows: sum(bool(row.runs) for row in rows),
    "numpy, always": lambda rows: sum(row.numpy == "always" for row in rows),
    "sometimes": lambda rows: sum(row.numpy == "sometimes" for row in rows),
    "four tools": lambda rows: sum(bool(row.tools) for row in rows),
    "only we": lambda rows: sum(row.numpy == "never" and not row.tools for row in rows),
}


def _heads() -> list[str]:
    """Return the columns; the number of answers that were run is shown only if it is not all of them."""
    return [head for head in _COLUMNS if head != _RUN or not all(row.runs for row in answers())]


def _counts(rows: list[Answer]) -> list[str]:
    return [str(_COLUMNS[head](rows)) for head in _heads()]


#: A check of constructs, such as uses_shared_memory: its first words.
_OF_CONSTRUCTS = re.compile("^(uses|does_without)_.*")


def summary() -> str:
    """Wrong answers by the check that must reject them, with those of constructs together, and who else does."""
    rows = answers()
    right = [row for row in rows if not row.check]
    wrong: dict[str, list[Answer]] = {}
    for row in rows:
        if row.check:
            wrong.setdefault(_OF_CONSTRUCTS.sub(r"\1", row.check), []).append(row)
    most_first = sorted(wrong.items(), key=lambda item: -len(item[1]))
    body = "".join(measured.line(check.replace("_", " "), _counts(of_it)) for check, of_it in most_first)
    body += measured.line("all", _counts([row for row in rows if row.check]))
    body += measured.line("solutions (false alarms)", [*_counts(right)[:-1], ""])
    return measured.table(["what the mistake fails", *_heads()], body, _source())


def by_chapter() -> str:
    """Return the same by the folder of the exercises."""
    wrong = [row for row in answers() if row.check]
    groups = ((chapter, list(rows)) for chapter, rows in groupby(wrong, lambda row: row.chapter))
    body = "".join(measured.line(chapter.replace("_", " "), _counts(rows)) for chapter, rows in groups)
    return measured.table(["exercises on", *_heads()], body, _source())


def tools() -> str:
    """For how many wrong answers each tool of compute-sanitizer reports anything, and how many never ended."""
    wrong = [row for row in answers() if row.check and row.runs]
    body = ""
    for tool in TOOLS:
        counts = (sum(tool in row.tools for row in wrong), sum(tool in row.stopped for row in wrong))
        body += measured.line(tool, map(str, counts))
    return measured.table(["tool", f"reports, of {len(wrong)} wrong answers", "was stopped"], body, _source())


def points() -> str:
    """Return how many of ten points a wrong answer keeps."""
    wrong = [row for row in answers() if row.check]
    steps = [("0", 0, 0), ("0.5 to 3.5", 0.5, 3.5), ("4 to 6.5", 4, 6.5), ("7 to 9.5", 7, 9.5), ("10", 10, 10)]
    body = "".join(
        measured.line(name, [str(sum(low <= row.points <= high for row in wrong))]) for name, low, high in steps
    )
    return measured.table(["points of ten", "wrong answers"], body, _source())


_UNMEASURED = ("not yet measured", "not yet measured")


def everything() -> str:
    """Return every wrong answer."""
    body = ""
    wrong = [row for row in answers() if row.check]
    for row in wrong:
        reports = ", ".join(sorted(row.tools)) or ("stopped" if row.stopped else "nothing")
        on_gpu = (f"{row.right} of {row.runs}", reports)
        cells = (", ".join(row.failed).replace("_", " "), *(on_gpu if row.runs else _UNMEASURED), f"{row.points:g}")
        body += measured.line(f"{row.exercise}: {row.name.partition('.')[0]}", cells)
    heads = ["answer", "our checks that fail", "right by numpy", "compute-sanitizer", "points"]
    table = measured.table(heads, body, _source())
    return f"<details><summary>All {len(wrong)} wrong answers</summary>{table}</details>"


def _source() -> str:
    ours, numpy, tools = (measured.load(file)[0] for file in _FILES)
    wrong = [row for row in answers() if row.check]
    run = sum(bool(row.runs) for row in wrong)
    there = f"{'all' if run == len(wrong) else f'{run} of the'} {len(wrong)} wrong answers"
    if run < len(wrong):
        there += f", the others not yet, and the columns after “{_RUN}” leave them out"
    gpu = f"{measured.where(tools)}, {escape(numpy['date'])}: {escape(there)}"
    scripts = f"{measured.script(numpy['script'])}; our checks: {measured.script(ours['script'])}"
    return f"{gpu}; measured by {scripts}, {escape(ours['date'])}."


TABLES: dict[str, Callable[[], str]] = {
    "summary": summary,
    "chapters": by_chapter,
    "tools": tools,
    "points": points,
    "all": everything,
}


class Grading(SphinxDirective):
    """One of TABLES; the content is its caption. If its files are missing, a sentence says so."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        if self.arguments[0] not in TABLES:
            raise self.error(f"grading has no table {self.arguments[0]!r}: it has {', '.join(TABLES)}")
        for file in _FILES:
            self.env.note_dependency(str(measured.DATA / file))
        missing = [file for file in _FILES if not (measured.DATA / file).exists()]
        if missing:
            text = MISSING.format(missing[0])
            return [nodes.paragraph(text, text)]
        return numbered_table(self, TABLES[self.arguments[0]]())
