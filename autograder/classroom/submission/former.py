"""What earlier releases of an exercise looked like, as digests: who wrote in one of them changed nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_locked

from ...cuda.compiler.cache import digest
from .answers import Note, NoteKind, lean
from .handin import FLAGS, Cell

#: One file a chapter, below the course's root. Without it, such cells are told as changed.
FOLDER = Path("_build") / "released"


@dataclass(frozen=True)
class Release:
    """A release of one exercise: digests of its read-only cells' texts, and by name, what nbgrader's metadata says of
    each cell."""

    texts: tuple[str, ...]
    flags: dict[str, list[Any]]


class KeepRelease(NbGraderPreprocessor):  # type: ignore[misc]
    """nbgrader's last step of a release: note what students get."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Leave `nb` as it is.

        Raises:
            OSError: the note cannot be written.
        """
        here = resources["nbgrader"]
        releases = read_releases(Path(), here["assignment"])  # nbgrader works in the course's root
        several = releases.setdefault(here["notebook"], [])
        release = _release_of(nb)
        # nbgrader reads its configuration twice, and so takes each added step twice.
        several[:] = [*(one for one in several if one != release), release]
        path = FOLDER / f"{here['assignment']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = {name: [asdict(one) for one in every] for name, every in sorted(releases.items())}
        path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        return nb, resources


def read_releases(root: Path, chapter: str) -> dict[str, list[Release]]:
    """By exercise, its releases, the latest last; none where nothing that can be read was noted."""
    try:
        kept = json.loads((root / FOLDER / f"{chapter}.json").read_text(encoding="utf-8"))
        return {name: [Release(tuple(one["texts"]), one["flags"]) for one in every] for name, every in kept.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def written_for_earlier(cells: Sequence[Cell], releases: Sequence[Release]) -> Note | None:
    """A note, if `cells` hold one of `releases` unchanged."""
    texts = {digest(lean(cell.source)) for cell in cells}
    for release in reversed(releases):
        marked = all(list(cell.flags) == release.flags.get(cell.grade_id, list(cell.flags)) for cell in cells)
        if marked and texts.issuperset(release.texts):
            text = "The notebook is from an earlier release. Its answers were graded with the current one."
            return Note(NoteKind.EARLIER, text + " Nothing else to do.")
    return None


def _release_of(notebook: NotebookNode) -> Release:
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    flags = {}
    for cell in notebook.cells:
        if given := cell.metadata.get("nbgrader"):
            flags[given["grade_id"]] = [given.get(flag) for flag in FLAGS]
    return Release(tuple(digest(lean(cell.source)) for cell in code if is_locked(cell)), flags)
