"""The solution notebooks on a machine with a GPU: `matches_numpy` runs there, every other check on
the emulator, from the same kernel text.

Run it on a machine with an NVIDIA GPU: `python book/data/measure_notebooks.py`. It writes
notebooks_<gpu>.csv beside itself: each check's outcome, where its last cases ran, and the time of
the whole notebook in seconds.
"""

import re
import time
from collections.abc import Iterator

import nbformat
from measuring import Row, machine, write
from places import SOLUTIONS

from autograder.exercises.notebook.run_notebook import run
from autograder.exercises.result import Outcome


def rows() -> Iterator[Row]:
    for path in sorted(SOLUTIONS.glob("*/*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        begin = time.perf_counter()
        results = run(notebook)
        seconds = f"{time.perf_counter() - begin:.2f}"
        for result in results:
            where = re.findall(r"on the ([^.;]+)[.;]", result.report)
            yield {
                "exercise": path.stem,
                "check": result.check,
                "points": f"{result.points:g}",
                "outcome": result.outcome,
                "ran_on": where[-1] if where else "",
                "notebook_seconds": seconds,
            }


def main() -> None:
    found = list(rows())
    write("notebooks", found, machine())
    assert all(row["outcome"] is Outcome.PASSED for row in found), "a solution must pass everywhere"


if __name__ == "__main__":
    main()
