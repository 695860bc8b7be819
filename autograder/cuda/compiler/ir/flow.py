"""Analyzes a function's control flow: which block leads to which, and its loops.

Loops are LLVM's natural loops: a block that dominates a block which branches back to it, and all blocks between. A
loop's region also includes its exits, up to where all paths out of it meet, its immediate post-dominator.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from .model import Function, Terminator

#: In a function with more blocks, we don't look for loops, but only for where they go round: finding them might take
#: longer than compiling it, and hardly anyone writes a function of that size by hand.
_MAX_BLOCKS = 2000


@dataclass
class Loop:
    """A loop. Blocks are numbers, in the order of the text."""

    header: int
    body: set[int]  # the blocks that lead back to the header
    region: set[int]  # and the ways out of it, up to where they meet


def successors(function: Function) -> list[list[int]]:
    """Return each block's successors, in the order of its terminator."""
    labels = {block.label: i for i, block in enumerate(function.blocks)}
    ends = (block.instructions[-1] for block in function.blocks)
    return [[labels[label] for label in end.labels] if isinstance(end, Terminator) else [] for end in ends]


def predecessors(after: list[list[int]]) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in after]
    for i, those in enumerate(after):
        for b in set(those):
            before[b].append(i)
    return before


def loop_heads(function: Function) -> set[int]:
    """Return the blocks to which a jump goes back, as seen from the function's entry: every cycle has one. Where
    `find_loops` finds all loops, these are their headers."""
    after = successors(function)
    heads: set[int] = set()
    entered, left = {0}, set[int]()
    path = [(0, iter(after[0]))]
    while path:
        block, ahead = path[-1]
        target = next(ahead, None)
        if target is None:
            left.add(block)
            path.pop()
        elif target not in entered:
            entered.add(target)
            path.append((target, iter(after[target])))
        elif target not in left:
            heads.add(target)
    return heads


def find_loops(function: Function) -> list[Loop] | None:
    """Find the natural loops, one for each header; None if there are others (a `goto` into a loop), or too many blocks
    to look."""
    heads = loop_heads(function)
    if len(function.blocks) > _MAX_BLOCKS:
        return None if heads else []
    after = successors(function)
    entered = reached([0], after, set())
    before = [[b for b in those if b in entered] for those in predecessors(after)]
    dominators = _dominators(range(len(after)), {0}, before)
    bodies: dict[int, set[int]] = {}
    for i in sorted(entered):
        for header in after[i]:
            if dominators[i] >> header & 1:
                body = bodies.setdefault(header, {header})
                body |= reached([i], before, body)
    if bodies.keys() != heads:
        return None
    if not bodies:
        return []
    returns = {i for i, block in enumerate(function.blocks) if block.instructions[-1].opcode == "ret"}
    ahead = _post_dominators(after, returns)
    loops = []
    for header, body in bodies.items():
        ways_out = [b for i in sorted(body) for b in after[i] if b not in body]
        # A block among a loop's blocks that isn't part of the loop leads out of it, by a `return` if it can.
        leaving = {i for i in range(min(body), max(body)) if i not in body and returns & set(after[i])}
        meeting = None
        if leaving:
            staying = [[b for b in those if i not in leaving or b not in returns] for i, those in enumerate(after)]
            meeting = _meeting(ways_out, _post_dominators(staying, returns))
        if meeting is None:
            meeting = _meeting(ways_out, ahead)
        around = {other for other, theirs in bodies.items() if other != header and header in theirs}
        barred = returns | around | ({meeting} if meeting is not None else set())
        loops.append(Loop(header, body, body | reached(ways_out, after, barred)))
    return loops


def _meeting(ways_out: list[int], ahead: list[int]) -> int | None:
    """Return the block where all paths out of a loop meet; None if there is none."""
    everything = (1 << len(ahead)) - 1
    common = reduce(int.__and__, (ahead[i] for i in ways_out), everything)
    return next((i for i, those in enumerate(ahead) if those == common != everything), None)


def meeting_points(function: Function) -> list[int | None]:
    """For each block, where all paths from it to a `ret` meet again; None if they do nowhere."""
    after = successors(function)
    returns = {i for i, block in enumerate(function.blocks) if block.instructions[-1].opcode == "ret"}
    ahead = _post_dominators(after, returns)
    at = {those: i for i, those in enumerate(ahead)}
    return [at.get(those & ~(1 << i)) for i, those in enumerate(ahead)]


def reached(starts: Iterable[int], next_ones: list[list[int]], barred: set[int]) -> set[int]:
    """Return the blocks reachable from `starts` without entering a block of `barred`."""
    found: set[int] = set()
    ahead = list(starts)
    while ahead:
        i = ahead.pop()
        if i not in found and i not in barred:
            found.add(i)
            ahead += next_ones[i]
    return found


def _post_dominators(after: list[list[int]], returns: set[int]) -> list[int]:
    return _dominators(range(len(after) - 1, -1, -1), returns, after)


def _dominators(order: range, starts: set[int], before: list[list[int]]) -> list[int]:
    """For each block, as bits, the blocks on every path to it from `starts`; all of them if there is no path."""
    everything = (1 << len(before)) - 1
    found = [1 << i if i in starts else everything for i in range(len(before))]
    changed = True
    while changed:
        changed = False
        for i in order:
            passed = reduce(int.__and__, (found[b] for b in before[i]), everything) | 1 << i
            if i not in starts and passed != found[i]:
                found[i] = passed
                changed = True
    return found
