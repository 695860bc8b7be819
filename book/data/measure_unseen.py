"""How do the checks judge answers that were written from the statements alone?

Run it anywhere: `python book/data/measure_unseen.py`. It takes half an hour and writes unseen_emulator.csv beside
itself, or only the rows of the exercises that are named (`... downsample two_streams`): of the answers in
solutions/unseen_<set>right.json and solutions/unseen_<set>wrong.json, how many get all points of the checks, by
exercise and in all, and the names of those that are misjudged. Each set showed classes of mistakes by which the checks
were then mended; unseen_when_new_emulator.csv keeps the rows of a set from before that, those of its first judgement.

Their authors saw the released notebooks and nothing of how answers are checked; each called an answer right or wrong by
reading alone, and gave the reason that stands beside it. An answer called wrong that does no harm where the contract
reaches says why under "harmless"; it is counted apart, and is not misjudged if it gets all points.
"""

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import nbformat
from places import DATA, SOLUTIONS, chosen

from autograder.cuda.performance import measurements
from autograder.exercises.authoring.verify import find_exercises
from autograder.exercises.notebook.run_notebook import gets_all_points

_LATER = (
    *"second third fourth fifth sixth seventh eighth".split(),
    *"ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth".split(),
)
#: The sets of answers, and how their files are named.
SETS = {"first": "unseen_", **{which: f"unseen_{which}_" for which in _LATER}}
COUNTED = ("right", "right_with_all_points", "harmless", "harmless_with_all_points", "wrong", "wrong_with_all_points")


@cache
def written(which: str, kind: str) -> Any:
    """The answers of a set, "right" or "wrong", by exercise and name."""
    return json.loads((SOLUTIONS / f"{SETS[which]}{kind}.json").read_text())


def row_of(which: str, path: Path, full: Mapping[str, set[str]]) -> dict[str, Any]:
    """The row of the exercise at `path`, for one set; `full` are the names of its answers that get all points."""
    right, wrong = (written(which, kind)[path.stem] for kind in ("right", "wrong"))
    harmless = {name for name, one in wrong.items() if "harmless" in one}
    return {
        "answers": which,
        "chapter": path.parent.name,
        "exercise": path.stem,
        "right": len(right),
        "right_with_all_points": len(full["right"]),
        "harmless": len(harmless),
        "harmless_with_all_points": len(harmless & full["wrong"]),
        "wrong": len(wrong.keys() - harmless),
        "wrong_with_all_points": len(full["wrong"] - harmless),
        "right_reduced_interval": "",
        "wrong_paid_interval": "",
        "misjudged": " ".join([*sorted(right.keys() - full["right"]), *sorted(full["wrong"] - harmless)]),
    }


def total_of(which: str, rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The row of all exercises, for one set, with intervals for the right answers that lose points and the wrong ones
    that get all."""
    total = {column: sum(int(row[column]) for row in rows) for column in COUNTED}
    return {
        "answers": which,
        "chapter": "",
        "exercise": "all",
        **total,
        "right_reduced_interval": interval(total["right"] - total["right_with_all_points"], total["right"]),
        "wrong_paid_interval": interval(total["wrong_with_all_points"], total["wrong"]),
        "misjudged": "",
    }


def interval(found: int, of: int) -> str:
    """The exact interval (Clopper and Pearson's) of 95 % for a rate of which `found` of `of` were seen, in percent."""

    def at_most(k: int, rate: float) -> float:
        """How likely `k` or fewer of `of` are."""
        return math.fsum(math.comb(of, i) * rate**i * (1 - rate) ** (of - i) for i in range(k + 1))

    def where(likely: Callable[[float], bool]) -> float:
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if likely(middle) else (low, middle)
        return 100 * low

    least = where(lambda rate: 1 - at_most(found - 1, rate) < 0.025) if found else 0
    return f"{least:.2f} to {where(lambda rate: at_most(found, rate) > 0.025):.2f} %"


def judge(which: str, kind: str, path: Path, name: str) -> bool:
    notebook = nbformat.read(path, as_version=4)
    return gets_all_points(notebook, written(which, kind)[path.stem][name]["cells"])


def rows(before: Mapping[tuple[str, str], dict[str, Any]], named: frozenset[str]) -> Iterator[dict[str, Any]]:
    """The rows of all sets: those of exercises that are not `named` are as `before`, by set and exercise."""
    exercises = find_exercises(SOLUTIONS)
    answers = [
        (which, kind, path, name)
        for which in SETS
        for kind in ("right", "wrong")
        for path in exercises
        if not named or path.stem in named
        for name in written(which, kind).get(path.stem, ())
    ]
    with Pool(os.cpu_count()) as processes:
        full = dict(zip(answers, processes.starmap(judge, answers, chunksize=4), strict=True))
    for which in SETS:
        found = [
            before[which, path.stem]
            if named and path.stem not in named
            else row_of(
                which,
                path,
                {
                    kind: {n for n in written(which, kind)[path.stem] if full[which, kind, path, n]}
                    for kind in ("right", "wrong")
                },
            )
            for path in exercises
            if path.stem in written(which, "wrong")
        ]
        yield from found
        yield (total := total_of(which, found))
        for kind in ("right", "harmless", "wrong"):
            print(f"{which}: {kind}: {total[f'{kind}_with_all_points']} of {total[kind]} get all points")


def main() -> None:
    file, named = DATA / "unseen_emulator.csv", chosen()
    before = {(row["answers"], row["exercise"]): row for row in measurements.rows(file)} if named else {}
    found, origin = list(rows(before, named)), measurements.origin("book/data/measure_unseen.py")
    measurements.write(file, found, origin)
    when_new = DATA / "unseen_when_new_emulator.csv"
    known = measurements.rows(when_new)
    has_rows = {"first", "second", *(row["answers"] for row in known)}  # the first two had learned checks before
    if new := [row for row in found if row["answers"] not in has_rows]:
        measurements.write(when_new, [*known, *new], origin)


if __name__ == "__main__":
    main()
