"""The book in the text of a source notebook: by keys there, and by numbers, titles and addresses in the released one.

`{{chapter barriers}}` becomes "chapter 3", `{{Chapter barriers}}` "Chapter 3", and `{{title barriers}}` "Barriers".
`{{book page#place}}` becomes the address of a place of the published book, which `(place)=` marks in `book/page.md`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from ..errors import UsageError
from ..report.chapters import chapters
from .repository import book_address

_NAMED = re.compile(r"\{\{(chapter|Chapter|title) ([\w-]+)\}\}")
_PLACE = re.compile(r"\{\{book ([\w-]+)#([\w-]+)\}\}")


class NameChapters(NbGraderPreprocessor):  # type: ignore[misc]
    """A step of nbgrader's release: put numbers and titles of chapters, and links to the book, into the text."""

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
