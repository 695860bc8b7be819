"""Make a timeline from a trace: of one block for a page of the book, or about a race for a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.findings import Access, Dim3, Finding, Kind
from ...core.run import TRACE_ACTIONS, Run, Trace, landings_as_writes
from .timeline import BLOCK, WARP, Bar, Barrier, Mark, Racing, Row, Timeline, Wait

_ATOMIC, _ARRIVE, _LEAVE = (TRACE_ACTIONS.index(action) for action in ("atomic", "barrier", "leave_barrier"))
#: At most this many accesses of one thread to one element are compared with those of another thread.
_MOST_USES = 2000


@dataclass(frozen=True)
class Events:
    """The events of some blocks, in order. For each: `who` did it, as in `Mark`; `phase`, how many barriers that
    thread had left before; `mine`, whether it accesses the array."""

    table: np.ndarray
    who: np.ndarray
    phase: np.ndarray
    mine: np.ndarray

    def of(self, chosen: np.ndarray) -> Events:
        """The events for which `chosen` is true."""
        return Events(self.table[chosen], self.who[chosen], self.phase[chosen], self.mine[chosen])

    def are(self, access: Access) -> np.ndarray:
        """Which events access the array with the line and the action of `access`, as bools."""
        line = self.table["line"] == access.line
        same: np.ndarray = self.mine & line & (self.table["action"] == TRACE_ACTIONS.index(str(access.action)))
        return same

    def pair(self, accesses: tuple[Access, Access], timeline: Timeline) -> tuple[int, int] | None:
        """The positions of the two racing accesses that are nearest to each other; None if they do not race."""
        places = [
            np.flatnonzero(
                self.are(access)
                & (self.who == _number(access, timeline))
                & (self.table["index"] == _flat(access.index, timeline.shape))
            )[:_MOST_USES]
            for access in accesses
        ]
        first, second = (places[0][:, None], places[1][None, :])
        # In a loop the access repeats; the pair that raced has no barrier between. Two blocks share no barrier.
        apart = self.who[first] // BLOCK != self.who[second] // BLOCK
        racing = apart | (self.phase[first] == self.phase[second])
        if not racing.any():
            return None
        distance = np.where(racing, abs(second - first), len(self.table))
        nearest = np.unravel_index(int(distance.argmin()), distance.shape)
        return int(places[0][nearest[0]]), int(places[1][nearest[1]])

    def timeline(self, base: Timeline, begin: int, end: int) -> Timeline:
        """`base` with what happens from step `begin` to before step `end`."""
        steps = np.arange(len(self.table)) - begin
        inside = (steps >= 0) & (steps < end - begin)
        barriers = self._barriers()
        rows = []
        for warp in np.unique(self.who // WARP):
            now = self.who // WARP == warp
            bars, waits = [], []
            for number in np.unique(self.phase[now]):
                here = now & (self.phase == number)
                work = np.flatnonzero(here & inside & (self.table["action"] <= _ATOMIC))
                if len(work):
                    marks = self.marks(work[self.mine[work]], begin)
                    bars.append(Bar(int(steps[work[0]]), int(steps[work[-1]]), marks))
                arrived = steps[here & (self.table["action"] == _ARRIVE)]
                opens = barriers.get((int(warp) * WARP // BLOCK, int(number)))
                if len(arrived) and opens:
                    start, stop = max(int(arrived.max()), 0), min(opens.at - begin, end - begin)
                    if start <= stop:
                        waits.append(Wait(start, stop))
            rows.append(Row(int(warp), tuple(bars), tuple(waits)))
        shown = [replace(barrier, at=barrier.at - begin) for barrier in barriers.values() if begin <= barrier.at < end]
        cut = begin > 0 or end < len(self.table)
        return replace(base, rows=tuple(rows), barriers=tuple(shown), steps=end - begin, before=begin, cut=cut)

    def _barriers(self) -> dict[tuple[int, int], Barrier]:
        """The barriers that opened, by block and by the number that had opened there before."""
        found = {}
        arrive_events = np.flatnonzero(self.table["action"] == _ARRIVE)
        for block in np.unique(self.who // BLOCK):
            ours = self.who // BLOCK == block
            for number in range(int(self.phase[ours].max())):  # a barrier that nobody left never opened
                last = arrive_events[ours[arrive_events] & (self.phase[arrive_events] == number)]
                if len(last):
                    barrier = Barrier(int(last[-1]), int(self.table["line"][last[-1]]), int(block))
                    found[int(block), number] = barrier
        return found

    def marks(self, rows: np.ndarray, begin: int = 0) -> tuple[Mark, ...]:
        actions = (TRACE_ACTIONS[action] for action in self.table["action"][rows].tolist())
        indices = self.table["index"][rows].tolist()
        return tuple(map(Mark, (rows - begin).tolist(), actions, self.who[rows].tolist(), indices))

    def racing(self, races: Sequence[Finding], begin: int, end: int) -> list[Racing]:
        """The elements that the lines of these races both access, with no barrier between; the earliest first."""
        pairs: dict[int, Racing] = {}
        for finding in races:
            first, second = (self.are(access) for access in finding.accesses)
            grid = finding.accesses[0].block != finding.accesses[1].block
            # For each side, the first accesses by two threads: either may race with a later one.
            seen: dict[tuple[int, ...], tuple[dict[int, int], dict[int, int]]] = {}
            rows = begin + np.flatnonzero((first | second)[begin:end])
            columns = (rows, self.table["index"][rows], self.who[rows], self.phase[rows], first[rows], second[rows])
            for at, index, who, phase, is_first, is_second in zip(
                *(column.tolist() for column in columns), strict=True
            ):
                block = who // BLOCK
                sides = seen.setdefault((index,) if grid else (index, block, phase), ({}, {}))
                mine = block if grid else who
                for ours, theirs, is_ours in ((sides[0], sides[1], is_first), (sides[1], sides[0], is_second)):
                    if not is_ours:
                        continue
                    before = min((step for who, step in theirs.items() if who != mine), default=None)
                    if before is not None and (index not in pairs or at - begin < pairs[index].second):
                        pairs[index] = Racing(index, before - begin, at - begin)
                    if len(ours) < 2:
                        ours.setdefault(mine, at)
        return sorted(pairs.values(), key=lambda pair: pair.second)


def select(trace: Trace, array: int, blocks: Sequence[int], owner: int | None = None) -> Events:
    """The events of `blocks`; `array` is the number of the array to draw, in the shared memory of block `owner` if that
    is given."""
    table = landings_as_writes(trace.events[np.isin(trace.events["block"], blocks)])
    position = np.searchsorted(sorted(blocks), table["block"])
    who = position * BLOCK + table["thread"]
    order = np.argsort(who, kind="stable")
    left = np.cumsum(table["action"][order] == _LEAVE)
    start = np.flatnonzero(np.diff(who[order], prepend=-1))
    phase = np.zeros(len(table), dtype=int)
    phase[order] = left - np.repeat(left[start], np.diff(np.append(start, len(table)))) if len(table) else 0
    mine = table["array"] == array
    return Events(table, who, phase, mine if owner is None else mine & (table["owner"] == owner))


def _number(access: Access, timeline: Timeline) -> int:
    """The thread of `access`, as in `Mark`; -1 for one of another block."""
    block, thread = (
        x + extent[0] * (y + extent[1] * z)
        for (x, y, z), extent in ((access.block, timeline.grid), (access.thread, timeline.block))
    )
    return timeline.blocks.index(block) * BLOCK + thread if block in timeline.blocks else -1


def _flat(index: tuple[int, ...], shape: tuple[int, ...]) -> int:
    flat = 0
    for i, place in enumerate(index):
        flat = flat * (shape[i] if i and i < len(shape) else 1) + place
    return flat


def from_run(
    run: Run,
    array: str,
    block: int = 0,
    shape: tuple[int, ...] = (),
    extents: tuple[Dim3, Dim3] | None = None,
) -> Timeline:
    """The timeline of one block of a traced run, about one array of this shape; by default the
    array ends with its last accessed element. `extents` are those of grid and block.

    Raises:
        ValueError: the run has no trace, or nobody in this block accessed `array`.
    """
    if run.trace is None or array not in run.trace.arrays:
        raise ValueError(f"the trace has no array {array!r}")
    events = select(run.trace, run.trace.arrays.index(array), [block])
    if not events.mine.any():
        raise ValueError(f"nobody in block {block} touched {array!r}")
    shape = shape or (int(events.table["index"][events.mine].max()) + 1,)
    base = Timeline(array, len(np.unique(events.who)), 0, (), (), shape=shape, blocks=(block,))
    base = replace(base, warps=len(np.unique(events.who // WARP)))
    if extents:
        base = replace(base, grid=extents[0], block=extents[1])
    races = [f for f in run.findings if f.kind is Kind.RACE and f.accesses[0].array == array]
    line = events.timeline(base, 0, len(events.table))
    racing = events.racing(races, 0, len(events.table))
    for finding in races:
        first, second = finding.accesses
        if pair := events.pair((first, second), base):
            return with_race(line, events, pair, (first.line, second.line), racing, 0)
    return replace(line, racing=tuple(racing))


def with_race(
    line: Timeline, events: Events, pair: tuple[int, int], lines: tuple[int, int], racing: list[Racing], begin: int
) -> Timeline:
    """`line` with the drawn race first, shown by the accesses that are drawn."""
    first, second = events.marks(np.array(pair), begin)
    drawn = Racing(first.index, *sorted((first.at, second.at)))
    theirs = [other for other in racing if other.index != drawn.index]
    return replace(line, race=(first, second), race_lines=lines, racing=(drawn, *theirs))
