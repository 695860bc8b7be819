"""Steps of nbgrader's own commands, done this course's way: run a rebuilt notebook, save points, hide tests."""

from __future__ import annotations

from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests, NbGraderPreprocessor, SaveAutoGrades
from nbgrader.utils import is_grade, is_solution
from traitlets import Integer

from ...cuda.errors import GraderFault
from ...cuda.report import MIME, to_data, to_html
from ...exercises.result import Outcome, read_results
from .local import execute
from .replay import fails_hidden, hidden_report, is_ungraded, replay, task_of
from .task import TaskResult


class Execute(NbGraderPreprocessor):  # type: ignore[misc]
    """Run the cells as `autograder grade` does, and not in a Jupyter kernel. (nbgrader's flag --no-execute knows this
    step by its name.)"""

    timeout = Integer(30, help="Seconds that one cell may take.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Run `nb`.

        Raises:
            UsageError: this machine cannot keep in what runs in a notebook.
        """
        try:
            result = execute(task_of(nb, resources["nbgrader"]["notebook"], self.timeout))
        except GraderFault as fault:
            result = TaskResult((), str(fault), 0.0)
        replay(nb, result)
        return nb, resources


class SaveGrades(SaveAutoGrades):  # type: ignore[misc]
    """Save points, but none for a cell in which the grader failed or that never ran: nbgrader then
    requests a manual grade. (By itself it would give 0 or full points.)"""

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


def _hidden_outputs(cell: NotebookNode) -> list[NotebookNode]:
    """In place of all outputs of a test cell that fails in a hidden case: errors and printed lines tell of it, too."""
    failed = (result for result in read_results(cell.outputs) if result.hidden and result.outcome is not Outcome.PASSED)
    shown = [hidden_report(f"{result.title}: {result.outcome.upper()}") for result in failed]
    return [
        nbformat.v4.new_output(
            "display_data", {"text/plain": str(report), "text/html": to_html(report), MIME: to_data(report)}
        )
        for report in shown
    ]


class HideTests(ClearHiddenTests):  # type: ignore[misc]
    """For nbgrader's own feedback: show the result of a hidden test, but nothing of its case, as our own pages do."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        if is_grade(cell) and fails_hidden(cell):
            cell.outputs = _hidden_outputs(cell)
        # Not in what a student may write, in cells of code or words: half a pair of markers would stop everything.
        if cell.cell_type == "code" and not is_solution(cell):
            self._remove_hidden_test_region(cell)
        return cell, resources
