"""Is a kernel fast enough, against another one that was timed beside it?"""

from __future__ import annotations

from collections.abc import Sequence

from ..core.check_findings import TooSlow


def speed_up(own: Sequence[float], other: Sequence[float]) -> float:
    """How many times as fast as `other` the kernel is: the ratio of the medians of two series of times."""
    return median(other) / median(own)


def find_too_slow(
    own: Sequence[float], other: Sequence[float], needed: float, *, naive: float, good: float, baseline: str
) -> list[TooSlow]:
    """One finding if the kernel is less than `needed` times as fast as the other one, the `baseline`.

    Args:
        own, other: times of single launches, in milliseconds.
        naive, good: what else the exercise says of its speed, see `TooSlow`.
    """
    measured = speed_up(own, other)
    if measured >= needed:
        return []
    found = TooSlow(
        measured=measured,
        needed=needed,
        own=median(own),
        other=median(other),
        naive=naive,
        good=good,
        baseline=baseline,
    )
    return [found]


def median(times: Sequence[float]) -> float:
    """The middle one of `times`, or the mean of the middle two."""
    ordered, half = sorted(times), len(times) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
