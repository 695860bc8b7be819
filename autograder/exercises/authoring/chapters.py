"""The chapters that reports name, also those in the README: written from `_toc.yml` and the titles of its pages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

from ...cuda.errors import UsageError
from .nbgrader_app import RELEASED, SOURCE

TOC = "_toc.yml"
#: What `report.chapters` reads, in the course's folder.
DATA = "autograder/cuda/report/chapters.json"
README = "README.md"


def read_chapters(root: Path) -> dict[str, dict[str, Any]]:
    """Number, title, page and exercises of each numbered chapter of the course at `root`, by key, in the order of the
    book.

    Raises:
        UsageError: `_toc.yml` does not list chapters, or a page is missing or has no title.
    """
    try:
        parts = yaml.safe_load((root / TOC).read_text())["parts"]
        listed = [chapter for part in parts if part.get("numbered") for chapter in part["chapters"]]
        pages = [(chapter["file"], chapter.get("sections", [])) for chapter in listed]
    except (yaml.YAMLError, LookupError, TypeError, AttributeError):
        raise UsageError(f"{TOC} lists no chapters: give it `parts:`, one of them with `numbered: 1`.") from None
    return {
        Path(page).name: {
            "number": number,
            "title": _title(root, page),
            "page": page,
            "exercises": [name for section in sections for name in _kernels(root, section["file"])],
        }
        for number, (page, sections) in enumerate(pages, 1)
    }


def _kernels(root: Path, page: str) -> list[str]:
    """The names of the `%%cuda` cells of the exercise whose released notebook is `page`."""
    path = root / SOURCE / Path(page).relative_to(RELEASED).with_suffix(".ipynb")
    return re.findall(r'"%%cuda (\w+)', path.read_text()) if path.exists() else []


def _title(root: Path, page: str) -> str:
    path = root / f"{page}.md"
    title = re.search(r"^# (.+)$", path.read_text(), re.MULTILINE) if path.exists() else None
    if title is None:
        raise UsageError(f"{TOC} lists {page}: write {page}.md, with a first line such as `# Title`.")
    return title[1].strip()


def write_chapters(root: Path) -> tuple[str, ...]:
    """Make the data for reports, and the reports in the README, follow the book at `root`; a course without a book
    keeps what it has.

    Returns:
        One line for each file that changed.
    """
    changes = check_chapters(root)
    for name, text in _outdated(root).items():
        (root / name).write_text(text)
    return changes


def check_chapters(root: Path) -> tuple[str, ...]:
    """One line for each file whose chapters differ from those of the book at `root`."""
    return tuple(f"{name} differs from what {TOC} and the titles of its pages give" for name in _outdated(root))


def _outdated(root: Path) -> dict[str, str]:
    """The files whose chapters differ from those of the book, with the right text."""
    if not (root / TOC).exists():
        return {}
    chapters = read_chapters(root)
    texts = {DATA: json.dumps(chapters, indent=1) + "\n"}
    if (root / README).exists():
        numbers = {chapter["title"]: chapter["number"] for chapter in chapters.values()}
        texts[README] = re.sub(
            r'Chapter (\d+), "([^"]+)"',
            lambda shown: f'Chapter {numbers.get(shown[2], shown[1])}, "{shown[2]}"',
            (root / README).read_text(),
        )
    return {
        name: text for name, text in texts.items() if not (root / name).exists() or (root / name).read_text() != text
    }
