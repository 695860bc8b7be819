"""Races, barriers and warp functions in words."""

from __future__ import annotations

from ..core.findings import AbsentLane, BarrierDivergence, InvalidWarpMask, Kind, Race
from .kinds import rule
from .layout import Part, Row
from .rule import Rule
from .vocabulary import SPACES, VERBS, Names, Said, count, element_of, join, place_of, printable, start

#: The calls that would have waited for an asynchronous copy, by name.
_WAITS = {
    "prior": "__pipeline_wait_prior()",
    "group": "wait(group)",
    "barrier": "wait() on its cuda::barrier",
    "pipeline": "consumer_wait()",
}


def tell_race(finding: Race, names: Names) -> Said:
    if finding.unawaited:
        return _tell_early_use(finding, names)
    first, second = finding.accesses
    scope, hazard, atomic = finding.scope, finding.hazard, finding.atomic
    both_atomic = first.action == second.action == "atomic"
    element = element_of(second)
    placed = element + place_of(second)
    intro = {
        "block": f"In block {names.block(second)}, two threads use {placed} with no barrier between them",
        "warp": f"In block {names.block(second)}, two threads of one warp use {placed} with nothing to order them",
        "grid": f"Two blocks use {placed}, and nothing orders one block before another",
    }[scope]
    if both_atomic:
        intro = f"Two blocks update {placed}, and not every update is atomic beyond its own block"
    intro += ", only one of them atomically:" if atomic and not both_atomic else ":"
    one, two = (names.both(a) if scope == "grid" else f"thread {names.thread(a)}" for a in (first, second))
    if hazard == "read-after-write":
        done = "updated" if first.action == "atomic" else "written"
        danger = f"{start(two)} may read {element} before {one} has {done} it."
    elif hazard == "write-after-read":
        does = "update" if second.action == "atomic" else "overwrite"
        danger = f"{start(two)} may {does} {element} before {one} has read it."
    elif finding.same_value:
        danger = (
            "Both write the same value here, so the result comes out right; CUDA still promises "
            "nothing for two plain writes to one element without an order."
        )
    elif both_atomic:
        danger = f"Each may read {element} before the other has stored its update; then one of the updates is lost."
    elif atomic:
        danger = f"If the plain write comes last, the atomic update of {element} is lost."
    else:
        danger = f"One of the two values is lost, and which one stays in {element} is left to chance."
    if finding.count > 1:
        lines = "The same line races" if first.line == second.line else "The same lines race"
        of = f" of {second.array}" if second.array else ""
        danger += f"\n{lines} on {count(finding.count - 1, 'more element')}{of}."
    rows = names.rows(finding.accesses, blocks=scope == "grid")
    return Said((intro, rows, danger), _race_rule(finding))


def _tell_early_use(finding: Race, names: Names) -> Said:
    """A thread uses the destination of an asynchronous copy, its own or another's, before the copy has landed."""
    first, second = finding.accesses
    is_first = first.line == finding.copy_line and first.action == "write"
    copy, use = (first, second) if is_first else (second, first)
    own = (copy.block, copy.thread) == (use.block, use.thread)
    whose = "its own copy" if own else f"the copy that {names.both(copy)} has started"
    element = element_of(use)
    wait = _WAITS[finding.unawaited]
    danger = f"Which of the two values stays in {element} is left to chance."
    if use.action == "read":
        danger = "What it gets may be the copied value, or still the old one."
    danger += f"\nNo {wait} for that copy stands between, and a barrier between threads does not wait for copies."
    if finding.count > 1:
        danger += f"\nThe same lines do so with {count(finding.count - 1, 'more element')} of {second.array}."
    intro = f"{start(names.both(use))} {VERBS[use.action]} {element} while {whose} may still be on its way:"
    return Said((intro, names.rows(finding.accesses), danger), rule(Kind.RACE, f"copy: {finding.unawaited}"))


