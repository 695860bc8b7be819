"""The solution notebooks on a machine with a GPU: `matches_numpy` runs there, every other sentence on
the emulator, from the same kernel text.

Run it on a machine with an NVIDIA GPU: `python book/data/measure_notebooks.py`. It writes
notebooks_<gpu>.csv beside itself: each sentence's outcome, where its last cases ran, and the time of
the whole notebook in seconds.
"""

import csv
import datetime
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from autograder.backends import gpu
from autograder.exercise.result import Outcome
from autograder.notebook.run_notebook import run

HERE = Path(__file__).resolve().parent
SOLUTIONS = HERE.parent.parent / "solutions"


def rows() -> Iterator[dict[str, Any]]:
    device = gpu.device_name()
    for path in sorted(SOLUTIONS.glob("*/*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        begin = time.perf_counter()
        results = run(notebook)
        seconds = f"{time.perf_counter() - begin:.2f}"
        for result in results:
            where = re.findall(r"on the ([^.;]+)[.;]", result.report)
            yield {
                "exercise": path.stem,
                "sentence": result.check,
                "points": f"{result.points:g}",
                "outcome": result.outcome,
                "ran_on": where[-1] if where else "",
                "notebook_seconds": seconds,
                "device": device,
                "date": datetime.date.today().isoformat(),
                "script": f"book/data/{Path(__file__).name}",
            }


def main() -> None:
    found = list(rows())
    path = HERE / f"notebooks_{re.sub(r'[^a-z0-9]+', '_', gpu.device_name().lower())}.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, found[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    for row in found:
        print(*list(row.values())[:6])
    assert all(row["outcome"] is Outcome.PASSED for row in found), "a solution must pass everywhere"
    print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
