"""Run the tests of a rebuilt notebook and save points, so that our own faults cost nobody any."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests, SaveAutoGrades
from nbgrader.preprocessors import Execute as StockExecute
from nbgrader.utils import is_grade, is_solution

from ...report import MIME, from_data, to_data, to_html
from ..submission.answers import Note, NoteKind
from ..submission.graft import METADATA, add_notes
from .task import STUDENT_IS_WRONG, Task, TaskResult

FAULT = "GraderFault"
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


class Execute(StockExecute):  # type: ignore[misc]
    """Run the cells in a fresh kernel, in an empty folder and without the user's own IPython
    set-up; where the grader breaks, mark the test cells concerned and go on."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any], km: Any = None
    ) -> tuple[NotebookNode, dict[str, Any]]:
        self._finished: set[int] = set()
        reason = "the cell did not run"
        try:
            super().preprocess(nb, resources, km=km)
        except Exception as error:  # a dead kernel, one that never started, ...: ours whatever it is
            reason = f"{type(error).__name__}: {error}"
        mark_faults(nb, self._finished, reason)
        return nb, resources

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        done: tuple[NotebookNode, dict[str, Any]] = super().preprocess_cell(cell, resources, index)
        self._finished.add(index)
        return done

    @contextmanager
    def setup_kernel(self, **kwargs: Any) -> Iterator[None]:
        with TemporaryDirectory() as folder:
            environment = {
                **os.environ,
                "IPYTHONDIR": folder,  # no start-up files
                "PYTHONSAFEPATH": "1",  # and no module from beside the submission
                "PYTHONWARNINGS": "ignore",
            }
            with super().setup_kernel(cwd=folder, env=environment, **kwargs):
                yield


def work_of(notebook: NotebookNode, name: str, cell_seconds: int) -> Task:
    """What is to be run of a rebuilt notebook."""
    return Task(name, tuple(cell.source for cell in notebook.cells if cell.cell_type == "code"), cell_seconds)


def replay(notebook: NotebookNode, result: TaskResult) -> None:
    """Put the outputs of `result`, of `work_of(notebook)`, into `notebook`, as if it had been run."""
    finished: set[int] = set()
    places = (index for index, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    started = 0
    for index, outputs in zip(places, result.cells, strict=False):
        finished.add(index)
        if outputs is None:
            continue
        started += 1
        notebook.cells[index].execution_count = started
        notebook.cells[index].outputs = [nbformat.from_dict(o) for o in outputs]
    mark_faults(notebook, finished, result.broken)


def mark_faults(notebook: NotebookNode, finished: set[int], reason: str) -> None:
    """Mark each test cell in which the grader failed, or that is not among the `finished` (by its place in
    the notebook), for `reason`."""
    failed: dict[str, list[str]] = {}  # the tests that failed for one reason: mostly one mistake of ours
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code" or not is_grade(cell):
            continue
        fault = _fault_of(cell) if index in finished else (reason, reason)
        if fault is None:
            continue
        why, trace = fault
        name = cell.metadata.nbgrader.grade_id
        failed.setdefault(why, []).append(name)
        notebook.metadata.setdefault(METADATA, {}).setdefault("faults", {})[name] = trace
        error = {"ename": FAULT, "evalue": why, "traceback": [_told_by_hand([name])]}
        cell.outputs = [nbformat.v4.new_output("error", **error)]
    if failed:
        # Reason and trace are for us; they may quote a hidden size, so the feedback does not show them.
        add_notes(notebook, [Note(NoteKind.GRADER_FAULT, _told_by_hand(names), why) for why, names in failed.items()])


def _told_by_hand(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"The grader failed in test '{names[0]}'. The instructor grades it by hand."
    return f"The grader failed in {len(names)} tests, '{names[0]}' first. The instructor grades them by hand."


def _fault_of(cell: NotebookNode) -> tuple[str, str] | None:
    """(one line, whole trace) where a test cell ended in an error that is not the student's."""
    for output in reversed(cell.outputs):  # where a cell ran too long, that is said last
        if output.output_type == "error" and output.ename != STUDENT_IS_WRONG:
            first = output.evalue.strip().split("\n")[0]
            why = f"{output.ename}: {first}" if first else output.ename
            return _ANSI.sub("", why), _ANSI.sub("", "\n".join(output.traceback))
    return None


def is_ungraded(cell: NotebookNode) -> bool:
    """Whether the grader failed in this test cell, or never ran it."""
    return cell.get("execution_count") is None or any(o.get("ename") == FAULT for o in cell.get("outputs", []))


class SaveGrades(SaveAutoGrades):  # type: ignore[misc]
    """Save points, but leave a cell where the grader failed, or that never ran, without any: in
    nbgrader's words it then needs a manual grade. (It would score 0, or in full, by itself.)"""

    def _add_score(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        super()._add_score(cell, resources)
        if not is_ungraded(cell):
            return
        grade = self.gradebook.find_grade(
            cell.metadata.nbgrader.grade_id, self.notebook_id, self.assignment_id, self.student_id
        )
        grade.auto_score = None
        grade.needs_manual_grade = True
        self.gradebook.db.commit()


def fails_hidden(cell: NotebookNode) -> bool:
    """Whether what failed in a test cell is a check on a case that the notebook does not show."""
    return any(output.get("data", {}).get(MIME, {}).get("hidden") for output in cell.get("outputs", []))


def _without_picture(output: NotebookNode) -> None:
    kept = output.get("data", {}).get(MIME)
    if kept:
        report = replace(from_data(kept), picture=None)
        output.data.update({"text/html": to_html(report), MIME: to_data(report)})


class HideTests(ClearHiddenTests):  # type: ignore[misc]
    """For nbgrader's own feedback: the result of a hidden test is shown; its sizes are not, nor a picture of its case,
    whose elements may tell of the inputs."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        if is_grade(cell) and fails_hidden(cell):
            for output in cell.outputs:
                _without_picture(output)
        # Not in answer cells: half a pair of markers, which a student may write, would stop everything.
        if not is_solution(cell):
            self._remove_hidden_test_region(cell)
        return cell, resources
