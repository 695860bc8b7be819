"""Switches and their results, as HTML that is complete even without scripts.

Without scripts it shows the whole kernel with its report, and below it each other result, folded.
book/_static/switches.js makes the switches work: it shows one result at a time and marks the lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from html import escape

import numpy as np
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from autograder.cuda.core.run import Counts, Run
from autograder.cuda.kernel import Kernel
from autograder.cuda.report.kinds import checks_of_runs, kinds
from autograder.cuda.report.vocabulary import dims

from .kernels import BookKernel
from .reports import report_html
from .svg import several
from .switches import Outcome, Switch


@dataclass(frozen=True)
class Result:
    """The result of one or more combinations; `heads` has a sentence for each of them. `whole` is the
    unchanged kernel; `single` has one switch off. `drawing` numbers the figure, -1 for none."""

    heads: tuple[str, ...]
    html: str
    drawing: int
    whole: bool
    single: bool


#: For each combination the number of its result, and its sentence.
States = list[tuple[int, str]]


def results(
    kernel: BookKernel, outcomes: Sequence[Outcome], counts: Sequence[str], draw: Callable[[Outcome], str] | None
) -> tuple[list[Result], list[str], States]:
    """Results and figures without repetition, the whole kernel's first, and the result of each outcome.

    Args:
        counts: names from `Counts`; a result says how they have changed.
        draw: the figure of an outcome whose launch completed, as HTML; equal runs give equal text.

    Raises:
        ValueError: a switch makes no difference, or leads to a finding that the book's reports do not cover.
    """
    whole = outcomes[0]
    unknown = set(counts) - set(asdict(_counts(whole.run)))
    if unknown:
        raise ValueError(f"the emulator counts no {', '.join(sorted(unknown))}: see autograder/cuda/core/run.py.")
    found: dict[tuple[str, int], Result] = {}
    drawings: list[str] = []
    states = []
    for outcome in outcomes:
        head = f"{_without(outcome.off)}: {_verdict(outcome, whole)}."
        changes = _changes(outcome, whole, counts) if outcome is not whole else _counted(kernel, whole, counts)
        html = f'<p class="ks-counts">{changes}</p>{_reports(kernel, outcome)}'
        drawing = -1
        if draw is not None and outcome.run.completed:
            drawn = draw(outcome)
            drawings += [] if drawn in drawings else [drawn]
            drawing = drawings.index(drawn)
        key = (html, drawing)
        before = found.get(key, Result((), html, drawing, not outcome.off, False))
        if len(outcome.off) == 1 and not outcome.run.findings and drawing <= 0 and changes == _sentence([_wrong(0)]):
            raise ValueError(f"{_without(outcome.off)} nothing changes: a switch must make a difference.")
        single = before.single or len(outcome.off) == 1
        found[key] = replace(before, heads=(*before.heads, head), single=single)
        states.append((list(found).index(key), head))
    return list(found.values()), drawings, states


def listing_marks(switches: Sequence[Switch]) -> list[int]:
    """The lines of all switches, to be emphasized, from the top."""
    return sorted(line for switch in switches for line in switch.lines)


def box(switches: Sequence[Switch], shown: Sequence[Result], drawings: Sequence[str], states: States) -> str:
    """The part below the listing: the switches, and every result and figure once."""
    lines = listing_marks(switches)
    labels = "".join(
        f'<label><input type="checkbox" checked><span>{escape(switch.name)} '
        f"<small>{_lines(sorted(switch.lines))}</small></span></label>"
        + "".join(
            f'<template data-of="{of}" data-mark="{lines.index(number)}">{_code(text)}</template>'
            for number, text in switch.lines.items()
        )
        for of, switch in enumerate(switches)
    )
    parts, owners = [], dict[int, Result]()
    for result in shown:
        owner = owners.setdefault(result.drawing, result)
        figure = ""
        if result.drawing >= 0:
            figure = f'<p class="ks-same">The figure is the same as for: {escape(owner.heads[0])}</p>'
            if owner is result:
                figure = f'<div class="ks-drawing{_still(result)}">{drawings[result.drawing]}</div>'
        parts.append(_result(result, result.html + figure))
    return (
        f'<div class="ks-box" data-states="{escape(json.dumps(states))}">'
        '<fieldset class="ks-switches" hidden><legend>Switch lines off and on</legend>'
        f"{labels}</fieldset>"
        f'<p class="ks-now" role="status" hidden></p>{"".join(parts)}</div>'
    )


def _result(result: Result, html: str) -> str:
    heads = escape("; ".join(head.removesuffix(".") for head in result.heads).replace("; W", "; w"))
    still = _still(result) or " ks-still" * result.single
    kind = f'class="ks-result{still}" data-drawing="{result.drawing}"'
    if result.whole:
        return f'<div {kind}><p class="ks-head">{heads}</p>{html}</div>'
    return f'<details {kind}><summary class="ks-head">{heads}</summary>{html}</details>'


def _still(result: Result) -> str:
    """The class of what is printed on paper: the whole kernel with its figure, and each single switch's result."""
    return " ks-still" * result.whole


