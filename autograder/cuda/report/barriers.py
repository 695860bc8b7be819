"""Barriers and warp functions, in words."""

from __future__ import annotations

from ..core.findings import AbsentLane, BarrierDivergence, InvalidWarpMask, Kind, Waiting
from .about import About
from .parts import Part, Row
from .rule import Rule, Rules
from .vocabulary import Explanation, Names, count, join, printable, start

BARRIER_DIVERGENCE_RULES: Rules = {
    "grid": Rule(
        "Every thread of the grid must reach the same grid.sync(), as often as every other thread.",
        "reductions",
    ),
    "cluster": Rule(
        "Every thread of all blocks of a cluster must reach the same cluster.sync(), as often as every other thread.",
        "clusters",
    ),
    "warp function": Rule(
        "Every lane that the mask of a shuffle or vote names must call that same function with that same "
        "mask, unless it has left the kernel. In a branch, the mask names only the lanes that take the branch.",
        "reductions",
    ),
    "matrices": Rule(
        "All 32 lanes of a warp must call each matrix function together: none may have left the kernel or taken "
        "another branch, and a block that uses these functions has a multiple of 32 threads."
    ),
    "warpgroup": Rule(
        "All 128 threads of a warpgroup must reach each wgmma, wgmma.fence, wgmma.commit_group and wgmma.wait_group "
        "together, at the same place in the source.",
        "tensor-cores",
    ),
    "numbered barrier": Rule(
        "A numbered barrier opens when its count of threads has come to it, by bar.sync or bar.arrive: for one phase, "
        "add up which warps come."
    ),
    "warp": Rule("Every lane that the mask of a __syncwarp() names must reach that same __syncwarp().", "reductions"),
    "block": Rule(
        "All threads of a block must reach the same __syncthreads(): it must not be in a branch, or "
        "after a return, that only some threads take.",
        "barriers",
    ),
}

INVALID_WARP_MASK_RULES: Rules = {
    "": Rule(
        "The mask of a shuffle, vote or __syncwarp() names exactly the lanes that reach the call "
        "together, the caller among them.",
        "reductions",
    ),
    "absent lane": Rule(
        "A shuffle gets a value only from a lane that takes part in the same call: one that the mask names, and that "
        "has not left the kernel.",
        "reductions",
    ),
}


def describe_divergence(finding: BarrierDivergence, names: Names) -> Explanation:
    # A divergence among lanes may show only when no thread of the block gets on; then it counts the whole block.
    warp = finding.scope == "warp" and finding.threads <= 32
    waiting = finding.waiting
    first = finding.accesses[0]
    calls = [_call(group.function) for group in waiting]
    number = waiting[0].threads
    sites = [f"{number} of {finding.threads} threads {_wait(number)} at {calls[0]} {_where(waiting[0])}"]
    for call, before, group in zip(calls[1:], calls, waiting[1:], strict=False):
        at = "the one" if call == before else call
        sites.append(f"{group.threads} {_wait(group.threads)} at {at} {_where(group)}")
    if finding.exited:
        sites.append(f"{finding.exited} {'has' if finding.exited == 1 else 'have'} left the kernel")
    where = f"In {'a warp of ' if warp else ''}block {names.block(first)}"
    if finding.scope == "grid":
        where = "In the whole grid"
    if finding.scope == "cluster":
        where = f"In the cluster of block {names.block(first)}"
    rows = tuple(Row(count(group.threads, "thread"), group.line, printable(group.text)) for group in waiting)
    width = max(len(row.who) for row in rows)
    parts: list[Part] = [
        f"{where}, {join(sites)}:",
        tuple(Row(row.who.rjust(width), row.line, row.text) for row in rows),
    ]
    if any(group.inside for group in waiting):
        parts.append(
            "A compiler may put a function into each place that calls it. Then these threads are at different points "
            "of the program, and whether they wait for each other depends on the compiler."
        )
        rule = "warpgroup" if finding.of_warpgroup else "matrices" if finding.of_matrices else finding.scope
        return Explanation(tuple(parts), BARRIER_DIVERGENCE_RULES[rule])
    if finding.scope == "grid":
        parts.append("A barrier of the whole grid opens only when every thread of every block waits at it.")
        return Explanation(tuple(parts), BARRIER_DIVERGENCE_RULES["grid"])
    if finding.scope == "cluster":
        parts.append(
            "The barrier of a cluster is for every thread of all its blocks. A GPU may let the waiting ones pass once "
            "the others have left, but the shared memory of a block that has left is gone."
        )
        return Explanation(tuple(parts), BARRIER_DIVERGENCE_RULES["cluster"])
    if finding.of_warpgroup:
        parts.append(
            "The four warps of a warpgroup multiply together. Without all of its threads, PTX leaves the result "
            "undefined, and a GPU may hang."
        )
        return Explanation(tuple(parts), BARRIER_DIVERGENCE_RULES["warpgroup"])
    if finding.of_numbered_barrier:
        parts.append("The waiting threads would wait forever: no others come to that barrier in this phase.")
        return Explanation(tuple(parts), BARRIER_DIVERGENCE_RULES["numbered barrier"])
    if finding.of_matrices:
        parts.append(
            "A warp loads, stores and multiplies matrices as one, and each lane holds a part of them. Without all of "
            "its lanes, CUDA leaves the result undefined, and a GPU may hang."
        )
        return Explanation(tuple(parts), BARRIER_DIVERGENCE_RULES["matrices"])
    if finding.in_warp_function:
        parts.append(
            "A lane that calls a shuffle or vote waits until all lanes of its mask have called the same function with "
            "the same mask. These never will: a GPU would wait forever, or exchange values that mean nothing."
        )
        return Explanation(tuple(parts), BARRIER_DIVERGENCE_RULES["warp function"])
    if len(waiting) > 1 and len({group.line for group in waiting}) == 1:
        parts.append(
            "CUDA does not promise that threads wait for each other at different barriers, or in different rounds of a "
            "loop around one."
        )
    elif len(waiting) > 1:
        parts.append("CUDA does not promise that threads at different barriers wait for each other.")
    elif finding.exited:
        parts.append(
            "A GPU lets the waiting threads pass once the others have left. This course still asks for all threads: "
            "one that has left can do nothing more for its block."
        )
    else:
        parts.append("The waiting threads would wait forever, or pass before the others are ready.")
    return Explanation(tuple(parts), BARRIER_DIVERGENCE_RULES[finding.scope])


