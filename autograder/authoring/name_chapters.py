"""Chapters in the text of a source notebook: named by key there, and by number and title in the released one.

`{{chapter barriers}}` becomes "chapter 3", `{{Chapter barriers}}` "Chapter 3", and `{{title barriers}}` "Barriers".
"""

from __future__ import annotations

import re
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from ..errors import UsageError
from ..report.chapters import chapters

_NAMED = re.compile(r"\{\{(chapter|Chapter|title) ([\w-]+)\}\}")


class NameChapters(NbGraderPreprocessor):  # type: ignore[misc]
    """A step of nbgrader's release: put numbers and titles of chapters into the text."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """
        Raises:
            UsageError: the book has no such chapter.
        """
        for cell in nb.cells:
            if cell.cell_type == "markdown":
                cell.source = _NAMED.sub(_name, cell.source)
        return nb, resources


def _name(match: re.Match[str]) -> str:
    word, key = match.groups()
    known = chapters()
    if key not in known:
        raise UsageError(f"{match[0]} names no chapter of the book: it has {', '.join(known)}.")
    return known[key].title if word == "title" else f"{word} {known[key].number}"
