"""Paths for the scripts of this folder. Importing it makes the book's extension and the tests' helpers importable,
too."""

import sys
from pathlib import Path

DATA = Path(__file__).resolve().parent
ROOT = DATA.parents[1]
KERNELS = ROOT / "book" / "kernels"
SOLUTIONS = ROOT / "solutions"

sys.path += [str(ROOT / "book" / "_ext"), str(ROOT / "tests"), str(ROOT / "tests" / "backends")]
