"""What checks find in outputs and counts, in words."""

from __future__ import annotations

from ...cuda.core.run import LineTraffic
from ...cuda.report.about import About
from ...cuda.report.parts import Part, Row
from ...cuda.report.rule import Rule, Rules
from ...cuda.report.vocabulary import Explanation, Names, count, printable, start
from ..findings import BankConflicts, IdleThreads, LoadImbalance, Uncoalesced, UnsharedLoads

UNCOALESCED_RULES: Rules = {
    "": Rule(
        "Lanes next to each other (neighboring threadIdx.x) should use elements next to each other in memory, and do "
        "so at the same instruction.",
        "coalescing",
    )
}

BANK_CONFLICTS_RULES: Rules = {
    "": Rule(
        "Successive 4-byte words are in successive banks, and after 32 of them the first bank follows again: lanes of "
        "a warp that use different words of one bank are served one after the other.",
        "banks",
    ),
    "in turn": Rule(
        "A pass over the banks serves all lanes of a warp, or only those that take part: an access by one lane costs "
        "as much as one by 32.",
        "banks",
    ),
}

LOAD_IMBALANCE_RULES: Rules = {
    "unshared work": Rule(
        "Threads work at the same time, so a launch takes as long as its busiest thread: divide among "
        "all of them what does not have to be done in sequence.",
        "threads",
    ),
}


def _row(worst: LineTraffic | None) -> tuple[Part, ...]:
    """The source line, as a part of the report."""
    return ((Row("", worst.line, printable(worst.text)),),) if worst else ()


def describe_uncoalesced(finding: Uncoalesced, names: Names) -> Explanation:
    worst = finding.worst
    here = f" The worst is this line, with {_sectors(worst.units, worst.requests)}:" if worst else ""
    accesses = "atomic operations on" if finding.action == "atomic" else f"{finding.action}s of"
    return Explanation(
        (
            f"The {accesses} global memory move {_sectors(finding.sectors, finding.requests)}; for what the "
            f"threads access, {finding.limit} are enough.{here}",
            *_row(worst),
            "A request is one instruction of one warp, a sector 32 bytes: whatever a warp does not use of the sectors "
            "that it requests is moved for nothing.",
        ),
        UNCOALESCED_RULES[""],
    )


def _sectors(sectors: int, requests: int) -> str:
    return f"{count(sectors, 'sector')} in {count(requests, 'request')}"


def describe_bank_conflicts(finding: BankConflicts, names: Names) -> Explanation:
    worst = finding.worst
    here = f" The worst is this line, with {worst.units} of them in its {worst.action}s:" if worst else ""
    who = f"The {finding.action}s of the launch make" if finding.action else "The launch makes"
    why = (
        f"Bank conflicts cost {finding.conflicts} of these passes, and in each the whole warp waits."
        if finding.conflicts
        else "There are no bank conflicts, but lanes that could be served together are served one after the other, "
        "and the warp waits."
    )
    return Explanation(
        (
            f"{who} {finding.passes} passes over the banks of shared memory; for what the threads access, "
            f"{finding.at_best} would do.{here}",
            *_row(worst),
            why,
        ),
        BANK_CONFLICTS_RULES["" if finding.conflicts else "in turn"],
    )


def _average(total: int, parts: int) -> str:
    """`total / parts` in at least three figures, never as 3e+03."""
    average = total / parts
    return f"{average:.0f}" if average >= 100 else f"{average:.3g}"


def describe_load_imbalance(finding: LoadImbalance, names: Names) -> Explanation:
    access = finding.accesses[0]
    return Explanation(
        (
            f"{start(names.both(access))} uses memory {count(finding.measured, 'time')}, where {finding.limit} "
            f"are enough; most often, {count(finding.at_line, 'time')}, here:",
            (Row("", access.line, printable(access.text)),),
            f"The {count(finding.threads, 'thread')} of the launch together use it {finding.total} times, "
            f"{_average(finding.total, finding.threads)} times each on average.",
        ),
        LOAD_IMBALANCE_RULES["unshared work"],
    )


def describe_unshared_loads(finding: UnsharedLoads, names: Names) -> Explanation:
    return Explanation(
        (
            f"Some thread loads from global memory {count(finding.measured, 'time')}. Its part of the loads, "
            f"as the task divides them, is {finding.limit}; so other threads load less than their part.",
        ),
        LOAD_IMBALANCE_RULES["unshared work"],
    )


def describe_idle_threads(finding: IdleThreads, names: Names) -> Explanation:
    do = "load from" if finding.action == "load" else "store to"
    return Explanation(
        (
            f"The task gives {count(finding.wanted, 'thread')} of the launch their own part of the work, but only "
            f"{finding.measured} of its threads {do} global memory. So some do the work of others, which have nothing "
            "to do.",
        ),
        LOAD_IMBALANCE_RULES["unshared work"],
    )


ABOUT = (
    About(
        Uncoalesced.kind, {Uncoalesced: describe_uncoalesced}, UNCOALESCED_RULES, "uncoalesced accesses", "is_coalesced"
    ),
    About(
        BankConflicts.kind,
        {BankConflicts: describe_bank_conflicts},
        BANK_CONFLICTS_RULES,
        "bank conflicts",
        "has_no_bank_conflicts",
    ),
    About(
        LoadImbalance.kind,
        {
            LoadImbalance: describe_load_imbalance,
            UnsharedLoads: describe_unshared_loads,
            IdleThreads: describe_idle_threads,
        },
        LOAD_IMBALANCE_RULES,
    ),
)