def _race_rule(finding: Race) -> Rule:
    first, second = finding.accesses
    scope, hazard = finding.scope, finding.hazard
    same_line = first.line == second.line
    if first.action == second.action == "atomic":
        situation = "atomics of a block"
    elif finding.atomic:
        situation = "atomic and plain, in the grid" if scope == "grid" else "atomic and plain"
    elif same_line and hazard == "write-after-write" and not finding.changes:
        situation = "one writer"
    elif same_line and scope == "grid" and finding.changes:
        situation = "a change, in the grid"
    elif same_line and hazard == "write-after-write":
        situation = "a change"
    elif scope == "grid":
        situation = "between blocks"
    elif same_line:
        situation = "one statement"
    else:
        situation = "in a warp" if scope == "warp" else hazard
    return rule(Kind.RACE, situation).of(
        until="In one launch" if scope == "grid" else "Between one barrier and the next",
        space=SPACES.get(second.space or "", "memory"),
    )


def tell_divergence(finding: BarrierDivergence, names: Names) -> Said:
    warp = finding.scope == "warp"
    waiting = finding.waiting
    first = finding.accesses[0]
    calls = [f"the {group.function}()" if group.function else "the barrier" for group in waiting]
    number = waiting[0].threads
    sites = [f"{number} of {finding.threads} threads {_wait(number)} at {calls[0]} in line {waiting[0].line}"]
    for call, before, group in zip(calls[1:], calls, waiting[1:], strict=False):
        at = "the one" if call == before else call
        sites.append(f"{group.threads} {_wait(group.threads)} at {at} in line {group.line}")
    if finding.exited:
        sites.append(f"{finding.exited} {'has' if finding.exited == 1 else 'have'} left the kernel")
    where = f"In {'a warp of ' if warp else ''}block {names.block(first)}"
    if finding.scope == "grid":
        where = "In the whole grid"
    rows = tuple(Row(count(group.threads, "thread"), group.line, printable(group.text)) for group in waiting)
    width = max(len(row.who) for row in rows)
    parts: list[Part] = [
        f"{where}, {join(sites)}:",
        tuple(Row(row.who.rjust(width), row.line, row.text) for row in rows),
    ]
    if finding.scope == "grid":
        parts.append("A barrier of the whole grid opens only when every thread of every block waits at it.")
        return Said(tuple(parts), rule(Kind.BARRIER_DIVERGENCE, "grid"))
    if finding.in_warp_function:
        parts.append(
            "A lane that calls a shuffle or vote waits until all lanes of its mask have called the same function with "
            "the same mask. These never will: a GPU would wait for ever, or exchange values that mean nothing."
        )
        return Said(tuple(parts), rule(Kind.BARRIER_DIVERGENCE, "warp function"))
    if len(waiting) > 1:
        parts.append("Threads that wait at different barriers do not wait for each other.")
    elif finding.exited:
        parts.append(
            "CUDA leaves it undefined what a barrier does for threads that never reach it. A GPU since "
            "Volta lets the waiting ones pass when the others have left, older ones may hang."
        )
    else:
        parts.append("The waiting threads would wait for ever, or pass before the others are ready.")
    return Said(tuple(parts), rule(Kind.BARRIER_DIVERGENCE, finding.scope))


def _wait(threads: int) -> str:
    return "waits" if threads == 1 else "wait"


def tell_warp_mask(finding: InvalidWarpMask, names: Names) -> Said:
    mask, lane = finding.mask, finding.lane
    named = bool(mask >> lane & 1)
    wrong = f"lane {lane} is named in it but does not take part" if named else f"it leaves out lane {lane}"
    return Said(
        (
            f"{start(names.both(finding.accesses[0]))} calls a warp function with the mask {mask:#010x}, and {wrong}:",
            tuple(Row(f"thread {names.thread(a)} calls", a.line, printable(a.text)) for a in finding.accesses),
            "What the lanes exchange is then undefined.",
        ),
        rule(Kind.INVALID_WARP_MASK),
    )


def tell_absent_lane(finding: AbsentLane, names: Names) -> Said:
    """A shuffle reads the value of a lane that does not take part in it."""
    why = {
        "unnamed": f"which the mask {finding.mask:#010x} does not name",
        "left": "which has left the kernel",
        "absent": "which has no thread: the block ends before it",
    }[finding.source]
    return Said(
        (
            f"{start(names.both(finding.accesses[0]))} asks a shuffle for the value of lane {finding.lane}, {why}:",
            tuple(Row(f"thread {names.thread(a)} calls", a.line, printable(a.text)) for a in finding.accesses),
            "What it gets is undefined, and the results change with it. A GPU would give some number, and not say so.",
        ),
        rule(Kind.INVALID_WARP_MASK, "absent lane"),
    )
