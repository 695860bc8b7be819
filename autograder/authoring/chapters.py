"""The chapters that reports name, written from `_toc.yml` and the titles of the book's pages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

from ..errors import UsageError

TOC = "_toc.yml"
#: What `report.chapters` reads, in the course's folder.
DATA = "autograder/report/chapters.json"


def read_chapters(root: Path) -> dict[str, dict[str, Any]]:
    """Number, title and page of each numbered chapter of the course at `root`, by key, in the order of the book.

    Raises:
        UsageError: `_toc.yml` does not list chapters, or a page is missing or has no title.
    """
    try:
        parts = yaml.safe_load((root / TOC).read_text())["parts"]
        pages = [chapter["file"] for part in parts if part.get("numbered") for chapter in part["chapters"]]
    except (yaml.YAMLError, LookupError, TypeError, AttributeError):
        raise UsageError(f"{TOC} lists no chapters: give it `parts:`, one of them with `numbered: 1`.") from None
    return {
        Path(page).name: {"number": number, "title": _title(root, page), "page": page}
        for number, page in enumerate(pages, 1)
    }


def _title(root: Path, page: str) -> str:
    path = root / f"{page}.md"
    title = re.search(r"^# (.+)$", path.read_text(), re.MULTILINE) if path.exists() else None
    if title is None:
        raise UsageError(f"{TOC} lists {page}: write {page}.md, with a first line such as `# Title`.")
    return title[1].strip()


def write_chapters(root: Path) -> tuple[str, ...]:
    """Write the data for reports from the book at `root`; a course without a book keeps what it has.

    Returns:
        One line if the file changed.
    """
    changes = check_chapters(root)
    if changes:
        (root / DATA).write_text(_text(root))
    return changes


def check_chapters(root: Path) -> tuple[str, ...]:
    """One line if the data for reports does not agree with the book at `root`."""
    path = root / DATA
    if not (root / TOC).exists() or (path.exists() and path.read_text() == _text(root)):
        return ()
    return (f"{DATA} differs from what {TOC} and the titles of its pages give",)


def _text(root: Path) -> str:
    return json.dumps(read_chapters(root), indent=1) + "\n"
