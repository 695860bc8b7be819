"""How much of what is copied kernels can hide, if each hides no more than it works on itself."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

#: What stands for a copy or a kernel.
_One = TypeVar("_One", bound=Hashable)


def most_hidden(copies: Mapping[_One, int], rooms: Mapping[_One, int], beside: Mapping[_One, Sequence[_One]]) -> int:
    """The most bytes of all copies together for which kernels have room: a largest flow from copies to kernels, by
    the shortest ways first (Edmonds and Karp).

    Args:
        copies: the bytes of each.
        rooms: of each kernel, the bytes that it can hide.
        beside: for each copy, the kernels that may run meanwhile.
    """
    hidden: dict[_One, dict[_One, int]] = defaultdict(dict)  # by kernel and copy
    free, total = dict(rooms), 0
    for copy, size in copies.items():
        left = size
        while left and (way := _way(copy, beside, hidden, free)):
            # From the kernel that has room back to the copy: each kernel in between gives a part of another copy away.
            bytes_ = min([left, free[way[0][1]], *(hidden[kernel][other] for other, kernel in _given_away(way))])
            for one, kernel in way:
                hidden[kernel][one] = hidden[kernel].get(one, 0) + bytes_
            for other, kernel in _given_away(way):
                hidden[kernel][other] -= bytes_
            free[way[0][1]] -= bytes_
            left -= bytes_
            total += bytes_
    return total


def _given_away(way: Sequence[tuple[_One, _One]]) -> list[tuple[_One, _One]]:
    """Each copy of which a kernel of the way gives a part away, and that kernel."""
    return [(copy, kernel) for (copy, _), (_, kernel) in pairwise(way)]


def _way(
    start: _One,
    beside: Mapping[_One, Sequence[_One]],
    hidden: Mapping[_One, Mapping[_One, int]],
    free: Mapping[_One, int],
) -> list[tuple[_One, _One]]:
    """From a kernel that has room back to the copy `start`: each copy, and the kernel that takes a part of it."""
    by: dict[_One, _One] = {}  # the copy by which a kernel was found
    found_by: dict[_One, _One | None] = {start: None}  # the kernel by which a copy was found
    waiting = deque([start])
    while waiting:
        copy = waiting.popleft()
        for kernel in beside.get(copy, ()):
            if kernel in by:
                continue
            by[kernel] = copy
            if free[kernel]:
                way = [(copy, kernel)]
                while (before := found_by[way[-1][0]]) is not None:
                    way.append((by[before], before))
                return way
            for other, bytes_ in hidden.get(kernel, {}).items():
                if bytes_ and other not in found_by:
                    found_by[other] = kernel
                    waiting.append(other)
    return []
