"""Right answers to an exercise as data for its page, which shows them after full points: the course's, and others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autograder.exercises.authoring.verify import find_variants, magic_of

from .in_page.judging import kind_of

_MARKS = ("BEGIN SOLUTION", "END SOLUTION")


def record_solutions(solution: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the right answers to each exercise in the notebook with solutions at `solution`, the course's first.

    Returns:
        By exercise: for each answer its `title` and its `texts`, with their first lines, by the cell's id.
    """
    cells = json.loads(solution.read_text(encoding="utf-8"))["cells"]
    texts = {cell["id"]: _unmarked("".join(cell["source"])) for cell in cells if kind_of(cell) == "answer"}
    found: dict[str, list[dict[str, Any]]] = {}
    for id, text in texts.items():
        name = text.partition("\n")[0].split()[1]
        found.setdefault(name, [{"title": "The course's", "texts": {}}])[0]["texts"][id] = text
    for path in find_variants(solution):
        magic = magic_of(path)
        (id,) = (id for id, text in texts.items() if text.partition("\n")[0] == magic)
        course = found[magic.split()[1]][0]["texts"]
        text = f"{magic}\n{path.read_text(encoding='utf-8')}"
        title = path.stem.replace("_", " ").capitalize()
        found[magic.split()[1]].append({"title": title, "texts": {**course, id: text}})
    return found


def _unmarked(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not any(mark in line for mark in _MARKS))
