"""Races, in words."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..core.findings import Finding, Kind, Race
from .about import About
from .layout import PROSE
from .rule import Rule, Rules
from .vocabulary import SPACES, VERBS, Explanation, Names, count, element_of, place_of, start

#: What holds for a reader who knows no barriers yet.
_ONE_WRITER = Rule(
    "Threads run in any order, so one of these two may come before the other or after it. Let no thread use what "
    "another one writes: should both use the same element?",
    "threads",
)
_ONE_CHANGES = Rule(
    "Only one thread should update an element. Work out by hand the index that each of the two threads computes: "
    "should it be the same?",
    "threads",
)

RACE_RULES: Rules = {
    "atomics of a block": Rule(
        "An atomic operation of block scope, such as atomicAdd_block(), is atomic for the threads of its own "
        "block and orders nothing between blocks: use device scope for what several blocks update.",
        "atomics",
    ),
    "atomics of two sizes": Rule(
        "An atomic operation is indivisible only with respect to atomic operations on exactly the same bytes. Let "
        "every update of an "
        "element have the same type; or should the two not use the same memory at all?",
        "atomics",
    ),
    "atomic and plain, in the grid": Rule(
        "An atomic operation imposes no order on plain accesses: while several blocks use an element, every access to "
        "it must be atomic.",
        "atomics",
    ),
    "atomic and plain": Rule(
        "An atomic operation imposes no order on plain accesses: every thread must pass a barrier between the plain "
        "accesses to an element and the atomic operations on it.",
        "atomics",
    ),
    "one writer": Rule(
        "{until}, let only one thread write an element. Work out by hand the index that each of the two threads "
        "computes: should it be the same?",
        "threads",
        Rule(
            "Let only one thread write an element. Work out by hand the index that each of the two threads computes: "
            "should it be the same?",
            "threads",
        ),
    ),
    "a change, in the grid": Rule(
        "Should both threads change this element? If not, work out by hand the index that each computes. If "
        "so, each change (read, compute, write) must be one step that no other thread can come between: an "
        "atomic operation such as atomicAdd(), or code that holds a lock, with a __threadfence() after it is "
        "acquired and before it is released.",
        "atomics",
        _ONE_CHANGES,
    ),
    "a change": Rule(
        "Should both threads change this element? If not, work out by hand the index that each computes. If "
        "so, each change (read, compute, write) must be one step that no other thread can come between: an "
        "atomic operation.",
        "atomics",
        _ONE_CHANGES,
    ),
    "between blocks": Rule(
        "Blocks run at the same time and in any order, and __syncthreads() waits for its own block only. A block may "
        "use what another block wrote in a later launch, or once an atomic operation signals that it is ready, with a "
        "__threadfence() before that operation in the writer and one after it in the reader.",
        "races",
        Rule(
            "Blocks run at the same time and in any order, and __syncthreads() waits for its own block only: in one "
            "launch, no block can count on what another one has written.",
            "barriers",
            _ONE_WRITER,
        ),
    ),
    "in a cluster": Rule(
        "Every thread of a cluster must pass a cluster.sync() between a write of one block and a use of the same "
        "element by another: nothing less waits for the other blocks.",
        "clusters",
    ),
    "one statement": Rule(
        "When one statement lets several threads use the same element, either a barrier keeps "
        "their reads and writes apart, or the whole change is one atomic operation.",
        "races",
        Rule(
            "When one statement lets several threads use the same element, a barrier must keep their reads and their "
            "writes apart.",
            "barriers",
            _ONE_WRITER,
        ),
    ),
    "in a warp": Rule(
        "Since Volta the threads of a warp need not run in step: they too must pass a barrier "
        "(__syncwarp() within a warp, __syncthreads() within a block; a shuffle is not one) between "
        "a write of one and a use by another.",
        "reductions",
        Rule(
            "Since Volta the threads of a warp need not run in step: they too must pass a __syncthreads() between a "
            "write of one and a use by another.",
            "barriers",
            _ONE_WRITER,
        ),
    ),
    "read-after-write": Rule(
        "Every thread must pass a __syncthreads() after writing {space} and before another thread reads it.",
        "barriers",
        _ONE_WRITER,
    ),
    "write-after-read": Rule(
        "Every thread must pass a __syncthreads() after reading {space} and before another thread overwrites it.",
        "barriers",
        _ONE_WRITER,
    ),
    "write-after-write": Rule(
        "Every thread must pass a __syncthreads() after writing {space} and before another thread writes the "
        "same element. If both values are needed, give each its own element.",
        "barriers",
        _ONE_WRITER,
    ),
    "phases": Rule(
        "A barrier in memory orders what a thread did before it arrived before what another one does after it has "
        "waited for that same phase, and nothing else. Which phase of which barrier should come between these two? "
        "Does its count match the number of arrivals? And if your code initializes it, does a __syncthreads() come "
        "before its first use?",
        "producers",
    ),
    "read-only cache": Rule(
        "__ldg() reads through a cache for data that no thread writes while the kernel runs. That cache never sees "
        "the kernel's writes, and no barrier or fence changes that: use plain loads for what the kernel writes.",
        "memory",
    ),
    "copy: prior": Rule(
        "An asynchronous copy has landed when its thread has passed a __pipeline_wait_prior(n) after the "
        "commit, with at most n groups committed since; other threads may use what it copied only after a "
        "barrier after that.",
        "towards-cublas",
    ),
    "copy: group": Rule(
        "A copy that a group shares has landed when every thread of the group has passed a wait for it: "
        "wait(group), or a wait_prior that covers it.",
        "towards-cublas",
    ),
    "copy: barrier": Rule(
        "A copy that is bound to a cuda::barrier has landed when a wait for that phase of that barrier returns.",
        "towards-cublas",
    ),
    "copy: pipeline": Rule(
        "A copy in a stage of a pipeline has landed when a consumer_wait() for that stage returns.",
        "towards-cublas",
    ),
    "copy: mbarrier": Rule(
        "A bulk copy has landed when a wait for the phase of its mbarrier that counts its bytes returns: the phase in "
        "which they were expected, by its parity.",
        "clusters",
    ),
    "copy: bulk_group": Rule(
        "A bulk copy to global memory keeps reading its source until its thread has passed a "
        "cp.async.bulk.wait_group.read for its group, and writing until a cp.async.bulk.wait_group without .read; "
        "other threads must pass a barrier after that.",
        "clusters",
    ),
    "copy: product": Rule(
        "A product of a warpgroup keeps reading its tiles until a wgmma.wait_group(n) comes after the "
        "wgmma.commit_group that closed its group, with at most n groups closed since; other threads must pass a "
        "barrier after that.",
        "tensor-cores",
    ),
    "copy: product_proxy": Rule(
        "Tensor cores see what ordinary stores and copies have written to shared memory only after a "
        "fence.proxy.async: each thread executes it after its stores, before the barrier that it shares with the "
        "warpgroup.",
        "tensor-cores",
    ),
    "copy: map_proxy": Rule(
        "A copy with a tensor map that threads have written sees the map only after a fence on each side: "
        "fence.proxy.tensormap::generic.release by the thread that writes it, or tensormap.cp_fenceproxy; then what "
        "orders the two threads; and fence.proxy.tensormap::generic.acquire by the thread that starts the copy.",
        "clusters",
    ),
    "copy: proxy": Rule(
        "A bulk copy sees what ordinary stores have written only after a fence.proxy.async: each thread executes it "
        "after its stores, before the barrier that it shares with the thread that starts the copy.",
        "clusters",
    ),
}

#: The calls that would have waited for an asynchronous copy, by name.
_WAITS = {
    "prior": "__pipeline_wait_prior()",
    "group": "wait(group)",
    "barrier": "wait() on its cuda::barrier",
    "pipeline": "consumer_wait()",
    "mbarrier": "wait at its mbarrier",
    "bulk_group": "cp.async.bulk.wait_group",
    "product": "wgmma.wait_group",
}


def describe_race(finding: Race, names: Names) -> Explanation:
    if finding.unawaited.endswith("proxy"):
        return _describe_unseen_write(finding, names)
    if finding.unawaited:
        return _describe_early_use(finding, names)
    if finding.cached:
        return _describe_stale_read(finding, names)
    first, second = finding.accesses
    scope, hazard, atomic = finding.scope, finding.hazard, finding.atomic
    both_atomic = first.action == second.action == "atomic"
    # (The owner itself names no owner.)
    element = element_of(second if second.owner else replace(second, owner=first.owner))
    placed = element + place_of(second)
    intro = {
        "block": f"In block {names.block(second)}, two threads use {placed} with no barrier between them",
        "warp": f"In block {names.block(second)}, two threads of one warp use {placed} with nothing to order them",
        "cluster": f"Two blocks of a cluster use {placed} with no barrier of the cluster between them",
        "grid": f"Two blocks use {placed}, and nothing orders one block before another",
    }[scope]
    mixed = finding.atomic_bytes if any(finding.atomic_bytes) else None
    if mixed:
        a, b = mixed
        intro = f"Two atomic operations use {placed}, one of {a} bytes and one of {b}, with nothing to order them"
    elif both_atomic:
        intro = f"Two blocks update {placed}, and not every update is atomic beyond its own block"
    intro += ", only one of them atomically:" if atomic and not both_atomic else ":"
    several_blocks = scope in ("cluster", "grid")
    former, latter = (names.both(a) if several_blocks else f"thread {names.thread(a)}" for a in (first, second))
    if hazard == "read-after-write":
        done = "updated" if first.action == "atomic" else "written"
        danger = f"{start(latter)} may read {element} before {former} has {done} it."
    elif hazard == "write-after-read":
        does = "update" if second.action == "atomic" else "overwrite"
        danger = f"{start(latter)} may {does} {element} before {former} has read it."
    elif finding.same_value:
        danger = (
            f"Both write the same value here, so {element} is the same in either order. But CUDA C++ does not "
            "define what two plain writes to one element do without an order between them."
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
    rows = names.rows(finding.accesses, blocks=several_blocks)
    return Explanation((intro, rows, danger), _race_rule(finding))


def _describe_early_use(finding: Race, names: Names) -> Explanation:
    """A thread uses the destination of an asynchronous copy, of this thread or another, before the copy has landed."""
    first, second = finding.accesses
    is_first = first.line == finding.copy_line and (first.action == "write" or second.line != first.line)
    copy, use = (first, second) if is_first else (second, first)
    is_same_thread = (copy.block, copy.thread) == (use.block, use.thread)
    what, plural, may = ("copy", "copies", "be on its way")
    if finding.unawaited == "product":
        what, plural, may = ("product", "products", "read it")
    whose = f"its own {what}" if is_same_thread else f"the {what} that {names.both(copy)} has started"
    element = element_of(use)
    wait = _WAITS[finding.unawaited]
    danger = f"Which of the two values stays in {element} is left to chance."
    if use.action == "read":
        danger = "What it gets may be the copied value, or still the old one."
    elif copy.action == "read":
        danger = f"What the {what} gets may be the old value, or already the new one."
    danger += (
        f"\nNo {wait} for that {what} comes between the two. A barrier between threads does not wait for {plural}."
    )
    if finding.count > 1:
        danger += f"\nThe same lines do so with {count(finding.count - 1, 'more element')} of {second.array}."
    intro = f"{start(names.both(use))} {VERBS[use.action]} {element} while {whose} may still {may}:"
    return Explanation((intro, names.rows(finding.accesses), danger), _race_rule(finding))


def _describe_unseen_write(finding: Race, names: Names) -> Explanation:
    """A bulk copy or a product reads what a thread has written by an ordinary store, with no fence between the two
    proxies."""
    write, reader = finding.accesses
    is_same_thread = (reader.block, reader.thread) == (write.block, write.thread)
    whom = "the same thread" if is_same_thread else names.both(write)
    what, ways, fence = {
        "proxy": ("copy", "bulk copies", "no fence.proxy.async comes"),
        "product_proxy": ("product", "tensor cores", "no fence.proxy.async comes"),
        "map_proxy": ("copy", "reads of tensor maps", "no pair of fence.proxy.tensormap, release and acquire, comes"),
    }[finding.unawaited]
    intro = f"The {what} that {names.both(reader)} starts may not see {element_of(write)}, which {whom} has written:"
    danger = f"Stores and {ways} take different paths to memory, and {fence} between these two."
    if finding.count > 1:
        danger += f"\nThe same lines do so with {count(finding.count - 1, 'more element')} of {write.array}."
    return Explanation((intro, names.rows(finding.accesses), danger), _race_rule(finding))


def _describe_stale_read(finding: Race, names: Names) -> Explanation:
    """A thread reads through the read-only cache what the launch has written, even this thread."""
    write, load = finding.accesses
    is_same_thread = (write.block, write.thread) == (load.block, load.thread)
    whom = "itself" if is_same_thread else names.both(write)
    element = element_of(load)
    intro = f"{start(names.both(load))} reads {element} through the read-only cache after {whom} has written it:"
    danger = (
        "That cache does not see writes, so the read may get the value from before the launch, whatever is between."
    )
    if finding.count > 1:
        danger += f"\nThe same lines do so with {count(finding.count - 1, 'more element')} of {load.array}."
    return Explanation((intro, names.rows(finding.accesses, blocks=True), danger), _race_rule(finding))


def cause_of_race(finding: Race) -> tuple[object, ...]:
    """Return what the races of one launch have in common if one mistake causes them: the array, which threads race, and
    the rule that they break. The rule on a single statement that races with itself is here the one on several
    statements."""
    array, situation = finding.accesses[1].array, _situation(finding)
    if situation == "one statement" and finding.changes:
        situation = "a change"
    elif situation == "one statement" and finding.scope == "warp":
        situation = "in a warp"
    return (array or finding.accesses, finding.scope, situation)


def more_pairs(finding: Finding, others: Sequence[Finding], place: Callable[[int], str]) -> str:
    """Return a line on the pairs of lines of `others`, races with the cause of `finding`; empty if there are no
    other lines. `place` returns how a line is called."""
    pairs = list(dict.fromkeys(tuple(sorted(access.line for access in race.accesses)) for race in (finding, *others)))[
        1:
    ]
    if not pairs:
        return ""
    verb, array = "races" if len(pairs) == 1 else "race", finding.accesses[1].array
    listed = ", ".join("/".join(map(place, pair)) for pair in sorted(pairs))
    return textwrap.shorten(
        f"{count(len(pairs), 'more pair')} of lines {verb} on {array}: {listed}.", PROSE, placeholder=" ..."
    )


def _race_rule(finding: Race) -> Rule:
    return RACE_RULES[_situation(finding)].of(
        until="In one launch" if finding.scope == "grid" else "Between one barrier and the next",
        space=SPACES.get(finding.accesses[1].space or "", "memory"),
    )


def _situation(finding: Race) -> str:
    """Return the key of the broken rule."""
    if finding.unawaited:
        return f"copy: {finding.unawaited}"
    if finding.cached:
        return "read-only cache"
    first, second = finding.accesses
    scope, hazard = finding.scope, finding.hazard
    same_line = first.line == second.line
    writes = hazard == "write-after-write"
    if any(finding.atomic_bytes):
        return "atomics of two sizes"
    if first.action == second.action == "atomic":
        return "atomics of a block"
    if finding.atomic:
        return "atomic and plain, in the grid" if scope == "grid" else "atomic and plain"
    if (same_line or scope in ("cluster", "grid")) and writes and not finding.changes:
        return "one writer"
    if finding.changes and scope in ("cluster", "grid"):
        return "a change, in the grid"
    if finding.changes and (writes or not same_line):
        return "a change"
    if scope == "grid":
        return "between blocks"
    if scope == "cluster":
        return "in a cluster"
    if finding.phases:
        return "phases"
    if same_line:
        return "one statement"
    return "in a warp" if scope == "warp" else hazard


ABOUT = (About(Kind.RACE, {Race: describe_race}, RACE_RULES, "a data race", "has_no_races"),)
