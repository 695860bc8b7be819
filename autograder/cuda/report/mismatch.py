"""Wrong results, in words."""

from __future__ import annotations

from ..core.findings import Kind, Mismatch
from .about import About
from .parts import Part
from .rule import Rule, Rules, choose
from .vocabulary import Explanation, Names, indexed, start, was

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
    "fill": Rule(
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

#: By `Mismatch.right_under`.
_RIGHT_UNDER = {
    "order": "In the ordinary order of the threads the results of this case are right.",
    "again": "The kernel was launched several times in a row. The results of the first launch are right.",
    "fill": "A thread reads shared memory, an array of its own or an output before anything was written there. "
    "With other values in it, the results of this case are right.",
}


def describe_mismatch(finding: Mismatch, names: Names) -> Explanation:
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
    if finding.right_under:
        lines.append(_RIGHT_UNDER[finding.right_under])
    if 0 < finding.unwritten < wrong:
        lines.append(f"{finding.unwritten} of them {was(finding.unwritten)} never written.")
    if finding.tolerance > 0:
        lines.append(f"A difference of up to {finding.tolerance:.2g} would have passed.")
    if finding.read_first:
        lines.append(f"Line {finding.read_first} reads {output} before anything was written to it.")
    parts: list[Part] = ["\n".join(lines)]
    if finding.accesses:
        parts += [f"{start(names.both(finding.accesses[0]))} wrote it last:", names.rows(finding.accesses)]
    return Explanation(tuple(parts), choose(MISMATCH_RULES, _situation(finding)))


def _situation(finding: Mismatch) -> str:
    if finding.right_under:
        return finding.right_under
    if finding.read_first and finding.got:
        return "read first"
    if (finding.unwritten or finding.as_before) and not finding.accesses:
        return "unwritten"
    return "nan" if finding.got == "nan" else "written" if finding.accesses else ""


ABOUT = (About(Kind.MISMATCH, {Mismatch: describe_mismatch}, MISMATCH_RULES, "a wrong result", "matches_numpy"),)
