"""Runs the declarations of a released notebook where numpy is, and keeps its visible cases as data for the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import autograder
from autograder.core.setting import Size
from autograder.errors import GraderFault
from autograder.exercise.declaration import Exercise, declare, seeded
from autograder.exercise.prediction import Prediction

from .in_page.cases import key, pack_case, pack_launch
from .in_page.judging import kind_of

#: Launches that a `%%values` cell might give: what a case takes from them shows where it uses them.
_TRIED = (
    {"grid": (3, 5, 7), "block": (11, 2, 1), "shared_mem": 40_004},
    {"grid": (13, 1, 2), "block": (17, 4, 1), "shared_mem": 30_008},
)


def record_cases(notebook: Path) -> dict[str, dict[str, Any]]:
    """The cases of each exercise in a released notebook, or the launches of each prediction, by size.

    Raises:
        GraderFault: inputs or results depend on the student's values, so they cannot be data.
    """
    declared: dict[str, Exercise | Prediction] = {}
    asked: dict[str, list[Size]] = {}

    def exercise(name: str, case: Callable[..., Any], sizes: Sequence[Size], **more: Any) -> None:
        declared[name] = declare(name, case, sizes, **more)
        asked[name] = list(declared[name].sizes)

    def prediction(name: str, *args: Any, **kwargs: Any) -> None:
        declared[name] = Prediction(name, *args, **kwargs)
        asked[name] = list(declared[name].sizes)

    def check(name: str, sizes: Sequence[Size] = ()) -> Any:
        asked[name] += [dict(size) for size in sizes]
        return _AnyCheck()

    run_declarations(notebook, {"exercise": exercise, "prediction": prediction, "check": check}, ("contract", "check"))
    return {name: {key(size): _packed(declared[name], size) for size in sizes} for name, sizes in asked.items()}


def run_declarations(notebook: Path, instead: dict[str, Any], kinds: Sequence[str]) -> None:
    """Run the cells that declare exercises and check them, with functions `instead` of the package's own."""
    names: dict[str, Any] = {}
    kept = {word: getattr(autograder, word) for word in instead}
    vars(autograder).update(instead)
    try:
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            kind = kind_of(cell)
            if kind in kinds:
                exec("".join(cell["source"]), names)
    finally:
        vars(autograder).update(kept)


class _AnyCheck:
    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *args, **kwargs: None


def _packed(asked: Exercise | Prediction, size: Size) -> dict[str, Any]:
    if isinstance(asked, Prediction):
        return pack_launch(asked.launch(**size))
    if not asked.values:
        return pack_case(asked.build(size), {})
    tried = []
    for launch in _TRIED:
        words = {word: launch[word] for word in asked.values}
        case = asked.case(seeded(asked.name, size), SimpleNamespace(**words), **size)
        tried.append(pack_case(case, words))
    if tried[0] != tried[1]:
        raise GraderFault(f"What {asked.name} computes depends on its %%values cell: the page cannot know it.")
    return tried[0]
