"""Speed: is a kernel fast enough compared with another one, timed under the same conditions?"""

from __future__ import annotations

from collections.abc import Sequence

from ..core.check_findings import TooSlow


def speed_up(own: Sequence[float], other: Sequence[float]) -> float:
    """How many times as fast as `other` the kernel is: the ratio of the two medians."""
    return median(other) / median(own)


def find_too_slow(
    own: Sequence[float], other: Sequence[float], needed: float, *, naive: float, good: float, baseline: str
) -> list[TooSlow]:
    """One finding if the kernel is less than `needed` times as fast as the `baseline`.

    Args:
        own, other: times of single launches of the kernel and the baseline, in milliseconds.
        naive, good: the exercise's reference speeds, see `TooSlow`.
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
    """The middle value of `times`, or the mean of the middle two."""
    ordered, half = sorted(times), len(times) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