def _code(text: str) -> str:
    """One line in the colors of the listing."""
    lexer = get_lexer_by_name("cuda", stripnl=False, ensurenl=False)
    return str(highlight(text, lexer, HtmlFormatter(nowrap=True))).removesuffix("\n") if text else ""


def _lines(numbers: Sequence[int]) -> str:
    return f"line{'s' if len(numbers) > 1 else ''} {in_words(list(map(str, numbers)))}"


def _without(off: Sequence[Switch]) -> str:
    names = [switch.name for switch in off]
    return f"Without {in_words(names)}" if names else "The whole kernel"


def in_words(words: Sequence[str]) -> str:
    """a, b and c"""
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[:-1] else words)


def _verdict(outcome: Outcome, whole: Outcome) -> str:
    found = dict.fromkeys(finding.kind for finding in outcome.run.findings)
    unknown = [kind for kind in found if kinds()[kind].check not in checks_of_runs()]
    if unknown:
        raise ValueError(f"{_without(outcome.off)} there is {unknown[0]}, of which the book has no report.")
    if found:
        return in_words([kinds()[kind].term for kind in found])
    return "nothing found, but other results" if _differ(outcome.run, whole.run) else "nothing found"


def _reports(kernel: BookKernel, outcome: Outcome) -> str:
    """A report for each kind that was found. The first on a page has the style that they share."""
    run = outcome.run
    parts = [
        replace(run, findings=tuple(other for other in run.findings if other.kind is kind))
        for kind in dict.fromkeys(finding.kind for finding in run.findings)
    ]
    html = "".join(report_html(kernel, outcome.source, part) for part in parts or [run])
    return html if len(outcome.off) == 1 else re.sub("<style>.*?</style>", "", html, flags=re.DOTALL)


def _counts(run: Run) -> Counts:
    assert run.counts is not None  # the emulator always counts
    return run.counts


def _counted(kernel: BookKernel, whole: Outcome, counts: Sequence[str]) -> str:
    """What the whole kernel's launch counts, and which launch that is: the text may speak of another one."""
    now = asdict(_counts(whole.run))
    text = _sentence([f"{_words(field)} <b>{now[field]}</b>" for field in counts])
    launch = Kernel(whole.source, kernel.name).prepare(**kernel.launch)
    return f"{text.removesuffix('.')}, with grid={dims(launch.grid)}, block={dims(launch.block)}." if text else ""


def _changes(outcome: Outcome, whole: Outcome, counts: Sequence[str]) -> str:
    """What differs from the whole kernel, in a line."""
    run = outcome.run
    if not run.completed:
        return "The launch stopped early."
    before, now = asdict(_counts(whole.run)), asdict(_counts(run))
    parts = [
        f"{_words(field)} {before[field]} → <b>{now[field]}</b>" for field in counts if before[field] != now[field]
    ]
    return _sentence([*parts, _wrong(_differ(run, whole.run))])


def _differ(run: Run, whole: Run) -> int:
    """How many results differ from the whole kernel's; NaNs are equal."""
    pairs = zip(run.outputs, whole.outputs, strict=True)
    return sum(int(np.sum((a != b) & ~((a != a) & (b != b)))) for a, b in pairs)


def _wrong(differ: int) -> str:
    """The emulator runs one thread after the other, so a kernel with a race may well have right results."""
    if not differ:
        return "on the emulator all results are the same"
    return f"on the emulator <b>{several(differ, 'result')}</b> {'is' if differ == 1 else 'are'} different"


def _words(field: str) -> str:
    return field.replace("_", " ")


def _sentence(parts: Sequence[str]) -> str:
    words = "; ".join(parts)
    return f"{words[:1].upper()}{words[1:]}." if words else ""
