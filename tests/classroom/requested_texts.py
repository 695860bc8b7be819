"""A chapter that asks for answers in words: a manually graded Markdown cell, and a task."""

from __future__ import annotations

from typing import Any

import nbformat
from nbformat import NotebookNode
from small_course import Course, Notebook, answer

from autograder.classroom.classroom import Classroom
from autograder.classroom.results.class_results import read_class

REQUESTED, WHY, TASK = "Why does it pad?", "answer-why", "task-draw"


def cells() -> list[NotebookNode]:
    marks = {"schema_version": 3, "locked": False, "solution": False, "grade": False, "task": False}
    text = {**marks, "grade": True, "solution": True, "points": 3, "grade_id": WHY, "cell_type": "markdown"}
    task = {**marks, "task": True, "locked": True, "points": 2, "grade_id": TASK, "cell_type": "markdown"}
    solution = "### BEGIN SOLUTION\nBecause of the banks.\n### END SOLUTION"
    drawn = "Draw the banks below.\n=== BEGIN MARK SCHEME ===\n2 for a drawing\n=== END MARK SCHEME ==="
    return [
        nbformat.v4.new_markdown_cell(REQUESTED, id="asked"),
        nbformat.v4.new_markdown_cell(solution, id=WHY, metadata={"nbgrader": text}),
        nbformat.v4.new_markdown_cell(drawn, id=TASK, metadata={"nbgrader": task}),
        nbformat.v4.new_markdown_cell("The end.", id="end"),
    ]


def written(course: Course, why: str, *below: str) -> Notebook:
    notebook = course.released("words", "one")
    answer(notebook, "first", "right")
    answer(notebook, "second", "right second")
    at = next(i for i, cell in enumerate(notebook["cells"]) if cell["id"] == TASK)
    code: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    notebook["cells"][at + 1 : at + 1] = [{**code, "id": f"mine-{i}", "source": text} for i, text in enumerate(below)]
    notebook["cells"][at - 1]["source"] = why
    return notebook


def scores(room: Classroom) -> dict[str, tuple[float, int]]:
    return {row.student: (row.score, row.by_hand) for row in read_class(room, "words")}
