"""Do the answers that nobody here had seen, and the figures that the page gives of them, agree?"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from autograder.exercises.authoring.verify import find_exercises

ROOT = Path(__file__).parents[3]
_LATER = (
    *"second third fourth fifth sixth seventh eighth".split(),
    *"ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth".split(),
)
SETS = {"first": "unseen_", **{which: f"unseen_{which}_" for which in _LATER}}
#: To how many exercises a set has answers: those that were there then, and, of five of them, those that were
#: asked for and done.
EXERCISES = {which: 42 for which in SETS} | {
    "fifth": 28,
    "sixth": 30,
    **dict.fromkeys(("seventh", "eighth", "ninth"), 32),
    **dict.fromkeys(("tenth", "eleventh", "twelfth"), 52),
    **dict.fromkeys(("thirteenth", "fourteenth", "fifteenth"), 53),
    "sixteenth": 57,
    "seventeenth": 2,
}
WRITTEN: Mapping[tuple[str, str], Mapping[str, Mapping[str, Any]]] = {
    (which, kind): json.loads((ROOT / f"solutions/{name}{kind}.json").read_text())
    for which, name in SETS.items()
    for kind in ("right", "wrong")
}


def harmless(which: str, exercise: str) -> set[str]:
    return {name for name, item in WRITTEN[which, "wrong"][exercise].items() if "harmless" in item}


@pytest.mark.parametrize(("which", "kind"), WRITTEN)
def test_every_exercise_has_answers_with_reasons(which: str, kind: str) -> None:
    answers = WRITTEN[which, kind]
    exercises = [path.stem for path in find_exercises(ROOT / "solutions")]
    assert answers.keys() <= set(exercises)
    assert len(answers) == EXERCISES[which]
    for name, item in [pair for written in answers.values() for pair in written.items()]:
        assert item.keys() - {"harmless", "fails_where"} == {"why", "cells"}, name
        assert all(item[reason].strip() for reason in item.keys() - {"cells"}), name


def test_only_a_wrong_answer_is_called_harmless_and_few_are() -> None:
    reasons = {
        kind: [
            item["harmless"]
            for (_, written), exercises in WRITTEN.items()
            for answers in exercises.values()
            for item in answers.values()
            if written == kind and "harmless" in item
        ]
        for kind in ("right", "wrong")
    }
    assert not reasons["right"] and len(reasons["wrong"]) <= 61
    assert all(reason[0].isupper() and reason.endswith(".") for reason in reasons["wrong"])


@pytest.mark.parametrize("which", SETS)
def test_the_figures_are_of_these_answers(which: str) -> None:
    lines = (ROOT / "book/data/unseen_emulator.csv").read_text().splitlines()
    table = csv.DictReader(line for line in lines if not line.startswith("#"))
    rows = {row["exercise"]: row for row in table if row["answers"] == which}
    rights, wrongs = WRITTEN[which, "right"], WRITTEN[which, "wrong"]
    assert rows.keys() == {*wrongs, "all"}
    for exercise in wrongs:
        row, misjudged, no_harm = rows[exercise], set(rows[exercise]["misjudged"].split()), harmless(which, exercise)
        right, wrong = set(rights[exercise]), set(wrongs[exercise]) - no_harm
        counted = {"right": len(right), "wrong": len(wrong), "harmless": len(no_harm)}
        assert {column: int(row[column]) for column in counted} == counted, exercise
        assert misjudged <= right | wrong, exercise
        assert len(misjudged & right) == len(right) - int(row["right_with_all_points"]), exercise
        assert len(misjudged & wrong) == int(row["wrong_with_all_points"]), exercise
