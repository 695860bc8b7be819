"""What checks find in outputs and counts, in words."""

from __future__ import annotations

from ..core.check_findings import BankConflicts, IdleThreads, LoadImbalance, Mismatch, Uncoalesced, UnsharedLoads
from ..core.run import LineTraffic
from .parts import Part, Row
from .rule import Rule, Rules, choose
from .vocabulary import Names, Said, count, indexed, printable, start, was

MISMATCH_RULES: Rules = {
    "read first": Rule("An output holds nothing useful before the launch: what adds to it must set it first."),
    "unwritten": Rule("Every element of an output must be written by a thread of the grid."),
    "nan": Rule(
        "A nan comes from a value that was never set, or from a calculation without a result, such as 0 / 0 or "
        "0 times infinity: does each variable have a first value, and is no output read before it is written?"
    ),
    "order": Rule(
        "The result must not depend on the order of the threads. Only a single atomic operation is one step: "
        "between two of them, another thread may change what the first one found.",
        "atomics",
        Rule("The result must not depend on the order in which the threads run."),
    ),
    "again": Rule(
        "A variable marked __device__ is not new in each launch: it holds what the launch before left in it. Set it "
        "back before the kernel ends.",
        "memory",
    ),
    "leftovers": Rule(
        "What memory holds before somebody has written it is undefined. The result must not depend on it: write each "
        "element before it is read.",
        "shared-memory",
    ),
    "written": Rule(
        "Is this thread the one that should write this element? If so, work out by hand which elements it reads, and "
        "what it computes from them."
    ),
    "": Rule("Take this one element: work out by hand which thread writes it, and which elements that thread reads."),
}

#: By `Mismatch.right_elsewhere`.
_ELSEWHERE = {
    "order": "In the ordinary order of the threads the results of this case are right.",
    "again": "The kernel was launched several times in a row. The results of the first launch are right.",
    "leftovers": "A thread reads shared memory, an array of its own or an output before anything was written there. "
    "With other values in it, the results of this case are right.",
}

UNCOALESCED_RULES: Rules = {
    "": Rule(
        "Lanes next to each other (neighboring threadIdx.x) should use elements next to each other in memory, and do "
        "so at the same instruction.",
        "coalescing",
    )
}

BANK_CONFLICTS_RULES: Rules = {
    "": Rule(
        "Successive 4-byte words lie in successive banks, and after 32 of them in the first bank again: lanes of "
        "a warp that use different words of one bank are served one after the other.",
        "banks",
    ),
    "in turn": Rule(
        "A pass over the banks serves all lanes of a warp, or only those that are there: an access by one lane costs "
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


def tell_mismatch(finding: Mismatch, names: Names) -> Said:
    output, wrong, size = finding.output, finding.wrong, finding.size
    element = indexed(output, finding.index)
    if len(finding.index) > 1:
        element += f" ({output}[{finding.flat}] in the kernel)"
    got = f"is {finding.got}" if finding.got else "still holds what it held before the launch"
    got += ", as before the launch" if finding.as_before else ""
    lines = [f"{element} {got}; numpy says {finding.expected}."]
    if wrong == size:
        alone = "That is its only element."
        lines.append(alone if size == 1 else f"All {size} elements of {output} are wrong.")
    elif wrong == 1:
        others = f"The other {size - 1} elements of {output} are" if size > 2 else f"The other element of {output} is"
        lines.append(f"{others} correct.")
    else:
        low, high = indexed(output, finding.low), indexed(output, finding.high)
        lines.append(f"{wrong} of {size} elements of {output} are wrong, from {low} to {high}.")
    if finding.right_elsewhere:
        lines.append(_ELSEWHERE[finding.right_elsewhere])
    if 0 < finding.unwritten < wrong:
        lines.append(f"{finding.unwritten} of them {was(finding.unwritten)} never written.")
    if finding.tolerance > 0:
        lines.append(f"A difference of up to {finding.tolerance:.2g} would have passed.")
    if finding.read_first:
        lines.append(f"Line {finding.read_first} reads {output} before anything was written to it.")
    parts: list[Part] = ["\n".join(lines)]
    if finding.accesses:
        parts += [f"{start(names.both(finding.accesses[0]))} wrote it last:", names.rows(finding.accesses)]
    return Said(tuple(parts), choose(MISMATCH_RULES, _situation(finding)))


def _situation(finding: Mismatch) -> str:
    if finding.right_elsewhere:
        return finding.right_elsewhere
    if finding.read_first and finding.got:
        return "read first"
    if (finding.unwritten or finding.as_before) and not finding.accesses:
        return "unwritten"
    return "nan" if finding.got == "nan" else "written" if finding.accesses else ""


def _row(worst: LineTraffic | None) -> tuple[Part, ...]:
    """The source line, as a part of the report."""
    return ((Row("", worst.line, printable(worst.text)),),) if worst else ()


def tell_uncoalesced(finding: Uncoalesced, names: Names) -> Said:
    worst = finding.worst
    here = f" The worst is this line, with {_sectors(worst.units, worst.requests)}:" if worst else ""
    accesses = "atomic operations on" if finding.action == "atomic" else f"{finding.action}s of"
    return Said(
        (
            f"The {accesses} global memory move {_sectors(finding.sectors, finding.requests)}; for what the "
            f"threads access, {finding.limit} are enough.{here}",
            *_row(worst),
            "A request is one instruction of one warp, a sector 32 bytes: what a warp does not use of "
            "the sectors that it asks for is moved for nothing.",
        ),
        UNCOALESCED_RULES[""],
    )


def _sectors(sectors: int, requests: int) -> str:
    return f"{count(sectors, 'sector')} in {count(requests, 'request')}"


def tell_bank_conflicts(finding: BankConflicts, names: Names) -> Said:
    worst = finding.worst
    here = f" The worst is this line, with {worst.units} of them in its {worst.action}s:" if worst else ""
    who = f"The {finding.action}s of the launch make" if finding.action else "The launch makes"
    why = (
        f"Bank conflicts cost {finding.conflicts} of these passes, and in each the whole warp waits."
        if finding.conflicts
        else "There are no bank conflicts, but lanes that could go together go one after the other, and the warp waits."
    )
    return Said(
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


def tell_load_imbalance(finding: LoadImbalance, names: Names) -> Said:
    access = finding.accesses[0]
    return Said(
        (
            f"{start(names.both(access))} uses memory {count(finding.measured, 'time')}, where {finding.limit} "
            f"are enough; most often, {count(finding.at_line, 'time')}, here:",
            (Row("", access.line, printable(access.text)),),
            f"The {count(finding.threads, 'thread')} of the launch together use it {finding.total} times, "
            f"{_average(finding.total, finding.threads)} times each on average.",
        ),
        LOAD_IMBALANCE_RULES["unshared work"],
    )


def tell_unshared_loads(finding: UnsharedLoads, names: Names) -> Said:
    return Said(
        (
            f"Some thread loads from global memory {count(finding.measured, 'time')}. Its part of the loads, "
            f"as the task divides them, is {finding.limit}; so others load less than theirs.",
        ),
        LOAD_IMBALANCE_RULES["unshared work"],
    )


def tell_idle_threads(finding: IdleThreads, names: Names) -> Said:
    do = "load from" if finding.action == "load" else "store to"
    return Said(
        (
            f"The task gives {count(finding.wanted, 'thread')} of the launch a part of their own, but only "
            f"{finding.measured} of its threads {do} global memory. So some do what is the part of others, who "
            "have nothing to do.",
        ),
        LOAD_IMBALANCE_RULES["unshared work"],
    )
