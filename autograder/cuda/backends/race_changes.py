"""Finds the races of threads that each change an element: they read it and write it, as an increment does."""

from __future__ import annotations

from dataclasses import replace

from ..core.findings import Race


def mark_changes(races: list[Race]) -> list[Race]:
    """Return `races`, with `changes` set in those of a line with itself, and of two lines that read an array and then
    write it. If several threads change an element in one statement and leave the same value, that is chance."""
    read = {(a.line, a.array) for race in races for a in race.accesses if a.action == "read"}
    written = {
        (a.line, a.array)
        for race in races
        for a, b in [race.accesses]
        if race.hazard == "write-after-write" and a.line == b.line
    }
    out = []
    for race in races:
        first, second = race.accesses
        if first.line == second.line:
            writes = race.hazard == "write-after-write"
            changes = (first.line, first.array) in (read if writes else written)
            race = replace(race, changes=changes, same_value=race.same_value and not changes)
        out.append(race)
    return _mark_split_changes(out)


def _mark_split_changes(races: list[Race]) -> list[Race]:
    """Set `changes` of races of a line that reads an array and a later line that writes it, and of the writes, if
    several threads write different values to the elements that they read."""
    writes = {
        (race.accesses[0].array, race.accesses[0].line): race.count
        for race in races
        if race.hazard == "write-after-write" and race.accesses[0].line == race.accesses[1].line
        if not (race.atomic or race.unawaited or race.same_value)
    }
    changed, pairs = set(), set()
    for race in races:
        read, write = sorted(race.accesses, key=lambda access: access.action != "read")
        target = (write.array, write.line)
        apart = (read.action, write.action) == ("read", "write") and read.line < write.line
        if apart and not race.unawaited and writes.get(target) == race.count:
            changed.add(target)
            pairs.add(race)
    return [
        replace(race, changes=True)
        if race in pairs
        or (race.hazard == "write-after-write" and {(a.array, a.line) for a in race.accesses} <= changed)
        else race
        for race in races
    ]
