"""Which of a test cell's checks students do not see: those between the marks of its hidden tests."""

from __future__ import annotations

from nbformat import NotebookNode

from ...exercise.result import Outcome, read_results

_BEGIN, _END = "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"  # as nbgrader looks for them


def hidden_lines(source: str) -> frozenset[int]:
    """The lines of a cell, counted from 1 as IPython does, that nbgrader takes out for students."""
    found, inside = set(), False
    for number, line in enumerate(source.lstrip().split("\n"), 1):  # IPython drops empty lines above the first one
        inside |= _BEGIN in line
        if inside:
            found.add(number)
        inside &= _END not in line
    return frozenset(found)


def fails_hidden(cell: NotebookNode) -> bool:
    """Whether what failed in a test cell is a check on cases that the notebook does not show."""
    outputs = cell.get("outputs", [])
    hidden = hidden_lines(cell.source)
    if not hidden or not any(output.output_type == "error" for output in outputs):
        return False
    failed = [result.line for result in read_results(outputs) if result.outcome is not Outcome.PASSED]
    return not failed or not hidden.isdisjoint(failed)  # nothing is shown of which nobody knows the line
