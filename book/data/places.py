"""Paths for the scripts of this folder. Importing it makes the book's extension and the tests' helpers importable,
too."""

import sys
from pathlib import Path

DATA = Path(__file__).resolve().parent
ROOT = DATA.parents[1]
KERNELS = ROOT / "book" / "kernels"
SOLUTIONS = ROOT / "solutions"

sys.path += [str(ROOT / folder) for folder in ("book/_ext", "tests", "tests/cuda/backends", "tests/cuda/corpora")]


def chosen() -> frozenset[str]:
    """The exercises that the command line names; none: all are meant."""
    named = frozenset(sys.argv[1:])
    if unknown := named - {path.stem for path in SOLUTIONS.glob("*/*.ipynb")}:
        sys.exit(f"There is no exercise {min(unknown)} in {SOLUTIONS.name}/.")
    return named
