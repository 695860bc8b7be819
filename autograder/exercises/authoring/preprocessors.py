"""Steps of nbgrader's release: what a source notebook leaves to the course that is released."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade

from ...cuda.errors import UsageError
from ...cuda.report.chapters import chapters
from .explanations import explain
from .repository import archive_address, book_address, owner_problem

#: The whole text of the cell in a source notebook that loads the extension.
LOAD = "%load_ext autograder"
_TEMPLATE = Path(__file__).parent / "templates" / "setup_cell.py"
_NAMED = re.compile(r"\{\{(chapter|Chapter|title) ([\w-]+)\}\}")
_PLACE = re.compile(r"\{\{book ([\w-]+)#([\w-]+)\}\}")
#: Below the course's root, and in .gitignore: one integer, which draws hidden cases that no public repository
#: shows.
SEED_FILE = "hidden_seed.txt"
_SEED = re.compile(r'(hidden_cases\("\w+", seed=)\d+')
#: JupyterLab and nbclient go on after a cell with this tag. Colab has no such tag. Grading always goes on.
GOES_ON = "raises-exception"


class AddSetUp(NbGraderPreprocessor):  # type: ignore[misc]
    """Before checksums are taken: complete the cell that loads the extension, which installs the course if it is
    missing. That is put before, from one template and with the repository's address from `_config.yml`."""

    _message: ClassVar[bool] = False  # once, not for each notebook

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """
        Raises:
            UsageError: as `archive_address`.
        """
        # nbgrader works in the course's root.
        text = _TEMPLATE.read_text().replace("{{ archive }}", archive_address(Path()))
        if not AddSetUp._message and (problem := owner_problem(Path())):
            AddSetUp._message = True
            self.log.warning("Students on Colab cannot start: %s", problem)
        for cell in nb.cells:
            if cell.source.strip() == LOAD:
                cell.source = text + LOAD
                cell.metadata["tags"] = ["hide-input"]  # the book folds it
        return nb, resources


class Explain(NbGraderPreprocessor):  # type: ignore[misc]
    """Before chapters are named, since explanations name them: put in what `templates/explanations.md` says about kinds
    of checks, in the words of the notebook's chapter."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """
        Raises:
            UsageError: as `explain`.
        """
        chapter = resources["nbgrader"]["assignment"].replace("_", "-")
        for cell in nb.cells:
            if cell.cell_type == "markdown":
                cell.source = explain(cell.source, chapter)
        return nb, resources


class NameChapters(NbGraderPreprocessor):  # type: ignore[misc]
    """Put the book into the text, by its keys there.

    `{{chapter barriers}}` becomes "chapter 3", `{{Chapter barriers}}` "Chapter 3", and `{{title barriers}}` "Barriers".
    `{{book page#place}}` becomes the address of a place of the published book, which `(place)=` marks in
    `book/page.md`.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """
        Raises:
            UsageError: the book has no such chapter, or as `book_address`.
        """
        for cell in nb.cells:
            if cell.cell_type == "markdown":
                cell.source = _PLACE.sub(_address, _NAMED.sub(_name, cell.source))
        return nb, resources


def _name(match: re.Match[str]) -> str:
    word, key = match.groups()
    known = chapters()
    if key not in known:
        raise UsageError(f"{match[0]} names no chapter of the book: it has {', '.join(known)}.")
    return known[key].title if word == "title" else f"{word} {known[key].number}"


def _address(match: re.Match[str]) -> str:
    page, place = match.groups()
    return f"{book_address(Path())}/book/{page}.html#{place}"  # nbgrader works in the course's root


def course_seed(root: Path) -> int | None:
    """The seed of the course at `root`; None if it has none of its own.

    Raises:
        UsageError: the file holds no number of 6 digits or more.
    """
    try:
        text = (root / SEED_FILE).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        text = ""
    if not re.fullmatch(r"[1-9][0-9]{5,30}", text):
        raise UsageError(f"{SEED_FILE} must hold one integer of 6 to 31 digits that nobody guesses, and no more.")
    return int(text)


class CourseSeed(NbGraderPreprocessor):  # type: ignore[misc]
    """Before the gradebook keeps the hidden cells: put the course's seed into them."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """
        Raises:
            UsageError: as `course_seed`.
        """
        seed = course_seed(Path())  # nbgrader works in the course's root
        for cell in nb.cells if seed else ():
            cell.source = _SEED.sub(rf"\g<1>{seed}", cell.source)
        return nb, resources


class GoOnAfterTests(NbGraderPreprocessor):  # type: ignore[misc]
    """Tag the test cells, which raise if an answer is wrong: so "Run All Cells" shows every check's report, not only up
    to the first failure."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        tags = cell.metadata.get("tags", [])
        # nbgrader reads its configuration twice, and so takes each added step twice.
        if is_grade(cell) and GOES_ON not in tags:
            cell.metadata["tags"] = [*tags, GOES_ON]
        return cell, resources
