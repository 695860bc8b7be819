"""What checks find in outputs and counts, in words."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.check_findings import BankConflicts, ExcessAction, ExcessTraffic, LoadImbalance, Mismatch, Uncoalesced
from ..core.findings import Kind
from ..core.run import LineTraffic
from .kinds import rule
from .layout import Part, Row
from .vocabulary import Names, Said, count, indexed, join, printable, start, was


def tell_mismatch(finding: Mismatch, names: Names) -> Said:
    output, wrong, size = finding.output, finding.wrong, finding.size
    element = indexed(output, finding.index)
    if len(finding.index) > 1:
        element += f" ({output}[{finding.flat}] in the kernel)"
    got = f"is {finding.got}" if finding.got else "still holds what it held before the launch"
    lines = [f"{element} {got}; numpy says {finding.expected}."]
    if wrong == size:
        alone = "That is its only element."
        lines.append(alone if size == 1 else f"All {size} elements of {output} are wrong.")
    elif wrong == 1:
        lines.append(f"It is the only wrong one of the {size} elements of {output}.")
    else:
        low, high = indexed(output, finding.low), indexed(output, finding.high)
        lines.append(f"{wrong} of {size} elements of {output} are wrong, from {low} to {high}.")
    if 0 < finding.unwritten < wrong:
        lines.append(f"{finding.unwritten} of them {was(finding.unwritten)} never written.")
    if finding.tolerance > 0:
        lines.append(f"A difference of up to {finding.tolerance:.2g} would have passed.")
    if finding.read_first:
        lines.append(f"Line {finding.read_first} reads {output} before anything was written to it.")
    return Said(("\n".join(lines),), rule(Kind.MISMATCH, _situation(finding)))


def _situation(finding: Mismatch) -> str:
    if finding.read_first and finding.got:
        return "read first"
    if finding.unwritten:
        return "unwritten"
    return "nan" if finding.got == "nan" else ""


def _row(worst: LineTraffic | None) -> tuple[Part, ...]:
    """The source line, as a part of the report."""
    return ((Row("", worst.line, printable(worst.text)),),) if worst else ()


def tell_uncoalesced(finding: Uncoalesced, names: Names) -> Said:
    worst = finding.worst
    here = f" The worst is this line, with {worst.units / worst.requests:.1f} a request:" if worst else ""
    return Said(
        (
            f"A {finding.action} of global memory takes {finding.measured:.1f} sectors a request on "
            f"average ({finding.sectors} sectors in {count(finding.requests, 'request')}); at most "
            f"{finding.limit:g} are allowed.{here}",
            *_row(worst),
            "A request is one instruction of one warp, a sector 32 bytes: what a warp does not use of "
            "the sectors that it asks for is moved in vain.",
        ),
        rule(Kind.UNCOALESCED),
    )


def tell_bank_conflicts(finding: BankConflicts, names: Names) -> Said:
    parts = [
        f"{count(conflicts, 'conflict')} in {count(requests, f'{action} request')}"
        for action, conflicts, requests in (
            ("load", finding.load_conflicts, finding.load_requests),
            ("store", finding.store_conflicts, finding.store_requests),
        )
        if conflicts
    ]
    worst = finding.worst
    here = f" The worst is this line, with {worst.conflicts} in its {worst.action}s:" if worst else ""
    return Said(
        (
            f"Shared memory has {join(parts)}.{here}",
            *_row(worst),
            "Each conflict is one more pass over the banks, while the whole warp waits.",
        ),
        rule(Kind.BANK_CONFLICTS),
    )


def tell_excess_traffic(finding: ExcessTraffic, names: Names) -> Said:
    said = f"The launch makes {finding.measured} {_TRAFFIC[finding.action]}; {finding.limit} are enough."
    return Said((said,), rule(Kind.EXCESS_TRAFFIC, finding.action))


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
        rule(Kind.EXCESS_TRAFFIC, "unshared work"),
    )


_TRAFFIC: Mapping[ExcessAction, str] = {
    "load": "loads from global memory",
    "store": "stores to global memory",
    "atomic": "atomic operations on global memory",
    "shared load": "loads from shared memory",
    "barrier": "waits at barriers",
}
