"""`autograder mutate`: do the checks reject wrong answers that are made from right ones?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ....cuda.errors import UsageError
from ... import files
from .judged import Status
from .run import Judgement, count_by, judge_mutants
from .stryker import position, to_document

_HEADS = {
    Status.KILLED: "killed",
    Status.EQUIVALENT: "equivalent",
    Status.ALIKE: "alike",
    Status.SURVIVED: "survived",
    Status.RUNS_ON: "runs on",
    Status.TIMEOUT: "timed out",
    Status.COMPILE_ERROR: "not compiled",
    Status.RUNTIME_ERROR: "grader failed",
}


def main(paths: Sequence[Path], jobs: int, document: Path | None) -> int:
    """Judge the mutants of the exercises at `paths`, print survivors and counts, and return the exit code: 1 if the
    grader failed for one.

    Args:
        document: where to write the results as JSON, in Stryker's schema; None for nowhere.

    Raises:
        UsageError: there is no exercise, or `jobs` is less than 1.
        GraderFault: an exercise cannot be run.
    """
    if missing := [path for path in paths if not path.is_file()]:
        raise UsageError(f"{missing[0]} does not exist: name a notebook, such as solutions/<chapter>/<exercise>.ipynb.")
    if not paths:
        raise UsageError("There is no exercise here: run this in the course's root folder, or name a notebook.")
    if jobs < 1:
        raise UsageError("--jobs must be at least 1.")
    console = Console()
    with console.status("making mutants") as status:
        judgements = judge_mutants(paths, jobs, lambda done, of: status.update(f"judging mutants: {done} of {of}"))
    for line in lines_of_survivors(judgements):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    console.print(table(count_by(judgements, lambda judgement: judgement.answer.name)))
    if document is not None:
        files.write_text(document, json.dumps(to_document(judgements), indent=1))
        console.print(f"The results are in {document}.", markup=False, highlight=False, soft_wrap=True)
    return 1 if any(judgement.verdict.status is Status.RUNTIME_ERROR for judgement in judgements) else 0


def lines_of_survivors(judgements: Sequence[Judgement]) -> list[str]:
    """One line for each mutant that no check rejects, or for which the grader failed."""
    lines = []
    for judgement in judgements:
        if judgement.verdict.status in (Status.SURVIVED, Status.RUNTIME_ERROR):
            answer, edit = judgement.answer, judgement.mutant.edit
            before, after = (" ".join(t.split()) for t in (answer.text[edit.start : edit.end], edit.replacement))
            line, _ = position(answer.text, edit.start)
            operator = judgement.mutant.operator.replace("_", " ")
            edited = f"{before} -> {after or 'nothing'}"
            lines.append(f"{answer.title}, line {line}, {operator}, {judgement.verdict.why}: {edited}")
    return lines


def table(counts: Mapping[str, Mapping[Status, int]]) -> Table:
    """The counts of each answer, and of all."""
    out = Table(title="mutants", title_justify="left")
    out.add_column("answer")
    for head in ("in all", *_HEADS.values()):
        out.add_column(head, justify="right")
    total = {status: sum(of[status] for of in counts.values()) for status in _HEADS}
    for name, of in {**counts, "all": total}.items():
        out.add_row(name, str(sum(of.values())), *(str(of[status]) for status in _HEADS))
    return out
