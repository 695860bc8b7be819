"""Where things are, for the scripts of this folder. Whoever imports it can import the book's extension and the
helpers of the tests, too."""

import sys
from pathlib import Path

DATA = Path(__file__).resolve().parent
KERNELS = DATA.parent / "kernels"
SOLUTIONS = DATA.parents[1] / "solutions"

sys.path += [str(DATA.parent / "_ext"), str(DATA.parents[1] / "tests" / "backends")]
