"""Which exercises ask for a whole program. (Scripts of book/data need this without Sphinx.)"""

from __future__ import annotations

import json
from pathlib import Path

from autograder.exercises.declarations.declared_programs import programs_in


def has_program(notebook: Path) -> bool:
    """Return whether an answer of the notebook is a whole program, which needs more than a browser has."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return bool(programs_in("".join(cell["source"]) for cell in cells))
