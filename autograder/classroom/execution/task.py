"""A notebook to run, and its result: data that a worker on any machine can take and return."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ...cuda.backends import gpu
from ...cuda.compiler.cache import digest
from ...cuda.nvrtc import packages
from ...exercises.declarations.declared_programs import programs_in
from ...exercises.result import CheckFailed

_PACKAGE = Path(__file__).parents[2]
#: Libraries that affect what a cell prints.
_LIBRARIES = ("numpy", "ipython", "ziglang", *packages.CUPY.values(), *packages.NVRTC.values())
#: The one exception by which a check says that the student's kernel is wrong. No Python of the
#: student runs, so any other exception in a test cell is ours.
STUDENT_IS_WRONG = CheckFailed.__name__


@dataclass(frozen=True)
class Task:
    """One notebook to run: the texts of its code cells in order, with the student's answers in
    place, and the seconds that one cell may take. `name` is for people."""

    name: str
    cells: tuple[str, ...]
    cell_seconds: int

    def key(self, checker: str, backend: str) -> str:
        """The key of the result: equal tasks share it, if run by the same checker on the same backend."""
        return digest(checker, backend, str(self.cell_seconds), *self.cells)

    @property
    def has_program(self) -> bool:
        """Whether an answer may be a whole program."""
        return bool(programs_in(self.cells))

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Task:
        data = json.loads(text)
        return cls(data["name"], tuple(data["cells"]), data["cell_seconds"])


@dataclass(frozen=True)
class TaskResult:
    """The result of running a `Task`.

    Args:
        cells: for each cell that finished, in order, its outputs in the form of nbformat 4; None
            for a cell without text, which is not run.
        broken: why the run ended before the last cell, half a sentence; "" if it did not.
        seconds: how long it took.
    """

    cells: tuple[list[dict[str, Any]] | None, ...]
    broken: str
    seconds: float

    @property
    def sound(self) -> bool:
        """Whether the grader failed nowhere: only then does the result say something about the answers."""
        errors = (out for outputs in self.cells for out in outputs or () if out["output_type"] == "error")
        return not self.broken and all(error["ename"] == STUDENT_IS_WRONG for error in errors)

    def to_json(self) -> str:
        return json.dumps(vars(self))  # (`asdict` would first copy all of it)

    @classmethod
    def from_json(cls, text: str) -> TaskResult:
        """Raises: ValueError or KeyError where `text` is not what `to_json` gives."""
        data = json.loads(text)
        return cls(tuple(data["cells"]), data["broken"], data["seconds"])


@cache
def checker_version() -> str:
    """A digest of everything that decides how an answer is judged: this package and its libraries."""
    parts = sorted(path for path in _PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    files = (part for path in parts for part in (str(path.relative_to(_PACKAGE)), path.read_bytes()))
    return digest(sys.version, *map(_version, _LIBRARIES), *files)


def backend() -> str:
    """What runs kernels on this machine: the GPU's name, or "emulator"."""
    return "emulator" if gpu.problem() else gpu.device_name()


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} none"
