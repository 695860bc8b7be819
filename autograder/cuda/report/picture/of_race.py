"""The picture of a race: the warps of its block, or of its two blocks, over time, with the two accesses marked."""

from __future__ import annotations

from dataclasses import replace

from ...core.findings import Access, Dim3, Race
from ...core.run import Run, Trace
from .from_trace import select, with_race
from .part import longest, some_warps
from .timeline import Timeline

#: Elements that are marked, since each takes some bytes.
_MOST_RACING = 300


def picture_of_race(run: Run, finding: Race, grid: Dim3, block: Dim3) -> Timeline | None:
    """What `run.evidence` shows of a race; None if there is no evidence, or too much lies between the two accesses.

    Args:
        finding: a race of `run`, of a launch with this `grid` and `block`.
    """
    if run.evidence is None:
        return None
    pairs = [finding.accesses[:2]]
    if run.counterexample:  # the accesses in the report, if they are drawn at all
        pairs.insert(0, (run.counterexample.first, run.counterexample.second))
    for first, second in pairs:
        if first.array and (drawn := _draw(run.evidence, first, second, finding, grid, block)):
            return drawn
    return None


def _draw(trace: Trace, first: Access, second: Access, race: Race, grid: Dim3, block: Dim3) -> Timeline | None:
    named = zip(trace.arrays, trace.spaces, strict=True)
    array = next((i for i, name in enumerate(named) if name == (first.array, first.space)), None)
    if array is None:
        return None
    blocks = sorted({_linear(access.block, grid) for access in (first, second)})
    owner = _linear(first.owner or first.block, grid) if first.space == "shared" else None
    from_afar = first.owner or second.owner
    shape = trace.shapes[array] or (1,)
    threads = block[0] * block[1] * block[2]
    line = Timeline(first.array, threads, 0, (), (), shape=shape, blocks=tuple(blocks), grid=grid, block=block)
    line = replace(line, owner=owner if from_afar else None)
    events = select(trace, array, blocks, owner)
    pair = events.pair((first, second), line)
    if pair is None:
        return None
    events, pair_at, warps = some_warps(events, pair)

    def draw(begin: int, end: int) -> Timeline:
        drawn = events.timeline(replace(line, warps=warps), begin, end)
        racing = events.racing([race], begin, end)[:_MOST_RACING]
        return with_race(drawn, events, (pair_at[0], pair_at[1]), (first.line, second.line), racing, begin)

    return longest(events, pair_at, draw)


def _linear(block: Dim3, grid: Dim3) -> int:
    x, y, z = block
    return x + grid[0] * (y + grid[1] * z)
