"""What a debugger has of a launch: all that its threads did, in order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path

import numpy as np

from ..core.findings import Dim3, Finding
from ..core.run import TRACE_ACTIONS, Trace, landings_as_writes
from ..source.gather import Gathered

READ, WRITE, ATOMIC, BARRIER, LEAVE_BARRIER, EXIT, _, LINE, ENTER, LEAVE, DECLARE, SET, PLACE = range(
    len(TRACE_ACTIONS)
)  # in the order of `protocol.Event`
#: Steps of a thread besides its lines.
ACCESSES = (READ, WRITE, ATOMIC, BARRIER, LEAVE_BARRIER, EXIT)


@dataclass(frozen=True)
class Recorded:
    """A launch as it was run for a debugger. `before` is what its arrays in global memory held before it, in order.
    `report` puts a finding into words. `followed` is the block of which lines and variables are known; of the others,
    only accesses and barriers. `is_cut` says that there was no room for all."""

    trace: Trace
    before: Sequence[np.ndarray]
    grid: Dim3
    block: Dim3
    followed: int
    gathered: Gathered
    findings: Sequence[Finding]
    report: Callable[[Finding], str]
    completed: bool
    printed: str
    is_cut: bool

    @property
    def threads(self) -> int:
        """How many threads a block has."""
        return prod(self.block)

    def file_of(self, line: int) -> tuple[Path, int]:
        """Return the file that has a line of the text, and the line's number there."""
        starts = self._starts
        n = bisect_right(starts, line - 1) - 1
        return self.gathered.files[n], line - starts[n]

    def line_of(self, file: Path, line: int) -> int:
        """Return the reverse; 0 if the text has no such line."""
        for start, path in zip(self._starts, self.gathered.files, strict=True):
            if path.resolve() == file.resolve():
                found = start + line
                return found if found <= len(self.gathered.lines) and self.gathered.lines[found - 1][1] == line else 0
        return 0

    @cached_property
    def _starts(self) -> list[int]:
        return [i for i, (_, number) in enumerate(self.gathered.lines) if number == 1]

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines."""
        return self.gathered.text.split("\n")

    def text(self, line: int) -> str:
        """Return a line of the text, and where it is."""
        if not 0 < line <= len(self.lines):
            return "the kernel's end"
        return f"{self.gathered.name_place(line)}   {self.lines[line - 1].strip()}"


@dataclass(frozen=True)
class Events:
    """The events of a recording. `addresses` are those of the arrays, by their numbers. `first` is where threads begin;
    what comes before is what memory held."""

    all: np.ndarray
    addresses: tuple[int, ...]
    first: int

    @classmethod
    def of(cls, trace: Trace) -> Events:
        """Read the events of a trace."""
        events = landings_as_writes(trace.events)
        at, addresses = 0, []
        while at < len(events) and events["action"][at] == PLACE:
            addresses.append(int(events["offset"][at]))
            at += 1 + int(events["size"][at])
        return cls(events, tuple(addresses), at)


class ThreadEvents:
    """The events of one thread: their `positions` among all, their actions, and in how many calls the thread is before
    each (`depths`)."""

    def __init__(self, events: np.ndarray, positions: np.ndarray) -> None:
        self.positions = positions
        self.events = events[positions]
        self.actions = self.events["action"]
        entered = (self.actions == ENTER).astype(np.int64) - (self.actions == LEAVE)
        self.depths = np.cumsum(entered) - entered
        self._begun: dict[int | None, np.ndarray] = {}

    def before(self, at: int) -> int:
        """Return how many of them come before position `at`."""
        return int(np.searchsorted(self.positions, at))

    def begun_lines(self, deepest: int | None = None) -> np.ndarray:
        """Return the positions where the thread begins a line, in at most `deepest` calls, if it was not in that line
        before; and its end. Of a thread whose lines are not known, all accesses."""
        if deepest not in self._begun:
            lines = np.flatnonzero(self.actions == LINE)
            if len(lines):
                if deepest is not None:
                    lines = lines[self.depths[lines] <= deepest]
                where = np.stack([self.events["line"][lines], self.depths[lines]])
                begins = np.append(True, (where[:, 1:] != where[:, :-1]).any(axis=0))[: len(lines)]
                chosen = np.union1d(lines[begins], np.flatnonzero(self.actions == EXIT))
            else:
                chosen = np.flatnonzero(np.isin(self.actions, ACCESSES))
            self._begun[deepest] = self.positions[chosen]
        return self._begun[deepest]
