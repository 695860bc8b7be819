"""Make a `Task` of a rebuilt notebook, and put the result back into the notebook, so that our own faults cost nobody a
point."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import determine_grade, is_grade, is_locked

from ...cuda.report import MIME, Report, from_data, to_html
from ...exercises import result as check_result
from ...exercises.notebook.run_notebook import fill
from ...exercises.result import Outcome, read_results
from ..submission.notes import METADATA, Note, NoteKind, add_notes
from .task import STUDENT_IS_WRONG, Task, TaskResult

FAULT = "GraderFault"
#: What a student reads of a case that the notebook does not show.
_FURTHER_CASE = (
    "Every case in your notebook passes. It fails in a further case: try other sizes, small ones and odd ones."
)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def task_of(notebook: NotebookNode, name: str, cell_seconds: int) -> Task:
    """The part of a rebuilt notebook that is run."""
    return Task(name, tuple(cell.source for cell in notebook.cells if cell.cell_type == "code"), cell_seconds)


def replay(notebook: NotebookNode, result: TaskResult) -> None:
    """Put the outputs of `result`, of `task_of(notebook)`, into `notebook`, as if it had been run."""
    fill(notebook, [outputs and [_for_pages(output) for output in outputs] for outputs in result.cells])
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    _mark_faults(notebook, code[len(result.cells) :], result.broken)


def _for_pages(output: dict[str, Any]) -> dict[str, Any]:
    """`output` with no other HTML than what is made here, of its report: should the process that ran the notebook have
    come under a student's control, no page runs its output."""
    if "data" not in output:
        return output
    shown = {kind: output["data"][kind] for kind in ("text/plain", check_result.MIME) if kind in output["data"]}
    with suppress(ValueError, KeyError, TypeError, AttributeError):  # it is no report
        if stored := output["data"].get(MIME):
            shown |= {"text/html": to_html(from_data(stored)), MIME: stored}
    return {**output, "data": shown}


def _mark_faults(notebook: NotebookNode, unfinished: Sequence[NotebookNode], reason: str) -> None:
    """Mark each test cell in which the grader failed, or that is `unfinished`, for `reason`; and of those after a cell
    of ours that failed, such as one that declares hidden cases, each that did not fail at a case that it had."""
    failed: dict[str, list[str]] = {}  # by reason, the tests that failed: most often one mistake of ours
    before: tuple[str, str] | None = None
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        if not is_grade(cell):
            if before is None and is_locked(cell):
                before = _fault_of(cell)
            continue
        fault = (reason, reason) if any(cell is unrun for unrun in unfinished) else _fault_of(cell)
        if not any(output.output_type == "error" for output in cell.outputs):
            fault = fault or before
        if fault is None:
            continue
        why, trace = fault
        name = cell.metadata.nbgrader.grade_id
        failed.setdefault(why, []).append(name)
        notebook.metadata.setdefault(METADATA, {}).setdefault("faults", {})[name] = trace
        error = {"ename": FAULT, "evalue": why, "traceback": [_graded_by_hand([name])]}
        cell.outputs = [nbformat.v4.new_output("error", **error)]
    if failed:
        # Reason and traceback are for us: they may quote a hidden size, so the feedback does not show them.
        add_notes(notebook, [Note(NoteKind.GRADER_FAULT, _graded_by_hand(names), why) for why, names in failed.items()])


def _graded_by_hand(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"The grader failed in test '{names[0]}'. The instructor grades it by hand."
    return f"The grader failed in {len(names)} tests, '{names[0]}' first. The instructor grades them by hand."


def _fault_of(cell: NotebookNode) -> tuple[str, str] | None:
    """(one line, whole traceback) if a test cell ended in an error that is not the student's."""
    for output in reversed(cell.outputs):  # a timeout is the last output
        if output.output_type == "error" and output.ename != STUDENT_IS_WRONG:
            first = output.evalue.strip().split("\n")[0]
            why = f"{output.ename}: {first}" if first else output.ename
            return _ANSI.sub("", why), _ANSI.sub("", "\n".join(output.traceback))
    return None


def is_ungraded(cell: NotebookNode) -> bool:
    """Whether the grader failed in this test cell, or never ran it. (A person grades texts.)"""
    if cell.cell_type != "code":
        return False
    return cell.get("execution_count") is None or any(o.get("ename") == FAULT for o in cell.get("outputs", []))


def score_of(cell: NotebookNode) -> float | None:
    """The points that a run earns in a graded cell; None if a person gives them, such as after a fault of ours."""
    return None if is_ungraded(cell) else determine_grade(cell)[0]


def fails_hidden(cell: NotebookNode) -> bool:
    """Whether the check that failed in a test cell is on a case that the notebook does not show."""
    results = read_results(cell.get("outputs", []))
    return any(result.hidden and result.outcome is not Outcome.PASSED for result in results)


def hidden_report(title: str) -> Report:
    """What a student sees of the report `title`, of a failure in a hidden case: nothing of the case, which its size,
    elements, and values (which the kernel chooses) would reveal."""
    return Report(title, parts=(_FURTHER_CASE,))
