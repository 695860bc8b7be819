"""The picture of a barrier that never opens: the warps of its block over time, and where their threads stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core.findings import BarrierDivergence, Dim3
from ...core.run import TRACE_ACTIONS, Run
from .from_trace import Events, select
from .part import longest, some_warps
from .timeline import WARP, Stuck, Timeline

_ARRIVE, _EXIT = (TRACE_ACTIONS.index(action) for action in ("barrier", "exit"))


def picture_of_barrier(run: Run, finding: BarrierDivergence, grid: Dim3, block: Dim3) -> Timeline | None:
    """What `run.evidence` shows of a __syncthreads() that only some threads reach; None if there is no evidence, it is
    another barrier, or the block has accessed no array.

    Args:
        finding: what stopped `run`, of a launch with this `grid` and `block`.
    """
    if run.evidence is None or finding.scope != "block" or finding.in_warp_function:
        return None
    x, y, z = finding.accesses[0].block
    number = x + grid[0] * (y + grid[1] * z)
    touched = run.evidence.events[run.evidence.events["block"] == number]["array"]
    counts = np.bincount(touched[touched >= 0], minlength=len(run.evidence.arrays))
    shared = np.array([space == "shared" for space in run.evidence.spaces])
    if not counts.any():
        return None
    array = int(np.argmax(counts * (shared | ~(counts * shared).any())))  # preferably one that the threads share
    events = select(run.evidence, array, [number])
    stuck = _stuck(events)
    last = {warp: np.flatnonzero(events.who // WARP == warp)[-1] for warp in {item.warp for item in stuck}}
    alike: dict[tuple[tuple[int, bool], ...], int] = {}
    for warp in sorted(last):  # one warp stands for all that do the same
        alike.setdefault(tuple((item.line, item.threads < WARP) for item in stuck if item.warp == warp), warp)
    shape, threads = run.evidence.shapes[array] or (1,), block[0] * block[1] * block[2]
    events, _, warps = some_warps(events, [int(last[warp]) for warp in alike.values()])
    line = Timeline(
        run.evidence.arrays[array],
        threads,
        0,
        (),
        (),
        shape=shape,
        warps=warps,
        blocks=(number,),
        grid=grid,
        block=block,
    )

    def draw(begin: int, end: int) -> Timeline:
        ends = tuple(replace(item, at=max(item.at - begin, 0)) for item in _stuck(events))
        return replace(events.timeline(line, begin, end), stuck=ends)

    return longest(events, [len(events.table) - 1], draw)


def _stuck(events: Events) -> tuple[Stuck, ...]:
    """Where the threads of each warp are at the end."""
    reverse = len(events.who) - 1 - np.arange(len(events.who))
    threads, first = np.unique(events.who[reverse], return_index=True)
    last = reverse[first]
    found = []
    for warp in np.unique(threads // WARP):
        of_warp = last[threads // WARP == warp]
        waiting, gone = (
            of_warp[events.table["action"][of_warp] == _ARRIVE],
            of_warp[events.table["action"][of_warp] == _EXIT],
        )
        for line in np.unique(events.table["line"][waiting]):
            there = waiting[events.table["line"][waiting] == line]
            found.append(Stuck(int(warp), int(there.max()), int(line), len(there)))
        if len(gone):
            found.append(Stuck(int(warp), int(gone.max()), 0, len(gone)))
    return tuple(found)
