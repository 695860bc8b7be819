"""The course's own seed: draws hidden cases that no public repository shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from ..errors import UsageError

#: Below the course's root, and in .gitignore: one whole number.
SEED_FILE = "hidden_seed.txt"
_SEED = re.compile(r'(hidden_cases\("\w+", seed=)\d+')


def own_seed(root: Path) -> int | None:
    """The seed of the course at `root`; None if it has none of its own.

    Raises:
        UsageError: the file holds no number of 6 digits or more.
    """
    try:
        text = (root / SEED_FILE).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        text = ""
    if not re.fullmatch(r"[1-9][0-9]{5,30}", text):
        raise UsageError(f"{SEED_FILE} must hold one whole number of 6 to 31 digits that nobody guesses, and no more.")
    return int(text)


class OwnSeed(NbGraderPreprocessor):  # type: ignore[misc]
    """A step of nbgrader's release, before the gradebook keeps the hidden cells: put the course's seed into them."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """
        Raises:
            UsageError: as `own_seed`.
        """
        seed = own_seed(Path())  # nbgrader works in the course's root
        for cell in nb.cells if seed else ():
            cell.source = _SEED.sub(rf"\g<1>{seed}", cell.source)
        return nb, resources
