"""Let released notebooks run to the end: "Run All Cells" then shows every check's report, not only up to the first
failure."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade

#: JupyterLab and nbclient go on after a cell with this tag. Colab has no such tag. Grading always goes on.
GOES_ON = "raises-exception"


class GoOnAfterTests(NbGraderPreprocessor):  # type: ignore[misc]
    """A step of nbgrader's release: tag the test cells, which raise if an answer is wrong."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        tags = cell.metadata.get("tags", [])
        # nbgrader reads its configuration twice, and so takes each added step twice.
        if is_grade(cell) and GOES_ON not in tags:
            cell.metadata["tags"] = [*tags, GOES_ON]
        return cell, resources
