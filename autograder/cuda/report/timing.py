"""How long launches take, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: A spread above this fraction of the median means that the measurement was disturbed.
WIDE = 0.1


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
