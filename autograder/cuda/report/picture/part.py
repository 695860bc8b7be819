"""Choose which part of a long run to draw: some of its warps, and a range of time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .data import encode
from .from_trace import Events
from .timeline import WARP, Timeline

#: Of more warps, barriers or events, only a part is drawn: some warps, and the barrier intervals around what the
#: report is about, or this many events around it.
_MOST_WARPS, _SOME_WARPS, _MOST_BARRIERS = 8, 4, 4
_MOST_EVENTS = (12_000, 4_000, 1_000)
#: The most bytes of a picture's data, since it is stored with each result.
_MOST_BYTES = 16_000


def some_warps(events: Events, reported: Sequence[int]) -> tuple[Events, list[int], int]:
    """Return the events of the warps to draw, the positions of the `reported` events among them, and the number of
    warps. Of many warps, those of `reported` are drawn, and some others."""
    warp = events.who // WARP
    every = [int(number) for number in np.unique(warp)]
    if len(every) <= _MOST_WARPS:
        return events, list(reported), len(every)
    wanted = {int(warp[at]) for at in reported}
    others = [number for number in every if number not in wanted]
    shown = np.isin(warp, [*wanted, *others[: max(_SOME_WARPS - len(wanted), 0)]])
    place = np.cumsum(shown) - 1
    return events.of(shown), [int(place[at]) for at in reported], len(every)


def _window(events: Events, reported: Sequence[int], most: int) -> tuple[int, int] | None:
    """The steps to draw, from the first to before the second; None if the `reported` events are further apart."""
    first, last = min(reported), max(reported)
    begin, end = 0, len(events.table)
    if int(events.phase.max()) > _MOST_BARRIERS:
        # The intervals of the told events, and one on either side.
        phases = events.phase[list(reported)]
        near = np.flatnonzero((events.phase >= phases.min() - 1) & (events.phase <= phases.max() + 1))
        begin, end = min(int(near[0]), first), max(int(near[-1]), last) + 1
    if end - begin > most:
        spare = most - (last - first) - 1
        if spare < 0:
            return None
        begin = max(begin, min(first - spare // 2, end - most))
        end = min(end, begin + most)
    return begin, end


def longest(events: Events, reported: Sequence[int], draw: Callable[[int, int], Timeline]) -> Timeline | None:
    """What `draw` makes of the longest range around `reported` that a picture can hold; None if there is none."""
    for most in _MOST_EVENTS:
        stretch = _window(events, reported, most)
        if stretch is None:
            return None
        drawn = draw(*stretch)
        if len(encode(drawn)) <= _MOST_BYTES:
            return drawn
    return None
