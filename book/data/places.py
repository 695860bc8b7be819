"""Where things are, for the scripts of this folder. Whoever imports it can import the book's extension and the
helpers of the tests, too."""

import sys
from pathlib import Path

DATA = Path(__file__).resolve().parent
ROOT = DATA.parents[1]
KERNELS = ROOT / "book" / "kernels"
SOLUTIONS = ROOT / "solutions"

sys.path += [str(ROOT / "book" / "_ext"), str(ROOT / "tests"), str(ROOT / "tests" / "backends")]
