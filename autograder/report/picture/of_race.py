"""The picture of a race: the warps of its block, or of its two blocks, over time, with the two accesses marked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...findings import Access, Dim3, Finding
from ...run import Run, Trace
from .data import encode
from .from_trace import Events, select, with_race
from .timeline import WARP, Timeline

#: Where there are more warps, or barriers, or events, a part is drawn: some warps, and the barrier intervals around
#: the race, or so many events around it. A picture is kept with each result, so it may have so many bytes as data.
_MOST_WARPS, _SOME_WARPS, _MOST_BARRIERS = 8, 4, 4
_MOST_EVENTS = (12_000, 4_000, 1_000)
_MOST_BYTES = 16_000
_MOST_RACING = 300


def picture_of_race(run: Run, finding: Finding, grid: Dim3, block: Dim3) -> Timeline | None:
    """What the trace of `run.counterexample`, or else of the ordinary order, shows of a race; None where there is no
    trace, or too much lies between the two accesses to be drawn.

    Args:
        finding: a race of `run`, of a launch with this `grid` and `block`.
    """
    if run.race_trace is None:
        return None
    one, two = finding.accesses
    pairs = [(one, two)]
    if run.counterexample:  # the accesses that the report tells of, if they are drawn at all
        pairs.insert(0, (run.counterexample.first, run.counterexample.second))
    for first, second in pairs:
        if first.array and (drawn := _draw(run.race_trace, first, second, finding, grid, block)):
            return drawn
    return None


def _draw(trace: Trace, first: Access, second: Access, race: Finding, grid: Dim3, block: Dim3) -> Timeline | None:
    named = zip(trace.arrays, trace.spaces, strict=True)
    array = next((i for i, one in enumerate(named) if one == (first.array, first.space)), None)
    if array is None:
        return None
    blocks = sorted({x + grid[0] * (y + grid[1] * z) for x, y, z in (first.block, second.block)})
    shape = trace.shapes[array] or (1,)
    threads = block[0] * block[1] * block[2]
    line = Timeline(first.array, threads, 0, (), (), shape=shape, blocks=tuple(blocks), grid=grid, block=block)
    events = select(trace, array, blocks)
    pair = events.pair((first, second), line)
    if pair is None:
        return None
    events, pair, warps = _some_warps(events, pair)
    for most in _MOST_EVENTS:
        window = _window(events, pair, most)
        if window is None:
            return None
        begin, end = window
        drawn = events.timeline(replace(line, warps=warps), begin, end)
        racing = events.racing([race], begin, end)[:_MOST_RACING]
        lines = (first.line, second.line)
        drawn = with_race(drawn, events, (pair[0], pair[1]), lines, racing, begin)
        if len(encode(drawn)) <= _MOST_BYTES:
            return drawn
    return None


def _some_warps(events: Events, pair: tuple[int, int]) -> tuple[Events, tuple[int, int], int]:
    """The events of the warps to be drawn, where the pair stands among them, and how many warps there are."""
    warp = events.who // WARP
    every = [int(one) for one in np.unique(warp)]
    if len(every) <= _MOST_WARPS:
        return events, pair, len(every)
    racing = {int(warp[at]) for at in pair}
    others = [one for one in every if one not in racing]
    kept = np.isin(warp, [*racing, *others[: _SOME_WARPS - len(racing)]])
    place = np.cumsum(kept) - 1
    return events.of(kept), (int(place[pair[0]]), int(place[pair[1]])), len(every)


def _window(events: Events, pair: tuple[int, int], most: int) -> tuple[int, int] | None:
    """From which step to before which one to draw; None where the two accesses are further apart."""
    total = len(events.table)
    first, last = min(pair), max(pair)
    begin, end = 0, total
    if int(events.phase.max()) > _MOST_BARRIERS:
        # The interval of the race, and one on either side.
        phases = events.phase[list(pair)]
        near = np.flatnonzero((events.phase >= phases.min() - 1) & (events.phase <= phases.max() + 1))
        begin, end = min(int(near[0]), first), max(int(near[-1]), last) + 1
    if end - begin > most:
        spare = most - (last - first) - 1
        if spare < 0:
            return None
        begin = max(begin, min(first - spare // 2, end - most))
        end = min(end, begin + most)
    return begin, end
