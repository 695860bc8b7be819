"""Which exercises ask for a whole program. (Scripts of book/data need this without Sphinx.)"""

from __future__ import annotations

from pathlib import Path


def has_program(notebook: Path) -> bool:
    """Whether an answer of the notebook is a whole program, which needs more than a browser has."""
    return '"program(' in notebook.read_text(encoding="utf-8")
