"""What two threads do to one element, step by step, and the result of each order of their steps.

A trace tells who read and who wrote, in the order that the emulator chose; it holds no values. So the
values are worked out: what each update adds follows from the element before and after the whole launch,
and the steps are then played again, in the emulator's order and in every other one that nothing forbids.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.cuda.core.run import TRACE_ACTIONS

from .traced import ATOMIC, READ, Traced

#: For each thread; more steps would not fit, and have too many orders.
_MOST_STEPS = 4


@dataclass(frozen=True)
class Step:
    """One step of a thread: it reads `value`, writes it, or produces it in one atomic operation.

    `stale` marks a write based on a value that the element no longer held.
    """

    thread: int
    action: str
    value: float
    stale: bool


@dataclass(frozen=True)
class Order:
    """All steps in one order; `end` is the element afterwards."""

    steps: tuple[Step, ...]
    end: float


@dataclass(frozen=True)
class Interleaving:
    """Two threads at one element. `right` is its value if no update is lost; `orders` is how many orders the
    steps have, and `losing` of them end with another value. `seen` is the emulator's order, `other` one that
    loses an update, or else one in which the other thread is first."""

    element: str
    threads: tuple[int, int]
    names: tuple[str, str]
    start: float
    adds: float
    right: float
    orders: int
    losing: int
    seen: Order
    other: Order


def from_trace(traced: Traced, array: str, index: int, threads: Sequence[int] = (), block: int = 0) -> Interleaving:
    """Return what two threads of a block (by default the first two that access it) do to one element.

    Raises:
        ValueError: the element is not in an argument, the two do not access it, a barrier separates them,
            or they do anything but add.
    """
    number = traced.array(array)
    what = traced.arrays[number]
    if what.space != "global":
        raise ValueError(
            f"'{array}' is {what.space} memory, and only the values of arguments are known: use one of those."
        )
    mine = traced.select(array)
    mine = mine[mine["index"] == index]
    here = mine[mine["block"] == block]
    there = list(dict.fromkeys(int(access) for access in here["thread"]))
    chosen = tuple(threads) or tuple(there[:2])
    if len(chosen) != 2 or not set(chosen) <= set(there) or len(set(chosen)) != 2:
        raise ValueError(
            f"{traced.file}: ':threads:' takes two threads of block {block} that touch {what.element(index)}; "
            f"these do: {', '.join(map(str, there)) or 'none'}."
        )
    start = _plain(traced.start[number].flat[index])
    end = _plain(traced.run.outputs[number].flat[index])
    updates = _play(
        [(int(access["block"]) << 32 | int(access["thread"]), int(access["action"])) for access in mine], 0, 1
    ).end
    if not updates:
        raise ValueError(f"{traced.file}: nobody reads and then writes {what.element(index)}, so nothing can be lost.")
    adds = _plain((end - start) / updates)
    if not adds:
        raise ValueError(f"{traced.file}: {what.element(index)} is {start} before and after: choose one that changes.")
    both = here[np.isin(here["thread"], chosen)]
    if len(np.unique(both["interval"])) > 1:
        raise ValueError(
            f"{traced.file}: a barrier orders threads {chosen[0]} and {chosen[1]} at {what.element(index)}."
        )
    steps = [(chosen.index(int(access["thread"])), int(access["action"])) for access in both]
    first, two = ([step for step in steps if step[0] == which] for which in (0, 1))
    if max(len(first), len(two)) > _MOST_STEPS:
        raise ValueError(
            f"{traced.file}: more than {_MOST_STEPS} steps of a thread at {what.element(index)}: launch it smaller."
        )
    every = [_play(order, start, adds) for order in _merges(first, two)]
    right = start + adds * sum(action != READ for _, action in steps)
    lost = [order for order in every if order.end != right]
    return Interleaving(
        what.element(index),
        (chosen[0], chosen[1]),
        (traced.thread_name(chosen[0]), traced.thread_name(chosen[1])),
        start,
        adds,
        right,
        len(every),
        len(lost),
        _play(steps, start, adds),
        lost[0] if lost else every[-1],
    )


def _plain(value: float) -> float:
    """Return an integral value as an int, so that it is printed as one."""
    return int(value) if float(value).is_integer() else float(value)


def _merges(first: list[tuple[int, int]], two: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Yield every order of two lists of steps that keeps the order of each."""
    if not first or not two:
        yield [*first, *two]
        return
    for rest in _merges(first[1:], two):
        yield [first[0], *rest]
    for rest in _merges(first, two[1:]):
        yield [two[0], *rest]


def _play(steps: Sequence[tuple[int, int]], start: float, adds: float) -> Order:
    """Return the steps (thread, action) in this order: a write stores what the thread last read, plus `adds`.

    Raises:
        ValueError: a thread writes without having read.
    """
    value: float = start
    had: dict[int, float] = {}
    out = []
    for thread, action in steps:
        stale = False
        if action == READ:
            had[thread] = value
        elif action == ATOMIC:
            value += adds
        elif thread not in had:
            raise ValueError("a thread writes the element without having read it, so it does not add to it.")
        else:
            stale = had[thread] != value
            value = had[thread] + adds
        out.append(Step(thread, TRACE_ACTIONS[action], value, stale))
    return Order(tuple(out), value)
