"""Limits on how often a launch's threads do something, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...cuda.report.about import About
from ...cuda.report.rule import Rule, Rules
from ...cuda.report.vocabulary import Explanation, Names
from ..findings import ExcessTraffic


@dataclass(frozen=True)
class Limit:
    """The words for one of the `Counts`.

    Args:
        things: what is counted, as in "4 loads from global memory" and "loads from global memory at most 4 times".
        rule: what a launch breaks that does it more often than it must.
        verb: what a claim needs before the things.
    """

    things: str
    rule: Rule
    verb: str = ""


#: By the field of `Counts`.
LIMITS: Mapping[str, Limit] = {
    "global_loads": Limit(
        "loads from global memory",
        Rule(
            "What is used more than once, by one thread or by several of a block, is loaded from global memory "
            "once; what no thread uses is not loaded.",
            "tiling",
        ),
    ),
    "global_stores": Limit(
        "stores to global memory",
        Rule("A result is kept in a register or in shared memory while it grows, and stored once.", "tiling"),
    ),
    "global_atomics": Limit(
        "atomic operations on global memory",
        verb="makes ",
        rule=Rule(
            "Threads that add to one place in global memory wait for one another. A warp or a block can gather "
            "first, and one thread can then add what it has gathered.",
            "atomics",
        ),
    ),
    "shared_loads": Limit(
        "loads from shared memory",
        Rule(
            "If a thread uses a number for more than one multiplication, it loads it from shared memory once, into "
            "a variable of its own. Each load in the source counts as one, whatever its width.",
            "register-blocking",
        ),
    ),
    "shared_store_requests": Limit(
        "requests to store to shared memory",
        verb="makes ",
        rule=Rule(
            "A request is one store of one warp, whether all of its lanes take part or only one. If the threads that "
            "are still at work are next to each other, few warps have any, and the others are done.",
            "reductions",
        ),
    ),
    "barriers": Limit(
        "waits at barriers",
        Rule(
            "Each thread that waits counts. A barrier separates writes from the reads that follow, or reads from the "
            "writes that follow. Where another barrier already separates the two, none is needed.",
            "towards-cublas",
        ),
    ),
}

EXCESS_TRAFFIC_RULES: Rules = {counted: limit.rule for counted, limit in LIMITS.items()}


def claim_of_limit(counted: str, limit: int | Callable[..., int]) -> str:
    """The claim of a check "... at most"; `limit` is a number, or a function of the size."""
    often = "no more often than it must" if callable(limit) else f"at most {limit} times"
    return f"{LIMITS[counted].verb}{LIMITS[counted].things} {often}"


def describe_excess_traffic(finding: ExcessTraffic, names: Names) -> Explanation:
    limit = LIMITS[finding.counted]
    among = f", {finding.atomics} of them by atomic operations" if finding.atomics else ""
    who = "One thread" if finding.by_one else "The launch"
    enough = "is enough" if finding.limit == 1 else "are enough"
    return Explanation(
        (f"{who} makes {finding.measured} {limit.things}{among}; {finding.limit} {enough}.",), limit.rule
    )


ABOUT = (
    About(ExcessTraffic.kind, {ExcessTraffic: describe_excess_traffic}, EXCESS_TRAFFIC_RULES, "too many accesses"),
)
