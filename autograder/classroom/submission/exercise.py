"""A released exercise, with which submissions are compared, and digests of its earlier releases."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_locked

from ...cuda.compiler.cache import digest
from ...exercises.notebook.answer_cells import slots
from .cells import FLAGS, Cell, lean

#: One file per chapter, below the course's root. Without it, cells of earlier releases are reported as changed.
FOLDER = Path("_build") / "released"


@dataclass(frozen=True)
class Release:
    """A release of one exercise: digests of its read-only cells' texts, and nbgrader's metadata by cell name."""

    texts: tuple[str, ...]
    flags: dict[str, list[Any]]


class Exercise:
    """A released exercise.

    Args:
        notebook: as released, perhaps with its hidden tests.
        releases: the exercise's releases, the latest last.

    Raises:
        GraderFault: an answer cell has no magic line, or two begin alike.
    """

    def __init__(self, notebook: NotebookNode, releases: Sequence[Release] = ()) -> None:
        self.notebook, self.releases = notebook, releases
        self.slots = slots(notebook)
        self.magics = frozenset(slot.magic for slot in self.slots)
        self.ids = {cell.get("id", "") for cell in notebook.cells} - {""}
        self.sources = {lean(cell.source) for cell in notebook.cells}
        #: The code cells, each with the texts that a student's copy may have: with hidden tests, and without.
        self.code = [(cell, _texts_of(cell)) for cell in notebook.cells if cell.cell_type == "code"]

    def is_of_earlier_release(self, cells: Sequence[Cell]) -> bool:
        """Whether `cells` hold one of the releases unchanged."""
        texts = {digest(lean(cell.source)) for cell in cells}
        return any(
            texts.issuperset(release.texts)
            and all(list(cell.flags) == release.flags.get(cell.grade_id, list(cell.flags)) for cell in cells)
            for release in self.releases
        )


def _texts_of(cell: NotebookNode) -> set[str]:
    without = re.sub(r"\n?### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", cell.source, flags=re.S)
    return {lean(cell.source), lean(without)}


def read_releases(root: Path, chapter: str) -> dict[str, list[Release]]:
    """Return the releases of each exercise, the latest last; {} if there is no readable file of them."""
    try:
        stored = json.loads((root / FOLDER / f"{chapter}.json").read_text(encoding="utf-8"))
        return {
            name: [Release(tuple(item["texts"]), item["flags"]) for item in every] for name, every in stored.items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


class RecordRelease(NbGraderPreprocessor):  # type: ignore[misc]
    """nbgrader's last step of a release: record digests of what students get."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Leave `nb` unchanged.

        Raises:
            OSError: the file cannot be written.
        """
        here = resources["nbgrader"]
        releases = read_releases(Path(), here["assignment"])  # nbgrader works in the course's root
        several = releases.setdefault(here["notebook"], [])
        release = _release_of(nb)
        # nbgrader reads its configuration twice, and so runs each added step twice.
        several[:] = [*(item for item in several if item != release), release]
        path = FOLDER / f"{here['assignment']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        data = {name: [asdict(item) for item in every] for name, every in sorted(releases.items())}
        path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        return nb, resources


def _release_of(notebook: NotebookNode) -> Release:
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    flags = {}
    for cell in notebook.cells:
        if given := cell.metadata.get("nbgrader"):
            flags[given["grade_id"]] = [given.get(flag) for flag in FLAGS]
    return Release(tuple(digest(lean(cell.source)) for cell in code if is_locked(cell)), flags)
