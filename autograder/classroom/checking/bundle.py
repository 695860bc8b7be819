"""A bundle: exercises as they are graded, in one file that goes wherever submissions are graded.

It holds what students get and, unless it is for students, the hidden tests; never a solution. It is printable text, so
a place that stores secrets as text can hold it.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import nbformat

from ...cuda.errors import GraderFault, UsageError
from ..submission.cells import Cell, first_line, lean
from ..submission.exercise import Exercise, Release

_FORMAT = 1
_LINE = 120


@dataclass(frozen=True)
class Bundled:
    """An exercise in a bundle: the name of its chapter, and its notebook as it is graded."""

    chapter: str
    exercise: Exercise


@dataclass(frozen=True)
class Bundle:
    """Exercises by name, and the seconds that one cell may take."""

    exercises: Mapping[str, Bundled]
    cell_seconds: int

    def to_text(self) -> str:
        """The text of the file: the same for the same content."""
        exercises = {name: _to_data(item) for name, item in sorted(self.exercises.items())}
        data = {"format": _FORMAT, "cell_seconds": self.cell_seconds, "exercises": exercises}
        packed = gzip.compress(json.dumps(data, sort_keys=True).encode(), 9, mtime=0)
        text = base64.b64encode(packed).decode()
        return "".join(f"{text[i : i + _LINE]}\n" for i in range(0, len(text), _LINE))

    def find(self, cells: Sequence[Cell], stem: str) -> str:
        """Return the name of the exercise that a notebook of these cells, called `stem`, answers. If the bundle holds
        several, the notebook's code cells show which; its name decides only among equals.

        Raises:
            UsageError: it answers none, or may answer several.
        """
        if len(self.exercises) == 1:
            return next(iter(self.exercises))
        shown = {lean(cell.source) for cell in cells} | {first_line(cell.source)[0] for cell in cells}
        shares = {name: _share(item.exercise, shown) for name, item in self.exercises.items()}
        most = max(shares.values(), default=0.0)
        found = sorted(name for name, share in shares.items() if share == most > 0)
        if stem in found:
            return stem
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"{stem}.ipynb may answer {' or '.join(found)}: name it after the one that is meant.")
        raise UsageError(
            f"{stem}.ipynb answers no exercise of the bundle, which holds {', '.join(sorted(self.exercises))}."
        )


def read_bundle(path: Path) -> Bundle:
    """Read the bundle at `path`.

    Raises:
        UsageError: it cannot be read, or is not a bundle of this version.
    """
    try:
        data = json.loads(gzip.decompress(base64.b64decode(path.read_bytes())))
        if data["format"] != _FORMAT:
            raise UsageError(f"{path} is a bundle for another version of autograder: publish the exercise again.")
        exercises = {name: _from_data(item) for name, item in data["exercises"].items()}
        return Bundle(exercises, int(data["cell_seconds"]))
    except OSError as error:  # gzip's, too, which has no number
        why = error.strerror or "it is not a bundle"
    except (ValueError, EOFError, LookupError, TypeError, AttributeError, GraderFault):
        why = "it is not a bundle"
    raise UsageError(f"{path} cannot be read: {why}. `autograder publish` makes one.")


def _to_data(item: Bundled) -> dict[str, Any]:
    releases = [asdict(release) for release in item.exercise.releases]
    return {"chapter": item.chapter, "notebook": item.exercise.notebook, "releases": releases}


def _from_data(data: Mapping[str, Any]) -> Bundled:
    releases = [Release(tuple(item["texts"]), item["flags"]) for item in data["releases"]]
    return Bundled(data["chapter"], Exercise(nbformat.from_dict(data["notebook"]), releases))


def _share(exercise: Exercise, shown: set[str]) -> float:
    """The share of an exercise's code cells, and of the first lines of its answers, among the texts `shown`."""
    found = sum(magic in shown for magic in exercise.magics)
    locked = [texts for cell, texts in exercise.code if not cell.metadata.get("nbgrader", {}).get("solution")]
    return (found + sum(bool(texts & shown) for texts in locked)) / (len(exercise.magics) + len(locked))
