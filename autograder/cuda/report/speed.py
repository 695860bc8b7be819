"""How long launches took, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..core.check_findings import TooSlow
from ..core.setting import Setting, Size
from .layout import Report
from .rule import Rule, Rules
from .vocabulary import Names, Said, case_line

TOO_SLOW_RULES: Rules = {
    "": Rule(
        "Count what a thread does for one multiplication: loads from global memory, loads from shared memory, "
        "barriers. What it does most often is what costs most.",
        "towards-cublas",
    )
}

#: A spread above this fraction of the median means that the measurement was disturbed.
WIDE = 0.1


def tell_too_slow(finding: TooSlow, names: Names) -> Said:
    baseline = finding.baseline
    return Said(
        (
            f"It is {_factor(finding.measured)} times as fast as {baseline}: "
            f"a launch takes {duration(finding.own)}, and one of {baseline} {duration(finding.other)} "
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
    said = f"Speed counts only where the results are right.\nFix first what {call} reports."
    return Report(f"{title}: BLOCKED", case_line(setting), (said,))


def timing(times: Sequence[float], median: float, spread: float, rates: Mapping[str, float | None], where: str) -> str:
    """The text of a `Timing`: one line, and a second one if the spread is wide.

    Args:
        times, median, spread: in milliseconds.
        rates: by their unit; None for an unknown one.
    """
    known = "".join(f", {rate:.4g} {unit}" for unit, rate in rates.items() if rate is not None)
    line = f"{duration(median)}{known} (median of {len(times)} launches, spread {spread / median:.1%}, on the {where})"
    if spread <= WIDE * median:
        return line
    return (
        f"{line}\nThe spread is wide: half of the launches differ by {duration(spread)}. Take more of them, make each "
        "one longer, or see what else uses this GPU."
    )


def duration(ms: float) -> str:
    """`1.23 ms`, `45.6 us`."""
    return f"{ms:.3g} ms" if ms >= 1 else f"{ms * 1000:.3g} us"


def _size(size: Size) -> str:
    return ", ".join(f"{word}={value}" for word, value in size.items())


def _factor(value: float) -> str:
    return f"{value:.2f}"
