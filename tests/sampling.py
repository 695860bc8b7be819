"""Choose which cases of a test stand for the others: `make test` runs these, and `make test-all` runs all.

`sampled` marks a test with many cases. They fall into groups: `among="arch"` puts those together that differ in this
parameter alone, `by=lambda path: path.parent` those for which this is the same, and without either all are one group.
Of each group one runs, or one in `one_in`; the others are `rare`. So no group goes unseen, unless all of its cases are
marked `rare`, which stand for none. All notebooks are one group,
too: `tests/exercises/authoring/test_exercises.py` runs each of them without a Jupyter kernel.

Which ones they are depends on their names alone, so a new case changes little about which others run. A case always
runs while the file that it is about has changes that are not committed, or that came with the last commit; unless those
are more cases than a push may take.
"""

from __future__ import annotations

import hashlib
import inspect
import math
import subprocess
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from functools import cache
from pathlib import Path

import pytest
from result_cache import is_rare

ROOT = Path(__file__).parents[1]
#: Most cases that run because of a change: those of three exercises, of which each has some fifty.
MOST_CHANGED = 150


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "sampled(by, among, one_in): of each group of cases, some run; all with --all")


@pytest.hookimpl(tryfirst=True)  # before `stored` leaves out what is rare
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    groups: dict[tuple[Path, str, float, str], dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    cases = [item for item in items if not is_rare(item)]
    changed = {item for item in cases if item.get_closest_marker("sampled") and _changed().intersection(_files(item))}
    for item in cases if len(changed) > MOST_CHANGED else (item for item in cases if item not in changed):
        mark = item.get_closest_marker("sampled")
        if item.path.suffix == ".ipynb" and item.path not in _changed():
            groups[ROOT, "", math.inf, ""][item.path.name].append(item)
        elif mark is not None and isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            one_in: float = mark.kwargs.get("one_in", math.inf)
            groups[item.path, item.originalname, one_in, _group(mark, item.callspec.params)][item.name].append(item)
    for (_, _, one_in, _), named in groups.items():
        for name in named.keys() - _drawn(named, one_in):
            for item in named[name]:
                item.add_marker(pytest.mark.rare)


def sample(
    config: pytest.Config, names: Iterable[str], by: Callable[[str], object], one_in: float = math.inf
) -> set[str]:
    """The same for what a fixture prepares for several tests; all names with --all."""
    groups: dict[object, set[str]] = defaultdict(set)
    for name in names:
        groups[by(name)].add(name)
    return {name for group in groups.values() for name in _drawn(group, 1 if config.getoption("--all") else one_in)}


def _files(item: pytest.Item) -> set[Path]:
    """The files that a case is about."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    return {value for value in parameters.values() if isinstance(value, Path)}


def _group(mark: pytest.Mark, parameters: dict[str, object]) -> str:
    if "by" in mark.kwargs:
        by = mark.kwargs["by"]
        return repr(by(**{name: parameters[name] for name in inspect.signature(by).parameters}))
    if "among" in mark.kwargs:
        return repr({name: value for name, value in parameters.items() if name != mark.kwargs["among"]})
    return ""


def _drawn(names: Collection[str], one_in: float) -> set[str]:
    in_order = sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    return set(in_order[: max(1, round(len(in_order) / one_in))])


@cache
def _changed() -> frozenset[Path]:
    command = ["git", "status", "--porcelain", "-z", "--untracked-files=all"]
    reported = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    # Of a merge, all that it brings. (The first commit, and a clone of one commit, has none before it.)
    command = ["git", "diff", "--name-only", "-z", "HEAD^", "HEAD"]
    last = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    return frozenset(ROOT / name for name in [*(line[3:] for line in reported.split("\0")), *last.split("\0")])