def _wait(threads: int) -> str:
    return "waits" if threads == 1 else "wait"


def _where(group: Waiting) -> str:
    return f"in line {group.inside}, called in line {group.line}" if group.inside else f"in line {group.line}"


def _call(function: str) -> str:
    if function in ("ldmatrix", "stmatrix", "movmatrix") or "." in function:  # instructions of inline PTX
        return f"the {function}"
    return f"the {function}()" if function else "the barrier"


def describe_warp_mask(finding: InvalidWarpMask, names: Names) -> Explanation:
    mask, lane = finding.mask, finding.lane
    named = bool(mask >> lane & 1)
    wrong = f"lane {lane} is named in it but does not take part" if named else f"it leaves out lane {lane}"
    return Explanation(
        (
            f"{start(names.both(finding.accesses[0]))} calls a warp function with the mask {mask:#010x}, and {wrong}:",
            tuple(Row(f"thread {names.thread(a)} calls", a.line, printable(a.text)) for a in finding.accesses),
            "What the lanes exchange is then undefined.",
        ),
        INVALID_WARP_MASK_RULES[""],
    )


def describe_absent_lane(finding: AbsentLane, names: Names) -> Explanation:
    """A shuffle asks for the value of a lane that takes no part in it."""
    why = {
        "unnamed": f"which the mask {finding.mask:#010x} does not name",
        "left": "which has left the kernel",
        "absent": "which has no thread: the block ends before it",
    }[finding.source]
    return Explanation(
        (
            f"{start(names.both(finding.accesses[0]))} asks a shuffle for the value of lane {finding.lane}, {why}:",
            tuple(Row(f"thread {names.thread(a)} calls", a.line, printable(a.text)) for a in finding.accesses),
            "What it gets is undefined, and the results change with it. A GPU would give some number, without saying "
            "so.",
        ),
        INVALID_WARP_MASK_RULES["absent lane"],
    )


ABOUT = (
    About(
        Kind.BARRIER_DIVERGENCE,
        {BarrierDivergence: describe_divergence},
        BARRIER_DIVERGENCE_RULES,
        "barrier divergence",
        "reaches_every_barrier",
        "the launch stops at a barrier that only some threads reach",
    ),
    About(
        Kind.INVALID_WARP_MASK,
        {InvalidWarpMask: describe_warp_mask, AbsentLane: describe_absent_lane},
        INVALID_WARP_MASK_RULES,
        "a warp function with a wrong mask",
        "reaches_every_barrier",
        "the launch stops at a warp function with a wrong mask",
    ),
)
