"""A timeline as the data that a player needs, in few bytes.

    {"array": "tile", "shape": [128], "steps": 1920, "marks": {"write": [[1, 0, 0, 128, 3, 1, 1]], ...},
     "barriers": [[480, 10]], "races": [[32, 5, 130]]}

A row of `marks` is a run of accesses at even distances: the first one's step, thread and element, how many
there are, and what step, thread and element grow by. `barriers` are step and line; `races` element, and the
steps of the two accesses.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from .timeline import Timeline


def encode(timeline: Timeline) -> str:
    """The timeline as JSON."""
    marks: dict[str, list[tuple[int, int, int]]] = {}
    for mark in sorted((mark for row in timeline.rows for bar in row.bars for mark in bar.marks), key=lambda m: m.at):
        marks.setdefault(mark.action, []).append((mark.at, mark.thread, mark.index))
    data = {
        "array": timeline.array,
        "shape": timeline.shape,
        "steps": timeline.steps,
        "marks": {action: _runs(some) for action, some in marks.items()},
        "barriers": [[barrier.at, barrier.line] for barrier in timeline.barriers],
        "races": [[race.index, race.first, race.second] for race in timeline.racing],
    }
    return json.dumps(data, separators=(",", ":"))


def _runs(marks: Iterable[tuple[int, int, int]]) -> list[list[int]]:
    """Accesses in the order of their steps, those at even distances put together."""
    runs: list[list[int]] = []
    last = (0, 0, 0)
    for mark in marks:
        step = [b - a for a, b in zip(last, mark, strict=True)]
        if runs and (runs[-1][3] == 1 or runs[-1][4:] == step):
            runs[-1][3] += 1
            runs[-1][4:] = step
        else:
            runs.append([*mark, 1, 0, 0, 0])
        last = mark
    return runs
