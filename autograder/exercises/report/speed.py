"""How long launches took, in words."""

from __future__ import annotations

from ...cuda.core.setting import Setting, Size
from ...cuda.report.about import About
from ...cuda.report.layout import Report
from ...cuda.report.rule import Rule, Rules
from ...cuda.report.timing import duration
from ...cuda.report.vocabulary import Explanation, Names, case_line
from ..findings import TooSlow

TOO_SLOW_RULES: Rules = {
    "": Rule(
        "Count what a thread does for one multiplication: loads from global memory, loads from shared memory, "
        "barriers. What it does most often is what costs most.",
        "towards-cublas",
    )
}


def describe_too_slow(finding: TooSlow, names: Names) -> Explanation:
    baseline = finding.baseline
    return Explanation(
        (
            f"It is {_factor(finding.measured)} times as fast as {baseline}: "
            f"a launch takes {duration(finding.median)}, and one of {baseline} {duration(finding.other)} "
            "(medians, on the same inputs).",
            f"naive {_factor(finding.naive)} / needed {_factor(finding.needed)} / good {_factor(finding.good)}",
        ),
        TOO_SLOW_RULES[""],
    )


def fast_enough(title: str, setting: Setting, measured: float, good: float, launches: int) -> str:
    """The one line of a speed check that passed."""
    rest = "that is good" if measured >= good else f"good are {_factor(good)}"
    where = f"{_size(setting.size)}, {launches} launches, on the {setting.backend}"
    return f"{title}: it is {_factor(measured)} times as fast, {rest}; {where}."


def speed_not_graded(title: str, size: Size) -> str:
    """The one line of a speed check on a machine without a GPU: what a GPU would have timed."""
    return (
        f"{title}: speed not graded, since no GPU can be used here; on one, launches of both "
        f"are timed with {_size(size)}."
    )


def not_right(title: str, setting: Setting, call: str) -> Report:
    """The report of a speed check on a kernel with wrong results."""
    text = f"Speed counts only where the results are right.\nFix first what {call} reports."
    return Report(f"{title}: BLOCKED", case_line(setting), (text,))


def _size(size: Size) -> str:
    return ", ".join(f"{word}={value}" for word, value in size.items())


def _factor(value: float) -> str:
    return f"{value:.2f}"


ABOUT = (About(TooSlow.kind, {TooSlow: describe_too_slow}, TOO_SLOW_RULES, "too slow", "is_faster_than"),)
