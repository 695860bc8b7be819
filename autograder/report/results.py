"""What checks find in outputs and counts, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.findings import Finding
from ..core.run import LineTraffic
from .layout import Part, Row
from .prediction import tell_wrong_prediction
from .vocabulary import Names, Said, count, indexed, join, printable, start, was


def tell_mismatch(finding: Finding, names: Names) -> Said:
    detail = finding.detail
    if "word" in detail:
        return tell_wrong_prediction(finding)
    output, wrong, size = detail["output"], detail["wrong"], detail["size"]
    element = indexed(output, detail["index"])
    if len(detail["index"]) > 1:
        element += f" ({output}[{detail['flat']}] in the kernel)"
    got = f"is {detail['got']}" if detail["got"] else "still holds what it held before the launch"
    lines = [f"{element} {got}; numpy says {detail['expected']}."]
    if wrong == size:
        alone = "That is its only element."
        lines.append(alone if size == 1 else f"All {size} elements of {output} are wrong.")
    elif wrong == 1:
        lines.append(f"It is the only wrong one of the {size} elements of {output}.")
    else:
        low, high = indexed(output, detail["low"]), indexed(output, detail["high"])
        lines.append(f"{wrong} of {size} elements of {output} are wrong, from {low} to {high}.")
    if 0 < detail["unwritten"] < wrong:
        lines.append(f"{detail['unwritten']} of them {was(detail['unwritten'])} never written.")
    if detail["tolerance"] > 0:
        lines.append(f"A difference of up to {detail['tolerance']:.2g} would have passed.")
    if detail.get("read_first"):
        lines.append(f"Line {detail['read_first']} reads {output} before anything was written to it.")
    return Said(("\n".join(lines),), _mismatch_rule(detail))


def _mismatch_rule(detail: Mapping[str, Any]) -> str:
    if detail.get("read_first") and detail["got"]:
        return "An output holds nothing useful before the launch: what adds to it must set it first."
    if detail["unwritten"]:
        return "Every element of an output must be written by a thread of the grid."
    if detail["got"] == "nan":
        return (
            "A nan comes of a value that was never set, or of a calculation without a result, such as 0 / 0 or 0 times "
            "infinity: does each variable have a first value, and is no output read before it is written?"
        )
    return "Take this one element: work out by hand which thread writes it, and which elements that thread reads."


def _row(worst: LineTraffic | None) -> tuple[Part, ...]:
    """The line of the source, as a part of what is said."""
    return ((Row("", worst.line, printable(worst.text)),),) if worst else ()


def tell_uncoalesced(finding: Finding, names: Names) -> Said:
    detail = finding.detail
    worst: LineTraffic | None = detail["worst"]
    here = f" The worst is this line, with {worst.units / worst.requests:.1f} a request:" if worst else ""
    return Said(
        (
            f"A {detail['action']} of global memory takes {detail['measured']:.1f} sectors a request on "
            f"average ({detail['sectors']} sectors in {count(detail['requests'], 'request')}); at most "
            f"{detail['limit']:g} are allowed.{here}",
            *_row(worst),
            "A request is one instruction of one warp, a sector 32 bytes: what a warp does not use of "
            "the sectors that it asks for is moved in vain.",
        ),
        "Lanes next to each other (neighboring threadIdx.x) should use elements next to each other in memory.",
        "coalescing",
    )


def tell_bank_conflicts(finding: Finding, names: Names) -> Said:
    detail = finding.detail
    parts = [
        f"{count(detail[f'{a}_conflicts'], 'conflict')} in {count(detail[f'{a}_requests'], f'{a} request')}"
        for a in ("load", "store")
        if detail[f"{a}_conflicts"]
    ]
    worst: LineTraffic | None = detail["worst"]
    here = f" The worst is this line, with {worst.conflicts} in its {worst.action}s:" if worst else ""
    return Said(
        (
            f"Shared memory has {join(parts)}.{here}",
            *_row(worst),
            "Each conflict is one more pass over the banks, while the whole warp waits.",
        ),
        "Successive 4-byte words lie in 32 successive banks, and then from the first bank again: lanes of "
        "a warp that use different words of one bank are served one after the other.",
        "banks",
    )


def tell_excess_traffic(finding: Finding, names: Names) -> Said:
    detail = finding.detail
    if detail["action"] == "one thread":
        return _tell_unshared_work(finding, names)
    what, hint, read = _TRAFFIC[detail["action"]]
    return Said(
        (f"The launch makes {detail['measured']} {what}; {detail['limit']} are enough.",),
        hint,
        read,
    )


def _average(total: int, parts: int) -> str:
    """`total / parts` in at least three figures, never as 3e+03."""
    average = total / parts
    return f"{average:.0f}" if average >= 100 else f"{average:.3g}"


def _tell_unshared_work(finding: Finding, names: Names) -> Said:
    detail, access = finding.detail, finding.accesses[0]
    return Said(
        (
            f"{start(names.both(access))} uses memory {count(detail['measured'], 'time')}, where {detail['limit']} "
            f"are enough; most often, {count(detail['at_line'], 'time')}, here:",
            (Row("", access.line, printable(access.text)),),
            f"The {count(detail['threads'], 'thread')} of the launch together use it {detail['total']} times, "
            f"{_average(detail['total'], detail['threads'])} times each on average.",
        ),
        "Threads work at the same time, so a launch takes as long as its busiest thread: what does not have to be done "
        "one after the other is divided among all of them.",
        "memory",
    )


_TRAFFIC = {
    "load": (
        "loads from global memory",
        "What is used more than once, by one thread or by several of a block, is loaded from global memory once; what "
        "nobody uses is not loaded.",
        "tiling",
    ),
    "store": (
        "stores to global memory",
        "A result is kept in a register or in shared memory while it grows, and stored once.",
        "tiling",
    ),
    "atomic": (
        "atomic operations on global memory",
        "Threads that add to one place in global memory wait for one another. A block can gather in shared "
        "memory first, and then add what it has gathered.",
        "atomics",
    ),
    "shared load": (
        "loads from shared memory",
        "What a thread uses for more than one multiplication it loads from shared memory once, into a variable of its "
        "own. Each load in the source counts as one, whatever its width.",
        "register-blocking",
    ),
    "barrier": (
        "waits at barriers",
        "Each thread that waits counts. A barrier stands between those who write and those who read after them, or the "
        "other way round. Where another barrier already stands between the two, none is needed.",
        "towards-cublas",
    ),
}
