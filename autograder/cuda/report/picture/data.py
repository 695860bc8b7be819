"""A timeline as compact data: what is stored with a report, and what the player needs.

    {"array": "tile", "shape": [128], "steps": 1920, "marks": {"write": [[1, 0, 0, 128, 3, 1, 1]], ...},
     "barriers": [[480, 10, 0]], "races": [[32, 5, 130]], ...}

A row of `marks` is a run of evenly spaced accesses: the first one's step, thread and element, how many there
are, and by how much step, thread and element grow. `barriers` have step, line and which of the blocks; `races`
element, and the steps of the two accesses; `rows` warp, bars and waits; `stuck` warp, step, line and threads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

from ...core.findings import Dim3
from .timeline import WARP, Bar, Barrier, Mark, Racing, Row, Stuck, Timeline, Wait


def encode(timeline: Timeline) -> str:
    """The timeline as JSON."""
    return json.dumps(to_data(timeline), separators=(",", ":"))


def to_data(timeline: Timeline) -> dict[str, Any]:
    """The timeline as values that JSON can hold."""
    marks: dict[str, list[tuple[int, int, int]]] = {}
    for mark in sorted((mark for row in timeline.rows for bar in row.bars for mark in bar.marks), key=attrgetter("at")):
        marks.setdefault(mark.action, []).append((mark.at, mark.thread, mark.index))
    race = timeline.race and [[mark.at, mark.action, mark.thread, mark.index] for mark in timeline.race]
    return {
        "array": timeline.array,
        "shape": list(timeline.shape),
        "steps": timeline.steps,
        "marks": {action: _runs(some) for action, some in marks.items()},
        "barriers": [[barrier.at, barrier.line, barrier.block] for barrier in timeline.barriers],
        "races": [[race.index, race.first, race.second] for race in timeline.racing],
        "before": timeline.before,
        "cut": timeline.cut,
        "blocks": list(timeline.blocks),
        "grid": list(timeline.grid),
        "block": list(timeline.block),
        "threads": timeline.threads,
        "warps": timeline.warps,
        "race": race,
        "lines": list(timeline.race_lines),
        "owner": timeline.owner,
        "stuck": [[stuck.warp, stuck.at, stuck.line, stuck.threads] for stuck in timeline.stuck],
        "rows": [
            [row.warp, [[bar.start, bar.end] for bar in row.bars], [[wait.start, wait.end] for wait in row.waits]]
            for row in timeline.rows
        ],
    }


def from_data(data: Mapping[str, Any]) -> Timeline:
    """The timeline that `to_data` was given.

    Raises:
        KeyError, TypeError, ValueError: it is not what `to_data` gives.
    """
    marks = [
        Mark(int(at) + i * by_step, str(action), int(thread) + i * by_thread, int(index) + i * by_index)
        for action, runs in data["marks"].items()
        for at, thread, index, count, by_step, by_thread, by_index in runs
        for i in range(count)
    ]
    by_warp: dict[int, list[Mark]] = {}
    for mark in sorted(marks, key=lambda mark: mark.at):
        by_warp.setdefault(mark.thread // WARP, []).append(mark)
    rows = []
    for warp, bars, waits in data["rows"]:
        of_warp = by_warp.get(int(warp), [])
        rows.append(
            Row(
                int(warp),
                tuple(Bar(int(a), int(b), tuple(mark for mark in of_warp if a <= mark.at <= b)) for a, b in bars),
                tuple(Wait(int(a), int(b)) for a, b in waits),
            )
        )
    race = None
    if data["race"]:
        first, second = (Mark(int(at), str(action), int(who), int(index)) for at, action, who, index in data["race"])
        race = first, second
    line, other = map(int, data["lines"])
    return Timeline(
        str(data["array"]),
        int(data["threads"]),
        int(data["steps"]),
        tuple(rows),
        tuple(Barrier(*map(int, barrier)) for barrier in data["barriers"]),
        race,
        (line, other),
        tuple(Racing(*map(int, pair)) for pair in data["races"]),
        tuple(map(int, data["shape"])),
        int(data["before"]),
        bool(data["cut"]),
        int(data["warps"]),
        tuple(map(int, data["blocks"])),
        _extent(data["grid"]),
        _extent(data["block"]),
        tuple(Stuck(*map(int, fields)) for fields in data["stuck"]),
        None if data["owner"] is None else int(data["owner"]),
    )


def _extent(values: Iterable[Any]) -> Dim3:
    x, y, z = map(int, values)
    return x, y, z


def _runs(marks: Iterable[tuple[int, int, int]]) -> list[list[int]]:
    """Accesses in the order of their steps, with evenly spaced ones combined."""
    runs: list[list[int]] = []
    last_at = last_thread = last_index = count = 0
    by: tuple[int, int, int] | None = None
    for at, thread, index in marks:
        step = at - last_at, thread - last_thread, index - last_index
        last_at, last_thread, last_index = at, thread, index
        if step == by or count == 1:
            by = step
            count += 1
            runs[-1][3:] = count, *step
        else:
            by = None
            count = 1
            runs.append([at, thread, index, 1, 0, 0, 0])
    return runs
