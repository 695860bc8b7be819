"""How do the checks judge answers that were written from the statements alone?

Run it anywhere: `python book/data/measure_unseen.py`. It takes five minutes and writes unseen_emulator.csv beside
itself: of the answers in solutions/unseen_right.json and solutions/unseen_wrong.json, how many get all points of the
checks, by exercise and in all, and the names of those that are misjudged.

Their authors saw the released notebooks and nothing of how answers are checked; each called an answer right or wrong by
reading alone, and gave the reason that stands beside it. So a "wrong" one with all points may also be a harmless one.
"""

import json
from collections.abc import Iterator
from typing import Any

import nbformat
from places import DATA, SOLUTIONS

from autograder.authoring.verify import find_exercises
from autograder.exercise.result import Outcome
from autograder.notebook.run_notebook import run
from autograder.performance import measurements


def gets_all_points(notebook: nbformat.NotebookNode, cells: dict[str, str]) -> bool:
    """Whether every check passes, hidden cases too, with `cells` in place of the notebook's own answers."""
    return all(result.outcome is Outcome.PASSED for result in run(notebook, cells))


def rows() -> Iterator[dict[str, Any]]:
    written = {kind: json.loads((SOLUTIONS / f"unseen_{kind}.json").read_text()) for kind in ("right", "wrong")}
    for path in find_exercises(SOLUTIONS):
        notebook = nbformat.read(path, as_version=4)
        full = {
            kind: [name for name, one in answers[path.stem].items() if gets_all_points(notebook, one["cells"])]
            for kind, answers in written.items()
        }
        right, wrong = (written[kind][path.stem] for kind in ("right", "wrong"))
        yield {
            "chapter": path.parent.name,
            "exercise": path.stem,
            "right": len(right),
            "right_with_all_points": len(full["right"]),
            "wrong": len(wrong),
            "wrong_with_all_points": len(full["wrong"]),
            "misjudged": " ".join([*sorted(right.keys() - full["right"]), *sorted(full["wrong"])]),
        }


def main() -> None:
    found = list(rows())
    counted = [column for column, value in found[0].items() if isinstance(value, int)]
    total = {column: sum(row[column] for row in found) for column in counted}
    found.append({"chapter": "", "exercise": "all", **total, "misjudged": ""})
    measurements.write(DATA / "unseen_emulator.csv", found, measurements.origin("book/data/measure_unseen.py"))
    for kind in ("right", "wrong"):
        print(f"{kind}: {total[f'{kind}_with_all_points']} of {total[kind]} get all points")


if __name__ == "__main__":
    main()
