"""What each line of a kernel moves between the warps and global memory, and how much of it is used."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.cuda.core.run import TRACE_ACTIONS

from .counting import check_counts, count_sectors, request_numbers
from .sectors import SECTOR
from .traced import ATOMIC, Traced


@dataclass(frozen=True)
class Traffic:
    """One line and array, over the whole launch, in bytes: `moved` counts 32 for each sector of each request,
    `used` the distinct bytes that the lanes of each request asked for."""

    line: int
    text: str
    array: str
    action: str
    requests: int
    sectors: int
    moved: int
    used: int


@dataclass(frozen=True)
class AccessMap:
    """All lines of a kernel that load from or store to global memory, in order."""

    rows: tuple[Traffic, ...]

    @property
    def moved(self) -> int:
        return sum(row.moved for row in self.rows)

    @property
    def used(self) -> int:
        return sum(row.used for row in self.rows)


def from_trace(traced: Traced) -> AccessMap:
    """Return the traffic of each line of a traced run; atomics are not counted, as in the emulator's counts.

    Raises:
        ValueError: the kernel does not use global memory, or its traffic is not what the emulator counted.
    """
    check_counts(traced)
    lines = traced.source.splitlines()
    rows = []
    work = traced.accesses[traced.accesses["action"] != ATOMIC]
    for line, number, action in np.unique(work[["line", "array", "action"]]).tolist():
        array = traced.arrays[number]
        if array.space == "shared":
            continue
        mine = work[(work["line"] == line) & (work["array"] == number) & (work["action"] == action)]
        requests, sectors = count_sectors(mine)
        elements = np.unique(np.stack([request_numbers(mine), mine["index"]]), axis=1).shape[1]
        code = lines[line - 1].split("//")[0].strip()
        moved, used = SECTOR * sectors, array.item * elements
        rows.append(Traffic(line, code, array.name, TRACE_ACTIONS[action], requests, sectors, moved, used))
    if not rows:
        raise ValueError(f"{traced.file} neither loads from nor stores to global memory: there is no traffic to draw.")
    return AccessMap(tuple(rows))
