"""The first code cell of a released notebook, which installs the course if necessary.

The source notebooks only load the extension. On release the rest is put before that, from one
template and with the repository's address from `_config.yml`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from .repository import archive_address, owner_problem

#: The whole text of the cell in a source notebook.
LOAD = "%load_ext autograder"
_TEMPLATE = Path(__file__).parent / "templates" / "setup_cell.py"


class AddSetUp(NbGraderPreprocessor):  # type: ignore[misc]
    """A step of nbgrader's release, before checksums are taken: complete the cell that loads the extension."""

    _said: ClassVar[bool] = False  # once, not for each notebook

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """
        Raises:
            UsageError: as `archive_address`.
        """
        # nbgrader works in the course's root.
        text = _TEMPLATE.read_text().replace("{{ archive }}", archive_address(Path()))
        if not AddSetUp._said and (problem := owner_problem(Path())):
            AddSetUp._said = True
            self.log.warning("Students on Colab cannot start: %s", problem)
        for cell in nb.cells:
            if cell.source.strip() == LOAD:
                cell.source = text + LOAD
                cell.metadata["tags"] = ["hide-input"]  # the book folds it
        return nb, resources
