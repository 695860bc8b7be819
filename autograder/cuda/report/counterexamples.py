"""An order of the threads in which a race makes a result wrong, as a short story."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from ..core.findings import Access, Finding, Race, Scope
from ..core.run import Counterexample, Run
from ..core.setting import Setting
from .kinds import stops
from .vocabulary import VERBS, Names, count, element_of, indexed, start

Who = Callable[[Access], str]


def describe_orders(run: Run, setting: Setting | None, reported: Finding) -> str:
    """What other orders of the threads showed about the races of `run`; empty if there is nothing to say. `reported` is
    the race that was reported before: if that was in another block, the blocks are named."""
    example = run.counterexample
    if example is None:
        if not run.orders_all_right:
            return ""
        return (
            f"In all {count(run.orders_all_right, 'order')} of the threads that the emulator tried, the results came "
            "out right. CUDA promises none of these orders: another GPU or compiler may bring about one that is wrong."
        )
    accesses = [example.first, example.second, *([example.origin] if example.origin else [])]
    names = Names(accesses, setting)
    apart = len({access.block for access in (*accesses, *reported.accesses)}) > 1

    def who(access: Access) -> str:
        return names.both(access) if apart else f"thread {names.thread(access)}"

    lines = (f"Here is one way it goes wrong: {_order(example, who)}", _values(example, who), _result(example))
    return "\n".join(line for line in lines if line)


def race_of_story(example: Counterexample, setting: Setting, others: Iterable[Finding]) -> Race:
    """The race of `example`, told of the two accesses of its story, so that a report has one pair only. Where `others`
    are between warps, this one is not told as one of a warp: the same barrier ends them all."""
    race, x, y = example.finding, *(setting.block or (1, 1, 1))[:2]
    pair = [example.first, example.second]
    if (pair[0].line, pair[0].action) != (race.accesses[0].line, race.accesses[0].action):
        pair.reverse()
    warps = {(a.block, (a.thread[0] + x * (a.thread[1] + y * a.thread[2])) // 32) for a in pair}
    beyond = any(isinstance(o, Race) and (o.scope, o.hazard) == ("block", race.hazard) for o in others)
    in_warp = len(warps) == 1 and not beyond
    scope: Scope = "warp" if in_warp else "block"
    if pair[0].block != pair[1].block:
        scope = race.scope  # between blocks there is one rule for all of a cluster
    return replace(race, accesses=tuple(pair), scope=scope, same_value=False)


def _order(example: Counterexample, who: Who) -> str:
    first, second = example.first, example.second
    former, latter, element = who(first), who(second), element_of(second)
    copy_line = example.finding.copy_line
    if copy_line in (first.line, second.line):
        lands = second.action == "write" and second.line == copy_line
        return _order_of_copy(example, former, latter, lands)
    if example.lost_update:
        return (
            f"{former} reads {element} (line {first.line}) before {latter} has stored its change (line {second.line})."
        )
    if first.action == "write" and second.action == "write":
        return f"{former} writes {element} (line {first.line}), and then {latter} does (line {second.line})."
    so = ", so that the update is lost" if first.action == "atomic" and second.action == "write" else ""
    does = {"read": "reads", "write": "writes", "atomic": "updates"}[str(first.action)]
    done = {"read": "read", "write": "written", "atomic": "updated"}[str(second.action)]
    return f"{former} {does} {element} (line {first.line}) before {latter} has {done} it (line {second.line}){so}."


def _order_of_copy(example: Counterexample, former: str, latter: str, is_second: bool) -> str:
    """As `_order`, for an asynchronous copy and a use of its destination; `is_second`: the copy lands after the use."""
    first, second, element = example.first, example.second, element_of(example.second)
    if is_second:
        whose = "its own copy" if former == latter else f"the copy of {latter}"
        landed = f"{whose} (line {second.line}) has landed"
        return f"{former} {VERBS[first.action]} {element} (line {first.line}) before {landed}."
    whose = "its own copy" if former == latter else f"the copy of {former}"
    return (
        f"{latter} {VERBS[second.action]} {element} (line {second.line}) after {whose} (line {first.line}) has landed."
    )


def _values(example: Counterexample, who: Who) -> str:
    """What was read, or lost; empty if it is not known as a number."""
    first, second, origin = example.first, example.second, example.origin
    reader = next((access for access in (first, second) if access.action == "read"), None)
    if example.instead is None:
        return ""
    instead = _shown(example.instead)
    if example.value is None and reader is None:
        return ""
    if example.value is None:
        return f"No thread has left a value there yet; it should be {instead}." if origin is None else ""
    value = _shown(example.value)
    if example.lost_update:
        return f"Both have read {value}, and each changes that, so that one of the two changes is lost."
    if reader is None and "atomic" in (first.action, second.action):
        return ""
    if reader is None:
        return f"The {value} of {who(first)} is lost, and the {instead} of {who(second)} stays."
    if origin is None:
        return f"{start(who(reader))} gets {value}, which was there before the launch, and not {instead}."
    left = f", which {who(origin)} left there in line {origin.line}," if reader is first else ""
    return f"{start(who(reader))} gets {value}{left} and not {instead}."


def _result(example: Counterexample) -> str:
    if example.stop:
        return f"Then {stops(example.stop)}."
    got = "is never written" if example.got is None else f"is {_shown(example.got)}"
    return f"Then {indexed(example.output, example.index)} {got}; numpy expects {_shown(example.expected)}."


def _shown(value: np.generic | None) -> str:
    return str(value).lower() if isinstance(value, np.bool_) else str(value)
