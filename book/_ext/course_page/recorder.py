"""Runs the declarations of a released notebook where numpy is, and keeps its visible cases as data for the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import autograder
from autograder.cuda.core.setting import Size
from autograder.cuda.errors import GraderFault
from autograder.exercises.checks.prediction import Prediction
from autograder.exercises.declarations.declaration import Exercise, Sizes, declare

from .in_page.cases import key, pack_case, pack_launch, pack_sizes
from .in_page.judging import kind_of

#: Launches that a `%%values` cell might give: what a case takes from them shows where it uses them.
_TRIED = (
    {"grid": (3, 5, 7), "block": (11, 2, 1), "shared_mem": 40_004},
    {"grid": (13, 1, 2), "block": (17, 4, 1), "shared_mem": 30_008},
)


def record_cases(notebook: Path) -> dict[str, dict[str, Any]]:
    """Return the visible sizes of each exercise in a released notebook, and the cases of an exercise, or the launches
    of a prediction, by size.

    Raises:
        GraderFault: inputs or results depend on the student's values, so they cannot be data.
    """
    declared: dict[str, Exercise | Prediction] = {}

    def exercise(name: str, case: Callable[..., Any], sizes: Sequence[Size], **more: Any) -> None:
        declared[name] = declare(name, case, sizes, **more)

    def prediction(name: str, *args: Any, **kwargs: Any) -> None:
        declared[name] = Prediction(name, *args, **kwargs)

    run_declarations(notebook, {"exercise": exercise, "prediction": prediction}, ("contract",))
    return {name: _recorded(item) for name, item in declared.items()}


def _recorded(declaration: Exercise | Prediction) -> dict[str, Any]:
    sizes = declaration.visible if isinstance(declaration, Exercise) else Sizes(tuple(declaration.sizes))
    cases = {key(size): _packed(declaration, size) for size in chain(sizes.others, *sizes.of.values())}
    return {"sizes": pack_sizes(sizes), "cases": cases}


def run_declarations(notebook: Path, instead: dict[str, Any], kinds: Sequence[str]) -> None:
    """Run the cells that declare exercises and check them, with functions `instead` of the package's own."""
    names: dict[str, Any] = {}
    before = {word: getattr(autograder, word) for word in instead}
    vars(autograder).update(instead)
    try:
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            kind = kind_of(cell)
            if kind in kinds:
                exec("".join(cell["source"]), names)
    finally:
        vars(autograder).update(before)


def _packed(declaration: Exercise | Prediction, size: Size) -> dict[str, Any]:
    if isinstance(declaration, Prediction):
        return pack_launch(declaration.launch(**size))
    if not declaration.values:
        return pack_case(declaration.build(size), {})
    tried = []
    for launch in _TRIED:
        words = {word: launch[word] for word in declaration.values}
        tried.append(pack_case(declaration.build(size, words), words))
    if tried[0] != tried[1]:
        raise GraderFault(f"What {declaration.name} computes depends on its %%values cell: the page cannot know it.")
    return tried[0]
