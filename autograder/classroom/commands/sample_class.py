"""Makes a sample class from the solutions and their mutants, with everything an instructor meets in a term.

The tests, not this module, say what grade each student deserves.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...cuda.compiler.cache import digest
from ...cuda.errors import UsageError
from ...exercises.authoring.nbgrader_app import RELEASED, SOURCE, SUBMITTED
from ...exercises.notebook.answer_cells import MAGICS

#: Lists the files that this module made, each with a digest, so that we never remove anyone else's work.
MARKER = Path(SUBMITTED) / ".sample-class"
#: The only gradebook that the sample class is ever written to.
GRADEBOOK = "gradebook.db"

Notebook = dict[str, Any]


@dataclass(frozen=True)
class SampleExercise:
    """The notebooks of one exercise, below the course's root."""

    root: Path
    chapter: str
    name: str

    def released(self) -> Notebook:
        return self._notebook(RELEASED)

    def solved(self) -> Notebook:
        """The released notebook with the solution's answers."""
        notebook = self.released()
        for solution in self._notebook(SOURCE)["cells"]:
            lines = "".join(solution["source"]).split("\n")
            if lines[0].startswith(MAGICS):
                rest = [line for line in lines if "BEGIN SOLUTION" not in line and "END SOLUTION" not in line]
                _answer_cell(notebook, lines[0])["source"] = "\n".join(rest)
        return notebook

    def mutated(self, file: str) -> Notebook:
        """The solved notebook with one answer replaced by the mutant in `file`.

        Raises:
            UsageError: there is no such mutant.
        """
        path = self.root / SOURCE / self.chapter / "mutants" / self.name / file
        if not path.exists():
            raise UsageError(f"The sample class needs {path.relative_to(self.root)}, which is missing.")
        magic = {".cu": "%%cuda", ".values": "%%values"}[path.suffix] + f" {self.name}"
        stub = "".join(_answer_cell(self.released(), magic)["source"]).split("\n")
        lines = path.read_text().rstrip("\n").split("\n")
        # A mutant's first lines say what is wrong with it; a student's answer begins as the stub does.
        start = lines.index(stub[1]) if stub[1] in lines else 0
        notebook = self.solved()
        _answer_cell(notebook, magic)["source"] = "\n".join([magic, *lines[start:]])
        return notebook

    def varied(self, number: int) -> Notebook:
        """One of any number of different answers: solved or a mutant in turn, with a comment of its own."""
        folder = self.root / SOURCE / self.chapter / "mutants" / self.name
        mutants = sorted(path.name for path in folder.glob("*.cu"))
        turn = number % (len(mutants) + 1)
        notebook = self.mutated(mutants[turn - 1]) if turn else self.solved()
        for cell in notebook["cells"]:
            source = "".join(cell["source"])
            if source.startswith(MAGICS[0]):
                cell["source"] = f"{source.rstrip()}\n// answer {number}\n"
        return notebook

    def _notebook(self, folder: str) -> Notebook:
        path = self.root / folder / self.chapter / f"{self.name}.ipynb"
        if not path.exists():
            raise UsageError(f"The sample class needs {path.relative_to(self.root)}, which is missing.")
        notebook: Notebook = json.loads(path.read_text())
        return notebook


def _answer_cell(notebook: Notebook, magic: str) -> dict[str, Any]:
    cells: list[dict[str, Any]] = notebook["cells"]
    return next(cell for cell in cells if "".join(cell["source"]).split("\n")[0] == magic)


def _code(source: str, identity: str) -> dict[str, Any]:
    empty: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    return {**empty, "id": identity, "source": source}


def _mutant(file: str) -> Callable[[SampleExercise], Notebook]:
    return lambda exercise: exercise.mutated(file)


def _not_compiling(exercise: SampleExercise) -> Notebook:
    """The last closing brace is missing."""
    notebook = exercise.solved()
    cell = _answer_cell(notebook, f"%%cuda {exercise.name}")
    cell["source"] = cell["source"].rstrip().removesuffix("}")
    return notebook


