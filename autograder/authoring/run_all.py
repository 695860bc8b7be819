"""A released notebook runs to its end: "Run All Cells" shows every check's report, not only the first that fails."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade

#: JupyterLab and nbclient go on behind a cell with this tag. Colab knows no such tag. Grading goes on in any case.
GOES_ON = "raises-exception"


class GoOnAfterTests(NbGraderPreprocessor):  # type: ignore[misc]
    """A step of nbgrader's release: tag the test cells, which raise where an answer is wrong."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        tags = cell.metadata.get("tags", [])
        # nbgrader reads its configuration twice, and so takes each added step twice.
        if is_grade(cell) and GOES_ON not in tags:
            cell.metadata["tags"] = [*tags, GOES_ON]
        return cell, resources
