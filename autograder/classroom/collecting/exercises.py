"""Which exercise a notebook holds: its cells say so, since students and browsers rename files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ...cuda.errors import UsageError
from ...exercises.authoring.nbgrader_app import RELEASED
from ...exercises.notebook.answer_cells import slots
from ..submission.cells import Cell, lean, read_cells
from ..submission.plain_files import UnreadableError
from .roster import exercise_named

#: An exercise of which nearly as much is there as of another one, as a share of that, may be meant as well.
_EQUAL = 0.8


class UnplacedError(Exception):
    """A notebook is no exercise of the chapter, or may be several; the message says why, and what to do."""


class Exercises:
    """The released exercises of the course at `root`; `names` are those of `chapter`, and `released` their notebooks.

    Raises:
        UsageError: the chapter was not released.
    """

    def __init__(self, root: Path, chapter: str) -> None:
        self._chapter = chapter
        owners: dict[str, set[tuple[str, str]]] = defaultdict(set)  # by what a cell shows, (chapter, exercise)
        self.released: dict[str, NotebookNode] = {}
        for path in sorted((root / RELEASED).glob("*/*.ipynb")):
            notebook = nbformat.read(path, as_version=4)
            if path.parent.name == chapter:
                self.released[path.stem] = notebook
            shown = {lean(cell.source) for cell in notebook.cells if cell.cell_type == "code"}
            for text in shown | {slot.magic for slot in slots(notebook)}:
                owners[text].add((path.parent.name, path.stem))
        homes = {home for several in owners.values() for home, _ in several}
        self._matching = {text: min(several) for text, several in owners.items() if len(several) == 1}
        self.names = set(self.released)
        if not self.names:
            known = ", ".join(sorted(homes)) or "none"
            raise UsageError(
                f"There is no chapter '{chapter}' in {RELEASED}/ (there is: {known}). If it is to be, release it with "
                f"`nbgrader generate_assignment {chapter}`."
            )

    def find(self, name: str, content: Path) -> str:
        """The exercise in the file `content`, which was handed in as `name`: the one most of whose cells are there, and
        only among equals, or where no cell tells, the one that the name holds.

        Raises:
            UnplacedError: it is none of the chapter, or may be several.
        """
        try:
            shares = self._shares(read_cells(content))
        except UnreadableError:
            shares = {}
        stem = Path(name).stem
        called = stem if stem in self.names else exercise_named(name, self.names)
        most = [who for who, share in shares.items() if share > _EQUAL * max(shares.values())]
        mine = sorted(exercise for home, exercise in most if home == self._chapter)
        if called and (called in mine or not most):
            return called
        if len(mine) == 1:
            return mine[0]
        meant = f"rename it to one of {', '.join(sorted(self.names))}."
        if mine:
            raise UnplacedError(f"it holds cells of {' and '.join(mine)}. If one is meant, {meant}")
        if most:
            home, exercise = min(most)
            why = f"it holds {exercise} of the chapter {home}, not one of {self._chapter}."
            raise UnplacedError(f"{why} Collect it there (`autograder collect {home} ...`), or ask for the right one.")
        raise UnplacedError(f"it is not an exercise of {self._chapter}, by name or cells. If it is meant, {meant}")

    def _shares(self, cells: Sequence[Cell]) -> dict[tuple[str, str], float]:
        """By exercise, how much of what it alone shows is in `cells`: from 0, exclusive, to 1."""
        shown = {text for cell in cells for text in _shown(cell)}
        found = Counter(self._matching[text] for text in shown & self._matching.keys())
        whole = Counter(self._matching.values())
        return {who: count / whole[who] for who, count in found.items()}


def _shown(cell: Cell) -> Iterator[str]:
    yield lean(cell.source)
    yield from (" ".join(line.split()) for line in cell.source.split("\n") if line.startswith("%%"))