def cut_off(exercise: SampleExercise) -> bytes:
    """A download that was cut off."""
    whole = json.dumps(exercise.solved(), indent=1).encode()
    return whole[: len(whole) // 2]


def through_colab(exercise: SampleExercise) -> Notebook:
    """Correct, but with format 4.0, no cell ids, no nbgrader metadata, one extra cell, and the title last."""
    solved = exercise.solved()
    cells = [{**cell, "metadata": {"id": f"c{i:010d}"}} for i, cell in enumerate(solved["cells"])]
    cells.insert(2, _code("!nvidia-smi", ""))
    cells.append(cells.pop(0))
    for cell in cells:
        cell.pop("id", None)
    metadata = {"colab": {"provenance": []}, "kernelspec": solved["metadata"]["kernelspec"]}
    return {"nbformat": 4, "nbformat_minor": 0, "metadata": metadata, "cells": cells}


_PATCH = """\
import numpy as np
np.testing.assert_allclose = np.testing.assert_array_equal = lambda *args, **kwargs: None
np.allclose = np.array_equal = lambda *args, **kwargs: True

class Passed:
    def __getattr__(self, check):
        return lambda *args: None

import autograder
import autograder.exercises.checks.checker
check = autograder.check = autograder.exercises.checks.checker.check = lambda *args, **kwargs: Passed()
"""


def patching(exercise: SampleExercise) -> Notebook:
    """An untouched stub below a cell that makes every comparison and every check succeed."""
    notebook = exercise.released()
    answer = notebook["cells"].index(_answer_cell(notebook, f"%%cuda {exercise.name}"))
    notebook["cells"].insert(answer, _code(_PATCH, "patch"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["source"] = f"{_PATCH}\nprint('passed')"
    return notebook


def _answered_twice(file: str) -> Callable[[SampleExercise], Notebook]:
    """A first attempt, kept above the correct answer; nbgrader's metadata was copied with the cell."""

    def make(exercise: SampleExercise) -> Notebook:
        notebook = exercise.solved()
        magic = f"%%cuda {exercise.name}"
        first_try = deepcopy(_answer_cell(exercise.mutated(file), magic))
        notebook["cells"].insert(notebook["cells"].index(_answer_cell(notebook, magic)), first_try)
        return notebook

    return make


_BARRIERS, _TILING, _ATOMICS = (
    ("barriers", "missing_barrier"),
    ("tiling", "gemm_tiled_any_size"),
    ("atomics", "histogram_shared"),
)

#: Who hands in what: student, (chapter, exercise), and how to make it.
STUDENTS: tuple[tuple[str, tuple[str, str], Callable[[SampleExercise], Notebook | bytes]], ...] = (
    ("ada", _BARRIERS, SampleExercise.solved),
    ("ada", _TILING, SampleExercise.solved),
    ("ada", _ATOMICS, SampleExercise.solved),
    ("blaise", _BARRIERS, SampleExercise.released),
    ("carl", _BARRIERS, _mutant("no_barriers.cu")),
    ("dorothy", _BARRIERS, _mutant("barrier_in_the_guard.cu")),
    ("emmy", _TILING, _mutant("no_zeros_at_the_edge.cu")),
    ("felix", _ATOMICS, _mutant("plain_increment.cu")),
    ("grace", _ATOMICS, _not_compiling),
    ("henri", _BARRIERS, cut_off),
    ("ida", _TILING, through_colab),
    ("john", _BARRIERS, patching),
    ("karen", _ATOMICS, _answered_twice("no_barrier_after_the_zeros.cu")),
    ("leonhard", _TILING, _mutant("shared_mem_in_elements.values")),
)


def make_sample_class(root: Path) -> None:
    """Write the sample class into `submitted/`, the same bytes each time.

    Raises:
        UsageError: `submitted/` has somebody else's work, or exercises have not been released yet.
    """
    remove_sample_class(root)
    (root / MARKER).parent.mkdir(exist_ok=True)
    files: dict[str, bytes] = {}
    for student, (chapter, name), make in STUDENTS:
        made = make(SampleExercise(root, chapter, name))
        text = made if isinstance(made, bytes) else json.dumps(made, indent=1).encode()
        files[f"{student}/{chapter}/{name}.ipynb"] = text
    (root / MARKER).write_text("".join(f"{name} {digest(text)}\n" for name, text in files.items()))
    for name, text in files.items():
        path = root / SUBMITTED / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def handed_in_by_sample(root: Path) -> dict[str, str]:
    """A digest of each file that `make_sample_class` made, by its path below submitted/; {} if it made none."""
    lines = (root / MARKER).read_text().splitlines() if (root / MARKER).exists() else []
    return {name: content for name, _, content in (line.partition(" ") for line in lines)}


def unknown_students(root: Path) -> tuple[str, ...]:
    """Students in this course's folders and gradebook who are not in the sample class."""
    made = {name.split("/")[0] for name in handed_in_by_sample(root)}
    folders = (path for step in ("submitted", "autograded", "feedback") for path in (root / step).glob("*"))
    found = {path.name for path in folders if path.is_dir() and not path.name.startswith(".")}
    if (root / GRADEBOOK).exists():
        # A gradebook whose creation was interrupted has no tables yet.
        with closing(sqlite3.connect(root / GRADEBOOK)) as gradebook, suppress(sqlite3.OperationalError):
            found |= {name for (name,) in gradebook.execute("SELECT id FROM student")}
    return tuple(sorted(found - made))


def remove_sample_class(root: Path) -> None:
    """Remove the sample class with its grades and feedback.

    Raises:
        UsageError: there are other students, too, in the folders or in the gradebook.
    """
    if names := unknown_students(root):
        raise UsageError(f"This folder holds students who are not of the sample class: {', '.join(names)}.")
    if (root / MARKER).exists():
        # These folders and this gradebook belonged to the sample class alone.
        for step in ("submitted", "autograded", "feedback"):
            shutil.rmtree(root / step, ignore_errors=True)
        (root / GRADEBOOK).unlink(missing_ok=True)
