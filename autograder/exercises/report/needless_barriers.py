"""Barriers and fences that no case needs, in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ...cuda.report.chapters import reference
from ...cuda.report.layout import Report
from ...cuda.report.parts import Part, Row
from ...cuda.report.rule import Rule, Rules, choose
from ...cuda.report.vocabulary import count, join, printable


def needless(together: Sequence[int], instead: Mapping[int, int], fences: Collection[int]) -> str:
    """A remark on the lines whose barriers, or `fences`, no case needs: `together` can go all at once, each line in
    `instead` only in place of the line that is its value. Empty if there are none."""
    if not together:
        return ""
    kinds = {"fence" if line in fences else "barrier" for line in together}
    what = f"{' and '.join(sorted(kinds))}{'s' if len(together) > len(kinds) else ''}"
    lines = f"line{'' if len(together) == 1 else 's'} {join([str(line) for line in together])}"
    without = "it" if len(together) == 1 else "them"
    sentence = (
        f"Remark, which costs no points here: the {what} in {lines} can go. "
        f"Without {without}, no case has a race, and all results stay right."
    )
    others = [f" Line {line} could go instead of line {other}, but not both." for line, other in instead.items()]
    return "".join([sentence, *others])


NEEDLESS_RULES: Rules = {
    "": Rule(
        "A barrier is needed where two threads use the same element, one before it and one after it, one of them "
        "writes there, and there is no other barrier in between. A thread need not wait for an element that only it "
        "uses.",
        "barriers",
    ),
    "fence": Rule(
        "A fence makes no thread wait. It orders the writes of a thread for others that look at them meanwhile; after "
        "a "
        "barrier, its threads see them without one.",
        "atomics",
    ),
}


def needless_line(
    title: str,
    together: Sequence[int],
    instead: Mapping[int, int],
    fences: Collection[int],
    source: str,
    exercise: str,
) -> Report:
    """The report of an answer, the text `source`, with lines that can go: the first, and those that could go in its
    place. The words are those of `needless`."""
    texts = source.split("\n")

    def rows(lines: Collection[int]) -> tuple[Row, ...]:
        return tuple(Row("", line, printable(texts[line - 1]).strip()) for line in lines)

    first, *others = together
    kind = "fence" if first in fences else "barrier"
    parts: list[Part] = [
        f"Without the {kind} in this line, no case has a race, and all results stay right:",
        rows([first]),
    ]
    if in_place := [line for line, other in instead.items() if other == first]:
        parts += [f"In its place, but not together with it, {_this(in_place)} could go:", rows(in_place)]
    if others:
        parts.append(f"At the same time, {count(len(others), 'other line')} can go.")
    rule = choose(NEEDLESS_RULES, kind)
    return Report(f"{title}: FAILED", "", tuple(parts), rule.hint, reference(rule.chapter, exercise))


def several_on_a_line(title: str, line: int, source: str) -> Report:
    """The report of an answer, the text `source`, with several barriers on a line, which only stay or go together."""
    row = Row("", line, printable(source.split("\n")[line - 1]).strip())
    hint = "Put each barrier on its own line: then each can be removed alone."
    return Report(f"{title}: FAILED", "", ("This line has several barriers:", (row,)), hint)


def _this(lines: Sequence[int]) -> str:
    return "this line" if len(lines) == 1 else "one of these lines"
